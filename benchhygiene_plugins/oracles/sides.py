"""The suppliers of one side of a change."""

from __future__ import annotations

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.bindings import Class
from benchhygiene.inventory.classes import ClassAt
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.fixtures import Fixtures
from benchhygiene.inventory.modules import Modules
from benchhygiene_plugins.oracles.arguments import defaults_of, parameters
from benchhygiene_plugins.oracles.expressions import form_of
from benchhygiene_plugins.oracles.reading import Reading
from benchhygiene_plugins.oracles.signs import Sign
from benchhygiene_plugins.oracles.steps import Form, Unfollowed
from benchhygiene_plugins.oracles.suppliers import Role, Supplier, suppliers
from benchhygiene_plugins.oracles.territory import Territory


@attrs.frozen(eq=False)
class Side:
    """The suppliers of one tree, found file by file."""

    tree: SourceTree
    reading: Reading
    fixtures: Fixtures
    _known: dict[str, dict[str, Supplier]] = attrs.field(factory=dict[str, dict[str, Supplier]])

    @classmethod
    def of(cls, tree: SourceTree, rules: CollectionRules) -> Side:
        """Return a tree's side of a change."""
        modules = Modules(tree, rules.pythonpath)
        return cls(tree, Reading(modules, tree.surveyed(Territory.of)), Fixtures(modules))

    def suppliers(self, path: str) -> dict[str, Supplier]:
        """Return the suppliers of a file."""
        if path not in self._known:
            module = self.fixtures.modules.at(path) if self.tree.is_file(path) else None
            is_test = self.reading.territory.rules.is_test_file(path)
            found = (
                {}
                if module is None
                else suppliers(module, self.fixtures, with_constants=not is_test)
            )
            self._known[path] = found
        return self._known[path]

    def form(self, one: Supplier, other: Supplier, depth: int = 0) -> Form:
        """Return what a supplier does, parameters that the other has not at their defaults.

        With a depth, fixtures that it asks for are followed where they are no more than a value.
        """
        if one.definition is None:
            raise Unfollowed
        own = dict(defaults_of(one.definition))
        filled = frozenset[str]()
        if other.definition is not None and one.role is not Role.FIXTURE:
            known = {each.arg for each in parameters(other.definition)}
            if len([*parameters(one.definition)]) != len(known):
                filled = frozenset(own) - known
        return form_of(
            self.reading,
            one.definition,
            one.path,
            asked=self._asked(one, depth) if one.role is Role.FIXTURE else None,
            filled=filled,
            attributes=one.attributes,
        )

    def _asked(self, one: Supplier, depth: int) -> dict[str, Sign]:
        found: dict[str, Sign] = {}
        for name in sorted(asked_for(one)) if depth else ():
            other = self.resolved(name, one.path, one.qualname)
            if other is not None and other.definition is not one.definition:
                result = self.form(other, other, depth - 1).result
                found.update({name: result} if result is not None else {})
        return found

    def resolved(self, name: str, path: str, qualname: str) -> Supplier | None:
        """Return the fixture that a name means to whoever stands where this one does."""
        for layer in reversed(self.fixtures.layers(path, self.classes(path, qualname))):
            if name in layer:
                found = layer[name]
                mine = self.suppliers(found.path).values()
                return next((s for s in mine if s.definition is found.definition), None)
        return None

    def classes(self, path: str, qualname: str) -> list[ClassAt]:
        """Return the classes that a qualified name stands in, the innermost first."""
        module = self.fixtures.modules.at(path) if self.tree.is_file(path) else None
        found: list[ClassAt] = []
        scope = module.scope if module is not None else None
        for part in qualname.split(".")[:-1]:
            binding = scope.names.get(part) if scope is not None else None
            if not isinstance(binding, Class):
                break
            found.insert(0, ClassAt(path, binding))
            scope = binding.scope
        return found

    def text(self, one: Supplier) -> str:
        """Return the source of a supplier."""
        module = self.fixtures.modules.at(one.path)
        if module is None:
            return ""
        if one.definition is not None:
            return module.file.definition_text(one.definition)
        return module.file.segment(one.value) if one.value is not None else ""


def asked_for(one: Supplier) -> frozenset[str]:
    """Return the names that a supplier's parameters have."""
    args = one.definition.args if one.definition is not None else None
    return frozenset(each.arg for each in args.args) if args is not None else frozenset()
