"""Make edits to real suites, judge each one, and count."""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene import Severity
from benchhygiene.evidence.tree import Change, SourceTree, entry
from benchhygiene_plugins.assertions import Assertions
from tests.surface.edits import suites
from tests.surface.edits.refactorings import REFACTORINGS, formatted
from tests.surface.edits.text import Edit, Function, Kinds, Maker, Source, parses, tests
from tests.surface.edits.weakenings import WEAKENINGS

PER_KIND = 26  # edits of one kind that are judged, spread over the suites
_SEED = 20261130
_LONGEST = 120_000  # characters of a file that is edited


@attrs.frozen
class Outcome:
    """One edit, and the rules of the findings above NOTE that it got."""

    suite: str
    path: str
    edit: Edit
    rules: tuple[str, ...]

    @property
    def is_found(self) -> bool:
        return bool(self.rules)


def judged(tree: SourceTree, path: str, edit: Edit, suite: str) -> Outcome:
    """Return what the analyzer says about one edited file."""
    after = attrs.evolve(tree, entries={**tree.entries, path: entry(edit.text)})
    found = Assertions().analyze(Change(tree, after))
    rules = tuple(sorted({f.rule.id for f in found if f.severity is not Severity.NOTE}))
    return Outcome(suite, path, edit, rules)


@attrs.frozen(eq=False)
class Spot:
    """One test function of one file of one suite."""

    suite: str
    path: str
    source: Source
    name: str
    function: Function


def spots(trees: dict[str, SourceTree]) -> list[Spot]:
    """Return every test function there is, in an order that is random and always the same."""
    found: list[Spot] = []
    for suite, tree in sorted(trees.items()):
        for path in tree.files(".py"):
            name = path.rpartition("/")[2]
            source = Source.of(tree.read(path)) if name.startswith("test_") else None
            if source is not None and len(source.text) < _LONGEST:
                found += [Spot(suite, path, source, *one) for one in tests(source)]
    random.Random(_SEED).shuffle(found)
    return found


def sampled(
    kinds: Kinds, places: Sequence[Spot], trees: dict[str, SourceTree], per_kind: int
) -> Iterator[Outcome]:
    """Judge some edits of each kind, one to a function, the same ones every time."""
    for kind, make in sorted(kinds.items()):
        edits = (edit for spot in places for edit in _first(kind, make, spot))
        for spot, edit in itertools.islice(edits, per_kind):
            yield judged(trees[spot.suite], spot.path, edit, spot.suite)


def _first(kind: str, make: Maker, spot: Spot) -> Iterator[tuple[Spot, Edit]]:
    for text in itertools.islice(make(spot.source, spot.function), 1):
        if text != spot.source.text and parses(text):
            yield spot, Edit(kind, spot.name, text)


def _formatted(*options: str) -> Maker:
    def make(source: Source, function: Function) -> Iterator[str]:
        del function
        text = formatted(source, *options)
        yield from () if text is None else (text,)

    return make


FORMATS: Kinds = {
    "format_narrow": _formatted("--line-length=60"),
    "format_quotes": _formatted("--config", "format.quote-style='single'"),
}


def main(arguments: list[str]) -> int:
    """Print both rates, and every edit on the wrong side."""
    per_kind = int(arguments[0]) if arguments else PER_KIND
    trees = suites.trees()
    places = spots(trees)
    for title, kinds, wanted in (
        ("refactorings", {**REFACTORINGS, **FORMATS}, False),
        ("weakenings", WEAKENINGS, True),
    ):
        total: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for one in sampled(kinds, places, trees, per_kind):
            total[one.edit.kind] += 1
            right[one.edit.kind] += one.is_found is wanted
            if one.is_found is not wanted:
                print("WRONG", title, one.edit.kind, one.suite, one.path, one.edit.where, one.rules)
        for kind in sorted(total):
            print(f"{title} {kind:20} {right[kind]:4}/{total[kind]}")
        print(f"{title}: {sum(right.values())} of {sum(total.values())} right", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
