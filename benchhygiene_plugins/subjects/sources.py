"""What a change makes the product do that only a test would notice."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.subjects import (
    awareness,
    clocks,
    counters,
    oracles,
    overrides,
    skips,
    vocabulary,
)
from benchhygiene_plugins.subjects.answers import answers
from benchhygiene_plugins.subjects.checks import Check, Checks, checks
from benchhygiene_plugins.subjects.facts import Fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.sides import Sides
from benchhygiene_plugins.subjects.special_cases import has_special
from benchhygiene_plugins.subjects.units import Unit

#: Files with tests whose checks are held against a special case.
_MOST_TEST_FILES = 400
_Find = Callable[[Unit, Product], Iterator[Fact]]
_FINDS: tuple[tuple[str, _Find, frozenset[bytes]], ...] = (
    (overrides.RULE, overrides.overrides, overrides.WORDS),
    (awareness.RULE, awareness.awareness, vocabulary.WORDS),
    (clocks.RULE, clocks.clocks, clocks.WORDS),
    (skips.RULE, skips.skips, skips.WORDS),
    (oracles.RULE, oracles.oracles, oracles.WORDS),
)
ALL = frozenset((counters.RULE, *(rule for rule, _, _ in _FINDS)))


@attrs.frozen(eq=False)
class Sources:
    """The product's files that a change touches, on both sides."""

    change: Change
    sides: Sides
    old: Product
    new: Product
    deep: list[str] = attrs.field(factory=list[str], init=False)

    @classmethod
    def of(cls, change: Change) -> Sources:
        """Return what a change touches of the product."""
        sides = Sides(rules_of(change))
        old = Product.of(change.parent, sides)
        return cls(change, sides, old, Product.of(change.candidate, sides, old))

    def paths(self) -> tuple[str, ...]:
        """Return the product's files that differ."""
        return tuple(one for one in self.change.differing() if self.sides.is_product(one))

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """Yield the files that cannot be read, and why; those too deep for ``fresh`` as well."""
        yield from ((path, "too deeply nested to be followed") for path in self.deep)
        for path in self.paths():
            if self.change.candidate.is_file(path):
                error = self.new.evaluator.file(path).error
                if error is not None:
                    yield path, error

    def fresh(self) -> Iterator[tuple[Fact, str]]:
        """Yield what the candidate does and the parent did nowhere that differs."""
        paths = self.paths()
        found = [one for path in paths for one in self._of_file(path)]
        if not found:
            return
        before = [*self._before({one.rule for one in found}, paths)]
        left = Counter(one.key for one in before)
        plugged = {one.path for one in before if one.detail == awareness.FRAMEWORK}
        for one in found:
            if left[one.key] > 0:
                left[one.key] -= 1
                continue
            if one.detail == awareness.FRAMEWORK and one.path in plugged:
                continue  # a file that works with the framework does so in one more place
            yield one, self._old_text(one)

    def _before(self, rules: set[str], paths: tuple[str, ...]) -> Iterator[Fact]:
        for path in paths:
            if not self.change.parent.is_file(path):
                continue
            try:
                for unit in self.old.units(path).values():
                    yield from self._of_unit(unit, self.old, rules)
            except RecursionError:
                self.deep.append(path)

    def _of_file(self, path: str) -> tuple[Fact, ...]:
        try:
            return tuple(self._facts(path))
        except RecursionError:
            self.deep.append(path)
            return ()

    def _facts(self, path: str) -> Iterator[Fact]:
        if not self.change.candidate.is_file(path):
            return
        is_plugin = skips.is_plugin(tuple(self.new.units(path)))
        for unit in self.new.differing(path):
            for one in self._of_unit(unit, self.new):
                if not (is_plugin and one.rule in (skips.RULE, awareness.RULE)):
                    yield one

    def _of_unit(self, unit: Unit, product: Product, rules: Set[str] = ALL) -> Iterator[Fact]:
        there = product.words(unit) | product.words_before(unit)
        for rule, find, given in _FINDS:
            if rule not in rules:
                continue
            if not product.vocabulary(rule, given, unit.path).isdisjoint(there):
                yield from find(unit, product)
        if counters.RULE in rules:
            yield from counters.counters(unit, product)
            if unit.function is not None and has_special(unit.function):
                yield from answers(unit, product, lambda: self.change.surveyed(_asked))

    def _old_text(self, one: Fact) -> str:
        unit = self.old.units(one.path).get(one.symbol) if self._was(one.path) else None
        if unit is None or unit.function is None:
            return ""
        file = self.old.evaluator.file(one.path)
        return file.definition_text(unit.function)[:2_000]

    def _was(self, path: str) -> bool:
        return self.change.parent.is_file(path)


def _asked(change: Change) -> Checks:
    """Return the checks of the tests on both sides; made for ``change.surveyed``."""
    trees = (change.parent, change.candidate)
    several = (found for tree in trees for found in tree.surveyed(_test_checks).values())
    return Checks.of(dict.fromkeys(one for found in several for one in found))


def _test_checks(tree: SourceTree) -> Mapping[str, tuple[Check, ...]]:
    """Return the checks of each test file; made for ``tree.surveyed``."""
    sides = Sides(tree.surveyed(CollectionRules.of))
    paths = (path for path in tree.files(".py") if sides.is_test_code(path))
    found: dict[str, tuple[Check, ...]] = {}
    for path in itertools.islice(paths, _MOST_TEST_FILES):
        try:
            found[path] = tree.derived(path, checks)
        except EvidenceUnavailable:
            continue
    return found
