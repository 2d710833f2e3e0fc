"""The code under test on one side of a change: what it is read with, and its parent."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.index import words
from benchhygiene.inventory.names import Imported, bindings
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

    def words(self, unit: Unit) -> frozenset[str]:
        """Return every word of a unit's source, those in strings too."""

        def spelled() -> frozenset[str]:
            text = "\n".join(_text(unit, self.evaluator))
            found = words(text.encode(errors="surrogatepass"))
            return frozenset(one.decode(errors="replace") for one in found)

        return self.remembered(f"words of {unit.qualname}", unit.path, spelled)

    def words_before(self, unit: Unit) -> frozenset[str]:
        """Return the words of what a unit was in the parent."""
        was = self.parent.units(unit.path).get(unit.qualname) if self.parent is not None else None
        return self.parent.words(was) if was is not None and self.parent else frozenset()

    def vocabulary(self, about: str, given: frozenset[bytes], path: str) -> frozenset[str]:
        """Return the words by which a file's units may mean one of the given words.

        Besides these they are what the file gives them to, by imports and assignments.
        """

        def known() -> frozenset[str]:
            found = {one.decode() for one in given}
            bound = self.evaluator.bindings(path)
            for _ in range(3):
                for name, several in bound.names.items():
                    if name not in found and any(self._may_mean(x, path, found) for x in several):
                        found.add(name)
            return frozenset(found)

        return self.remembered(f"vocabulary of {about}", path, known)

    def _may_mean(self, bound: object, path: str, found: set[str]) -> bool:
        if isinstance(bound, Imported):
            parts = {*bound.module.split("."), bound.name or ""}
            if not found.isdisjoint(parts):
                return True
            home = self.evaluator.modules.locate(path, bound.module, bound.level)
            if home is None or self.parent is None or home == path:
                return False
            there = self.tree.derived(home, words)
            return any(one.encode() in there for one in found) and self._is_other(home)
        if isinstance(bound, ast.expr):
            parts = {getattr(x, "id", getattr(x, "attr", "")) for x in ast.walk(bound)}
            return not found.isdisjoint(parts)
        return False

    def _is_other(self, path: str) -> bool:
        """Return whether a file is not as it was in the parent."""
        if self.parent is None or not self.parent.tree.is_file(path):
            return True
        was, now = self.parent.tree.entries[path], self.tree.entries[path]
        return was.identity != now.identity

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
        names = {x for one in changed if one.function is None for x in self._given(one, before)}
        if names:
            own = {one.qualname for one in changed}
            changed += [
                one
                for one in self.units(path).values()
                if one.qualname not in own and not names.isdisjoint(self.words(one))
            ]
        heads = [
            one
            for one in self.units(path).values()
            if one.function is None
            and one not in changed
            and _defined(one) != _defined(before[one.qualname])
        ]
        yield from (*heads, *changed)

    def _given(self, unit: Unit, before: Mapping[str, Unit]) -> Iterator[str]:
        """Yield the names that loose statements which are new bind; a class's own name, too."""
        was = before.get(unit.qualname)
        known = set(_text(was, self.parent.evaluator)) if was and self.parent else set[str]()
        file = self.evaluator.file(unit.path)
        new = [
            one
            for one in unit.body
            if not isinstance(one, FunctionNode | ast.ClassDef) and file.segment(one) not in known
        ]
        found = bindings(new)
        yield from found.names
        for one in new:
            yield from (x.attr for x in ast.walk(one) if isinstance(x, ast.Attribute))
        if isinstance(unit.node, ast.ClassDef):
            yield unit.node.name

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
