"""A witness pack from wherever it is kept: all of it as its manifest says, or nothing."""

from __future__ import annotations

import datetime
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError, PackRefused
from benchhygiene.evidence.pack import (
    CAMPAIGN,
    LEDGER,
    MANIFEST,
    WAIVERS,
    PackFault,
    PackFaultKind,
    PackOrigin,
    WitnessPack,
)
from benchhygiene.evidence.tree import EntryKind, SourceTree, TreeEntry
from benchhygiene.sources import manifest, pack_files
from benchhygiene.sources.pack_walk import PackLimits, Walked, walk
from benchhygiene.sources.packing.uris import Uri
from benchhygiene.sources.packing.uris import parse as parse_uri
from benchhygiene.sources.reading import TooLarge, digest_regular, read_regular, reason_of
from benchhygiene.sources.trees import DirectoryReader

T = TypeVar("T")
_REMEDY = f"find . -type f ! -path ./{MANIFEST} -exec sha256sum {{}} + > {MANIFEST}"
_NO_MANIFEST = PackFault(
    PackFaultKind.MANIFEST,
    MANIFEST,
    f"there is none; if you vouch for the directory, run in it: {_REMEDY}",
)


def pack(
    source: str | os.PathLike[str],
    *,
    require_manifest: bool = True,
    limits: PackLimits | None = None,
    allowed_signers: str | os.PathLike[str] | None = None,
    revoked: str | os.PathLike[str] | None = None,
    at: datetime.datetime | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> WitnessPack:
    """Return the pack that a path or URI leads to, verified against its ``MANIFEST.sha256``.

    It is a directory, an archive, or one that is kept elsewhere: ``git+REPO@COMMIT:PATH`` or an
    object of ``s3://``, ``gs://``, ``az://``, ``https://``. Behind ``#sha256=`` stands the digest
    that the archive must have, which an object of a store needs; of a directory it is that of the
    archive it would make. With ``allowed_signers``, a file in OpenSSH's format, the archive must
    bear the signature of one of them by a key that is valid at that time, by default now, and not
    in the file ``revoked``. What is fetched is kept in the directory ``cache``, and without one for
    as long as the pack is held.

    Raises PackRefused with every fault: a file that the manifest does not list or lists with other
    bytes, a listed file that is missing, a link, a name that leaves the pack, stands twice or
    differs from another by case alone, anything over the limits, no manifest, another digest, no
    signature that counts. Raises InputError where a part that is parsed is malformed. With
    ``require_manifest=False`` a directory without a manifest is taken as it stands, and every
    report that is made with it says so.
    """
    uri = parse_uri(os.fspath(source))
    bounds = limits or PackLimits()
    if uri.is_directory and allowed_signers is None:
        return _of_directory(uri, bounds, require_manifest=require_manifest)
    if uri.is_directory:
        raise InputError(
            f"pack {uri}: a directory bears no signature; build an archive and sign it"
        )
    if uri.is_local and not os.path.lexists(uri.location):
        raise InputError(f"pack {uri}: no such directory or archive")
    from benchhygiene.sources.packing.loading import Demands, load
    from benchhygiene.sources.packing.signers import Trust

    trust = None
    if allowed_signers is not None:
        keys = None if revoked is None else os.fspath(revoked)
        trust = Trust.read(os.fspath(allowed_signers), keys)
    return load(uri, Demands(bounds, trust, at), None if cache is None else os.fspath(cache))


def _of_directory(uri: Uri, limits: PackLimits, *, require_manifest: bool) -> WitnessPack:
    reading = _Reading(uri.location, os.path.realpath(uri.location), limits)
    walked = reading.walk()
    listed = reading.manifest(walked, required=require_manifest)
    entries = reading.verified(walked, listed)
    if uri.sha256 is not None:
        _require_digest(uri, uri.sha256, limits)
    return reading.built(entries, listed)


def _require_digest(uri: Uri, expected: str, limits: PackLimits) -> None:
    """Raise PackRefused where the directory would make another archive."""
    from benchhygiene.sources.packing import building

    found = building.digest(building.laid_out(uri.location, limits=limits))
    if found != expected:
        message = f"the SHA-256 of its archive is {found}, expected {expected}"
        raise PackRefused(uri.location, (PackFault(PackFaultKind.DIGEST, "", message),))


@attrs.frozen
class _Listed:
    """What the manifest says, and its own SHA-256."""

    digests: Mapping[str, str]
    sha256: str
    origin: PackOrigin | None


@attrs.frozen
class _Reading:
    """One directory on its way to a pack: each step refuses it, or hands on what it learnt."""

    name: str
    root: str
    limits: PackLimits

    def _refuse(self, faults: Iterable[PackFault]) -> None:
        found = tuple(sorted(faults, key=lambda fault: (fault.path, fault.message)))
        if found:
            raise PackRefused(self.name, found)

    def walk(self) -> Walked:
        walked = walk(self.root, self.limits)
        self._refuse(walked.faults)
        return walked

    def manifest(self, walked: Walked, *, required: bool) -> _Listed | None:
        if MANIFEST not in walked.files:
            if required:
                raise PackRefused(self.name, (_NO_MANIFEST,))
            return None
        try:
            data = read_regular(os.path.join(self.root, MANIFEST), self.limits.manifest_bytes)
        except OSError as error:
            fault = PackFault(PackFaultKind.MANIFEST, MANIFEST, reason_of(error))
            raise PackRefused(self.name, (fault,)) from error
        parsed = manifest.parse(data)
        self._refuse((*parsed.faults, *_disagreements(walked, parsed.digests)))
        return _Listed(parsed.digests, hashlib.sha256(data).hexdigest(), parsed.origin)

    def verified(self, walked: Walked, listed: _Listed | None) -> dict[str, TreeEntry]:
        entries: dict[str, TreeEntry] = {}
        faults: list[PackFault] = []
        left = self.limits.total_bytes
        for path in walked.files:
            try:
                limit = min(self.limits.file_bytes, left)
                digest, size = digest_regular(os.path.join(self.root, path), limit)
            except OSError as error:
                faults.append(PackFault(_kind(error), path, reason_of(error)))
                continue
            left -= size
            runs = os.access(os.path.join(self.root, path), os.X_OK)
            entries[path] = TreeEntry(EntryKind.FILE, _identity(digest), runs, size=size)
            if listed is not None and path != MANIFEST:
                faults.extend(_compared(path, digest, listed.digests[path]))
        self._refuse(faults)
        return entries

    def built(self, entries: dict[str, TreeEntry], listed: _Listed | None) -> WitnessPack:
        reader = DirectoryReader(self.root, self.limits.file_bytes)
        return WitnessPack(
            SourceTree(entries, reader=reader),
            self._parsed(entries, LEDGER, pack_files.ledger),
            self._parsed(entries, WAIVERS, pack_files.waivers),
            self._parsed(entries, CAMPAIGN, pack_files.campaign),
            None if listed is None else listed.sha256,
            self.root,
            None if listed is None else listed.origin,
        )

    def _parsed(
        self, entries: Mapping[str, TreeEntry], path: str, parse: Callable[[bytes, str], T]
    ) -> T | None:
        if path not in entries:
            return None
        name = os.path.join(self.name, path)
        try:
            data = DirectoryReader(self.root, self.limits.parsed_bytes).read(path, entries[path])
        except EvidenceUnavailable as error:
            raise InputError(os.path.join(self.name, str(error))) from error
        return parse(data, name)


def _kind(error: OSError) -> PackFaultKind:
    return PackFaultKind.LIMIT if isinstance(error, TooLarge) else PackFaultKind.UNREADABLE


def _identity(digest: str) -> str:
    return f"sha256:{digest}"


def _disagreements(walked: Walked, listed: Mapping[str, str]) -> Iterator[PackFault]:
    there = {path for path in walked.files if path != MANIFEST}
    for path in there - set(listed):
        yield PackFault(PackFaultKind.UNLISTED, path, "is not in the manifest")
    for path in set(listed) - there:
        yield PackFault(PackFaultKind.MISSING, path, "is in the manifest and not in the pack")


def _compared(path: str, found: str, expected: str) -> Iterator[PackFault]:
    if found != expected:
        message = f"its SHA-256 is {found}, the manifest says {expected}"
        yield PackFault(PackFaultKind.DIGEST, path, message)
