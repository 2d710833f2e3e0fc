"""From the edits of checks to findings: one for each edit, however many nodes it reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import attrs

from benchhygiene import BaseFinding, Location, SymbolKind, Verdict
from benchhygiene.inventory.collection import Node
from benchhygiene_plugins.assertions.checks import Check, Place
from benchhygiene_plugins.assertions.doubts import Unseen
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.findings import BY_KIND, UNSEEN, CheckEdited, ChecksUnseen
from benchhygiene_plugins.assertions.judging import Judged

_SHOWN = 300  # characters of a fact that are shown
_Key = tuple[Kind, Place | None, Place | None]


def findings(
    judged: Iterable[Judged | Unseen], differing: Collection[str]
) -> Iterator[BaseFinding]:
    """Yield the findings on what was judged, in the order of the nodes.

    A check in a helper that is the same on both sides is shown where the node calls the helper.
    """
    groups: dict[_Key, list[tuple[Judged, Edit]]] = {}
    doubts: list[BaseFinding] = []
    for one in judged:
        if isinstance(one, Unseen):
            doubts.append(_unseen(one.path, None, one.reason))
            continue
        for edit in one.edits:
            shown = _at_call(edit, differing)
            groups.setdefault(_key(shown), []).append((one, shown))
        if one.reason is not None:
            doubts.append(_unseen(one.new.path, one.new, one.reason))
    for group in groups.values():
        yield _edited(group)
    yield from doubts


def _at_call(edit: Edit, differing: Collection[str]) -> Edit:
    old, new = (_moved(side, differing) for side in (edit.old, edit.new))
    return attrs.evolve(edit, old=old, new=new)


def _moved(check: Check | None, differing: Collection[str]) -> Check | None:
    if check is None or check.flow.site is None or check.place.path in differing:
        return check
    return attrs.evolve(check, place=check.flow.site)


def _key(edit: Edit) -> _Key:
    old, new = edit.old, edit.new
    return (edit.kind, old.place if old else None, new.place if new else None)


def _edited(group: list[tuple[Judged, Edit]]) -> CheckEdited:
    judged, edit = next(iter(group))
    nodes = tuple(dict.fromkeys(one.pair.old.node_id for one, _ in group))
    old, new = _text(edit.old), _text(edit.new)
    return CheckEdited(
        rule=BY_KIND[edit.kind],
        message=_message(nodes, old, new, edit.reason),
        locations=_locations(judged, edit),
        old_text=old,
        new_text=new,
        reason=edit.reason,
        old_fact=_fact(edit.old),
        new_fact=_fact(edit.new),
        nodes=nodes,
    )


def _message(nodes: tuple[str, ...], old: str, new: str, reason: str) -> str:
    first, *others = nodes
    more = f" and {len(others)} more" if others else ""
    before = f"`{_line(old)}`" if old else "a check"
    after = f" is now `{_line(new)}`" if new and new != old else ""
    return f"{first}{more}: {before}{after}: {reason}; restore the check or have it waived"


def _line(text: str) -> str:
    first = " ".join(text.split())
    return first if len(first) <= 100 else f"{first[:99]}…"


def _text(check: Check | None) -> str:
    return check.place.text if check is not None else ""


def _fact(check: Check | None) -> str:
    return repr(check.fact)[:_SHOWN] if check is not None else ""


def _locations(judged: Judged, edit: Edit) -> tuple[Location, ...]:
    """Return where the check stands or stood: the candidate's place first, then the parent's."""
    node = judged.pair.old.node_id
    found: list[Location] = []
    nearest = edit.new or edit.old
    if judged.cause is not None and nearest is not None and nearest.place.path != judged.cause:
        found.append(Location(judged.cause, symbol=node, symbol_kind=SymbolKind.NODE))
    if edit.new is not None:
        found.append(_at(edit.new.place, node))
    elif edit.old is not None:
        path = edit.old.place.path
        own = path == judged.pair.old.definition_path
        path = judged.new.definition_path if own else path
        line = judged.new.line if own else None
        found.append(Location(path, line, symbol=node, symbol_kind=SymbolKind.NODE))
    if edit.old is not None:
        found.append(_at(edit.old.place, node))
    return tuple(found)


def _at(place: Place, node: str) -> Location:
    return Location(place.path, place.line, place.column, node, SymbolKind.NODE)


def _unseen(path: str, node: Node | None, reason: str) -> ChecksUnseen:
    at = Location(path)
    if node is not None:
        at = Location(path, node.line, symbol=node.node_id, symbol_kind=SymbolKind.NODE)
    return ChecksUnseen(
        rule=UNSEEN,
        message=f"{node.node_id if node else path}: {reason}, so its checks are not all compared",
        locations=(at,),
        reason=reason,
        verdict=Verdict.INCONCLUSIVE,
    )
