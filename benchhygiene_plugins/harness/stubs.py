"""Modules that code puts in the place of others: through sys.modules, and by what it imports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import attrs

from benchhygiene.inventory.collection import CollectionRules
from benchhygiene_plugins.harness import frameworks
from benchhygiene_plugins.harness.deeds import Act, Deed, Weight, place_of
from benchhygiene_plugins.harness.importing import Imports
from benchhygiene_plugins.harness.naming import UNKNOWN, Names
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.stores import Store
from benchhygiene_plugins.harness.units import Unit

_STANDARD = sys.stdlib_module_names
_RULES = CollectionRules()


@attrs.frozen(eq=False)
class Stubs:
    """Reads which modules the units of one tree replace."""

    names: Names
    role: Callable[[str], Role]

    def of_unit(self, unit: Unit, role: Role, stored: tuple[Store, ...]) -> Iterator[Deed]:
        """Yield the modules that stay replaced while tests run."""
        if not role.is_tests:
            return
        for store in stored:
            name = self._module(store, unit)
            if not name or store.is_temporary or name in frameworks.MODULES:
                continue
            weight = self._weight(name, store, unit)
            if weight is None:
                continue
            yield Deed(
                Act.SHADOW,
                f"sys.modules {name}",
                f"imports of {name} find something else",
                place_of(unit.at or store.node, unit.path, self.names.evaluator),
                unit.owner,
                weight,
                bool(store.step.guards),
            )

    def _module(self, store: Store, unit: Unit) -> str:
        """Return the module whose place in ``sys.modules`` is taken, empty for other stores."""
        if store.base is None or "sys.modules" not in self.names.of(store.base, unit.scope):
            return ""
        return "" if store.attribute in ("?", "") else store.attribute

    def _weight(self, name: str, store: Store, unit: Unit) -> Weight | None:
        if store.value is None or name == "__name__":
            return None
        value = self.names.constant(store.value, unit.scope)
        if value is not UNKNOWN and value is None:
            return Weight.PLAUSIBLE  # as if it were not installed
        home = self.names.evaluator.modules.locate(unit.path, name)
        if home is not None:
            is_itself = home == unit.path or self.role(home).is_tests
            return None if is_itself else Weight.GRAVE
        first = name.partition(".")[0]
        # What the project does not say it needs may well be missing where the tests run.
        needed = first in _STANDARD or Imports(self.names.evaluator.tree, _RULES).declares(first)
        return Weight.GRAVE if needed else Weight.PLAUSIBLE
