"""Verify an archive in one pass: its digest, its form, and every file against the manifest."""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
from collections.abc import Iterator

import attrs

from benchhygiene.errors import PackRefused
from benchhygiene.evidence.pack import MANIFEST, PackFault, PackFaultKind, PackOrigin
from benchhygiene.sources import manifest
from benchhygiene.sources.manifest import Manifest, collisions
from benchhygiene.sources.pack_walk import PackLimits
from benchhygiene.sources.packing.archives import Archive, Member
from benchhygiene.sources.packing.headers import (
    BLOCK,
    END,
    Header,
    HeaderRefused,
    extension_size,
    padded,
    parse,
)
from benchhygiene.sources.packing.tape import CutShort, Tape
from benchhygiene.sources.reading import OPEN_FLAGS, reason_of

_MOST_FAULTS = 100  # that are told one by one


def verify(path: str, *, sha256: str | None = None, limits: PackLimits | None = None) -> Archive:
    """Return the archive at the path once every byte of it is accounted for.

    ``sha256`` is the digest that the archive must have. Raises PackRefused with every fault: a form
    that is not ours tells nothing about what would follow it, so that it is the last one.
    """
    faults: list[PackFault] = []
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise PackRefused(path, (PackFault(PackFaultKind.UNREADABLE, "", reason),)) from error
    try:
        found = _opened(path, descriptor, limits or PackLimits(), sha256, faults)
    except OSError as error:
        faults.append(PackFault(PackFaultKind.UNREADABLE, "", reason_of(error)))
        found = None
    finally:
        os.close(descriptor)
    if faults or found is None:
        raise PackRefused(path, tuple(faults[:_MOST_FAULTS]))
    return found


def _opened(
    path: str,
    descriptor: int,
    limits: PackLimits,
    expected: str | None,
    faults: list[PackFault],
) -> Archive | None:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        faults.append(PackFault(PackFaultKind.TYPE, "", "expected a regular file"))
        return None
    most = limits.total_bytes + 8 * BLOCK * limits.entries
    if status.st_size > most:
        faults.append(_limit("", f"{status.st_size} bytes, more than an archive can need"))
        return None
    with Tape(descriptor, status.st_size) as tape:
        reading = _Reading(tape, limits)
        faults.extend(reading.faults())
        if not faults or expected is not None:
            tape.rest()
        digest = tape.sha256()
    if expected is not None and digest != expected:
        message = f"the archive's SHA-256 is {digest}, expected {expected}"
        faults.insert(0, PackFault(PackFaultKind.DIGEST, "", message))
    return Archive(
        path, digest, status.st_size, reading.members, reading.listing_sha256, reading.origin
    )


class _Stop(Exception):
    """Nothing after this fault can be made sense of."""

    def __init__(self, kind: PackFaultKind, message: str, path: str = "") -> None:
        super().__init__(message)
        self.fault = PackFault(kind, path, message)


@attrs.define
class _Reading:
    """One archive on its way to being believed."""

    tape: Tape
    limits: PackLimits
    members: dict[str, Member] = attrs.field(factory=dict[str, Member])
    listing_sha256: str = ""
    origin: PackOrigin | None = None
    _left: int = 0
    _last: str = ""

    def faults(self) -> Iterator[PackFault]:
        """Yield what is wrong, file by file and at last with all of them."""
        self._left = self.limits.total_bytes
        try:
            listed = self._manifest()
            yield from listed.faults
            while (found := self._header()) is not None:
                yield from self._file(found, listed)
            yield from self._end()
        except _Stop as stop:
            yield stop.fault
            return
        except CutShort as error:
            yield PackFault(PackFaultKind.ARCHIVE, "", str(error))
            return
        for path in sorted(set(listed.digests) - set(self.members)):
            message = "is in the manifest and not in the archive"
            yield PackFault(PackFaultKind.MISSING, path, message)
        yield from collisions(self.members)
        yield from self._clashes()

    def _clashes(self) -> Iterator[PackFault]:
        """Yield the files that lie in what is a file itself."""
        for path in self.members:
            if posixpath.dirname(path) in self.members:
                message = "lies in a directory that is a file of the archive"
                yield PackFault(PackFaultKind.NAME, path, message)

    def _manifest(self) -> Manifest:
        found = self._header()
        if found is None or found.path != MANIFEST or found.is_executable:
            raise _Stop(PackFaultKind.MANIFEST, f"expected {MANIFEST} as the first file")
        if found.size > self.limits.manifest_bytes:
            limit = self.limits.manifest_bytes
            raise _Stop(PackFaultKind.LIMIT, f"{found.size} bytes, more than {limit}", MANIFEST)
        start = self.tape.at
        data = self.tape.exactly(found.size)
        self._padding(found)
        self.listing_sha256 = hashlib.sha256(data).hexdigest()
        self.members[MANIFEST] = Member(start, found.size, False, self.listing_sha256)
        listed = manifest.parse(data)
        self.origin = listed.origin
        return listed

    def _header(self) -> Header | None:
        """Return the next file's header, None where the archive says that there is none."""
        block = self.tape.exactly(BLOCK)
        if block == END[:BLOCK]:
            return None
        try:
            size = extension_size(block)
            more = self.tape.exactly(len(padded(bytes(size))) + BLOCK) if size else b""
            found = parse(block + more)
        except HeaderRefused as error:
            at = f"at byte {self.tape.at - BLOCK}"
            raise _Stop(PackFaultKind.ARCHIVE, f"{at}: {error}") from error
        self._require_fitting(found)
        return found

    def _require_fitting(self, found: Header) -> None:
        if found.path in self.members:
            raise _Stop(PackFaultKind.NAME, "stands in the archive twice", found.path)
        if self._last and found.path <= self._last:
            message = f"stands behind {self._last!r}; the files are sorted"
            raise _Stop(PackFaultKind.ARCHIVE, message, found.path)
        if found.path.count("/") >= self.limits.depth:
            message = f"more than {self.limits.depth} directories deep"
            raise _Stop(PackFaultKind.LIMIT, message, found.path)
        if len(self.members) >= self.limits.entries:
            raise _Stop(PackFaultKind.LIMIT, f"holds more than {self.limits.entries} files")
        limit = min(self.limits.file_bytes, self._left)
        if found.size > limit:
            message = f"{found.size} bytes, more than the limit of {limit}"
            raise _Stop(PackFaultKind.LIMIT, message, found.path)
        self._left -= found.size

    def _file(self, found: Header, listed: Manifest) -> Iterator[PackFault]:
        self._last = found.path
        start, digest = self.tape.at, hashlib.sha256()
        for piece in self.tape.pieces(found.size):
            digest.update(piece)
        self._padding(found)
        sha256 = digest.hexdigest()
        self.members[found.path] = Member(start, found.size, found.is_executable, sha256)
        expected = listed.digests.get(found.path)
        if expected is None:
            yield PackFault(PackFaultKind.UNLISTED, found.path, "is not in the manifest")
        elif expected != sha256:
            message = f"its SHA-256 is {sha256}, the manifest says {expected}"
            yield PackFault(PackFaultKind.DIGEST, found.path, message)

    def _padding(self, found: Header) -> None:
        if any(self.tape.exactly(-found.size % BLOCK)):
            raise _Stop(PackFaultKind.ARCHIVE, "bytes are hidden behind its end", found.path)

    def _end(self) -> Iterator[PackFault]:
        if any(self.tape.exactly(BLOCK)):
            yield PackFault(PackFaultKind.ARCHIVE, "", "a file stands behind the archive's end")
        hidden = self.tape.rest()
        if hidden:
            message = f"{hidden} bytes are hidden behind the archive's end"
            yield PackFault(PackFaultKind.ARCHIVE, "", message)


def _limit(path: str, message: str) -> PackFault:
    return PackFault(PackFaultKind.LIMIT, path, message)
