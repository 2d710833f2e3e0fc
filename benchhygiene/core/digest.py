"""A digest of evidence that depends on its content alone."""

from __future__ import annotations

import datetime
import enum
import hashlib
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol, cast, runtime_checkable

import attrs

from benchhygiene.errors import InputError


@runtime_checkable
class Canonical(Protocol):
    """A large mapping that keeps its canonical form: one of thousands of files is seen often."""

    def canonical(self) -> bytes:
        """Return bytes that differ wherever the content does, and nowhere else."""
        ...


def digest(evidence: object) -> str:
    """Return the SHA-256, in hexadecimal, of a canonical serialisation of an attrs tree.

    Fields with ``eq=False`` do not count, and neither does the order of mappings and sets. Raises
    InputError where the tree holds a type with no canonical form.
    """
    return hashlib.sha256(_encode(evidence)).hexdigest()


def _encode(value: object) -> bytes:
    """Return an unambiguous form: every part says its kind and its length."""
    if isinstance(value, enum.Enum):
        return _part(b"enum", _joined([type(value).__name__, value.name]))
    if value is None or isinstance(value, bool | int | float):
        return _part(type(value).__name__.encode(), repr(value).encode())
    if isinstance(value, str):
        return _part(b"str", value.encode(errors="surrogatepass"))
    if isinstance(value, bytes):
        return _part(b"bytes", value)
    if isinstance(value, datetime.date | pathlib.PurePath):
        return _part(type(value).__name__.encode(), str(value).encode(errors="surrogatepass"))
    return _encode_container(value)


def _encode_container(value: object) -> bytes:
    if attrs.has(type(value)):
        return _part(b"attrs", _joined([type(value).__name__, *_fields(value)]))
    if isinstance(value, Mapping):
        if isinstance(value, Canonical):
            return _part(b"canonical", value.canonical())
        items = cast("Mapping[object, object]", value).items()
        return _part(b"mapping", b"".join(sorted(_joined(pair) for pair in items)))
    if isinstance(value, tuple | list):
        return _part(b"sequence", _joined(cast("Sequence[object]", value)))
    if isinstance(value, AbstractSet):
        members = cast("AbstractSet[object]", value)
        return _part(b"set", b"".join(sorted(_encode(member) for member in members)))
    raise InputError(f"evidence holds a {type(value).__name__}, which has no canonical form")


def _fields(instance: object) -> Iterable[object]:
    for field in attrs.fields(cast("type[attrs.AttrsInstance]", type(instance))):
        if field.eq:
            yield field.name
            yield cast(object, getattr(instance, field.name))


def _joined(values: Iterable[object]) -> bytes:
    return b"".join(_encode(value) for value in values)


def _part(kind: bytes, body: bytes) -> bytes:
    return b"%s %d:%s" % (kind, len(body), body)
