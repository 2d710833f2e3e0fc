"""Frozen trees of files, and two of them held against each other."""

from __future__ import annotations

import enum
import hashlib
import posixpath
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar, cast

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError

T = TypeVar("T")
_REMEMBERED = 20_000  # facts a memo holds before it drops the ones asked for longest ago


class EntryKind(enum.Enum):
    """What one path of a tree is; links are not followed."""

    FILE = "file"
    SYMLINK = "symlink"  # its bytes are the target's name
    SUBMODULE = "submodule"  # a commit of another repository: has no bytes here
    OTHER = "other"  # FIFO, socket, device: exists, is never read


@attrs.frozen
class TreeEntry:
    """One path: its kind, and the bytes or the name that its bytes go by.

    Two entries whose ``identity`` (``sha256:…``, ``git:…``) has the same scheme hold the same
    bytes exactly where it is equal. ``error`` says why a path has no bytes that can be had.
    ``size`` is in bytes, None where the source did not learn it.
    """

    kind: EntryKind = EntryKind.FILE
    identity: str = ""
    is_executable: bool = False
    error: str | None = None
    size: int | None = attrs.field(default=None, eq=False)
    data: bytes | None = attrs.field(default=None, eq=False, repr=False)


class Reader(Protocol):
    """Where the bytes of a tree are fetched on demand; picklable, reopened in each process."""

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes. Raises EvidenceUnavailable where they cannot be had."""
        ...


class Memo:
    """Facts derived from bytes, kept while trees of one origin are looked at; never pickled."""

    def __init__(self, limit: int = _REMEMBERED) -> None:
        self._facts: OrderedDict[tuple[object, str], object] = OrderedDict()
        self._limit = limit

    def recall(self, derive: Callable[[bytes], T], identity: str, read: Callable[[], bytes]) -> T:
        """Return ``derive(read())``, from memory where the same bytes were asked about before."""
        key = (derive, identity)
        if key in self._facts:
            self._facts.move_to_end(key)
            return cast("T", self._facts[key])
        made = derive(read())
        self._facts[key] = made
        if len(self._facts) > self._limit:
            self._facts.popitem(last=False)
        return made

    def __reduce__(self) -> tuple[type[Memo], tuple[int]]:
        """Travel empty: what was derived here can be derived there."""
        return (Memo, (self._limit,))


def entry(content: bytes | str, *, is_executable: bool = False) -> TreeEntry:
    """Return a regular file's entry that carries its bytes."""
    data = content.encode() if isinstance(content, str) else content
    identity = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return TreeEntry(EntryKind.FILE, identity, is_executable, size=len(data), data=data)


def _as_entries(value: Mapping[str, TreeEntry | bytes | str]) -> dict[str, TreeEntry]:
    entries = {
        path: content if isinstance(content, TreeEntry) else entry(content)
        for path, content in value.items()
    }
    for path in entries:
        _require_relative(path)
    return dict(sorted(entries.items()))


def _require_relative(path: str) -> None:
    if not path or path.startswith("/") or posixpath.normpath(path) != path or path[:2] == "..":
        raise InputError(f"tree path {path!r}: expected a plain path below the tree's root")


@attrs.frozen(hash=False)
class SourceTree:
    """Every file of one tree by its path below the root, and how to get its bytes.

    Build one from literals: ``SourceTree({"tests/test_a.py": "def test_a(): ..."})``. ``unseen``
    says what the source gave up on, so that a path that is not here may exist after all. ``roots``
    are the directories it was taken from. Raises InputError for a path that leaves the root.
    """

    entries: Mapping[str, TreeEntry] = attrs.field(
        factory=dict[str, TreeEntry], converter=_as_entries
    )
    unseen: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    reader: Reader | None = attrs.field(default=None, eq=False, repr=False)
    roots: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    memo: Memo = attrs.field(factory=Memo, eq=False, repr=False)

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

        Raises EvidenceUnavailable where there is no such path, or its bytes cannot be had.
        """
        found = self.entries.get(path)
        if found is None:
            raise EvidenceUnavailable(f"{path}: not in this tree")
        if found.error is not None:
            raise EvidenceUnavailable(f"{path}: {found.error}")
        if found.data is not None:
            return found.data
        if self.reader is None or found.kind is EntryKind.SUBMODULE:
            raise EvidenceUnavailable(f"{path}: its bytes are not part of this evidence")
        return self.reader.read(path, found)

    def derived(self, path: str, derive: Callable[[bytes], T]) -> T:
        """Return what a pure function makes of a file's bytes; made once for equal bytes.

        Raises EvidenceUnavailable as ``read`` does.
        """
        found = self.entries.get(path)
        if found is None or found.error is not None or not found.identity:
            return derive(self.read(path))
        return self.memo.recall(derive, found.identity, lambda: self.read(path))

    def materialise(self, paths: Iterable[str] | None = None) -> SourceTree:
        """Return the tree with the bytes of these files (all by default) in it, and no reader.

        A file whose bytes cannot be had keeps its entry, with the reason as its ``error``.
        """
        wanted = set(self.entries if paths is None else paths)
        carried = {
            path: self._carried(path, found) if path in wanted else found
            for path, found in self.entries.items()
        }
        return attrs.evolve(self, entries=carried, reader=None)

    def _carried(self, path: str, found: TreeEntry) -> TreeEntry:
        if found.kind not in (EntryKind.FILE, EntryKind.SYMLINK) or found.error is not None:
            return found
        try:
            return attrs.evolve(found, data=self.read(path))
        except EvidenceUnavailable as error:
            return attrs.evolve(found, error=str(error).removeprefix(f"{path}: "))


def _as_tree(value: SourceTree | Mapping[str, TreeEntry | bytes | str]) -> SourceTree:
    return value if isinstance(value, SourceTree) else SourceTree(value)


@attrs.frozen(hash=False)
class Change:
    """What an agent's patch made of a tree: the tree before, and the tree after.

    Build one from literals: ``Change({"tests/test_a.py": OLD}, {"tests/test_a.py": NEW})``.
    """

    parent: SourceTree = attrs.field(converter=_as_tree)
    candidate: SourceTree = attrs.field(converter=_as_tree)

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the directories whose content is under judgement: no plugin may come from them."""
        return (*self.parent.roots, *self.candidate.roots)

    def differing(self) -> tuple[str, ...]:
        """Return, sorted, the paths that were added, removed, or hold other bytes or modes.

        A path whose bytes cannot be compared differs.
        """
        before, after = self.parent.entries, self.candidate.entries
        paths = (path for path in {*before, *after} if before.get(path) is not after.get(path))
        return tuple(sorted(path for path in paths if self._differs(path)))

    def _differs(self, path: str) -> bool:
        old, new = self.parent.entries.get(path), self.candidate.entries.get(path)
        if old is None or new is None or old.error is not None or new.error is not None:
            return True
        if (old.kind, old.is_executable) != (new.kind, new.is_executable):
            return True
        if _scheme(old) and _scheme(old) == _scheme(new):
            return old.identity != new.identity
        try:
            return self.parent.read(path) != self.candidate.read(path)
        except EvidenceUnavailable:
            return True


def _scheme(found: TreeEntry) -> str:
    return found.identity.partition(":")[0]
