"""The archive of a pack: a tar that holds the manifest and then every file, sorted by path.

One content has one archive, byte for byte, so that the archive's SHA-256 names the pack. It is not
compressed, as what a compressor writes changes with its version.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.pack import PackOrigin
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene.sources.packing.contents import Measured
from benchhygiene.sources.packing.headers import BLOCK, END, Header, header
from benchhygiene.sources.reading import OPEN_FLAGS, reason_of

SUFFIX = ".tar"
_CHUNK = 1 << 20


@attrs.frozen
class Member:
    """One file of an archive: where its bytes start, how many they are, and their SHA-256."""

    start: int
    size: int
    is_executable: bool
    sha256: str


@attrs.frozen
class Archive:
    """An archive that was verified: its SHA-256 and its files by their paths, the manifest too."""

    path: str
    sha256: str
    size: int
    members: Mapping[str, Member]
    manifest_sha256: str
    origin: PackOrigin | None


def blocks(contents: Mapping[str, Measured]) -> Iterator[bytes]:
    """Yield the bytes of the archive of these contents, the manifest first."""
    for path, one in contents.items():
        yield header(Header(path, one.size, one.content.is_executable))
        yield from one.chunks()
        yield bytes(-one.size % BLOCK)
    yield END


def name_of(sha256: str) -> str:
    """Return the file name of the archive with this digest."""
    return f"{sha256}{SUFFIX}"


@attrs.frozen
class ArchiveReader:
    """Read a file of an archive, and see that it is what was verified.

    ``keeper`` is held as long as the archive is needed, where it lies in a temporary directory.
    """

    path: str
    members: Mapping[str, Member] = attrs.field(repr=False)
    keeper: object = attrs.field(default=None, repr=False, eq=False)

    def __getstate__(self) -> tuple[str, Mapping[str, Member]]:
        return (self.path, self.members)

    def __setstate__(self, state: tuple[str, Mapping[str, Member]]) -> None:
        for name, value in zip(("path", "members", "keeper"), (*state, None), strict=True):
            object.__setattr__(self, name, value)

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes. Raises EvidenceUnavailable where they are gone or others by now."""
        return b"".join(self.chunks(path, entry))

    def chunks(self, path: str, entry: TreeEntry) -> Iterator[bytes]:
        """Yield the bytes a piece at a time; raises after the last where they are others by now."""
        member = self.members.get(path)
        if member is None:
            raise EvidenceUnavailable(f"{path}: not in this archive")
        digest = hashlib.sha256()
        try:
            for chunk in self._pieces(member):
                digest.update(chunk)
                yield chunk
        except OSError as error:
            raise EvidenceUnavailable(f"{path}: {reason_of(error)}") from error
        if entry.identity != f"sha256:{digest.hexdigest()}":
            raise EvidenceUnavailable(f"{path}: the archive was changed after it was verified")

    def _pieces(self, member: Member) -> Iterator[bytes]:
        descriptor = os.open(self.path, OPEN_FLAGS)
        with contextlib.closing(os.fdopen(descriptor, "rb", buffering=0)) as file:
            file.seek(member.start)
            left = member.size
            while left and (chunk := file.read(min(left, _CHUNK))):
                left -= len(chunk)
                yield chunk
