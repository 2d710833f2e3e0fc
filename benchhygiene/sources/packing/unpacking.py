"""Lay a verified pack out in a private directory, for programs that need files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import EntryKind, TreeEntry, require_plain
from benchhygiene.sources.packing.archives import ArchiveReader
from benchhygiene.sources.packing.files import new_file

_PRIVATE = 0o700
_READ_ONLY, _PROGRAM = 0o444, 0o555


def unpacked(pack: WitnessPack, directory: str | os.PathLike[str]) -> str:
    """Write every file of the pack below the directory, read-only, and return its path.

    The directory must be new or empty, and is made for its owner alone. Each file's bytes are held
    against its digest once more as they are written. Raises InputError where the directory is no
    such, and EvidenceUnavailable where the pack has changed since it was verified; what was written
    until then is taken away.
    """
    root = os.fspath(directory)
    written: list[str] = []
    try:
        os.makedirs(root, _PRIVATE, exist_ok=True)
        os.chmod(root, _PRIVATE)
        if os.listdir(root):
            raise InputError(f"{root}: expected a directory that is new or empty")
        for path, entry in pack.files.entries.items():
            written.append(path)
            _write(pack, root, path, entry)
    except EvidenceUnavailable:
        _take_away(root, written)
        raise
    except OSError as error:
        _take_away(root, written)
        raise InputError(f"{root}: cannot be written: {error.strerror or error}") from error
    return root


def _write(pack: WitnessPack, root: str, path: str, entry: TreeEntry) -> None:
    require_plain(path)
    if entry.kind is not EntryKind.FILE:
        raise EvidenceUnavailable(f"{path}: a {entry.kind.value}, not a file")
    target = os.path.join(root, path)
    os.makedirs(os.path.dirname(target), _PRIVATE, exist_ok=True)
    with new_file(target, _PROGRAM if entry.is_executable else _READ_ONLY) as file:
        for chunk in _chunks(pack, path, entry):
            file.write(chunk)


def _chunks(pack: WitnessPack, path: str, entry: TreeEntry) -> Iterator[bytes]:
    reader = pack.files.reader
    if isinstance(reader, ArchiveReader) and entry.data is None:
        return reader.chunks(path, entry)
    return iter((pack.files.stored(path),))


def _take_away(root: str, paths: list[str]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(root, path))
