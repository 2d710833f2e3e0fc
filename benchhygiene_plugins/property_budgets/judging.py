"""Hold the properties of a candidate against those of its parent, and against a campaign."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene import BaseFinding, Location, SymbolKind
from benchhygiene.evidence import Campaign, Change
from benchhygiene.inventory.collection import Node, PassedOver
from benchhygiene.inventory.pairing import Pair, Pairing, pair
from benchhygiene.inventory.touched import collected, rules_of
from benchhygiene_plugins.property_budgets import reporting
from benchhygiene_plugins.property_budgets.addopts import SEED
from benchhygiene_plugins.property_budgets.comparison import (
    NOT_DRAWN,
    Kind,
    Lost,
    lost,
    settings_lost,
)
from benchhygiene_plugins.property_budgets.narrowing import loss
from benchhygiene_plugins.property_budgets.places import place_of_definition
from benchhygiene_plugins.property_budgets.properties import Property, PropertyReader
from benchhygiene_plugins.property_budgets.reach import Reach
from benchhygiene_plugins.property_budgets.reading import Reading
from benchhygiene_plugins.property_budgets.reporting import Loss, report


@attrs.frozen(eq=False)
class Judging:
    """Judges the properties of one change."""

    change: Change
    reach: Reach
    old: PropertyReader
    new: PropertyReader
    deep: dict[str, Node] = attrs.field(factory=dict[str, Node])

    @classmethod
    def of(cls, change: Change) -> Judging:
        """Return the judging of a change, by the parent's collection rules."""
        rules = rules_of(change)
        old, new = (
            PropertyReader(Reading.of(tree, rules.pythonpath))
            for tree in (change.parent, change.candidate)
        )
        return cls(change, Reach(change, rules), old, new)

    def findings(self) -> Iterator[BaseFinding]:
        """Yield what the properties and profiles of the parent have lost."""
        paths = self.reach.tests()
        pairing = pair(*collected(self.change, paths))
        pairs = [*_pairs(pairing)]
        yield from report(self._losses(pairs, pairing.added, paths))
        yield from self._removed(pairs)
        yield from self._profiles()
        yield from self._options()
        yield from self._unreadable(pairing)
        for node_id, node in sorted(self.deep.items()):
            at = Location(node.path, node.line, None, node_id, SymbolKind.NODE)
            yield reporting.unseen("too deeply nested to be followed", (at,))

    def _losses(
        self, pairs: list[Pair], added: tuple[Node, ...], paths: tuple[str, ...]
    ) -> Iterator[Loss]:
        for each in pairs:
            before = self._read(self.old, each.old)
            after = None if each.new is None else self._read(self.new, each.new)
            if before is not None and after is not None:
                found = _of(before, after)
                yield from (one for one in found if not self._is_tried_by(one, before, added))
        for path in paths:
            yield from self._machines(path)

    def _is_tried_by(self, one: Loss, before: Property, added: tuple[Node, ...]) -> bool:
        """Return whether a test that is new tries all of what an argument is not given now."""
        if one.lost.kind is not Kind.STRATEGY or one.lost.after != NOT_DRAWN:
            return False
        wanted = before.strategies[one.lost.name]
        properties = (self._read(self.new, node) for node in added if node.path == before.path)
        return any(
            loss(wanted, several).is_all
            for found in properties
            if found is not None
            for several in found.strategies.values()
        )

    def _machines(self, path: str) -> Iterator[Loss]:
        before = {one.node_id: one for one in self.old.machines(path)}
        after = {one.node_id: one for one in self.new.machines(path)}
        for node_id, one in before.items():
            if node_id in after:
                yield from _of(one, after[node_id])

    def _read(self, reader: PropertyReader, node: Node) -> Property | None:
        try:
            return reader.read(node)
        except RecursionError:
            self.deep[node.node_id] = node
            return None

    def _removed(self, pairs: list[Pair]) -> Iterator[BaseFinding]:
        """Yield the tests that were properties and are none any more."""
        for each in pairs:
            if each.new is None:
                continue
            before = self._read(self.old, each.old)
            after = self._read(self.new, each.new)
            if before is None or after is not None or each.new.node_id in self.deep:
                continue
            path = each.old.path
            line = each.new.line if each.new.path == path else None
            if self.new.is_doubtful(each.new):
                at = Location(path, line, None, each.old.node_id, SymbolKind.NODE)
                yield reporting.unseen("a decorator could not be told", (at,), before.place.text)
                continue
            home = each.new.definition_path
            evaluator = self.new.reading.evaluator
            now = place_of_definition(each.new.definition, home, evaluator)
            yield reporting.removed(each.old.node_id, path, line, before.place, now)

    def _profiles(self) -> Iterator[BaseFinding]:
        """Yield what each profile allows less, and each conftest that puts another one in force."""
        seen: set[tuple[str, str]] = set()
        for path, one in (*self._registered(), *self._loaded()):
            if (one.name, path) not in seen:
                seen.add((one.name, path))
                yield reporting.of_profile(path, one)

    def _registered(self) -> Iterator[tuple[str, Lost]]:
        paths = self.reach.modules()
        before, after = (
            {k: v for one in paths for k, v in reader.reading.profiles.registered_by(one).items()}
            for reader in (self.old, self.new)
        )
        for name in sorted({*before} & {*after}):
            was, now = before[name], after[name]
            for one in settings_lost(was.settings, now.settings):
                yield now.place.path, attrs.evolve(one, old=was.place, new=now.place)

    def _loaded(self) -> Iterator[tuple[str, Lost]]:
        """Yield what is in force less, by the place that puts it in force."""
        paths = [*self.reach.modules()]
        if self.reach.has_other_options():
            paths.extend(self._conftests())
        for path in paths:
            is_conftest = posixpath.basename(path) == "conftest.py"
            if not is_conftest and not self._speaks_of_profiles(path):
                continue
            before = self.old.reading.profiles.at(path)
            after = self.new.reading.profiles.at(path)
            for one in settings_lost(before.current, after.current):
                is_other = {
                    one.profile for one in (before.current[one.name], after.current[one.name])
                }
                place = one.new or one.old
                if len(is_other) > 1 or place is None:
                    place = after.loaded or before.loaded or place
                if place is not None:
                    was = before.loaded or one.old
                    is_gone = after.loaded is None and one.new is None
                    now = attrs.evolve(place, text="") if is_gone else place
                    yield place.path, attrs.evolve(one, old=was, new=now)

    def _conftests(self) -> Iterator[str]:
        """Yield the conftests that pytest reads before its options take effect, or the root's."""
        found = [
            path
            for path in self.change.candidate.files("conftest.py")
            if path.count("/") <= 1 and self._speaks_of_profiles(path)
        ]
        yield from found or ("conftest.py",)

    def _speaks_of_profiles(self, path: str) -> bool:
        return any(
            any(True for _ in reader.reading.profiles.events(path))
            for reader in (self.old, self.new)
        )

    def _options(self) -> Iterator[BaseFinding]:
        """Yield a seed that ``addopts`` fixes for all properties."""
        before = self.old.reading.profiles.options().get(SEED)
        after = self.new.reading.profiles.options().get(SEED)
        if after is not None and before is None:
            one = Lost(Kind.SEED, "seed", "none", f"{SEED}={after.value}", None, after.place)
            yield reporting.of_profile(after.place.path, one)

    def _unreadable(self, pairing: Pairing) -> Iterator[BaseFinding]:
        had = {one.path for one in pairing.parent.nodes}
        for collection, reader in ((pairing.parent, self.old), (pairing.candidate, self.new)):
            for path in dict.fromkeys(one.path for one in collection.unseen):
                error = reader.reading.evaluator.file(path).error
                if error is not None and (path in had or reader is self.old):
                    yield reporting.unseen(error, (Location(path),))
        for path in self.reach.speaking_modules():
            error = self.new.reading.evaluator.file(path).error
            if error is not None:
                yield reporting.unseen(error, (Location(path),))

    def campaign(self, campaign: Campaign) -> Iterator[BaseFinding]:
        """Yield the properties of the candidate that have less than a campaign owes them."""
        from benchhygiene_plugins.property_budgets.owed import Owed

        yield from Owed(self.change, self.new).findings(campaign)


def _pairs(pairing: Pairing) -> Iterator[Pair]:
    """Yield every pair; a definition that is there but not collected still has its budget."""
    passed = {one.node_id: one for one in pairing.candidate.passed_over}
    for each in pairing.pairs:
        one = passed.get(each.old.node_id) if each.new is None else None
        yield each if one is None else Pair(each.old, _node(one))


def _node(one: PassedOver) -> Node:
    return Node(one.node_id, one.path, one.path, one.qualname, one.definition, one.classes)


def _of(before: Property, after: Property) -> Iterator[Loss]:
    for one in lost(before, after):
        line = after.place.line if after.place.path == before.path else None
        yield Loss(before.node_id, before.path, line, one, after.path)
