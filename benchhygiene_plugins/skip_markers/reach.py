"""Which test files a change can have skipped something in."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene_plugins.skip_markers.inventory import Reader
from benchhygiene_plugins.skip_markers.vocabulary import mentions

# Import statements, those over several lines included, and what else names modules.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*)?|pytest_plugins[^\n]*", re.MULTILINE
)
_WORD = re.compile(rb"\w+")
_ROUNDS = 3  # files that hand on what other files define


@attrs.frozen(eq=False)
class Reach:
    """Finds the test files whose tests may be exempted by what a change touched."""

    change: Change
    rules: CollectionRules
    old: Reader
    new: Reader

    def paths(self) -> tuple[str, ...]:
        """Return, sorted, the test files to judge."""
        differing = [path for path in self.change.differing() if path.endswith(".py")]
        found = {path for path in differing if self.rules.is_test_file(path)}
        others = [path for path in differing if self.change.candidate.is_file(path)]
        for path in others:
            if posixpath.basename(path) in ("conftest.py", "__init__.py") and self._means(path):
                found.update(self._below(posixpath.dirname(path)))
        found.update(self._dependents(others))
        if set(self.new.everywhere) - set(self.old.everywhere):
            found.update(self._below(""))
        return tuple(sorted(found))

    def _means(self, path: str) -> bool:
        """Return whether a conftest or package means something else for tests than it did."""
        return _meaning(self.old, path) != _meaning(self.new, path)

    def _below(self, folder: str) -> Iterator[str]:
        prefix = f"{folder}/" if folder else ""
        for path in self.change.candidate.files(".py"):
            if path.startswith(prefix) and self.rules.is_test_file(path):
                yield path

    def _dependents(self, others: Iterable[str]) -> set[str]:
        """Return the unchanged test files that use what a changed file exempts with."""
        tree = self.change.candidate
        exempting = {
            _stem(path).encode(errors="surrogatepass") for path in others if _mentions(tree, path)
        }
        constant = {
            _stem(path).encode(errors="surrogatepass")
            for path in others
            if not self.rules.is_test_file(path)
            and any(changed_constants(self.old.evaluator, self.new.evaluator, path))
        }
        return self._using(exempting, constant) if exempting or constant else set()

    def _using(self, exempting: set[bytes], constant: set[bytes]) -> set[str]:
        """Return the test files that import any of these modules, directly or through others.

        A module whose constants changed matters to a file that exempts something itself.
        """
        found: set[str] = set()
        imports = {path: self._imports(path) for path in self.change.candidate.files(".py")}
        for _ in range(_ROUNDS):
            further: set[bytes] = set()
            for path, (words, exempts) in imports.items():
                if not (words & exempting or (exempts and words & constant)):
                    continue
                if self.rules.is_test_file(path):
                    found.add(path)
                if posixpath.basename(path) == "conftest.py":
                    found.update(self._below(posixpath.dirname(path)))
                further.add(_stem(path).encode(errors="surrogatepass"))
            if further <= exempting:
                break
            exempting = exempting | further
        return found

    def _imports(self, path: str) -> tuple[frozenset[bytes], bool]:
        try:
            return self.change.candidate.derived(path, _imported_words)
        except EvidenceUnavailable:
            return frozenset(), False


def _imported_words(data: bytes) -> tuple[frozenset[bytes], bool]:
    """Return every word of a file's imports, and whether the file names anything that exempts."""
    words = {word for line in _IMPORT.findall(data) for word in _WORD.findall(line)}
    return frozenset(words), mentions(data)


def _stem(path: str) -> str:
    name = posixpath.basename(path)
    return posixpath.basename(posixpath.dirname(path)) if name == "__init__.py" else name[:-3]


def _mentions(tree: SourceTree, path: str) -> bool:
    try:
        return tree.derived(path, mentions)
    except EvidenceUnavailable:
        return True


def _meaning(reader: Reader, path: str) -> object:
    """Return all that a conftest or package does to tests, in a form that can be compared."""
    hooks = [(one.rule, one.condition, one.raises) for one in reader.hooks.of_file(path)]
    block = [(one.rule, one.condition, one.raises) for one in reader.blocks.of_module(path)]
    fixtures = [
        (name, one.is_autouse, [(e.rule, e.condition) for e in reader.run(one)])
        for name, one in sorted(reader.fixtures.of_file(path).items())
    ]
    plugins = reader.fixtures.conftests(path)
    return hooks, block, fixtures, plugins


def changed_constants(old: Evaluator, new: Evaluator, path: str) -> Iterator[str]:
    """Yield the module-level names that are assigned something else than they were."""
    before, after = old.bindings(path).names, new.bindings(path).names
    for name in sorted({*before, *after}):
        was, now = before.get(name, ()), after.get(name, ())
        if any(isinstance(one, ast.expr) for one in (*was, *now)) and _dump(was) != _dump(now):
            yield name


def _dump(bound: Iterable[object]) -> list[str]:
    return [ast.dump(one) for one in bound if isinstance(one, ast.AST)]
