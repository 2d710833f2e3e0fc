"""All tools that one session's pages declare, and what in the pages is no tool."""

from __future__ import annotations

import attrs

from benchhygiene.evidence.listing import ListingPage, ListingSession
from benchhygiene.inventory.declarations.raw import Members, Raw, parse, shown
from benchhygiene.inventory.declarations.tools import (
    Duplicate,
    EntryFault,
    ToolDeclaration,
    declaration,
)

_DEEPEST = 100  # levels of one page: what is read here calls itself for each
_MOST_SHOWN = 200


@attrs.frozen
class PageFault:
    """A page, counted from 0, of which nothing could be read, and why."""

    page: int
    reason: str


@attrs.frozen
class Listing:
    """What one session declared.

    ``duplicates`` are keys that stand twice in a response around its tools, by page.
    """

    tools: tuple[ToolDeclaration, ...] = ()
    faults: tuple[EntryFault, ...] = ()
    pages: tuple[PageFault, ...] = ()
    duplicates: tuple[tuple[int, Duplicate], ...] = ()

    def by_name(self) -> dict[str, tuple[ToolDeclaration, ...]]:
        """Return the declarations of each name, sorted by name."""
        found: dict[str, list[ToolDeclaration]] = {}
        for tool in self.tools:
            found.setdefault(tool.name, []).append(tool)
        return {name: tuple(found[name]) for name in sorted(found)}


def listing(session: ListingSession) -> Listing:
    """Return what the pages of a session declare; a fault costs its own page or entry alone."""
    read = [_page(page, number) for number, page in enumerate(session.pages)]
    return Listing(
        tuple(tool for each in read for tool in each.tools),
        tuple(fault for each in read for fault in each.faults),
        tuple(fault for each in read for fault in each.pages),
        tuple(duplicate for each in read for duplicate in each.duplicates),
    )


def _page(page: ListingPage, number: int) -> Listing:
    try:
        answer = parse(page.text)
    except RecursionError:
        return Listing(pages=(PageFault(number, "is nested too deeply"),))
    except ValueError as error:
        return Listing(pages=(PageFault(number, f"is no JSON: {str(error)[:_MOST_SHOWN]}"),))
    if _is_deep(answer):
        return Listing(pages=(PageFault(number, f"is nested more than {_DEEPEST} levels deep"),))
    return _answer(answer, number)


def _answer(answer: Raw, number: int) -> Listing:
    """Read a JSON-RPC response, or the result of one that was saved without its envelope."""
    found: list[tuple[int, Duplicate]] = []
    result = answer
    if isinstance(answer, Members) and not answer.has("tools"):
        found += _doubled(answer, "", number)
        if answer.has("error") and not answer.has("result"):
            said = shown(answer.one("error"))[:_MOST_SHOWN]
            return Listing(pages=(PageFault(number, f"answers with an error: {said}"),))
        result = answer.one("result")
    if not isinstance(result, Members):
        return Listing(pages=(PageFault(number, "has no result object"),))
    found += _doubled(result, "/result", number)
    tools = result.one("tools")
    if not isinstance(tools, list):
        fault = PageFault(number, "has no list of tools in its result")
        return Listing(pages=(fault,), duplicates=tuple(found))
    read = [declaration(entry, number, index) for index, entry in enumerate(tools)]
    return Listing(
        tuple(each for each in read if isinstance(each, ToolDeclaration)),
        tuple(each for each in read if isinstance(each, EntryFault)),
        duplicates=tuple(found),
    )


def _doubled(members: Members, pointer: str, number: int) -> list[tuple[int, Duplicate]]:
    return [
        (number, Duplicate(pointer, key, tuple(shown(v)[:_MOST_SHOWN] for v in members.all(key))))
        for key in members.repeated()
    ]


def _is_deep(value: Raw) -> bool:
    level: list[Raw] = [value]
    for _ in range(_DEEPEST):
        level = [member for each in level for member in _inner(each)]
        if not level:
            return False
    return True


def _inner(value: Raw) -> list[Raw]:
    if isinstance(value, Members):
        return [member for _, member in value.pairs]
    return value if isinstance(value, list) else []
