"""Apply a diff to a tree without writing a file: the candidate is the parent with it laid over."""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.tree import EntryKind, SourceTree, TreeEntry, entry, is_plain
from benchhygiene.sources.diffs import FilePatch, parse_diff
from benchhygiene.sources.git import submodule
from benchhygiene.sources.git_binary import BinaryHunk
from benchhygiene.sources.hunks import Patcher
from benchhygiene.sources.reading import TooLarge
from benchhygiene.sources.trees import TreeLimits

_KIND_BITS = 0o170000
_REGULAR, _LINK, _SUBMODULE = 0o100000, 0o120000, 0o160000
_PLAIN_FILE = 0o100644
_COMMIT = b"Subproject commit "
_HASHES = {40: "sha1", 64: "sha256"}  # by the length of an id
_KINDS = {
    _REGULAR: EntryKind.FILE,
    _LINK: EntryKind.SYMLINK,
    _SUBMODULE: EntryKind.SUBMODULE,
}
_MODES = {kind: mode for mode, kind in _KINDS.items()}


@attrs.frozen
class _File:
    """A file while patches go over it: ``error`` instead of bytes that could not be had."""

    mode: int
    data: bytes
    error: str | None = None


def apply_diff(
    parent: SourceTree, diff: bytes, *, strip: int = 1, limits: TreeLimits
) -> SourceTree:
    """Return the parent with the diff applied.

    Raises InputError where the diff is damaged, leads out of the tree or does not apply.
    """
    if len(diff) > limits.diff_bytes:
        raise InputError(f"diff: {TooLarge(len(diff), limits.diff_bytes)}")
    patches = parse_diff(diff, strip=strip)
    work = _Work(parent, patches, limits)
    for patch in patches:
        work.apply(patch)
    candidate = parent.overlaid(work.changes())
    if work.created:
        _require_room(candidate, work.created)
    return candidate


class _Work:
    """What the patches so far have made of the tree.

    A rename or copy starts from the parent's file whatever else happens to it, so that two files
    can change places; any other patch starts from what an earlier one left. In the end everything
    that goes is gone before anything comes.
    """

    def __init__(
        self, parent: SourceTree, patches: Iterable[FilePatch], limits: TreeLimits
    ) -> None:
        self._parent = parent
        self._limit = limits.file_bytes
        self._patcher = Patcher()
        self._current: dict[str, _File | None] = {}
        self._gone: dict[str, None] = {}
        self._made: dict[str, _File] = {}
        self._leaving = {
            patch.old for patch in patches if patch.old and (patch.is_rename or patch.new is None)
        }

    @property
    def created(self) -> list[str]:
        """Return the paths that were not in the parent and now are."""
        return [path for path in self._made if path not in self._parent.entries]

    def changes(self) -> dict[str, TreeEntry | None]:
        """Return the new entry of every path that was touched, None for what is gone."""
        return {**self._gone, **{path: _entry(file) for path, file in self._made.items()}}

    def apply(self, patch: FilePatch) -> None:
        """Apply the patch of one file; raises InputError where that cannot be done."""
        for path in (patch.old, patch.new):
            if path is not None and not _is_allowed(path):
                raise InputError(f"diff, line {patch.line}: {path!r} leads out of the tree")
        before = self._before(patch)
        if patch.new is not None and patch.new != patch.old:
            self._require_free(patch.new)
        after = self._after(patch, before)
        if patch.old is not None and not patch.is_copy:
            self._current[patch.old] = self._gone[patch.old] = None
        if patch.new is not None:
            self._current[patch.new] = self._made[patch.new] = after
        elif after.data:
            raise InputError(f"{patch.path}: the diff deletes it, but lines would be left over")

    def _require_free(self, path: str) -> None:
        taken = path in self._parent.entries and path not in self._leaving
        if self._current.get(path) or (taken and path not in self._current):
            raise InputError(f"{path}: the diff creates it, but it exists already")

    def _before(self, patch: FilePatch) -> _File:
        if patch.old is None:
            return _File(_PLAIN_FILE, b"")
        found = self._found(patch)
        if found is None and patch.is_new is None:  # a plain diff need not say that a file is new
            patch.old = None
            return _File(_PLAIN_FILE, b"")
        if found is None:
            is_crlf = patch.old.endswith("\r")
            hint = "; the lines of the diff itself end in CRLF" if is_crlf else ""
            raise InputError(f"{patch.old}: the diff changes it, but there is no such file{hint}")
        if patch.old_mode is not None and patch.old_mode & _KIND_BITS != found.mode & _KIND_BITS:
            raise InputError(f"{patch.old}: the diff is for a file of another kind")
        return found

    def _found(self, patch: FilePatch) -> _File | None:
        path = patch.old or ""
        if path in self._current and not patch.is_rename and not patch.is_copy:
            return self._current[path]
        found = self._parent.entries.get(path)
        return None if found is None else self._stored(path, found)

    def _stored(self, path: str, found: TreeEntry) -> _File:
        if found.kind not in _MODES:
            return _File(0, b"", found.error or "not a regular file")
        mode = _MODES[found.kind] | (0o755 if found.is_executable else 0o644)
        if found.kind is EntryKind.SUBMODULE:
            return _File(mode, _COMMIT + found.identity.partition(":")[2].encode() + b"\n")
        try:
            return _File(mode, self._parent.stored(path))
        except EvidenceUnavailable as error:
            return _File(mode, b"", str(error).removeprefix(f"{path}: "))

    def _after(self, patch: FilePatch, before: _File) -> _File:
        mode = patch.new_mode or before.mode
        if patch.lacks_data:
            raise InputError(
                f"{patch.path}: the diff only says that it differs; make it with git diff --binary"
            )
        if before.error is not None:
            return _File(mode, b"", f"{before.error}, and the diff changes it")
        if patch.binary is not None:
            return self._inflated(patch, patch.binary, before, mode)
        return _File(mode, self._patcher.apply(patch.path, before.data, patch.hunks))

    def _inflated(self, patch: FilePatch, binary: BinaryHunk, before: _File, mode: int) -> _File:
        if binary.size > self._limit:
            return _File(mode, b"", str(TooLarge(binary.size, self._limit)))
        if len(patch.old_id) not in _HASHES or len(patch.new_id) != len(patch.old_id):
            raise InputError(f"{patch.path}: a binary hunk needs the full ids in the line `index`")
        if patch.old is not None and _blob_id(before.data, patch.old_id) != patch.old_id:
            raise InputError(f"{patch.path}: the binary hunk is for other content than is there")
        try:
            data = binary.apply(before.data, self._limit)
        except InputError as error:
            raise InputError(f"{patch.path}: {error}") from error
        if patch.new is not None and _blob_id(data, patch.new_id) != patch.new_id:
            raise InputError(f"{patch.path}: the binary hunk does not make what its id says")
        return _File(mode, data)


def _blob_id(data: bytes, like: str) -> str:
    """Return git's id of a file's content, in the hash that an id of this length is made with."""
    blob = b"blob %d\0" % len(data) + data
    return hashlib.new(_HASHES[len(like)], blob, usedforsecurity=False).hexdigest()


def _entry(file: _File) -> TreeEntry:
    kind = _KINDS.get(file.mode & _KIND_BITS, EntryKind.OTHER)
    if file.error is not None or kind is EntryKind.OTHER:
        return TreeEntry(kind, error=file.error or f"of the unknown mode {file.mode:o}")
    if kind is EntryKind.SUBMODULE:
        return submodule(file.data.removeprefix(_COMMIT).strip().decode(errors="replace"))
    made = entry(file.data, is_executable=kind is EntryKind.FILE and bool(file.mode & 0o100))
    return attrs.evolve(made, kind=kind)


def _is_allowed(path: str) -> bool:
    return is_plain(path) and ".git" not in path.lower().split("/")


def _require_room(tree: SourceTree, created: Iterable[str]) -> None:
    """Raise InputError where a file would lie below another file, or below a symbolic link."""
    paths = list(tree.entries)
    for path in created:
        above = path.split("/")[:-1]
        for depth in range(1, len(above) + 1):
            file = "/".join(above[:depth])
            if file in tree.entries:
                raise InputError(f"{path}: the diff creates it below {file}, which is no directory")
        at = bisect.bisect_left(paths, f"{path}/")
        if paths[at : at + 1] and paths[at].startswith(f"{path}/"):
            raise InputError(f"{path}: the diff creates it where a directory is")
