"""The evidence of one run, and what an analyzer is handed out of it."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar, cast, runtime_checkable

import attrs

from benchhygiene.core.analyzer import Bundle
from benchhygiene.errors import ContractBreach, InputError
from benchhygiene.evidence.as_of import AsOf

E = TypeVar("E")


@runtime_checkable
class Composite(Protocol):
    """Evidence that brings further pieces of evidence along, as a witness pack does."""

    @property
    def parts(self) -> tuple[object, ...]:
        """Return the pieces."""
        ...


@attrs.frozen
class Missing:
    """What was not given: names of evidence types, in the order the analyzer asks for them.

    ``all`` says that nothing it cannot do without was given, the day apart.
    """

    types: tuple[str, ...]
    all: bool = True


def _by_type(pieces: Iterable[object]) -> tuple[object, ...]:
    return tuple(sorted(_with_parts(pieces), key=lambda piece: type(piece).__name__))


def _with_parts(pieces: Iterable[object]) -> Iterator[object]:
    """Lay a pack's ledger and its other parts beside it: analyzers ask for them singly."""
    for piece in pieces:
        yield piece
        if isinstance(piece, Composite):
            yield from piece.parts


def _one_of_each(_: object, __: object, pieces: tuple[object, ...]) -> None:
    seen: set[type] = set()
    for piece in pieces:
        kind = type(piece)
        if isinstance(piece, Bundle) or not attrs.has(kind):
            raise InputError(f"{kind.__name__} is not evidence: expected frozen attrs instances")
        if kind in seen:
            raise InputError(f"{kind.__name__} was given twice: a run takes one piece of each type")
        seen.add(kind)


@attrs.frozen
class Pool:
    """At most one piece of evidence of each type; the parsed parts of a pack are pieces too.

    Raises InputError for a second piece of one type, and for what is not an attrs instance.
    """

    pieces: tuple[object, ...] = attrs.field(default=(), converter=_by_type, validator=_one_of_each)

    def find(self, kind: type[E]) -> E | None:
        """Return the piece of exactly this type, None where it was not given."""
        return next((piece for piece in self.pieces if type(piece) is kind), None)

    def build(self, consumes: type[E]) -> E | Missing:
        """Return what an analyzer that consumes this type is handed, or what is missing for it.

        A bundle of optional evidence only needs one of its pieces. Raises ContractBreach where a
        bundle's annotations cannot be read.
        """
        if issubclass(consumes, Bundle):
            return self._fill(consumes)
        piece = self.find(consumes)
        return Missing((consumes.__name__,)) if piece is None else piece

    def _fill(self, bundle: type[E]) -> E | Missing:
        slots = _slots(bundle)
        pieces = {slot.argument: self.find(slot.kind) for slot in slots}
        missing = tuple(
            slot.kind.__name__ for slot in slots if slot.required and pieces[slot.argument] is None
        )
        if not missing and all(piece is None for piece in pieces.values()):
            missing = tuple(slot.kind.__name__ for slot in slots)
        if not missing:
            return bundle(**pieces)
        needed = [slot for slot in slots if slot.required] or slots
        # A day alone is nothing to judge.
        given = (slot for slot in needed if slot.kind is not AsOf)
        return Missing(missing, all=all(pieces[slot.argument] is None for slot in given))


@attrs.frozen(eq=False, repr=False)
class _Slot:
    """One field of a bundle: its constructor argument and the evidence type it takes."""

    argument: str
    kind: type[object]
    required: bool


@functools.lru_cache(maxsize=256)  # annotations are text, which is compiled each time
def _slots(bundle: type[object]) -> tuple[_Slot, ...]:
    return tuple(_read_slots(bundle))


def _read_slots(bundle: type[object]) -> Iterator[_Slot]:
    if not attrs.has(bundle):
        raise ContractBreach(f"{bundle.__name__} is a Bundle but no attrs class")
    hints = _hints(bundle)
    for field in attrs.fields(bundle):
        kind, required = _evidence_type(bundle, field.name, hints[field.name])
        yield _Slot(field.alias or field.name, kind, required)


def _hints(bundle: type[object]) -> dict[str, object]:
    try:
        return typing.get_type_hints(bundle)
    except NameError as error:
        raise ContractBreach(
            f"{bundle.__name__}: {error}; a bundle's evidence types are imported at run time"
        ) from error


def _evidence_type(bundle: type[object], name: str, hint: object) -> tuple[type[object], bool]:
    members = (hint,)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        members = typing.get_args(hint)
    kinds = [member for member in members if member is not types.NoneType]
    if len(kinds) == 1 and isinstance(kinds[0], type):
        return cast("type[object]", kinds[0]), len(members) == 1
    raise ContractBreach(f"{bundle.__name__}.{name}: expected one evidence type, or `X | None`")
