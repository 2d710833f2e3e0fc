"""The code under test on one side of a change: what it is read with, and its parent."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.sides import Sides
from benchhygiene_plugins.subjects.texts import Texts
from benchhygiene_plugins.subjects.units import Unit, units


@attrs.frozen(eq=False)
class Product:
    """Reads the product's files of one tree; ``parent`` is the other side, None on that side."""

    evaluator: Evaluator
    texts: Texts
    sides: Sides
    parent: Product | None = None
    _names: dict[tuple[str, str], frozenset[str]] = attrs.field(
        factory=dict[tuple[str, str], frozenset[str]]
    )
    _units: dict[str, Mapping[str, Unit]] = attrs.field(factory=dict[str, "Mapping[str, Unit]"])

    @classmethod
    def of(cls, tree: SourceTree, sides: Sides, parent: Product | None = None) -> Product:
        """Return what reads a tree."""
        evaluator = Evaluator.of(tree)
        return cls(evaluator, Texts.of(evaluator), sides, parent)

    @property
    def tree(self) -> SourceTree:
        """Return the tree that is read."""
        return self.evaluator.tree

    def units(self, path: str) -> Mapping[str, Unit]:
        """Return the units of a file by their names; of one name the last."""
        if path not in self._units:
            is_there = self.tree.is_file(path)
            found = units(self.evaluator, path) if is_there else ()
            self._units[path] = {one.qualname: one for one in found}
        return self._units[path]

    def remembered(
        self, what: str, path: str, work_out: Callable[[], frozenset[str]]
    ) -> frozenset[str]:
        """Return what is worked out about a file; done once."""
        if (what, path) not in self._names:
            self._names[what, path] = work_out()
        return self._names[what, path]

    def before(self, unit: Unit) -> FunctionNode | None:
        """Return the function that a unit was in the parent."""
        if self.parent is None:
            return None
        found = self.parent.units(unit.path).get(unit.qualname)
        return found.function if found is not None else None

    def differing(self, path: str) -> Iterator[Unit]:
        """Yield the units that do not read as in the parent; all where loose statements differ."""
        if self.parent is None:
            yield from self.units(path).values()
            return
        before = self.parent.units(path)
        changed = [one for one in self.units(path).values() if self._differs(one, before)]
        if any(one.function is None for one in changed):
            yield from self.units(path).values()
            return
        heads = [
            one
            for one in self.units(path).values()
            if one.function is None and _defined(one) != _defined(before[one.qualname])
        ]
        yield from (*heads, *changed)

    def _differs(self, unit: Unit, before: Mapping[str, Unit]) -> bool:
        was = before.get(unit.qualname)
        if was is None or self.parent is None:
            return True
        return _text(unit, self.evaluator) != _text(was, self.parent.evaluator)


def _defined(unit: Unit) -> list[str]:
    """Return the names that a module's or class's own body defines."""
    return [one.name for one in unit.body if isinstance(one, FunctionNode | ast.ClassDef)]


def _text(unit: Unit, evaluator: Evaluator) -> list[str]:
    file = evaluator.file(unit.path)
    if unit.function is not None:
        return [file.definition_text(unit.function)]
    head: list[ast.expr] = []
    if isinstance(unit.node, ast.ClassDef):
        head = [*unit.node.decorator_list, *unit.node.bases, *(x.value for x in unit.node.keywords)]
    loose = (one for one in unit.body if not isinstance(one, FunctionNode | ast.ClassDef))
    parts: list[ast.expr | ast.stmt] = [*head, *loose]
    return [file.segment(one) for one in parts]
