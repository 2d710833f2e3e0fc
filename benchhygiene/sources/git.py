"""Read trees and changes out of a git repository, without a checkout."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.tree import Change, EntryKind, Memo, SourceTree, TreeEntry
from benchhygiene.sources.git_objects import ObjectStore, StoredObject
from benchhygiene.sources.trees import TreeLimits

_DIRECTORY = 0o040000
_FILE = 0o100000
_LINK = 0o120000
_SUBMODULE = 0o160000
_KIND_BITS = 0o170000
_REMEMBERED_ROWS = 300_000  # of directories that are kept for the next change
_REMEMBERED_LISTINGS = 8  # whole trees
_LONGEST_REVISION = 1_000  # characters
_SHA1_DIGITS = 40
_ROW = re.compile(rb"([0-7]+) ([^\0]+)\0", re.DOTALL)
_LINK_TO = re.compile(rb"(?:tree|object) ([0-9a-f]{40,64})\n")  # how a commit or a tag begins
_MOST_TAGS = 10  # that lead to one another
_IMPOSSIBLE = frozenset((".", "..", ".git"))
_EXPECTED = "expected a commit, a tag, a branch or a tree"


_Child = tuple[int, str]  # one row of a tree object: its mode, and the id it leads to
_Rows = dict[str, _Child]


@attrs.frozen
class GitReader:
    """Fetch a file's bytes by its blob id; started again in each process it gets into."""

    store: ObjectStore

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes. Raises EvidenceUnavailable where the repository has them not."""
        try:
            found = self.store.read(entry.identity.partition(":")[2])
        except (EvidenceUnavailable, InputError) as error:
            reason = str(error).partition(": ")[2]
            raise EvidenceUnavailable(f"{path}: {reason}") from error
        if found.kind != "blob":
            raise EvidenceUnavailable(f"{path}: a {found.kind} in the repository, not a file")
        return found.data

    def read_all(self, entries: Sequence[TreeEntry]) -> list[bytes | None]:
        """Return the bytes of each entry, None where ``read`` would say why there are none."""
        names = [one.identity.partition(":")[2] for one in entries]
        try:
            found = self.store.read_all(names)
        except InputError:
            return [None] * len(names)
        return [
            one.data if not isinstance(one, EvidenceUnavailable) and one.kind == "blob" else None
            for one in found
        ]


class Repository:
    """A git repository whose trees and changes are asked for again and again.

    All that it hands out shares one git process, what was learnt about parents, and the facts
    derived from files: a thousand patches of one repository cost little more than the patches.
    Use it as a context manager, or ``close`` it, to end the process early.
    """

    def __init__(self, path: str | os.PathLike[str], *, limits: TreeLimits | None = None) -> None:
        self.limits = limits or TreeLimits()
        self.path = os.fspath(path)
        if not os.path.isdir(self.path):
            raise InputError(f"git {self.path!r}: no such directory; expected a git repository")
        self._store = ObjectStore(os.path.realpath(self.path), self.limits.file_bytes)
        self._reader = GitReader(self._store)
        self._memo = Memo()
        self._rows: OrderedDict[str, _Rows] = OrderedDict()
        self._row_count = 0
        self._trees: OrderedDict[str, SourceTree] = OrderedDict()

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git process; a tree that is read afterwards starts another."""
        self._store.close()

    def tree(self, revision: str) -> SourceTree:
        """Return a revision's tree; raises InputError for what is no revision."""
        self._forget()
        return self._listed(self._root(revision))

    def change(self, parent: str, candidate: str) -> Change:
        """Return what lies between two revisions; what both have in common is never read.

        Raises InputError for what is no revision.
        """
        self._forget()
        before, after = self._root(parent), self._root(candidate)
        old = self._listed(before)
        return Change(old, self._trees.get(after) or self._overlaid(old, before, after))

    def _root(self, revision: str) -> str:
        """Return the id of a revision's tree."""
        known = "\n" not in revision and "\0" not in revision
        if not known or not 0 < len(revision) < _LONGEST_REVISION:
            raise InputError(f"revision {revision!r}: {_EXPECTED}")
        try:
            found = self._store.read(revision)
            for _ in range(_MOST_TAGS):
                if (link := _LINK_TO.match(found.data)) and found.kind in ("commit", "tag"):
                    found = self._store.read(link[1].decode())
        except EvidenceUnavailable as error:
            raise InputError(
                f"revision {revision!r}: not in the repository {self.path!r}; {_EXPECTED}"
            ) from error
        if found.kind != "tree":
            raise InputError(f"revision {revision!r}: a {found.kind}; {_EXPECTED}")
        self._remember(found)
        return found.identity

    def _listed(self, root: str) -> SourceTree:
        """Return the tree of an id, from memory where it was asked for before."""
        if root in self._trees:
            self._trees.move_to_end(root)
            return self._trees[root]
        listing = _Listing(self.limits)
        self._list(listing, [("", root)])
        tree = SourceTree(
            listing.entries,
            unseen=listing.unseen,
            reader=self._reader,
            roots=(os.path.realpath(self.path),),
            memo=self._memo,
        )
        self._trees[root] = tree
        if len(self._trees) > _REMEMBERED_LISTINGS:
            self._trees.popitem(last=False)
        return tree

    def _list(self, listing: _Listing, directories: list[tuple[str, str]]) -> None:
        """Take in everything below these directories, level by level."""
        while directories:
            self._fetch(identity for _, identity in directories)
            below: list[tuple[str, str]] = []
            for prefix, identity in sorted(directories):
                below += listing.take(prefix, self._rows_of(identity))
            directories = below

    def _overlaid(self, parent: SourceTree, before: str, after: str) -> SourceTree:
        """Return the candidate's tree as the parent's with what differs laid over it."""
        listing = _Listing(self.limits)
        gone: dict[str, None] = {}
        pairs = [("", before, after)]
        while pairs:
            self._fetch(identity for _, *sides in pairs for identity in sides)
            deeper: list[tuple[str, str, str]] = []
            added: list[tuple[str, str]] = []
            for prefix, old, new in pairs:
                difference = _Difference(prefix, self._rows_of(old), self._rows_of(new))
                deeper += difference.deeper
                for path, identity in difference.removed_directories:
                    gone.update(self._paths_below(parent, path, identity))
                gone.update(dict.fromkeys(difference.removed))
                added += listing.take(prefix, difference.added)
            self._list(listing, added)
            pairs = deeper
        return parent.overlaid({**gone, **listing.entries}, unseen=listing.unseen)

    def _paths_below(self, parent: SourceTree, path: str, identity: str) -> dict[str, None]:
        listing = _Listing(self.limits)
        self._list(listing, [(f"{path}/", identity)])
        return dict.fromkeys(found for found in listing.entries if found in parent.entries)

    def _fetch(self, identities: Iterable[str]) -> None:
        """Learn the rows of all these trees in as few rounds as the pipe allows."""
        missing = [one for one in dict.fromkeys(identities) if one not in self._rows]
        for identity, found in zip(missing, self._store.read_all(missing), strict=True):
            if isinstance(found, EvidenceUnavailable) or found.kind != "tree":
                raise InputError(f"git {self.path!r}: tree {identity} cannot be read")
            self._remember(found)

    def _remember(self, found: StoredObject) -> None:
        if found.identity not in self._rows:
            self._rows[found.identity] = _parse(found)
            self._row_count += len(self._rows[found.identity])

    def _rows_of(self, identity: str) -> _Rows:
        self._rows.move_to_end(identity)
        return self._rows[identity]

    def _forget(self) -> None:
        """Drop what was looked at longest ago; never while a tree is being put together."""
        self._memo.trim()
        while self._row_count > _REMEMBERED_ROWS:
            _, rows = self._rows.popitem(last=False)
            self._row_count -= len(rows)


class _Listing:
    """Entries by path, up to the limit, and what the limit cut off."""

    def __init__(self, limits: TreeLimits) -> None:
        self.entries: dict[str, TreeEntry] = {}
        self._limits = limits
        self._taken = 0
        self._cut = False

    @property
    def unseen(self) -> tuple[str, ...]:
        """Return what was given up on, with the reason."""
        return (f"the tree has more than {self._limits.entries} entries",) if self._cut else ()

    def take(self, prefix: str, rows: _Rows) -> list[tuple[str, str]]:
        """Take in the rows of one directory and return the directories among them."""
        self._taken += len(rows)
        if self._taken > self._limits.entries or prefix.count("/") > self._limits.depth:
            self._cut = True
            return []
        below: list[tuple[str, str]] = []
        for name, child in rows.items():
            if _is_directory(child):
                below.append((f"{prefix}{name}/", child[1]))
            else:
                self.entries[prefix + name] = _entry(child)
        return below


class _Difference:
    """What two listings of one directory do not have in common."""

    def __init__(self, prefix: str, old: _Rows, new: _Rows) -> None:
        self.removed: list[str] = []
        self.removed_directories: list[tuple[str, str]] = []
        self.added: _Rows = {}
        self.deeper: list[tuple[str, str, str]] = []
        for name in sorted({name for name, _ in old.items() ^ new.items()}):
            self._tell_apart(prefix, name, old.get(name), new.get(name))

    def _tell_apart(self, prefix: str, name: str, old: _Child | None, new: _Child | None) -> None:
        path = prefix + name
        if old and new and _is_directory(old) and _is_directory(new):
            self.deeper.append((f"{path}/", old[1], new[1]))
            return
        if old and _is_directory(old):
            self.removed_directories.append((path, old[1]))
        elif old:
            self.removed.append(path)
        if new:
            self.added[name] = new


def _is_directory(child: _Child) -> bool:
    return child[0] & _KIND_BITS == _DIRECTORY


def _parse(tree: StoredObject) -> _Rows:
    """Return the rows of a tree object; raises InputError where it is not what git writes."""
    width = len(tree.identity) // 2
    rows: _Rows = {}
    at = 0
    while at < len(tree.data):
        head = _ROW.match(tree.data, at)
        identity = tree.data[head.end() : head.end() + width] if head else b""
        if head is None or len(identity) != width:
            raise InputError(f"git tree {tree.identity}: damaged")
        name = head[2].decode(errors="surrogateescape")
        if name in rows or "/" in name or name in _IMPOSSIBLE:
            raise InputError(f"git tree {tree.identity}: {name!r} is no name for a file, or twice")
        rows[name] = (int(head[1], 8), identity.hex())
        at = head.end() + width
    return rows


def submodule(commit: str) -> TreeEntry:
    """Return the entry of a submodule at a commit."""
    return TreeEntry(EntryKind.SUBMODULE, _identity(commit), error="a commit of another repository")


def _identity(digits: str) -> str:
    return f"{'git' if len(digits) == _SHA1_DIGITS else 'git-sha256'}:{digits}"


def _entry(child: _Child) -> TreeEntry:
    mode, digits = child
    identity = _identity(digits)
    kind = mode & _KIND_BITS
    if kind == _SUBMODULE:
        return submodule(digits)
    if kind == _LINK:
        return TreeEntry(EntryKind.SYMLINK, identity)
    if kind != _FILE:
        return TreeEntry(EntryKind.OTHER, identity, error=f"of the unknown mode {mode:o}")
    return TreeEntry(EntryKind.FILE, identity, bool(mode & 0o100))
