"""Frozen trees of files, and two of them held against each other."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.entries import EntryKind, TreeEntry, entry, is_plain, require_plain
from benchhygiene.evidence.entry_map import Entries, as_entries
from benchhygiene.evidence.memo import Memo, Once

__all__ = [
    "BatchReader",
    "Change",
    "EntryKind",
    "Memo",
    "Reader",
    "SourceTree",
    "TreeEntry",
    "entry",
    "is_plain",
    "require_plain",
]

T = TypeVar("T")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
_LARGEST_POINTER = 1024  # bytes; the format's own bound
_BATCH = 512  # files that are fetched at once
_MOST_LINKS = 40  # as many as Linux follows


class Reader(Protocol):
    """Where the bytes of a tree are fetched on demand; picklable, reopened in each process."""

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes. Raises EvidenceUnavailable where they cannot be had."""
        ...


@runtime_checkable
class BatchReader(Reader, Protocol):
    """A reader that fetches many files in less time than one after the other."""

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes | None]:
        """Return the bytes of each entry, None where ``read`` would say why there are none."""
        ...


@attrs.frozen(hash=False)
class SourceTree:
    """Every file of one tree by its path below the root, and how to get its bytes.

    Build one from literals: ``SourceTree({"tests/test_a.py": "def test_a(): ..."})``. ``unseen``
    says what the source gave up on, so that a path that is not here may exist after all;
    ``left_out`` names what it passed over on purpose (``.git``, virtual environments). ``roots``
    are the directories it was taken from. Raises InputError for a path that leaves the root.
    """

    entries: Mapping[str, TreeEntry] = attrs.field(
        factory=dict[str, TreeEntry], converter=as_entries
    )
    unseen: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    reader: Reader | None = attrs.field(default=None, eq=False, repr=False)
    roots: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    memo: Memo = attrs.field(factory=Memo, eq=False, repr=False)
    left_out: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...], eq=False)
    _surveys: Once = attrs.field(factory=Once, init=False, eq=False, repr=False)

    def is_file(self, path: str) -> bool:
        """Return whether the path is a regular file of the tree; links are not followed."""
        found = self.entries.get(path)
        return found is not None and found.kind is EntryKind.FILE

    def files(self, *suffixes: str) -> Iterator[str]:
        """Yield the regular files that end in one of the suffixes, in sorted order."""
        for path, found in self.entries.items():
            if found.kind is EntryKind.FILE and (not suffixes or path.endswith(suffixes)):
                yield path

    def read(self, path: str) -> bytes:
        """Return a file's bytes, or a symbolic link's target.

        Raises EvidenceUnavailable where there is no such path, or its bytes cannot be had: those of
        a Git LFS pointer are not the file's content, which is somewhere else.
        """
        data = self.stored(path)
        if len(data) < _LARGEST_POINTER and data.startswith(_LFS_POINTER):
            raise EvidenceUnavailable(f"{path}: a Git LFS pointer, the content is not in the tree")
        return data

    def stored(self, path: str) -> bytes:
        """Return the bytes as the tree holds them, a Git LFS pointer's included.

        Raises EvidenceUnavailable as ``read`` does.
        """
        found = self.entries.get(path)
        if found is None:
            raise EvidenceUnavailable(f"{path}: not in this tree")
        if found.error is not None:
            raise EvidenceUnavailable(f"{path}: {found.error}")
        if found.data is not None:
            return found.data
        if self.reader is None or found.kind not in (EntryKind.FILE, EntryKind.SYMLINK):
            raise EvidenceUnavailable(f"{path}: its bytes are not part of this evidence")
        return self.reader.read(path, found)

    def resolve(self, path: str) -> str | None:
        """Return the path of the file that a path leads to, symbolic links followed in the tree.

        None where a link leaves the tree, dangles, turns in a circle, or no file is at its end.
        """
        parts, done = path.split("/")[::-1], ""
        links = 0
        while parts:
            done, before = posixpath.normpath(posixpath.join(done, parts.pop())), done
            if done == ".." or done.startswith(("../", "/")):
                return None
            found = self.entries.get(done)
            if found is not None and found.kind is EntryKind.SYMLINK:
                links += 1
                target = self._target(done)
                if links > _MOST_LINKS or target.startswith("/"):
                    return None
                parts += target.split("/")[::-1]
                done = before
        return done if self.is_file(done) else None

    def _target(self, path: str) -> str:
        """Return where a symbolic link points; outside of every tree where that is not known."""
        try:
            return self.stored(path).decode(errors="surrogateescape")
        except EvidenceUnavailable:
            return "/"

    def overlaid(
        self,
        changes: Mapping[str, TreeEntry | None],
        *,
        unseen: Iterable[str] = (),
    ) -> SourceTree:
        """Return the tree with these entries in place of its own; None takes a path away.

        It shares the reader and the memo. Raises InputError for a path that leaves the root.
        """
        for path, found in changes.items():
            if found is not None:
                require_plain(path)
        present = {path: found for path, found in changes.items() if found is not None}
        if len(present) == len(changes) and self.entries.keys() >= present.keys():
            made = Entries(self.entries, present)
        else:
            entries = {**self.entries, **changes}
            kept = ((path, found) for path, found in entries.items() if found is not None)
            made = Entries(sorted(kept))
        return attrs.evolve(self, entries=made, unseen=(*self.unseen, *unseen))

    def derived(self, path: str, derive: Callable[[bytes], T]) -> T:
        """Return what a pure function makes of a file's bytes; made once for equal bytes.

        Raises EvidenceUnavailable as ``read`` does.
        """
        found = self.entries.get(path)
        if found is None or found.error is not None or not found.identity:
            return derive(self.read(path))
        return self.memo.recall(derive, found.identity, lambda: self.read(path), path)

    def derived_all(
        self, paths: Iterable[str], derive: Callable[[bytes], T]
    ) -> Iterator[tuple[str, T]]:
        """Yield each path with what ``derived`` gives; paths without bytes are left out."""
        for batch in _batches(paths):
            asked = (path for path in batch if not self._remembers(path, derive))
            ready = self._fetched(asked)
            for path in batch:
                try:
                    yield path, self._derived(path, derive, ready.get(path))
                except EvidenceUnavailable:
                    continue

    def read_all(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield each path with what ``read`` gives; paths without bytes are left out."""
        for batch in _batches(paths):
            ready = self._fetched(batch)
            for path in batch:
                data = ready.get(path)
                try:
                    is_whole = data is not None and not data.startswith(_LFS_POINTER)
                    yield path, data if data is not None and is_whole else self.read(path)
                except EvidenceUnavailable:
                    continue

    def _derived(self, path: str, derive: Callable[[bytes], T], data: bytes | None) -> T:
        if data is None or data.startswith(_LFS_POINTER):
            return self.derived(path, derive)
        return self.memo.recall(derive, self.entries[path].identity, lambda: data)

    def _remembers(self, path: str, derive: Callable[[bytes], object]) -> bool:
        found = self.entries.get(path)
        return found is not None and self.memo.holds(derive, found.identity)

    def _fetched(self, paths: Iterable[str]) -> Mapping[str, bytes | None]:
        """Return the bytes of those files that a reader has, fetched at once."""
        if not isinstance(self.reader, BatchReader):
            return {}
        asked = {
            path: found
            for path in paths
            if (found := self.entries.get(path)) is not None
            and found.kind is EntryKind.FILE
            and found.error is None
            and found.data is None
            and found.identity
        }
        return dict(zip(asked, self.reader.read_all([*asked.values()]), strict=True))

    def surveyed(self, survey: Callable[[SourceTree], T]) -> T:
        """Return what a pure function makes of the whole tree; made once for this object."""
        return self._surveys.recall(survey, self)

    def materialise(self, paths: Iterable[str] | None = None) -> SourceTree:
        """Return the tree with the bytes of these files (all by default) in it, and no reader.

        A file whose bytes cannot be had keeps its entry, with the reason as its ``error``.
        """
        wanted = set(self.entries if paths is None else paths)
        carried = {
            path: self._carried(path, found) if path in wanted else found
            for path, found in self.entries.items()
        }
        return attrs.evolve(self, entries=Entries(carried.items()), reader=None)

    def _carried(self, path: str, found: TreeEntry) -> TreeEntry:
        if found.kind not in (EntryKind.FILE, EntryKind.SYMLINK) or found.error is not None:
            return found
        try:
            return attrs.evolve(found, data=self.stored(path))
        except EvidenceUnavailable as error:
            return attrs.evolve(found, error=str(error).removeprefix(f"{path}: "))


def _batches(paths: Iterable[str]) -> Iterator[list[str]]:
    wanted = list(paths)
    return (wanted[start : start + _BATCH] for start in range(0, len(wanted), _BATCH))


def _as_tree(value: SourceTree | Mapping[str, TreeEntry | bytes | str]) -> SourceTree:
    return value if isinstance(value, SourceTree) else SourceTree(value)


@attrs.frozen(hash=False)
class Change:
    """What an agent's patch made of a tree: the tree before, and the tree after.

    Build one from literals: ``Change({"tests/test_a.py": OLD}, {"tests/test_a.py": NEW})``.
    """

    parent: SourceTree = attrs.field(converter=_as_tree)
    candidate: SourceTree = attrs.field(converter=_as_tree)
    _surveys: Once = attrs.field(factory=Once, init=False, eq=False, repr=False)

    def surveyed(self, survey: Callable[[Change], T]) -> T:
        """Return what a pure function makes of the whole change; made once for this object."""
        return self._surveys.recall(survey, self)

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the directories whose content is under judgement: no plugin may come from them."""
        return (*self.parent.roots, *self.candidate.roots)

    def differing(self) -> tuple[str, ...]:
        """Return, sorted, the paths that were added, removed, or hold other bytes or modes.

        A path whose bytes cannot be compared differs.
        """
        return self.surveyed(_differing)

    def differs(self, path: str) -> bool:
        """Return whether a path is not the same on both sides, or nobody can tell."""
        old, new = self.parent.entries.get(path), self.candidate.entries.get(path)
        if old is None or new is None:
            return True
        if (old.kind, old.is_executable) != (new.kind, new.is_executable):
            return True
        if _scheme(old) and _scheme(old) == _scheme(new):
            return old.identity != new.identity
        try:
            return self.parent.stored(path) != self.candidate.stored(path)
        except EvidenceUnavailable:
            return True


def _differing(change: Change) -> tuple[str, ...]:
    before, after = change.parent.entries, change.candidate.entries
    if isinstance(after, Entries) and after.base is before:
        return tuple(sorted(path for path in after.over if change.differs(path)))
    if before.keys() == after.keys():
        paths = [path for path, found in before.items() if after[path] is not found]
    else:
        paths = [path for path in {*before, *after} if before.get(path) is not after.get(path)]
    return tuple(sorted(path for path in paths if change.differs(path)))


def _scheme(found: TreeEntry) -> str:
    return found.identity.partition(":")[0]
