"""Where in a module the members of a class are being read."""

from __future__ import annotations

import ast

import attrs

from benchhygiene.inventory.classes import ClassAt, Lineage


@attrs.frozen(eq=False)
class Place:
    """Where members are being read: the classes of the node id, and the ancestry of the last."""

    chain: tuple[tuple[str, ClassAt], ...] = ()
    line: Lineage | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the classes' names in the node id."""
        return tuple(name for name, _ in self.chain)

    @property
    def classes(self) -> tuple[ast.ClassDef, ...]:
        """Return the classes' definitions, outermost first."""
        return tuple(at.definition for _, at in self.chain)

    @property
    def chain_classes(self) -> tuple[ClassAt, ...]:
        """Return the classes and the files they stand in."""
        return tuple(at for _, at in self.chain)

    @property
    def is_unittest(self) -> bool:
        """Return whether the innermost class is a TestCase."""
        return self.line is not None and self.line.is_unittest

    @property
    def conditions(self) -> tuple[tuple[ast.expr, bool], ...]:
        """Return what the classes' definitions depend on."""
        return tuple(one for _, at in self.chain for one in at.binding.conditions)
