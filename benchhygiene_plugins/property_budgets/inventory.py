"""Every property of a tree, for whoever asks without a change."""

from __future__ import annotations

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules, collect
from benchhygiene_plugins.property_budgets.properties import Property, PropertyReader
from benchhygiene_plugins.property_budgets.reach import speaking
from benchhygiene_plugins.property_budgets.reading import Reading


def inventory(tree: SourceTree) -> tuple[Property, ...]:
    """Return every property that pytest would collect from the tree, sorted by node id.

    ``deadline`` is in milliseconds, None without limit; sizes count elements, bounds are in the
    unit of the values. What could not be told is an ``Unread`` or a strategy of the kind ``?``.
    """
    rules = tree.surveyed(CollectionRules.of)
    reader = PropertyReader(Reading.of(tree, rules.pythonpath))
    paths = [path for path in sorted(tree.surveyed(speaking)) if rules.is_test_file(path)]
    found = [reader.read(node) for node in collect(tree, rules, paths).nodes]
    found += [one for path in paths for one in reader.machines(path)]
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.node_id))
