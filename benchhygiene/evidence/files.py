"""A frozen picture of the few paths a question needs: what is there, and what it holds."""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from benchhygiene.errors import EvidenceUnavailable


class PathKind(enum.Enum):
    """What a path leads to once symbolic links are followed."""

    FILE = "file"
    DIRECTORY = "directory"
    OTHER = "other"  # FIFO, socket, device: exists, is never read


@attrs.frozen
class PathEntry:
    """One existing path: its kind and, for a file that was read, its bytes.

    ``error`` says why a file has no bytes (``PermissionError``, larger than the limit, not asked
    for). A directory is ``listed`` when every entry in it is part of the picture. ``real`` is where
    a symbolic link leads, None for what is no link.
    """

    kind: PathKind
    data: bytes | None = None
    error: str | None = None
    listed: bool = False
    real: str | None = None


def _as_entries(
    value: Mapping[str, PathEntry | bytes | str],
) -> dict[str, PathEntry]:
    """Accept bytes and text as files, and add the directories above every path."""
    entries: dict[str, PathEntry] = {}
    for path, content in value.items():
        data = content.encode() if isinstance(content, str) else content
        entry = PathEntry(PathKind.FILE, data) if isinstance(data, bytes) else data
        entries[posixpath.normpath(path)] = entry
    for path in tuple(entries):
        parent = posixpath.dirname(path)
        while parent not in entries:
            entries[parent] = PathEntry(PathKind.DIRECTORY, listed=True)
            parent = posixpath.dirname(parent)
    return dict(sorted(entries.items()))


@attrs.frozen(hash=False)
class FileSnapshot:
    """Existing paths, absolute and lexical, as a source saw them.

    Build one from literals: ``FileSnapshot({"/ws/pytest.ini": "[pytest]"})``; parents become
    directories. A path that is not in it did not exist.
    """

    entries: Mapping[str, PathEntry] = attrs.field(
        factory=dict[str, PathEntry], converter=_as_entries
    )

    @cached_property
    def modules(self) -> Mapping[str, Sequence[str]]:
        """Return the paths of Python sources by the name each is imported as, without packages."""
        found: dict[str, list[str]] = {}
        for path, entry in self.entries.items():
            if path.endswith(".py") and entry.kind is PathKind.FILE:
                above, _, stem = path.removesuffix(".py").rpartition("/")
                name = above.rpartition("/")[2] if stem == "__init__" else stem
                found.setdefault(name, []).append(path)
        return found

    def kind(self, path: str) -> PathKind | None:
        """Return what the path leads to, None where nothing is there."""
        entry = self.entries.get(path)
        return None if entry is None else entry.kind

    def exists(self, path: str) -> bool:
        """Return whether anything is at the path, links followed."""
        return path in self.entries

    def is_file(self, path: str) -> bool:
        """Return whether the path is a regular file, links followed."""
        entry = self.entries.get(path)
        return entry is not None and entry.kind is PathKind.FILE

    def is_dir(self, path: str) -> bool:
        """Return whether the path is a directory, links followed."""
        entry = self.entries.get(path)
        return entry is not None and entry.kind is PathKind.DIRECTORY

    def read(self, path: str) -> bytes:
        """Return the file's bytes.

        Raises EvidenceUnavailable where the file was not, or could not be, read.
        """
        entry = self.entries.get(path)
        if entry is None or entry.kind is not PathKind.FILE:
            raise EvidenceUnavailable(f"{path}: not a file in this evidence")
        if entry.data is None:
            raise EvidenceUnavailable(f"{path}: {entry.error or 'was not read'}")
        return entry.data

    def real(self, path: str) -> str:
        """Return the physical path, links followed as far as they were recorded."""
        above, below = path, ""
        while above != posixpath.dirname(above):
            entry = self.entries.get(above)
            if entry is not None and entry.real is not None:
                return posixpath.join(entry.real, below) if below else entry.real
            below = (
                posixpath.join(posixpath.basename(above), below)
                if below
                else (posixpath.basename(above))
            )
            above = posixpath.dirname(above)
        return path

    def below(self, directory: str) -> Iterator[str]:
        """Yield every known path below the directory, in sorted order."""
        prefix = directory.rstrip("/") + "/"
        return (path for path in self.entries if path.startswith(prefix))

    def is_listed(self, directory: str) -> bool:
        """Return whether everything directly in the directory is part of the picture."""
        entry = self.entries.get(directory)
        return entry is not None and entry.listed
