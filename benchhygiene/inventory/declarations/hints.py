"""The four hints of a tool's annotations, and what is wrong with how they are declared.

The four names and their meaning are ToolAnnotations of the MCP schema, revisions 2025-11-25 and
2026-07-28. The defaults that it gives to absent hints are never applied here: a server that says
nothing has claimed nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import NoReturn

import attrs

from benchhygiene.inventory.declarations.raw import Members, Raw, shown

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_MOST_SHOWN = 200


class HintValue(enum.Enum):
    """What a hint says; it has no truth value, and equals nothing but another HintValue.

    ``if tool.read_only`` would take ABSENT for true, and ``== False`` would take it for false:
    both raise TypeError.
    """

    TRUE = "true"
    FALSE = "false"
    ABSENT = "absent"
    MALFORMED = "malformed"

    def __bool__(self) -> NoReturn:
        raise TypeError("a hint has no truth value: compare it with HintValue.TRUE")

    def __eq__(self, other: object) -> bool:
        if other is None or isinstance(other, bool):
            raise TypeError(f"a hint is never {other}: compare it with a HintValue")
        return self is other

    def __hash__(self) -> int:
        return hash(self.value)


class BlockState(enum.Enum):
    """What the ``annotations`` member of a tool is."""

    MISSING = "missing"
    NULL = "null"
    OBJECT = "object"
    MALFORMED = "malformed"


class AnomalyKind(enum.Enum):
    """What can be wrong with a declaration."""

    DUPLICATE_KEY = "duplicate_key"
    NULL_HINT = "null_hint"
    NON_BOOLEAN_HINT = "non_boolean_hint"
    ANNOTATIONS_NOT_OBJECT = "annotations_not_object"
    HINT_OUTSIDE_ANNOTATIONS = "hint_outside_annotations"
    LOOK_ALIKE_KEY = "look_alike_key"


@attrs.frozen
class Anomaly:
    """One fault of a declaration: its JSON pointer within the tool, and the values as written."""

    kind: AnomalyKind
    pointer: str
    values: tuple[str, ...]

    @property
    def key(self) -> str:
        """Return the last part of the pointer."""
        return self.pointer.rpartition("/")[2]


@attrs.frozen
class Hint:
    """One hint as it was sent; ``written`` are its values as JSON, in order."""

    name: str
    value: HintValue = HintValue.ABSENT
    written: tuple[str, ...] = ()


def block_state(tool: Members) -> BlockState:
    """Return what the annotations of a tool are; twice is malformed, whatever they hold."""
    match tool.all("annotations"):
        case ():
            return BlockState.MISSING
        case (None,):
            return BlockState.NULL
        case (Members(),):
            return BlockState.OBJECT
        case _:
            return BlockState.MALFORMED


def hints(tool: Members) -> tuple[Hint, ...]:
    """Return the four hints of a tool, in the order of the specification."""
    state = block_state(tool)
    block = tool.one("annotations")
    return tuple(_hint(name, tool, block, state) for name in HINTS)


def _hint(name: str, tool: Members, block: Raw, state: BlockState) -> Hint:
    if state is BlockState.MALFORMED:
        return Hint(name, HintValue.MALFORMED)
    values = block.all(name) if isinstance(block, Members) else ()
    written = tuple(map(_short, values))
    if len(values) == 1 and isinstance(values[0], bool):
        return Hint(name, HintValue.TRUE if values[0] else HintValue.FALSE, written)
    # One beside the annotations was meant to say something, and says it to nobody.
    is_attempted = bool(values) or tool.has(name)
    return Hint(name, HintValue.MALFORMED if is_attempted else HintValue.ABSENT, written)


def anomalies(tool: Members) -> tuple[Anomaly, ...]:
    """Return what is wrong with a tool's annotations, block first, then hint by hint."""
    return (*_of_block(tool), *_of_hints(tool), *_outside(tool), *_alike(tool))


def _of_block(tool: Members) -> Iterator[Anomaly]:
    values = tool.all("annotations")
    if len(values) > 1:
        yield _anomaly(AnomalyKind.DUPLICATE_KEY, "/annotations", values)
    if any(value is not None and not isinstance(value, Members) for value in values):
        yield _anomaly(AnomalyKind.ANNOTATIONS_NOT_OBJECT, "/annotations", values)


def _of_hints(tool: Members) -> Iterator[Anomaly]:
    for block in _blocks(tool):
        for name in HINTS:
            values, pointer = block.all(name), f"/annotations/{name}"
            if len(values) > 1:
                yield _anomaly(AnomalyKind.DUPLICATE_KEY, pointer, values)
            elif values == (None,):
                yield _anomaly(AnomalyKind.NULL_HINT, pointer, values)
            elif values and not isinstance(values[0], bool):
                yield _anomaly(AnomalyKind.NON_BOOLEAN_HINT, pointer, values)


def _outside(tool: Members) -> Iterator[Anomaly]:
    for name in HINTS:
        if tool.has(name):
            yield _anomaly(AnomalyKind.HINT_OUTSIDE_ANNOTATIONS, f"/{name}", tool.all(name))


def _alike(tool: Members) -> Iterator[Anomaly]:
    for prefix, where in (("", tool), *(("/annotations", block) for block in _blocks(tool))):
        for key in where.names():
            if key not in HINTS and meant(key) is not None:
                yield _anomaly(AnomalyKind.LOOK_ALIKE_KEY, f"{prefix}/{key}", where.all(key))


def _blocks(tool: Members) -> Iterator[Members]:
    return (value for value in tool.all("annotations") if isinstance(value, Members))


def meant(key: str) -> str | None:
    """Return the hint that a key was meant to be, None where it was not meant to be one.

    Letters count, and neither case nor what stands between them: ``read_only_hint``, ``readonly``.
    """
    letters = "".join(filter(str.isalnum, key)).casefold()
    for name in HINTS:
        if letters in (name.casefold(), name.casefold().removesuffix("hint")):
            return name
    return None


def _anomaly(kind: AnomalyKind, pointer: str, values: tuple[Raw, ...]) -> Anomaly:
    return Anomaly(kind, pointer, tuple(map(_short, values)))


def _short(value: Raw) -> str:
    text = shown(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
