"""How one set of declarations differs from another: a lock, another session, another answer."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.evidence.tool_lock import LockedTool

# What a client may do without asking, from the most careful claim to the boldest: a server that
# moves a hint to the right asks for more trust than was given.
_TRUST = {
    "readOnlyHint": ("false", "absent", "true"),
    "destructiveHint": ("true", "absent", "false"),
    "idempotentHint": ("false", "absent", "true"),
    "openWorldHint": ("true", "absent", "false"),
}


class Drift(enum.Enum):
    """What became of a tool."""

    ADDED = "added"
    REMOVED = "removed"
    HINT_LOOSENED = "hint loosened"
    HINT_CHANGED = "hint changed"
    DESCRIPTION = "description changed"
    SCHEMA = "schema changed"
    OTHER = "changed"


@attrs.frozen
class Difference:
    """One difference of one tool: which member, and both its texts."""

    drift: Drift
    tool: str
    member: str
    before: str
    after: str


def differences(
    before: Mapping[str, LockedTool], after: Mapping[str, LockedTool]
) -> Iterator[Difference]:
    """Yield how the tools differ, by name."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            drift = Drift.ADDED if old is None else Drift.REMOVED
            yield Difference(drift, name, "", _words(old), _words(new))
        elif old.sha256 != new.sha256:
            yield from _changed(old, new)


def _words(tool: LockedTool | None) -> str:
    return "" if tool is None else tool.description or tool.title or tool.name


def _changed(old: LockedTool, new: LockedTool) -> Iterator[Difference]:
    found = [*_hints(old, new), *_texts(old, new), *_schemas(old, new)]
    yield from found or [Difference(Drift.OTHER, old.name, "", old.sha256, new.sha256)]


def _hints(old: LockedTool, new: LockedTool) -> Iterator[Difference]:
    for hint, order in _TRUST.items():
        before, after = old.hints.get(hint, "absent"), new.hints.get(hint, "absent")
        if before != after:
            is_bolder = _rank(after, order) > _rank(before, order)
            drift = Drift.HINT_LOOSENED if is_bolder else Drift.HINT_CHANGED
            yield Difference(drift, old.name, hint, before, after)


def _rank(value: str, order: tuple[str, ...]) -> int:
    return order.index(value) if value in order else order.index("absent")


def _texts(old: LockedTool, new: LockedTool) -> Iterator[Difference]:
    for member, before, after in (
        ("title", old.title, new.title),
        ("description", old.description, new.description),
    ):
        if before != after:
            yield Difference(Drift.DESCRIPTION, old.name, member, before or "", after or "")


def _schemas(old: LockedTool, new: LockedTool) -> Iterator[Difference]:
    for member, before, after in (
        ("inputSchema", old.input_schema, new.input_schema),
        ("outputSchema", old.output_schema, new.output_schema),
    ):
        if before != after:
            yield Difference(Drift.SCHEMA, old.name, member, before or "", after or "")
