"""Modules of the tree, as code sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.configuration.session.things import Thing

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.session.machine import Machine

NAMED = "<module>:"  # what ``__name__`` begins with


@attrs.define(eq=False, repr=False)
class ModuleOf(Thing):
    """A module of the tree."""

    path: str
    machine: Machine

    def member(self, name: str) -> object:
        """Return what the module binds. Raises Unknown."""
        return self.machine.module_value(self.path, name)

    def store(self, name: str, value: object) -> None:
        """Bind a name of the module."""
        self.machine.frame_of(self.path).names[name] = value


@attrs.frozen(eq=False, repr=False)
class ModuleTable:
    """``sys.modules``: every module of the tree under its own name."""

    machine: Machine

    def item(self, name: object) -> object:
        """Return the module that a ``__name__`` leads to. Raises Unknown."""
        if isinstance(name, str) and name.startswith(NAMED):
            return ModuleOf(name.removeprefix(NAMED), self.machine)
        raise Unknown(str(name))
