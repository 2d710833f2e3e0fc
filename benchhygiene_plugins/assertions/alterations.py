"""Which names a change may have given another meaning, and which tests that can touch.

A test is followed by what it and all it uses are called: every function, fixture, class, constant
or import that can bear on it is spelt out in its own source, in that of its classes, or in the
source of something that is itself so reached. What is reached without being named (set-up, what a
class derives from, automatic fixtures) counts as named by the class or by the whole file. So a
test whose source is the same, and reaches none of the names whose source differs, reads the same.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.importers import stem
from benchhygiene.inventory.python import PythonFile
from benchhygiene.inventory.touched import shared
from benchhygiene_plugins.assertions.modules import Project, is_test_side, module_names
from benchhygiene_plugins.assertions.parts import NAMELESS, Part, mentions, parts, spelt, words
from benchhygiene_plugins.assertions.scope import hierarchy

_ASKED_ONE_BY_ONE = 24  # words that are looked for in files' texts before all are taken apart
_Spots = AbstractSet[tuple[int, int]]


@attrs.frozen(eq=False)
class Alterations:
    """What differs between two trees' test files beside the tests both have, word by word.

    ``names`` are those at the top of each differing file; ``files`` are those whose tests may all
    read differently.
    """

    names: Mapping[str, frozenset[str]] = attrs.field(factory=dict[str, frozenset[str]])
    words: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()

    def touch(self, node: Node, text: str) -> bool:
        """Return whether a test of this source may have come to mean something else."""
        if not self.files.isdisjoint((node.path, node.definition_path)):
            return True
        if not self.words:
            return False
        classes = spelt([one.name for one in node.classes])
        return not (self.words.isdisjoint(classes) and self.words.isdisjoint(words(text)))

    def spread(
        self, sides: Collection[Project], paths: Collection[str], owners: Owners | None = None
    ) -> Alterations:
        """Return what is altered when these files, and those that differ, use what is.

        ``owners`` are the classes of which a test can be; without them it is every class.
        """
        if not self.words:
            return self
        every = dict.fromkeys((*self.names, *paths))
        read = [(path, file) for path in every for file in _sources(sides, path)]
        spreading = _Spreading(read, set(self.words), set(self.files), owners)
        spreading.run()
        files = frozenset(_seeing(spreading.touched, paths))
        return Alterations(self.names, frozenset(spreading.words), files)


def alterations(
    change: Change, sides: Sequence[Project], nodes: Sequence[Iterable[Node]]
) -> Alterations:
    """Return what a change alters in the files of the tests.

    A function that is a test on both sides is left out: it is judged by itself. It is not where a
    file that differs too may use it.
    """
    tests, used = [_spots(side) for side in nodes], change.surveyed(shared)
    names, found, files = dict[str, frozenset[str]](), set(_one_sided(change)), set[str]()
    for path in change.differing():
        if path.endswith(".py") and is_test_side(path):
            own = [
                one.get(path, frozenset()) if path not in used else frozenset[tuple[int, int]]()
                for one in tests
            ]
            different = _different(sides, path, own)
            here = Alterations(words=different).spread(sides, [path])
            names[path] = frozenset(_tops(sides, path, here.words))
            found |= different
            files |= {path} if NAMELESS in different else set()
    return Alterations(names, frozenset(found - {NAMELESS}), frozenset(files))


def _spots(nodes: Iterable[Node]) -> Mapping[str, _Spots]:
    found: dict[str, set[tuple[int, int]]] = {}
    for node in nodes:
        spot = (node.definition.lineno, node.definition.col_offset)
        found.setdefault(node.definition_path, set()).add(spot)
    return found


def _one_sided(change: Change) -> frozenset[str]:
    """Return the words by which an import can mean a file that only one side has."""
    before, after = change.parent.entries, change.candidate.entries
    if before.keys() == after.keys():
        return frozenset()
    only = [stem(path) for path in before.keys() ^ after.keys() if path.endswith(".py")]
    new = change.parent.surveyed(module_names) ^ change.candidate.surveyed(module_names)
    return spelt([*new, *only])


def _different(sides: Sequence[Project], path: str, tests: Sequence[_Spots]) -> frozenset[str]:
    """Return the words of what is not the same in a file, tests of both sides left out."""
    files = [next(_sources([side], path), PythonFile()) for side in sides]
    before, after = (_by_key(file) for file in files)
    found: set[str] = set()
    for key in before.keys() | after.keys():
        old, new = before.get(key, ()), after.get(key, ())
        if [one.text for one in old] == [one.text for one in new]:
            continue
        if not (_is_test(old, tests[0]) and _is_test(new, tests[1])):
            found.update(name for part in (*old, *new) for name in part.names)
    if any(file.module is None for file in files):
        found.add(NAMELESS)
    return spelt(found | _realiased(*files))


def _is_test(same_key: Sequence[Part], tests: _Spots) -> bool:
    return any(part.spot in tests for part in same_key)


def _by_key(file: PythonFile) -> Mapping[str, list[Part]]:
    found: dict[str, list[Part]] = {}
    for part in file.derived(parts):
        found.setdefault(part.key, []).append(part)
    return found


def _realiased(old: PythonFile, new: PythonFile) -> set[str]:
    """Return the names that imports bind to something else; one in a function counts for all."""
    imports = [[p.text for p in file.derived(parts) if "import" in p.text] for file in (old, new)]
    if imports[0] == imports[1]:
        return set()
    before, after = old.aliases, new.aliases
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def _tops(sides: Iterable[Project], path: str, altered: frozenset[str]) -> Iterator[str]:
    """Yield the names at a file's top that hold something altered."""
    for file in _sources(sides, path):
        for part in file.derived(parts):
            if not altered.isdisjoint(spelt(part.names)):
                yield part.top


def _sources(sides: Iterable[Project], path: str) -> Iterator[PythonFile]:
    """Yield what a path is on each side, once where it is the same."""
    modules = (side.module(path) for side in sides)
    files = {id(one.source): one.source for one in modules if one is not None}
    yield from files.values()


def _seeing(files: Iterable[str], paths: Collection[str]) -> Iterator[str]:
    """Yield files, and those that see what is automatic in a conftest among them."""
    for path in files:
        yield path
        directory, _, name = path.rpartition("/")
        if name == "conftest.py":
            yield from (one for one in paths if not directory or one.startswith(f"{directory}/"))


@attrs.frozen(eq=False, slots=False)
class Owners:
    """The classes of which the tests of some nodes can be, by name.

    A method that nothing uses without naming it is looked up on a test's own class and those it
    derives from. On any other object it is not followed, and of such an object's class nothing
    counts but how the method's parameters are called.
    """

    sides: Sequence[tuple[Project, Collection[Node]]]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    @functools.cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(name for side, nodes in self.sides for name in _owning(side, nodes))


def _owning(project: Project, nodes: Iterable[Node]) -> Iterator[str]:
    seen: set[tuple[str, ast.ClassDef]] = set()
    for node in nodes:
        yield from (one.name for one in node.classes)
        home = project.module(node.path) if node.classes else None
        if home is not None and (node.path, node.classes[-1]) not in seen:
            seen.add((node.path, node.classes[-1]))
            yield from (one.name for one, _ in hierarchy(node.classes[-1], home, project))


@attrs.define(eq=False)
class _Spreading:
    files: Sequence[tuple[str, PythonFile]]
    words: set[str]
    touched: set[str]
    owners: Owners | None = None

    def run(self) -> None:
        """Add the words of whatever mentions a word, until nothing does that was not there."""
        pending = list(self.words)
        if NAMELESS in self.words:
            self.touched.update(path for path, _ in self.files)
        index: dict[str, list[tuple[str, Part]]] | None = None
        for k, word in enumerate(pending):
            if k == _ASKED_ONE_BY_ONE:
                index = self._index()
            for path, part in self._mentions(word) if index is None else index.get(word, ()):
                pending.extend(self._add(path, part))

    def _mentions(self, word: str) -> Iterator[tuple[str, Part]]:
        for path, file in self.files:
            is_plain = file.text.isascii()
            if is_plain and word not in file.text:
                continue
            for part in file.derived(parts):
                if (word in part.text or not is_plain) and word in words(part.text):
                    yield path, part

    def _index(self) -> dict[str, list[tuple[str, Part]]]:
        found: dict[str, list[tuple[str, Part]]] = {}
        for path, file in self.files:
            for word, where in file.derived(mentions).items():
                found.setdefault(word, []).extend((path, part) for part in where)
        return found

    def _add(self, path: str, part: Part) -> frozenset[str]:
        if part.owner and self.owners is not None and part.owner not in self.owners:
            return frozenset()  # it reads as before, so its parameters are called as before
        if part.is_automatic:
            self.touched.add(path)
        fresh = spelt(part.names) - self.words
        self.words |= fresh
        return fresh
