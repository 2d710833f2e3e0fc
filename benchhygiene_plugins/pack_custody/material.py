"""Which files of a tree are trusted material: by their place in a pack, or by what they hold."""

from __future__ import annotations

import json
import posixpath
import tomllib
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.evidence.pack import CAMPAIGN, LEDGER, MANIFEST, WAIVERS
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml

_LARGEST = 5_000_000  # bytes of a file that is looked into
_SIGNATURES = (".sig", ".dsse.json", ".intoto.jsonl", ".sigstore.json")
_KEYRINGS = ("allowed_signers", "allowed-signers")
#: What no table or object but one of a pack has, by the part it makes a file.
_MARKS = {"waivers": ("approved_by", "fingerprint"), "ledger": ("allowed_action", "first_seen")}
_BUDGETS = frozenset(("max_examples", "deadline_ms", "seed_source", "samples", "threshold_ms"))


@attrs.frozen
class Material:
    """A part of a pack: which one, and what it allows, one line an entry."""

    part: str
    entries: tuple[str, ...] = ()


def material(tree: SourceTree, path: str) -> Material | None:
    """Return the part of a pack that a file is, None for any other file."""
    try:
        data = tree.stored(path)
    except EvidenceUnavailable:
        data = b""
    part = _by_place(path)
    if len(data) > _LARGEST:
        return Material(part, (f"{len(data)} bytes",)) if part else None
    if path.endswith(".json"):
        return _of_json(path, data, part)
    if path.endswith(".toml"):
        return _of_toml(data, part)
    return Material(part, tuple(_lines(data))) if part else None


def _by_place(path: str) -> str:
    name = posixpath.basename(path)
    if name == MANIFEST:
        return "manifest"
    if name.startswith(MANIFEST) or name in _KEYRINGS:
        return "signature" if name.endswith(_SIGNATURES) or name in _KEYRINGS else ""
    parts = {LEDGER: "ledger", CAMPAIGN: "campaign"}
    return next((part for end, part in parts.items() if f"/{path}".endswith(f"/{end}")), "")


def _of_json(path: str, data: bytes, part: str) -> Material | None:
    words = data.lower()
    if not part and b"waivers" not in words and b"allowed_action" not in words:
        return None
    try:
        document: object = json.loads(data)
    except (ValueError, RecursionError):
        is_named = posixpath.basename(path) == WAIVERS
        return Material(part or "waivers", ("no JSON",)) if part or is_named else None
    found = _mapping(document)
    for name, key in (("waivers", "waivers"), ("ledger", "entries")):
        entries = tuple(_entries(found.get(key)))
        if entries and any(mark in entry for entry in entries for mark in _MARKS[name]):
            return Material(part or name, tuple(map(_spelled, entries)))
    return Material(part, (_spelled(found),)) if part else None


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _entries(value: object) -> Iterator[Mapping[str, object]]:
    for one in cast("list[object]", value) if isinstance(value, list) else ():
        if isinstance(one, Mapping):
            yield cast("Mapping[str, object]", one)


def _spelled(entry: Mapping[str, object]) -> str:
    try:
        return json.dumps(entry, sort_keys=True, default=str)
    except (ValueError, RecursionError):
        return "nests too deeply"


def _of_toml(data: bytes, part: str) -> Material | None:
    if not part and b"seed_source" not in data:
        return None
    try:
        document = parse_toml(data.decode("utf-8", errors="replace"))
    except (tomllib.TOMLDecodeError, TomlRefused):
        return Material(part, ("no TOML",)) if part else None
    tables = {
        key: cast("Mapping[str, object]", value)
        for key, value in document.items()
        if isinstance(value, Mapping)
    }
    if not part and not any(_BUDGETS & table.keys() for table in tables.values()):
        return None
    return Material("campaign", tuple(f"{key}: {_spelled(each)}" for key, each in tables.items()))


def _lines(data: bytes) -> Iterator[str]:
    yield from data.decode("utf-8", errors="replace").splitlines()
