"""Which files of a tree import which others, by the last words of the modules' names."""

from __future__ import annotations

import bisect
import itertools
import posixpath
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.outline import EVERYTHING, outline

_BY_NAME = (b"spec_from", b"runpy", b"pytest_plugins")
_IMPORTING_BY_NAME = (b"import_module", b"__import__")
_STAR = b"*"
_MOST_NEAR = 200  # files that are read to find out that others need not be
_FEW = 16  # words that are looked for one by one
_ROUNDS = 4  # files that hand on what other files define


def import_text(data: bytes) -> bytes:
    """Return what a file imports as it is spelt there; made for ``tree.derived``.

    Where modules are imported by other means, all words of the file are taken for their names; then
    a star stands for one that is imported, too.
    """
    imports = b"\n".join(_import_lines(data))
    by_name = any(word in imports for word in _IMPORTING_BY_NAME)
    if by_name or any(word in data for word in _BY_NAME):
        return data.replace(_STAR, b" ") + (b" *" if b"import *" in data else b"")
    return imports


def import_words(data: bytes) -> frozenset[bytes]:
    """Return every word of a file's imports, a star too; made for ``tree.derived``."""
    text = import_text(data)
    return words(text) | frozenset((_STAR,) if _STAR in text else ())


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


@attrs.define(eq=False)
class Importers:
    """The Python files of one tree, each with what it imports as far as that was asked."""

    _modules: Mapping[bytes, Sequence[str]]
    _texts: dict[str, bytes] = attrs.field(factory=dict[str, bytes], init=False)
    _whole: _Whole | None = attrs.field(default=None, init=False)

    @classmethod
    def of(cls, tree: SourceTree) -> Importers:
        """Return the importers of a tree, none of them read yet; made for ``tree.surveyed``."""
        found: dict[bytes, list[str]] = {}
        for path in tree.files(".py"):
            found.setdefault(_word(path), []).append(path)
        return cls(found)

    def naming(self, tree: SourceTree, path: str) -> Sequence[str]:
        """Return the files whose imports name a module, or a module of the same name."""
        if self._whole is None:
            texts = dict(self._read(tree, tree.files(".py")))
            self._texts.clear()
            self._whole = _Whole.of(texts)
        return self._whole.naming(_word(path))

    def near(self, tree: SourceTree, paths: Iterable[str], ends: Iterable[str]) -> frozenset[str]:
        """Return those of the modules that the ends may use, at once or through others.

        Whoever uses a module, as ``users`` finds it, imports it, or a file that uses it. So where
        few files can be come upon from the ends by what they import, no other has to be read.
        """
        if self._whole is not None:
            return frozenset(path for path in paths if self._leads_to(tree, path, {*ends} - {path}))
        return self._come_upon(tree, paths, ends, _MOST_NEAR)

    def come_upon(
        self, tree: SourceTree, paths: Iterable[str], ends: Iterable[str]
    ) -> frozenset[str]:
        """Return those of the modules that the ends, among them the modules themselves, may use.

        Unlike ``near`` it says so of a module that only leads back to itself, and gives up nowhere.
        """
        if self._whole is not None:  # all who import a module are known, and need not be looked for
            return frozenset(paths)
        return self._come_upon(tree, paths, ends, len(tree.entries))

    def _come_upon(
        self, tree: SourceTree, paths: Iterable[str], ends: Iterable[str], most: int
    ) -> frozenset[str]:
        wanted = {path: _word(path) for path in paths}
        found = {path for path, word in wanted.items() if not word}
        known, frontier = {*ends}, sorted(ends)
        for _ in range(_ROUNDS):
            if len(known) > most:
                return frozenset(wanted)
            further: set[str] = set()
            for one, text in self._read(tree, frontier):
                imported = words(text)
                found.update(path for path in wanted if path != one and wanted[path] in imported)
                further.update(*(self._modules.get(word, ()) for word in (b"", *imported)))
            frontier = sorted(further - known)
            known |= further
        return frozenset(found)

    def leads_to(self, tree: SourceTree, path: str, is_sought: Callable[[bytes], bool]) -> bool:
        """Return whether a file, or one that it imports, at once or through others, is sought.

        The same as to ask for ``importing`` all that are sought and whether the file is one of
        them. But only what the file leads to is read, nearest first, up to the first that is.
        """
        known, frontier = {path}, [path] if tree.is_file(path) else []
        while frontier:
            if any(found for _, found in tree.derived_all(frontier, is_sought)):
                return True
            further: set[str] = set()
            for _, found in tree.derived_all(frontier, import_words):
                words_there = (b"", *found) if found else ()
                further.update(*(self._modules.get(word, ()) for word in words_there))
            frontier = sorted(further - known)
            known |= further
        return False

    def _leads_to(self, tree: SourceTree, path: str, ends: Container[str]) -> bool:
        """Return whether an end imports a module, at once or through others; or too many do."""
        known, frontier = {path}, {path}
        for _ in range(_ROUNDS):
            frontier = {other for one in frontier for other in self.naming(tree, one)} - known
            known |= frontier
            if len(known) > _MOST_NEAR or any(one in ends for one in frontier):
                return True
        return False

    def _read(self, tree: SourceTree, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield what files import, each read once; those without bytes import nothing."""
        wanted = [*paths]
        missing = [path for path in wanted if path not in self._texts]
        self._texts.update(dict.fromkeys(missing, b""))
        self._texts.update((path, import_text(data)) for path, data in tree.read_all(missing))
        yield from ((path, self._texts[path]) for path in wanted)


@attrs.define(eq=False)
class _Whole:
    """What every file imports, as one text: searched in less time than many small ones.

    Only where many words are asked for is it taken apart.
    """

    _paths: tuple[str, ...]
    _text: bytes = attrs.field(repr=False)
    _ends: tuple[int, ...]
    _naming: dict[bytes, tuple[str, ...]] = attrs.field(
        factory=dict[bytes, tuple[str, ...]], init=False
    )
    _index: Mapping[bytes, Sequence[str]] | None = attrs.field(default=None, init=False)

    @classmethod
    def of(cls, texts: Mapping[str, bytes]) -> _Whole:
        ends = itertools.accumulate(len(text) + 1 for text in texts.values())
        return cls(tuple(texts), b"\n".join(texts.values()), tuple(ends))

    def naming(self, word: bytes) -> Sequence[str]:
        """Return the files whose imports hold a word; those that import anything, for none."""
        if self._index is None and word not in self._naming:
            if len(self._naming) > _FEW:
                self._index = self._indexed()
            else:
                self._naming[word] = tuple(self._holding(word) if word else self._importing())
        return self._naming[word] if self._index is None else self._index.get(word, ())

    def _indexed(self) -> Mapping[bytes, Sequence[str]]:
        found: dict[bytes, list[str]] = {b"": [*self._importing()]}
        for path, text in self._each():
            for word in words(text):
                found.setdefault(word, []).append(path)
        return found

    def _importing(self) -> Iterator[str]:
        return (path for path, text in self._each() if _STAR in text or words(text))

    def _each(self) -> Iterator[tuple[str, bytes]]:
        starts = (0, *self._ends)
        for path, start, end in zip(self._paths, starts, self._ends, strict=False):
            yield path, self._text[start : end - 1]

    def _holding(self, word: bytes) -> Iterator[str]:
        at = self._text.find(word)
        while at >= 0:
            here = bisect.bisect_right(self._ends, at)
            start, end = self._ends[here - 1] if here else 0, self._ends[here]
            if word in words(self._text[start : end - 1]):
                yield self._paths[here]
            at = self._text.find(word, end)


def _word(path: str) -> bytes:
    """Return the word by which a module is imported, none where words do not tell it apart."""
    name = stem(path)
    return name.encode() if name.isascii() else b""


def stem(path: str) -> str:
    """Return the last word of a module's name."""
    name = posixpath.basename(path)
    return posixpath.basename(posixpath.dirname(path)) if name == "__init__.py" else name[:-3]


def users_among(
    tree: SourceTree, ends: Collection[str], changed: Mapping[str, Iterable[str]]
) -> Mapping[str, frozenset[str]]:
    """Return what ``users`` says of these files alone.

    A file can be among its own users, where what it imports leads back to it. The rest of the tree
    is read only where what the ends import leads to a changed file.
    """
    asked = tree.surveyed(Importers.of).come_upon(tree, changed, ends)
    if not asked:
        return {}
    found = users(tree, {path: changed[path] for path in sorted(asked)})
    return {path: found[path] for path in ends if path in found}


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
            for other in importers.naming(tree, path):
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
        if EVERYTHING in names or _STAR in tree.derived(path, import_text):
            seen = names
        else:
            there = tree.derived(path, words)
            seen = frozenset(n for n in names if not n.isascii() or n.encode() in there)
        return seen | outline(tree, path).resting_on(seen) if seen else seen
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
            further = {*importers.naming(tree, path)} - found
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
        outline(tree, path).resting_on(differing)
        for tree, parts in ((old, before), (new, after))
        if differing and parts
    ]
    return differing.union(*resting)


def _outline_parts(tree: SourceTree, path: str) -> Mapping[str, bytes]:
    try:
        return outline(tree, path).digests if tree.is_file(path) else {}
    except EvidenceUnavailable:
        return {}
