"""What the trusted campaign owes a candidate's properties."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene import BaseFinding, Location, SymbolKind
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Binding, Campaign, Change
from benchhygiene.inventory.collection import Node, collect
from benchhygiene.inventory.index import words
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.property_budgets import reporting
from benchhygiene_plugins.property_budgets.budgets import Setting
from benchhygiene_plugins.property_budgets.comparison import is_less, written
from benchhygiene_plugins.property_budgets.properties import Property, PropertyReader

PATH = "properties/campaign.toml"


@attrs.frozen(eq=False)
class Owed:
    """Holds a campaign against the properties of a candidate, whatever the parent has."""

    change: Change
    reader: PropertyReader

    def findings(self, campaign: Campaign) -> Iterator[BaseFinding]:
        """Yield each property that has less than it is owed, and each table without one property.

        Tables that only speak of times and samples are not judged here.
        """
        concerned = {
            key: one
            for key, one in campaign.budgets.items()
            if one.max_examples is not None or one.deadline_ms is not None
        }
        if not concerned:
            return
        chosen = Campaign(concerned)
        properties = dict(self._candidates(chosen))
        for binding in chosen.bind(properties):
            if binding.node_id is None:
                yield _unbound(binding)
            else:
                yield from self._held(binding, properties[binding.node_id])

    def _candidates(self, campaign: Campaign) -> Iterator[tuple[str, Node | Property]]:
        """Yield the tests that a table may be meant for, by their node ids."""
        rules = rules_of(self.change)
        tree = self.change.candidate
        paths = [
            path
            for path in tree.files(".py")
            if rules.is_test_file(path) and self._names(path, campaign)
        ]
        for node in collect(tree, rules, paths).nodes:
            yield node.node_id, node
        for path in paths:
            for one in self.reader.reading.machines.of_file(path):
                yield one.node_id, one

    def _names(self, path: str, campaign: Campaign) -> bool:
        wanted = {
            (one.node_id or key).rpartition("::")[2].partition("[")[0].encode()
            for key, one in campaign.budgets.items()
        }
        wanted |= {b"test_" + one for one in wanted}
        given = {one.node_id.partition("::")[0] for one in campaign.budgets.values() if one.node_id}
        try:
            return path in given or not wanted.isdisjoint(
                self.change.candidate.derived(path, words)
            )
        except EvidenceUnavailable:
            return False

    def _held(self, binding: Binding, found: Node | Property) -> Iterator[BaseFinding]:
        one = found if isinstance(found, Property) else self.reader.read(found)
        at = Location(found.path, _line(found), None, binding.node_id, SymbolKind.NODE)
        if one is None:
            reason = f"the campaign's table {binding.key} is for it, and it is no property"
            yield reporting.unseen(reason, (at, Location(PATH)))
            return
        budget = binding.budget
        owed = {"max_examples": budget.max_examples, "deadline": budget.deadline_ms}
        for name, value in owed.items():
            if value is not None:
                yield from _short(binding.key, name, float(value), one.settings[name], at)


def _line(found: Node | Property) -> int | None:
    if isinstance(found, Property):
        return found.place.line if found.place.path == found.path else None
    return found.line if found.definition_path == found.path else None


def _short(key: str, name: str, owed: float, has: Setting, at: Location) -> Iterator[BaseFinding]:
    if has.is_unread:
        reason = (
            f"the campaign's table {key} asks for {name} {owed:g}, and it has nobody knows what"
        )
        yield reporting.unseen(reason, (at,))
    elif is_less(name, (owed,), has.values):
        said = written(name, (owed,)) if name == "deadline" else f"{owed:g}"
        yield reporting.broken(key, name, said, written(name, has.values), at, has.place)


def _unbound(binding: Binding) -> BaseFinding:
    number = len(binding.node_ids)
    which = f"{number} tests: {', '.join(binding.node_ids[:5])}" if number else "no test"
    reason = f"the campaign's table {binding.key} fits {which}; give it the node_id it is meant for"
    return reporting.unseen(reason, (Location(PATH, symbol=binding.key),))
