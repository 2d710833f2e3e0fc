"""One entry of a ``tools`` list: its name, its words, its schemas and its hints."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.declarations import hints as hinting
from benchhygiene.inventory.declarations.hints import Anomaly, BlockState, Hint, HintValue
from benchhygiene.inventory.declarations.raw import (
    Members,
    Number,
    Raw,
    canonical,
    objects,
    plain,
    shown,
)

_MOST_SHOWN = 200
# Members in which a key that stands twice makes the declaration depend on the parser.
_DECIDING = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


@attrs.frozen
class Duplicate:
    """A key that stands more than once: where the object is, the key, and the values as written."""

    pointer: str
    key: str
    values: tuple[str, ...]

    @property
    def decides(self) -> bool:
        """Return whether parsers may read different declarations out of it."""
        return bool(self.pointer) or self.key in (*_DECIDING, *hinting.HINTS)


@attrs.frozen
class EntryFault:
    """An entry that is no tool, by what it is instead: its place, and its text shortened."""

    page: int
    index: int
    reason: str
    text: str


@attrs.frozen(kw_only=True)
class ToolDeclaration:
    """What a server says of one tool; places count from 0.

    ``description`` and ``title`` are None where there is none, or none that is text.
    ``input_schema`` and ``output_schema`` are canonical JSON, None where they are absent. ``text``
    is the canonical form of the whole entry.
    """

    name: str
    page: int = 0
    index: int = 0
    title: str | None = None
    description: str | None = None
    input_schema: str | None = None
    output_schema: str | None = None
    block: BlockState = BlockState.MISSING
    hints: tuple[Hint, ...] = ()
    anomalies: tuple[Anomaly, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    text: str = attrs.field(default="", repr=False)

    def hint(self, name: str) -> HintValue:
        """Return one of the four hints; raises KeyError for another name."""
        return {hint.name: hint.value for hint in self.hints}[name]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the declaration; the order of members does not count."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def declaration(entry: Raw, page: int, index: int) -> ToolDeclaration | EntryFault:
    """Return the tool that an entry declares, or why it declares none."""
    if not isinstance(entry, Members):
        return _fault(entry, page, index, f"is {_kind(entry)}, and not an object")
    if not entry.has("name"):
        return _fault(entry, page, index, "has no name")
    if len(entry.all("name")) > 1:
        return _fault(entry, page, index, "has its name twice")
    name = entry.one("name")
    if not isinstance(name, str) or not name:
        return _fault(entry, page, index, f"has {shown(name)[:_MOST_SHOWN]} for a name")
    return ToolDeclaration(
        name=name,
        page=page,
        index=index,
        title=_text(entry, "title"),
        description=_text(entry, "description"),
        input_schema=_schema(entry, "inputSchema"),
        output_schema=_schema(entry, "outputSchema"),
        block=hinting.block_state(entry),
        hints=hinting.hints(entry),
        anomalies=hinting.anomalies(entry),
        duplicates=tuple(_duplicates(entry)),
        text=canonical(entry),
    )


def _fault(entry: Raw, page: int, index: int, reason: str) -> EntryFault:
    return EntryFault(page, index, reason, shown(entry)[:_MOST_SHOWN])


def _kind(value: Raw) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case str():
            return "text"
        case Number():
            return "a number"
        case _:
            return "a list"


def _text(entry: Members, key: str) -> str | None:
    value = entry.one(key)
    return value if isinstance(value, str) else None


def _schema(entry: Members, key: str) -> str | None:
    return canonical(entry.one(key)) if entry.has(key) else None


def _duplicates(entry: Members) -> Iterator[Duplicate]:
    """Yield every key that stands twice, those of the annotations' hints apart: see anomalies."""
    for pointer, members in objects(entry):
        for key in members.repeated():
            is_anomaly = (pointer == "" and key == "annotations") or (
                pointer == "/annotations" and key in hinting.HINTS
            )
            if not is_anomaly:
                values = tuple(shown(value)[:_MOST_SHOWN] for value in members.all(key))
                yield Duplicate(pointer, key, values)


def schema_value(text: str) -> object:
    """Return a schema of a declaration as plain values."""
    from benchhygiene.inventory.declarations.raw import parse

    return plain(parse(text))
