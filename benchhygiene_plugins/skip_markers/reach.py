"""Which test files a change can have skipped something in."""

from __future__ import annotations

import ast
import functools
import posixpath
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.importers import importing, users
from benchhygiene.inventory.touched import Touched, changed_exports, dependents
from benchhygiene_plugins.skip_markers.apartness import unsettled
from benchhygiene_plugins.skip_markers.inventory import Reader
from benchhygiene_plugins.skip_markers.vocabulary import mentions

_PACKAGES = ("conftest.py", "__init__.py")


@attrs.frozen(eq=False, slots=False)
class Reach:
    """Finds the test files whose tests may be exempted by what a change touched."""

    change: Change
    rules: CollectionRules
    old: Reader
    new: Reader

    def paths(self) -> tuple[str, ...]:
        """Return, sorted, the test files to judge."""
        return tuple(sorted({*self._own(), *self._reached}))

    @functools.cached_property
    def alone(self) -> frozenset[str]:
        """Return the test files in which nothing but tests has changed, nor around them."""
        own = (path for path in self._own() if path not in self._reached)
        return frozenset(path for path in own if not changed_exports(self.change, path))

    def unsettled(self, path: str) -> frozenset[bytes] | None:
        """Return the words by which a test of a file may use anything that differs but itself.

        None where it may use that without a word, or it is not in the file.
        """
        return self._unsettled.get(path)

    @functools.cached_property
    def _unsettled(self) -> Mapping[str, frozenset[bytes] | None]:
        edited = self.change.surveyed(Touched.by).edited
        own = [path for path in self._own() if path not in self._reached]
        if all(path in edited for path in own):  # then nothing else differs anywhere
            return dict.fromkeys(own, frozenset[bytes]())
        kept = (path for path in own if self.is_same_around(path))
        return {path: unsettled(self.change, path) for path in kept}

    def is_same_around(self, path: str) -> bool:
        """Return whether nothing differs that a file uses, as far as other files hold it.

        What is not a test counts here even where it says nothing of skips: a test that differs may
        use it to.
        """
        return path not in self._importing and not any(
            not folder or path.startswith(f"{folder}/") for folder in self._folders
        )

    def is_same_file(self, path: str) -> bool:
        """Return whether a file and all it uses from elsewhere is the same on both sides."""
        return not self.change.differs(path) and self.is_same_around(path)

    @functools.cached_property
    def _importing(self) -> frozenset[str]:
        """Return the files that import, at once or through others, what is not the same.

        Names do not tell: a module can be handed on whole, and be asked for what no one spells.
        """
        differing = (path for path in self.change.differing() if path.endswith(".py"))
        paths = [path for path in differing if changed_exports(self.change, path)]
        return importing(self.change.parent, paths) if paths else frozenset()

    @functools.cached_property
    def _folders(self) -> tuple[str, ...]:
        """Return where a conftest or package is not the same, in force for all that is below."""
        paths = (*self.change.differing(), *self._importing)
        return tuple(
            posixpath.dirname(one) for one in paths if posixpath.basename(one) in _PACKAGES
        )

    def _own(self) -> Iterator[str]:
        paths = (path for path in self.change.differing() if path.endswith(".py"))
        yield from (path for path in paths if self.rules.is_test_file(path))

    @functools.cached_property
    def _reached(self) -> frozenset[str]:
        """Return the test files that something outside of them may have exempted."""
        differing = [path for path in self.change.differing() if path.endswith(".py")]
        found: set[str] = set()
        others = [path for path in differing if self.change.candidate.is_file(path)]
        for path in others:
            if posixpath.basename(path) in _PACKAGES and self._means(path):
                found.update(self._below(posixpath.dirname(path)))
        found.update(self._dependents(others))
        if set(self.new.everywhere) - set(self.old.everywhere):
            found.update(self._below(""))
        return frozenset(found)

    def _means(self, path: str) -> bool:
        """Return whether a conftest or package means something else for tests than it did."""
        return _meaning(self.old, path) != _meaning(self.new, path)

    def _below(self, folder: str) -> Iterator[str]:
        prefix = f"{folder}/" if folder else ""
        for path in self.change.candidate.files(".py"):
            if path.startswith(prefix) and self.rules.is_test_file(path):
                yield path

    def _dependents(self, others: Iterable[str]) -> Iterator[str]:
        """Yield the unchanged test files that use what a changed file exempts with.

        A module whose constants changed matters to a file that exempts something itself.
        """
        tree, others = self.change.candidate, tuple(others)
        reached = dependents(self.change, [path for path in others if _mentions(tree, path)])
        constants = {
            path: names
            for path in others
            if not self.rules.is_test_file(path)
            and (names := {*changed_constants(self.old.evaluator, self.new.evaluator, path)})
        }
        told = users(self.change.parent, constants) if constants else ()
        for path in (*reached, *(one for one in told if _mentions(tree, one))):
            if self.rules.is_test_file(path):
                yield path
            if posixpath.basename(path) == "conftest.py":
                yield from self._below(posixpath.dirname(path))


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
