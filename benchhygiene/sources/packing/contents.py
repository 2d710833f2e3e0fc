"""What goes into a pack, as bytes that can be read as often as they are needed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Protocol

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.pack import MANIFEST, PackOrigin
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.sources import manifest
from benchhygiene.sources.reading import chunks_of, reason_of


class Content(Protocol):
    """The bytes of one file of a pack."""

    @property
    def is_executable(self) -> bool:
        """Return whether the file can be run."""
        ...

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes, from the beginning each time."""
        ...


@attrs.frozen
class Given:
    """Bytes that are at hand."""

    data: bytes
    is_executable: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""
        yield self.data


@attrs.frozen
class Copied:
    """A file of a tree."""

    tree: SourceTree
    path: str
    is_executable: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes; raises InputError where they cannot be had."""
        try:
            yield self.tree.stored(self.path)
        except EvidenceUnavailable as error:
            raise InputError(str(error)) from error


@attrs.frozen
class Local:
    """A file of a directory, a piece in memory at a time."""

    path: str
    limit: int
    is_executable: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes; raises InputError where they cannot be had."""
        try:
            yield from chunks_of(self.path, self.limit)
        except OSError as error:
            raise InputError(f"{self.path}: {reason_of(error)}") from error


@attrs.frozen
class Measured:
    """A content with its SHA-256 in hexadecimal and its size in bytes."""

    content: Content
    sha256: str
    size: int

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes once more; raises InputError where they are others by now."""
        again, size = hashlib.sha256(), 0
        for chunk in self.content.chunks():
            again.update(chunk)
            size += len(chunk)
            if size > self.size:
                break
            yield chunk
        if again.hexdigest() != self.sha256:
            raise InputError("a file was changed while the pack was built")


def measured(content: Content) -> Measured:
    """Read a content once."""
    digest, size = hashlib.sha256(), 0
    for chunk in content.chunks():
        digest.update(chunk)
        size += len(chunk)
    return Measured(content, digest.hexdigest(), size)


def sealed(contents: Mapping[str, Content], origin: PackOrigin | None) -> dict[str, Measured]:
    """Return the contents by their paths, the manifest that lists them first."""
    found = {path: measured(contents[path]) for path in sorted(contents) if path != MANIFEST}
    if not found:
        raise InputError("a pack of no files at all witnesses nothing; expected at least one")
    listed = manifest.render({path: one.sha256 for path, one in found.items()}, origin)
    return {MANIFEST: measured(Given(listed)), **found}


def local(root: str, path: str, limit: int) -> Local:
    """Return a file of a directory as content."""
    name = os.path.join(root, path)
    return Local(name, limit, os.access(name, os.X_OK))
