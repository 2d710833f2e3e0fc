"""Contracts of a tree, and what a candidate's allow that the parent's, or the pack's, did not."""

from __future__ import annotations

import enum
import posixpath
import re
from collections.abc import Iterator
from typing import cast

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree, WitnessPack
from benchhygiene_plugins.oracles.documents import SUFFIXES, YAML, reader_of
from benchhygiene_plugins.oracles.keywords import (
    Json,
    Loosening,
    Object,
    TooMuch,
    listed,
    mapping,
    spelled,
)
from benchhygiene_plugins.oracles.naming import naming
from benchhygiene_plugins.oracles.openapi import Interface, is_openapi
from benchhygiene_plugins.oracles.pointers import step
from benchhygiene_plugins.oracles.schemas import Comparison
from benchhygiene_plugins.oracles.territory import Territory

FOLDERS = frozenset(("contract", "contracts"))
_NAMED = re.compile(r"(?:open-?api|swagger)[^/]*$|[._-]schema\.(?:json|ya?ml)$", re.IGNORECASE)
_ANYWHERE = re.compile(r"(?:open-?api|swagger)[^/]*$", re.IGNORECASE)
_YAML_SCHEMA = re.compile(rb"^[\"']?(?:openapi|swagger|\$schema)[\"']?\s*:", re.MULTILINE)
_SCHEMA_FOLDERS = frozenset(("schema", "schemas", "jsonschema", "openapi"))
_SHAPES_WORDS = """
type properties required items $ref allOf anyOf oneOf enum const
"""
_SHAPES = frozenset(_SHAPES_WORDS.split())
_MOST = 40  # loosenings of one file that are told apart


class Kind(enum.Enum):
    """What a contract is written in."""

    OPENAPI = "OpenAPI"
    SCHEMA = "JSON Schema"
    OTHER = "its own form"


@attrs.frozen
class Loosened:
    """One contract of the candidate's, and what it allows that ``against`` did not.

    ``unseen`` says why that is not known.
    """

    path: str
    against: str
    kind: Kind | None = None
    loosenings: tuple[Loosening, ...] = ()
    unseen: str | None = None


def loosened(change: Change, pack: WitnessPack | None = None) -> Iterator[Loosened]:
    """Yield, by path, what became of every contract that differs from the parent's or the pack's.

    One that allows no more than it did has no loosenings.
    """
    for path in change.differing():
        if path in change.parent.entries and may_be_contract(change.parent, path):
            found = _compared(change.parent, path, change.candidate, path, "the parent's")
            found = found or _gone(change, path)
            if found is not None:
                yield found
    if pack is not None:
        yield from _against_pack(change, pack)


def _gone(change: Change, path: str) -> Loosened | None:
    """Return the loss of a whole contract outside of the tests, whose files are fixtures."""
    tree = change.parent
    if path in change.candidate.entries or tree.surveyed(Territory.of).is_among_tests(path):
        return None
    try:
        data, document = tree.read(path), tree.derived(path, reader_of(path))
    except EvidenceUnavailable:
        return None
    kind = kind_of(document.value, path)
    added = (one for one in change.differing() if one not in tree.entries)
    if kind is None or any(_holds(change.candidate, one, data) for one in added):
        return None
    lost = Loosening("", "the contract is gone", spelled(document.value), "")
    return Loosened(path, "the parent's", kind, (lost,))


def _holds(tree: SourceTree, path: str, data: bytes) -> bool:
    try:
        return tree.stored(path) == data
    except EvidenceUnavailable:
        return False


def _against_pack(change: Change, pack: WitnessPack) -> Iterator[Loosened]:
    for path in pack.files.entries:
        if not path.startswith("contracts/") or not path.endswith(SUFFIXES):
            continue
        for other in _counterparts(change.candidate, path):
            found = _compared(pack.files, path, change.candidate, other, "the pack's")
            if found is not None and (found.loosenings or found.unseen):
                yield found


def _counterparts(tree: SourceTree, path: str) -> tuple[str, ...]:
    """Return the files of a tree that are what a pack's contract says it is, by their names."""
    same = [one for one in tree.entries if one == path or one.endswith(f"/{path}")]
    if same:
        return tuple(same)
    name = posixpath.basename(path)
    alike = [one for one in tree.entries if posixpath.basename(one) == name]
    return tuple(alike) if len(alike) == 1 else ()


def may_be_contract(tree: SourceTree, path: str) -> bool:
    """Return whether a file, by its place and name, holds what the code has promised."""
    if not path.endswith(SUFFIXES):
        return False
    if FOLDERS.intersection(path.split("/")[:-1]) or _ANYWHERE.search(path):
        return True
    if tree.surveyed(Territory.of).is_among_tests(path):
        return True
    is_likely = _NAMED.search(path) or _SCHEMA_FOLDERS.intersection(path.split("/")[:-1])
    return bool(is_likely) and bool(naming(tree, path))


def _compared(
    before: SourceTree, path: str, after: SourceTree, other: str, against: str
) -> Loosened | None:
    """Return what one contract allows more than another; None where it is no contract, or equal."""
    if not before.is_file(path) or not after.is_file(other):
        return None
    try:
        if before.read(path) == after.read(other):
            return None
        if path.endswith(YAML) and not (
            _is_surely_contract(path) or before.derived(path, _is_named_yaml)
        ):
            return None
        old = before.derived(path, reader_of(path))
        new = after.derived(other, reader_of(other))
    except EvidenceUnavailable as error:
        named = _is_surely_contract(path)
        return Loosened(other, against, unseen=str(error)) if named else None
    if old.error is not None or (new.error is not None and other.endswith(YAML)):
        surely = _is_surely_contract(path) or path.endswith(YAML)
        reason = old.error or new.error
        return Loosened(other, against, unseen=reason) if surely else None
    kind = kind_of(old.value, path)
    if kind is None:
        return None
    if new.error is not None:
        return Loosened(other, against, kind, unseen=new.error)
    return held(kind, old.value, new.value, other, against)


def held(kind: Kind, old: Json, new: Json, path: str, against: str) -> Loosened:
    """Return what one document allows more than another."""
    try:
        found = tuple(dict.fromkeys(_loosenings(kind, old, new)))
    except (TooMuch, RecursionError) as error:
        why = str(error) if isinstance(error, TooMuch) else "is too deeply nested"
        return Loosened(path, against, kind, unseen=why)
    return Loosened(path, against, kind, found[:_MOST])


def _is_named_yaml(data: bytes) -> bool:
    """Return whether YAML text says of itself that it is a contract; for ``tree.derived``."""
    return _YAML_SCHEMA.search(data) is not None


def _is_surely_contract(path: str) -> bool:
    return bool(FOLDERS.intersection(path.split("/")[:-1]) or _NAMED.search(path))


def kind_of(document: Json, path: str) -> Kind | None:
    """Return what a document is written in, None where it is no contract."""
    if is_openapi(document):
        return Kind.OPENAPI
    if is_schema(document, named=bool(_NAMED.search(path))):
        return Kind.SCHEMA
    is_kept = FOLDERS.intersection(path.split("/")[:-1]) or _SCHEMA_FOLDERS.intersection(
        path.split("/")[:-1]
    )
    return Kind.OTHER if is_kept and isinstance(document, dict | list) else None


def is_schema(document: Json, *, named: bool = False) -> bool:
    """Return whether a document is a JSON Schema, or, by its file's name, is meant to be one."""
    if not isinstance(document, dict):
        return False
    words = cast("Object", document)
    schema = words.get("$schema")
    if isinstance(schema, str) and "schema" in schema:
        return True
    if isinstance(words.get("properties"), dict) and words.get("type") in ("object", None):
        return True
    return named and not _SHAPES.isdisjoint(words)


def _loosenings(kind: Kind, old: Json, new: Json) -> Iterator[Loosening]:
    comparison = Comparison(old, new)
    if kind is Kind.OPENAPI:
        if not is_openapi(new):
            yield Loosening("", "describes no interface any more", spelled(old), spelled(new))
            return
        yield from Interface(old, new, comparison).loosenings()
    elif kind is Kind.SCHEMA:
        yield from comparison.schema(old, new, "")
    else:
        yield from _kept(old, new, comparison, "", 0)


def _kept(old: Json, new: Json, schemas: Comparison, at: str, depth: int) -> Iterator[Loosening]:
    """Yield what a contract of its own form has lost: keys, and entries of lists."""
    if old == new:
        return
    if depth > 30:
        raise TooMuch("is too deeply nested")
    if is_schema(old):
        yield from schemas.schema(old, new, at)
    elif isinstance(old, dict):
        after = mapping(new)
        for name, value in mapping(cast("Json", old)).items():
            place = step(at, name)
            if name not in after:
                yield Loosening(place, "is gone", spelled(value), "")
            else:
                yield from _kept(value, after[name], schemas, place, depth + 1)
    elif isinstance(old, list):
        rows, kept = listed(cast("Json", old)), listed(new)
        if {*map(spelled, rows)} - {*map(spelled, kept)} and len(kept) < len(rows):
            yield Loosening(at, "has lost entries", spelled(rows), spelled(new))
    elif new in (None, "", "any", "Any", "object", "*", [], {}):
        yield Loosening(at, "anything is allowed", spelled(old), spelled(new))
