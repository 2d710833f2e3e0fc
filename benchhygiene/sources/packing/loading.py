"""A witness pack from an archive, wherever it is kept: verified whole before a word is read."""

from __future__ import annotations

import datetime
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from typing import TypeVar

import attrs

from benchhygiene.errors import InputError, PackRefused
from benchhygiene.evidence.pack import CAMPAIGN, LEDGER, WAIVERS, WitnessPack
from benchhygiene.evidence.tree import EntryKind, SourceTree, TreeEntry
from benchhygiene.sources import pack_files
from benchhygiene.sources.pack_walk import PackLimits
from benchhygiene.sources.packing import signatures
from benchhygiene.sources.packing.archives import Archive, ArchiveReader
from benchhygiene.sources.packing.fetching import fetch, require_pinned
from benchhygiene.sources.packing.signers import Trust
from benchhygiene.sources.packing.uris import Uri
from benchhygiene.sources.packing.verifying import verify

T = TypeVar("T")


class _Folder:
    """A directory that goes when nobody holds it any more, or the process ends."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="benchhygiene-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@attrs.frozen
class Demands:
    """What an archive must show: its size, and a signature by one of these at that time."""

    limits: PackLimits
    trust: Trust | None = None
    at: datetime.datetime | None = None


def load(uri: Uri, demands: Demands, cache: str | None = None) -> WitnessPack:
    """Return the pack of the archive at a place.

    An archive that is not a local file is kept in the directory ``cache`` under its digest, and
    without one for as long as the pack is held. Raises PackRefused where it is not what it must
    be, InputError where there is none.
    """
    archive, keeper = _at_hand(uri, demands.limits, cache)
    signers = signed_by(archive, demands)
    reader = ArchiveReader(archive.path, archive.members, keeper)
    entries = {
        path: TreeEntry(EntryKind.FILE, f"sha256:{one.sha256}", one.is_executable, size=one.size)
        for path, one in archive.members.items()
    }
    parts = _Parts(str(uri), reader, entries, demands.limits)
    return WitnessPack(
        SourceTree(entries, reader=reader),
        parts.parsed(LEDGER, pack_files.ledger),
        parts.parsed(WAIVERS, pack_files.waivers),
        parts.parsed(CAMPAIGN, pack_files.campaign),
        archive.manifest_sha256,
        os.path.realpath(archive.path),
        archive.origin,
        archive.sha256,
        signers,
    )


def signed_by(archive: Archive, demands: Demands) -> tuple[str, ...]:
    """Return who has signed the archive, sorted; raises PackRefused where nobody trusted has."""
    if demands.trust is None:
        return ()
    at = demands.at or datetime.datetime.now(datetime.UTC)
    found = signatures.signatures(archive, demands.trust, at)
    faults = signatures.faults(found)
    if faults:
        raise PackRefused(archive.path, faults)
    return tuple(sorted({one.signer for one in found if one.signer is not None}))


def _at_hand(uri: Uri, limits: PackLimits, cache: str | None) -> tuple[Archive, object]:
    if uri.is_local:
        return verify(uri.location, sha256=uri.sha256, limits=limits), None
    if cache is not None:
        return _cached(uri, limits, cache), None
    require_pinned(uri)
    folder = _Folder()
    return fetch(uri, folder.path, limits), folder


def _cached(uri: Uri, limits: PackLimits, cache: str) -> Archive:
    if not os.path.isdir(cache):
        raise InputError(f"cache {cache}: not a directory")
    known = os.path.join(cache, f"{uri.sha256}.tar")
    if uri.sha256 is not None and os.path.isfile(known):
        return verify(known, sha256=uri.sha256, limits=limits)
    return fetch(uri, cache, limits)


@attrs.frozen
class _Parts:
    """The files of an archive that are parsed."""

    name: str
    reader: ArchiveReader
    entries: Mapping[str, TreeEntry]
    limits: PackLimits

    def parsed(self, path: str, parse: Callable[[bytes, str], T]) -> T | None:
        if path not in self.entries:
            return None
        name = f"{self.name}:{path}"
        if self.reader.members[path].size > self.limits.parsed_bytes:
            raise InputError(f"{name}: more than {self.limits.parsed_bytes} bytes")
        return parse(self.reader.read(path, self.entries[path]), name)
