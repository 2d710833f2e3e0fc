"""All that reads the properties of one tree, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.modules import Modules
from benchhygiene_plugins.property_budgets.budgets import Budgets
from benchhygiene_plugins.property_budgets.building import Builder
from benchhygiene_plugins.property_budgets.drawing import Drawing
from benchhygiene_plugins.property_budgets.following import Follower
from benchhygiene_plugins.property_budgets.layers import Layers
from benchhygiene_plugins.property_budgets.predicates import Predicates
from benchhygiene_plugins.property_budgets.profiles import ProfileReader
from benchhygiene_plugins.property_budgets.quantities import Quantities

if TYPE_CHECKING:
    from benchhygiene_plugins.property_budgets.machines import Machines


@attrs.frozen(eq=False)
class Reading:
    """The readers of one tree."""

    tree: SourceTree
    evaluator: Evaluator
    quantities: Quantities
    builder: Builder
    drawing: Drawing
    budgets: Budgets
    profiles: ProfileReader
    layers: Layers

    @classmethod
    def of(cls, tree: SourceTree, pythonpath: tuple[str, ...] = ()) -> Reading:
        """Return the readers of a tree."""
        evaluator = Evaluator.of(tree)
        follower = Follower(evaluator)
        quantities = Quantities(evaluator, follower, Modules(tree, pythonpath))
        builder = Builder(follower, quantities, Predicates(evaluator))
        budgets = Budgets(follower, quantities)
        return cls(
            tree,
            evaluator,
            quantities,
            builder,
            Drawing(builder),
            budgets,
            ProfileReader(tree, budgets),
            Layers(follower),
        )

    @property
    def machines(self) -> Machines:
        """Return the reader of state machines."""
        from benchhygiene_plugins.property_budgets.machines import Machines

        return Machines(self)
