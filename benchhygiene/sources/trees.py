"""Photograph a directory: every file below it by its hash, its bytes read again on demand."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from itertools import islice

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.tree import EntryKind, Memo, SourceTree, TreeEntry
from benchhygiene.sources.reading import OPEN_FLAGS, TooLarge, read_regular, reason_of

LEFT_OUT = (
    ".git",
    ".hg",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    "__pycache__",
    "node_modules",
)
"""Directories that hold no source of anybody's: what tools keep, and what they install."""

_DIRECTORY_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_CHUNK = 1 << 18
_MOST_NAMED = 20  # directories that unseen names one by one
_UNHASHED = "not read: the tree holds more than {} bytes"


@attrs.frozen
class TreeLimits:
    """How much one tree may take in.

    ``entries`` counts files and directories, ``depth`` directories below the root. A file of more
    than ``file_bytes`` is known by its hash but never read. Of a directory, ``total_bytes`` are
    hashed; a file beyond them has no identity. A diff has at most ``diff_bytes``.
    """

    entries: int = 200_000
    depth: int = 100
    file_bytes: int = 16 << 20
    total_bytes: int = 4 << 30
    diff_bytes: int = 256 << 20


@attrs.frozen
class DirectoryReader:
    """Read a file of a directory once more, and see that it is what was photographed."""

    root: str
    limit: int

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes. Raises EvidenceUnavailable where they are gone or others by now."""
        try:
            data = read_regular(os.path.join(self.root, path), self.limit)
        except OSError as error:
            raise EvidenceUnavailable(f"{path}: {reason_of(error)}") from error
        if entry.identity != _identity(hashlib.sha256(data).hexdigest()):
            raise EvidenceUnavailable(f"{path}: was changed after the evidence was taken")
        return data


def directory_tree(
    path: str | os.PathLike[str],
    *,
    limits: TreeLimits,
    leave_out: Iterable[str] = LEFT_OUT,
    memo: Memo | None = None,
) -> SourceTree:
    """Return the tree of a directory; raises InputError where it is none that can be read."""
    name = os.fspath(path)
    walk = _Walk(limits, frozenset(leave_out))
    try:
        root = os.path.realpath(name)
        descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else "not a path"
        raise InputError(
            f"tree {name!r}: {problem}; expected a directory that can be read"
        ) from error
    walk.enter(descriptor, "", 0)
    return SourceTree(
        walk.entries,
        unseen=walk.unseen(),
        reader=DirectoryReader(root, limits.file_bytes),
        roots=(root,),
        memo=memo or Memo(),
        left_out=walk.left_out,
    )


class _Walk:
    """Go through a directory by open descriptors: no link can lead out, even one swapped in."""

    def __init__(self, limits: TreeLimits, leave_out: frozenset[str]) -> None:
        self.entries: dict[str, TreeEntry] = {}
        self.left_out: list[str] = []
        self._limits = limits
        self._leave_out = leave_out
        self._bytes_left = limits.total_bytes
        self._directories = 0
        self._given_up: dict[str, list[str]] = {}

    def unseen(self) -> tuple[str, ...]:
        """Return what was given up on, with the reason."""
        return tuple(
            f"{_listed(paths)}: {reason}" for reason, paths in sorted(self._given_up.items())
        )

    def enter(self, directory: int, path: str, depth: int) -> None:
        """Take in what is below an open directory, and close it."""
        try:
            for entry in self._children(directory, path):
                self._take(entry, directory, f"{path}/{entry.name}" if path else entry.name, depth)
        finally:
            os.close(directory)

    def _children(self, directory: int, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as found:
                some = islice(found, self._room() + 1)
                children = sorted(some, key=lambda child: child.name)
        except OSError as error:
            self._give_up(path or ".", reason_of(error))
            return []
        if len(children) > self._room():  # which come first would depend on the file system
            self._give_up(path or ".", self._too_many())
            return []
        return children

    def _room(self) -> int:
        return self._limits.entries - len(self.entries) - self._directories

    def _too_many(self) -> str:
        return f"the tree has more than {self._limits.entries} entries"

    def _take(self, child: os.DirEntry[str], directory: int, path: str, depth: int) -> None:
        if child.name == ".git":  # of a worktree or a submodule it is a file
            self.left_out.append(path)
            return
        try:
            if self._room() <= 0:
                self._give_up(path, self._too_many())
            elif child.is_dir(follow_symlinks=False):
                self._directories += 1
                self._descend(child.name, directory, path, depth)
            else:
                self.entries[path] = self._entry(child, directory)
        except OSError as error:
            self.entries[path] = TreeEntry(error=reason_of(error))

    def _descend(self, name: str, directory: int, path: str, depth: int) -> None:
        if name in self._leave_out:
            self.left_out.append(path)
            return
        if depth >= self._limits.depth:
            self._give_up(path, f"more than {self._limits.depth} directories deep")
            return
        try:
            below = os.open(name, _DIRECTORY_FLAGS, dir_fd=directory)
        except OSError as error:
            self._give_up(path, reason_of(error))
            return
        if _is_environment(below):
            self.left_out.append(path)
            os.close(below)
        else:
            self.enter(below, path, depth + 1)

    def _give_up(self, path: str, reason: str) -> None:
        self._given_up.setdefault(reason, []).append(path)

    def _entry(self, child: os.DirEntry[str], directory: int) -> TreeEntry:
        if child.is_symlink():
            target = os.fsencode(os.readlink(child.name, dir_fd=directory))
            identity = _identity(hashlib.sha256(target).hexdigest())
            return TreeEntry(EntryKind.SYMLINK, identity, size=len(target), data=target)
        if not child.is_file(follow_symlinks=False):
            return TreeEntry(EntryKind.OTHER, error="not a regular file")
        descriptor = os.open(
            child.name, OPEN_FLAGS | getattr(os, "O_NOFOLLOW", 0), dir_fd=directory
        )
        try:
            return self._hashed(descriptor)
        finally:
            os.close(descriptor)

    def _hashed(self, descriptor: int) -> TreeEntry:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return TreeEntry(EntryKind.OTHER, error="not a regular file")
        executable = bool(status.st_mode & stat.S_IXUSR)
        if status.st_size > self._bytes_left:
            reason = _UNHASHED.format(self._limits.total_bytes)
            return TreeEntry(is_executable=executable, error=reason, size=status.st_size)
        digest, size = _hash(descriptor, self._bytes_left)
        self._bytes_left -= size
        limit = self._limits.file_bytes
        error = str(TooLarge(size, limit)) if size > limit else None
        return TreeEntry(EntryKind.FILE, _identity(digest), executable, error, size)


def _is_environment(directory: int) -> bool:
    """Return whether the directory is a virtual environment, by the mark that pytest goes by."""
    try:
        return stat.S_ISREG(os.stat("pyvenv.cfg", dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _hash(descriptor: int, limit: int) -> tuple[str, int]:
    """Return the SHA-256 of an open file and how many bytes it had; it may grow meanwhile."""
    digest, size = hashlib.sha256(), 0
    while chunk := os.read(descriptor, _CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if size > limit:
            raise TooLarge(size, limit)
    return digest.hexdigest(), size


def _identity(digest: str) -> str:
    return f"sha256:{digest}"


def _listed(paths: list[str]) -> str:
    rest = len(paths) - _MOST_NAMED
    names = ", ".join(paths[:_MOST_NAMED])
    return f"{names} and {rest} more" if rest > 0 else names
