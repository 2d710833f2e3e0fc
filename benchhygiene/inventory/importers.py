"""Which files of a tree import which others, by the last words of the modules' names."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.outline import EVERYTHING, outline

_BY_NAME = (b"spec_from", b"runpy", b"pytest_plugins")
_IMPORTING_BY_NAME = (b"import_module", b"__import__")
_STAR = b"*"
_ROUNDS = 4  # files that hand on what other files define


def import_words(data: bytes) -> frozenset[bytes]:
    """Return every word of a file's imports, a star too; made for ``tree.derived``.

    Where modules are imported by other means, all words of the file are taken for theirs.
    """
    imports = b"\n".join(_import_lines(data))
    by_name = any(word in imports for word in _IMPORTING_BY_NAME)
    if by_name or any(word in data for word in _BY_NAME):
        return words(data) | frozenset((_STAR,) if b"import *" in data else ())
    return words(imports) | frozenset((_STAR,) if _STAR in imports else ())


def _import_lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines that hold the word, with what their brackets and backslashes go on to."""
    at = data.find(b"import")
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at)
        opened = data.find(b"(", at, end)
        if opened >= 0 and data.find(b")", opened, end) < 0:
            end = data.find(b")", opened)
        while end > 0 and data[end - 2 : end].rstrip(b"\r").endswith(b"\\"):
            end = data.find(b"\n", end + 1)
        end = end if end >= 0 else len(data)
        yield data[start:end]
        at = data.find(b"import", end)


@attrs.frozen(eq=False)
class Importers:
    """The Python files of one tree, each with the words of its imports."""

    words: Mapping[str, frozenset[bytes]]
    _naming: dict[bytes, tuple[str, ...]] = attrs.field(
        factory=dict[bytes, tuple[str, ...]], init=False
    )

    @classmethod
    def of(cls, tree: SourceTree) -> Importers:
        """Return the importers of a tree; made for ``tree.surveyed``."""
        return cls(dict(tree.derived_all(tree.files(".py"), import_words)))

    def naming(self, path: str) -> tuple[str, ...]:
        """Return the files whose imports name a module, or a module of the same name."""
        name = stem(path)
        if not name.isascii():  # words are told apart among ASCII only
            return tuple(sorted(one for one, named in self.words.items() if named))
        word = name.encode()
        if word not in self._naming:
            found = (one for one, named in self.words.items() if word in named)
            self._naming[word] = tuple(found)
        return self._naming[word]


def stem(path: str) -> str:
    """Return the last word of a module's name."""
    name = posixpath.basename(path)
    return posixpath.basename(posixpath.dirname(path)) if name == "__init__.py" else name[:-3]


def users(tree: SourceTree, changed: Mapping[str, Iterable[str]]) -> Mapping[str, frozenset[str]]:
    """Return the files that may use names of other files, and which of their own rest on those.

    ``changed`` are names at the top of modules, ``EVERYTHING`` for what has no name. A file that
    uses one hands on what it defines with it.
    """
    importers = tree.surveyed(Importers.of)
    found: dict[str, frozenset[str]] = {}
    frontier = {path: frozenset(names) for path, names in changed.items()}
    for _ in range(_ROUNDS):
        further: dict[str, frozenset[str]] = {}
        for path, names in sorted(frontier.items()):
            for other in importers.naming(path):
                used = _used(tree, other, names) if other != path else frozenset[str]()
                used -= found.get(other, frozenset())
                if used:
                    further[other] = further.get(other, frozenset()) | used
        for path, names in further.items():
            found[path] = found.get(path, frozenset()) | names
        frontier = further
    return found


def _used(tree: SourceTree, path: str, names: frozenset[str]) -> frozenset[str]:
    """Return the names of a file that rest on names of a module whose name its imports hold."""
    try:
        if EVERYTHING in names or _STAR in tree.derived(path, import_words):
            seen = names
        else:
            there = tree.derived(path, words)
            seen = frozenset(n for n in names if not n.isascii() or n.encode() in there)
        return seen | tree.derived(path, outline).resting_on(seen) if seen else seen
    except EvidenceUnavailable:
        return frozenset()


def importing(tree: SourceTree, paths: Iterable[str]) -> frozenset[str]:
    """Return the files that import any of these, at once or through others, whatever of them."""
    importers = tree.surveyed(Importers.of)
    pending = [*paths]
    asked: set[str] = set()
    found: set[str] = set()
    while pending:
        path = pending.pop()
        if stem(path) not in asked:
            asked.add(stem(path))
            further = {*importers.naming(path)} - found
            found |= further
            pending.extend(further)
    return frozenset(found)


def changed_names(
    old: SourceTree, new: SourceTree, path: str, apart_from: Container[str] = ()
) -> frozenset[str]:
    """Return the names of a module that may not mean what they did, ``EVERYTHING`` among them.

    ``apart_from`` are functions and methods that are judged by themselves.
    """
    before, after = (_outline_parts(tree, path) for tree in (old, new))
    differing = frozenset(
        name.partition(".")[0]
        for name in {*before, *after}
        if before.get(name) != after.get(name) and name not in apart_from
    )
    resting = [
        tree.derived(path, outline).resting_on(differing)
        for tree, parts in ((old, before), (new, after))
        if differing and parts
    ]
    return differing.union(*resting)


def _outline_parts(tree: SourceTree, path: str) -> Mapping[str, bytes]:
    try:
        return tree.derived(path, outline).digests if tree.is_file(path) else {}
    except EvidenceUnavailable:
        return {}
