"""Evidence in a file: everything a score was made of, to be judged again elsewhere.

One JSON document. Files are kept once each under the SHA-256 of their bytes, in Base64; everything
else has the form of its class. What a file says of its evidence is checked, not believed: bytes
that are not those of their name are refused.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import enum
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import TypeVar

import attrs

from benchhygiene.core.json import JSON, fields_to_json, to_json
from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.commits import Commits
from benchhygiene.evidence.entries import EntryKind, TreeEntry
from benchhygiene.evidence.pack import CAMPAIGN, LEDGER, WAIVERS, PackOrigin, WitnessPack
from benchhygiene.evidence.replay import DeedKind, ListedBy, Replay, ReplayEnd
from benchhygiene.evidence.suite import NodeEnd
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.sources import pack_files
from benchhygiene.sources.documents import Unexpected, json_of, shown, structured
from benchhygiene.sources.judged import Judged
from benchhygiene.sources.mcp.leaves import any_text, one_of
from benchhygiene.sources.reading import read_regular, reason_of

T = TypeVar("T")
SCHEMA = "benchhygiene.evidence/1"
_LARGEST = 4 * 2**30


class _Schema(enum.Enum):
    """The forms of a file that can be read."""

    ONE = SCHEMA


@attrs.frozen(kw_only=True)
class _Entry:
    kind: EntryKind
    identity: str
    is_executable: bool
    error: str | None
    sha256: str | None


@attrs.frozen(kw_only=True)
class _Tree:
    entries: dict[str, _Entry]
    unseen: tuple[str, ...]
    left_out: tuple[str, ...]


@attrs.frozen(kw_only=True)
class _Pack:
    files: _Tree
    manifest_sha256: str | None
    archive_sha256: str | None
    signers: tuple[str, ...]
    origin: PackOrigin | None


@attrs.frozen(kw_only=True)
class _File:
    schema: _Schema
    as_of: datetime.date
    pack: _Pack
    parent: _Tree
    candidate: _Tree
    commits: Commits | None
    replay: Replay | None
    blobs: dict[str, str]


def evidence_text(judged: Judged) -> str:
    """Return the file of a score's evidence, all bytes in it; the same evidence, the same text."""
    blobs: dict[str, str] = {}
    pack = judged.pack
    whole: dict[str, JSON] = {
        "schema": SCHEMA,
        "as_of": judged.as_of.date.isoformat(),
        "pack": {
            "files": _tree_json(pack.files, blobs),
            "manifest_sha256": pack.manifest_sha256,
            "archive_sha256": pack.archive_sha256,
            "signers": list(pack.signers),
            "origin": to_json(pack.origin),
        },
        "parent": _tree_json(judged.change.parent, blobs),
        "candidate": _tree_json(judged.change.candidate, blobs),
        "commits": to_json(judged.commits),
        "replay": _replay_json(judged.replay),
        "blobs": blobs,
    }
    return json.dumps(whole, sort_keys=True, separators=(",", ":")) + "\n"


def _replay_json(replay: Replay | None) -> JSON:
    # Where the trees lay on this machine is no part of what happened.
    return None if replay is None else fields_to_json(replay, without=frozenset(("roots",)))


def _tree_json(tree: SourceTree, blobs: dict[str, str]) -> JSON:
    entries: dict[str, JSON] = {}
    for path, found in tree.entries.items():
        held = _bytes(tree, path, found)
        sha256 = None if held is None else hashlib.sha256(held).hexdigest()
        if held is not None and sha256 is not None:
            blobs.setdefault(sha256, base64.b64encode(held).decode())
        entries[path] = {
            "kind": found.kind.value,
            "identity": found.identity,
            "is_executable": found.is_executable,
            "error": found.error,
            "sha256": sha256,
        }
    return {"entries": entries, "unseen": list(tree.unseen), "left_out": list(tree.left_out)}


def _bytes(tree: SourceTree, path: str, found: TreeEntry) -> bytes | None:
    if found.kind not in (EntryKind.FILE, EntryKind.SYMLINK) or found.error is not None:
        return None
    try:
        return tree.stored(path)
    except EvidenceUnavailable:
        return None


def read_evidence(path: str) -> Judged:
    """Return the evidence that a file holds.

    Raises InputError that names the file and what is wrong in it: another form, an unknown key,
    bytes that are not those of their digest.
    """
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return evidence_of(data, path)


def evidence_of(data: bytes, name: str) -> Judged:
    """Return the evidence that the bytes of a file hold; raises InputError as above."""
    read = structured(json_of(data, name), _File, name, _HOOKS)
    blobs = {sha256: _blob(sha256, text, name) for sha256, text in read.blobs.items()}
    files = _tree(read.pack.files, blobs, f"{name}: pack")
    pack = WitnessPack(
        files,
        _parsed(files, LEDGER, pack_files.ledger),
        _parsed(files, WAIVERS, pack_files.waivers),
        _parsed(files, CAMPAIGN, pack_files.campaign),
        read.pack.manifest_sha256,
        origin=read.pack.origin,
        archive_sha256=read.pack.archive_sha256,
        signers=read.pack.signers,
    )
    trees = (
        _tree(side, blobs, f"{name}: {label}")
        for side, label in ((read.parent, "parent"), (read.candidate, "candidate"))
    )
    return Judged(
        pack=pack,
        as_of=AsOf(read.as_of),
        change=Change(*trees),
        commits=read.commits,
        replay=read.replay,
    )


def _parsed(files: SourceTree, path: str, parse: Callable[[bytes], T]) -> T | None:
    return parse(files.stored(path)) if files.is_file(path) else None


def _blob(sha256: str, text: str, name: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise InputError(f"{name}: blobs.{sha256[:80]}: not Base64") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InputError(f"{name}: blobs.{sha256[:80]}: holds other bytes than its name says")
    return data


def _tree(read: _Tree, blobs: Mapping[str, bytes], where: str) -> SourceTree:
    entries = {
        path: _entry(found, blobs, f"{where}: {path}") for path, found in read.entries.items()
    }
    return SourceTree(entries, read.unseen, left_out=read.left_out)


def _entry(found: _Entry, blobs: Mapping[str, bytes], where: str) -> TreeEntry:
    if found.sha256 is not None and found.sha256 not in blobs:
        raise InputError(f"{where}: its bytes are not in the file")
    data = None if found.sha256 is None else blobs[found.sha256]
    if data is not None and not _goes_by(data, found.identity):
        raise InputError(f"{where}: holds other bytes than {found.identity[:80]}")
    size = None if data is None else len(data)
    return TreeEntry(
        found.kind, found.identity, found.is_executable, found.error, size=size, data=data
    )


def _goes_by(data: bytes, identity: str) -> bool:
    """Return whether an identity is that of these bytes; schemes that are not known may be."""
    scheme, _, name = identity.partition(":")
    if scheme == "sha256":
        return hashlib.sha256(data).hexdigest() == name
    if scheme == "git":
        held = b"blob %d\0%s" % (len(data), data)
        maker = hashlib.sha256 if len(name) == hashlib.sha256().digest_size * 2 else hashlib.sha1
        return maker(held).hexdigest() == name
    return True


def _day(value: object) -> datetime.date:
    try:
        return datetime.date.fromisoformat(any_text(value))
    except ValueError as error:
        raise Unexpected(f"expected a day as YYYY-MM-DD, not {shown(value)}") from error


def _time(value: object) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(any_text(value))
    except ValueError as error:
        raise Unexpected(f"expected a time in ISO 8601, not {shown(value)}") from error


_HOOKS: dict[type, Callable[[object], object]] = {
    str: any_text,
    datetime.date: _day,
    datetime.datetime: _time,
    _Schema: one_of(_Schema),
    EntryKind: one_of(EntryKind),
    NodeEnd: one_of(NodeEnd),
    ReplayEnd: one_of(ReplayEnd),
    ListedBy: one_of(ListedBy),
    DeedKind: one_of(DeedKind),
}
