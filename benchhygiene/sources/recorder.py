"""Collect the paths of one piece of evidence, each looked at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice

import attrs

from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
from benchhygiene.sources.reading import Limits, kind_of, read_regular, reason_of

NOT_READ = "not read"

_DIRECTORY = PathEntry(PathKind.DIRECTORY)
_LISTED = PathEntry(PathKind.DIRECTORY, listed=True)
_OTHER = PathEntry(PathKind.OTHER)
_UNREAD = PathEntry(PathKind.FILE, error=NOT_READ)
_BY_KIND = {PathKind.DIRECTORY: _DIRECTORY, PathKind.OTHER: _OTHER, PathKind.FILE: _UNREAD}


class PathRecorder:
    """Record existing paths, and the bytes of those that are asked for.

    Paths are absolute and lexical. Notes say what a bound left out.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.entries: dict[str, PathEntry] = {}
        self._notes: set[str] = set()
        self._left_out: dict[str, set[str]] = {}
        self._missing: set[str] = set()
        self._names: dict[str, frozenset[str] | None] = {}
        self._left = limits.total_bytes

    def look(self, path: str) -> PathKind | None:
        """Record the path where something is there, and return what it leads to."""
        if (entry := self.entries.get(path)) is not None:
            return entry.kind
        if path in self._missing:
            return None
        try:
            kind = kind_of(path)
        except PermissionError:  # os.path.exists, which pytest asks for arguments, says no as well
            kind = None
        if kind is None:
            self._missing.add(path)
        else:
            self.add(path, kind)
        return kind

    def may_hold(self, directory: str, relative: str) -> bool:
        """Return whether looking for the path may find anything: one listing spares many looks.

        Always true for what may lead out of the directory.
        """
        top = relative.partition(os.sep)[0]
        if not top.isascii() or top in ("", os.curdir) or os.pardir in relative:
            return relative != ""
        if directory not in self._names:
            self._names[directory] = _names_in(directory, self.limits.names)
        names = self._names[directory]
        return names is None or top.casefold() in names

    def add(self, path: str, kind: PathKind) -> None:
        """Record a path whose kind is known."""
        self.entries.setdefault(path, _BY_KIND[kind])

    def look_inside(self, directory: str, names: Iterable[str]) -> Iterator[str]:
        """Record those names that exist in the directory and yield their paths.

        Names are looked up from the open directory: a deep path is walked once, not once a name.
        """
        descriptor = _open_directory(directory)
        try:
            for name in names:
                path = os.path.join(directory, name)
                if self._look_at(path, name, descriptor):
                    yield path
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _look_at(self, path: str, name: str, descriptor: int | None) -> bool:
        if path not in self.entries:
            try:
                kind = kind_of(path if descriptor is None else name, descriptor)
            except PermissionError as error:
                self.entries[path] = PathEntry(PathKind.FILE, error=reason_of(error))
                return True
            if kind is None:
                return False
            self.add(path, kind)
        return True

    def read(self, path: str) -> bytes | None:
        """Record the bytes of a recorded file, or why it has none, and return them."""
        entry = self.entries.get(path)
        if entry is None or entry.kind is not PathKind.FILE:
            return None
        if entry.data is None and entry.error == NOT_READ:
            entry = self.entries[path] = self._read(path)
            self._left -= len(entry.data or b"")
        return entry.data

    def _read(self, path: str) -> PathEntry:
        if self._left < self.limits.file_bytes:
            self.note(f"stopped reading files at {self.limits.total_bytes} bytes in all")
            return PathEntry(PathKind.FILE, error="over the limit of bytes in all")
        try:
            return PathEntry(PathKind.FILE, read_regular(path, self.limits.file_bytes))
        except OSError as error:
            return PathEntry(PathKind.FILE, error=reason_of(error))

    def mark_listed(self, directory: str) -> None:
        """Record that every entry of the directory is recorded."""
        self.entries[directory] = _LISTED

    def note(self, text: str) -> None:
        """Note what is missing from the evidence."""
        self._notes.add(text)

    def leave_out(self, directory: str, reason: str) -> None:
        """Note that the directory is not wholly recorded."""
        self._left_out.setdefault(reason, set()).add(directory)

    @property
    def unseen(self) -> list[str]:
        """Return what was given up on: paths that were never looked at may exist."""
        return sorted(self._notes)

    def notes(self, cwd: str) -> list[str]:
        """Return which directories are not wholly recorded, one line a reason."""
        return sorted(_left_out_line(paths, why, cwd) for why, paths in self._left_out.items())

    def snapshot(self) -> FileSnapshot:
        """Return what was recorded, directories above it included."""
        for path in tuple(self.entries):
            parent = os.path.dirname(path)
            while parent not in self.entries:
                self.entries[parent] = _DIRECTORY
                parent = os.path.dirname(parent)
        for path, entry in self.entries.items():
            if os.path.islink(path):
                self.entries[path] = attrs.evolve(entry, real=os.path.realpath(path))
        return FileSnapshot(self.entries)


def _left_out_line(paths: set[str], reason: str, cwd: str) -> str:
    first = os.path.relpath(min(paths), cwd)
    name = first if first.isprintable() else ascii(first)
    others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{name}{others}: not all seen: {reason}"


def _names_in(directory: str, limit: int) -> frozenset[str] | None:
    """Return the case-folded names in a directory, None where they are too many or not shown."""
    try:
        with os.scandir(directory) as found:
            names = frozenset(entry.name.casefold() for entry in islice(found, limit + 1))
    except OSError:
        return None
    return names if len(names) <= limit else None


def _open_directory(directory: str) -> int | None:
    """Open a directory to look names up from it, None where the platform cannot."""
    if os.stat not in os.supports_dir_fd:
        return None
    try:
        return os.open(directory, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return None
