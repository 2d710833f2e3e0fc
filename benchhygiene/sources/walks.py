"""Walk the directories that pytest would collect from, within bounds."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import islice

from benchhygiene.evidence.files import PathKind
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import CONFIG_NAMES

# Where pytest does not descend by default (its norecursedirs), bytecode, and what holds installed
# packages. Each is recorded as existing, not as listed.
_SKIPPED = frozenset(
    {
        "_darcs",
        "build",
        "CVS",
        "dist",
        "node_modules",
        "venv",
        "{arch}",
        "__pycache__",
        "site-packages",
    }
)


_Chain = tuple[tuple[int, int], ...]  # what identifies the directories above, for links that loop


def _is_skipped(directory: str) -> bool:
    name = os.path.basename(directory)
    return name.startswith(".") or name in _SKIPPED or name.endswith(".egg")


def _is_source(name: str) -> bool:
    """Say whether pytest would read the file: doctests in test*.txt are collected unasked."""
    return name.endswith(".py") or name in CONFIG_NAMES or fnmatchcase(name, "test*.txt")


def _identity(directory: str) -> tuple[int, int]:
    try:
        status = os.stat(directory)
    except OSError:  # gone meanwhile
        return (0, 0)
    return (status.st_dev, status.st_ino)


class TreeWalk:
    """Record directories level by level, and read the Python files and doctest texts in them.

    All walks share one budget of entries and bytes. What it leaves out is noted, and a directory
    that is not wholly recorded is not marked as listed.
    """

    def __init__(self, recorder: PathRecorder) -> None:
        self._recorder = recorder
        self._limits = recorder.limits
        self._entries_left = recorder.limits.entries
        self._bytes_left = recorder.limits.walked_bytes
        self._children: dict[str, tuple[str, ...]] = {}
        self._environments: set[str] = set()

    def list_modules(self, directories: Iterable[str]) -> None:
        """Record what is directly in the directories, and which of theirs are packages."""
        for directory in directories:
            for child in self._list(directory):
                for path in self._recorder.look_inside(child, ("__init__.py",)):
                    self._read(path)

    def walk(self, roots: Iterable[str]) -> None:
        """Record everything below the roots, nearest first, where pytest would descend."""
        queue: deque[tuple[str, _Chain]] = deque((root, (_identity(root),)) for root in roots)
        while queue and self._entries_left > 0:
            directory, above = queue.popleft()
            if len(above) > self._limits.depth:
                self._leave_out(directory, f"more than {self._limits.depth} directories deep")
                continue
            for child in self._list(directory):
                identity = _identity(child)
                if identity not in above and self._is_entered(directory, above):
                    queue.append((child, (*above, identity)))
        for directory, _ in queue:
            self._leave_out(directory, self._too_many())

    def _is_entered(self, directory: str, above: _Chain) -> bool:
        """Say whether pytest goes below: into virtual environments only if they are arguments."""
        return directory not in self._environments or len(above) == 1

    def _list(self, directory: str) -> tuple[str, ...]:
        """Record what is directly in the directory and return where to descend from it."""
        if directory not in self._children:
            entries = self._entries_of(directory)
            self._children[directory] = () if entries is None else self._take(directory, entries)
        return self._children[directory]

    def _entries_of(self, directory: str) -> list[os.DirEntry[str]] | None:
        bound = self._limits.names
        try:
            with os.scandir(directory) as found:
                entries = sorted(islice(found, bound + 1), key=lambda entry: entry.name)
        except OSError as error:
            self._leave_out(directory, type(error).__name__)
            return None
        if len(entries) > bound:  # which of them come first would depend on the file system
            self._leave_out(directory, f"more than {bound} entries")
            return None
        return entries

    def _take(self, directory: str, entries: list[os.DirEntry[str]]) -> tuple[str, ...]:
        kept = entries[: self._entries_left]
        self._entries_left -= len(kept)
        found = [entry.path for entry in kept if self._record(entry) is PathKind.DIRECTORY]
        if len(kept) == len(entries):
            self._recorder.mark_listed(directory)
        else:
            self._leave_out(directory, self._too_many())
        if any(entry.name == "pyvenv.cfg" for entry in entries):
            self._environments.add(directory)
        return tuple(path for path in found if not _is_skipped(path))

    def _record(self, entry: os.DirEntry[str]) -> PathKind | None:
        kind = self._kind(entry)
        if kind is PathKind.FILE and _is_source(entry.name):
            self._read(entry.path)
        return kind

    def _kind(self, entry: os.DirEntry[str]) -> PathKind | None:
        try:
            if entry.is_dir(follow_symlinks=False):
                kind = PathKind.DIRECTORY
            elif entry.is_file(follow_symlinks=False):
                kind = PathKind.FILE
            else:  # a link, a FIFO, a socket or a device
                return self._recorder.look(entry.path)
        except OSError:
            return None
        self._recorder.add(entry.path, kind)
        return kind

    def _read(self, path: str) -> None:
        if self._bytes_left > 0:
            self._bytes_left -= len(self._recorder.read(path) or b"")
        else:
            reason = f"more than {self._limits.walked_bytes} bytes of test files"
            self._leave_out(os.path.dirname(path), reason)

    def _too_many(self) -> str:
        return f"more than {self._limits.entries} entries in all"

    def _leave_out(self, directory: str, reason: str) -> None:
        self._recorder.leave_out(directory, reason)
