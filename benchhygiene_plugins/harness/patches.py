"""Test frameworks, and what Python judges assertions with, put out of action."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import Instance, Kind, Scope
from benchhygiene.inventory.names import Imported
from benchhygiene.inventory.python import FunctionNode, statements
from benchhygiene_plugins.harness import frameworks
from benchhygiene_plugins.harness.bodies import delegates, swallows
from benchhygiene_plugins.harness.deeds import Act, Deed, Weight, place_of
from benchhygiene_plugins.harness.naming import Names
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.stores import Store
from benchhygiene_plugins.harness.units import Unit

_ADDING = frozenset(("insert", "append", "extend", "remove", "clear", "pop"))
_OBJECT_PARTS = frozenset(("obj", "runtest", "function", "_obj", "callobj"))


@attrs.frozen(eq=False)
class Patches:
    """Reads what the units of one tree do to frameworks."""

    names: Names

    def of_unit(self, unit: Unit, role: Role, stored: tuple[Store, ...]) -> Iterator[Deed]:
        """Yield what one piece of code puts out of action."""
        for store in stored:
            yield from self._of_store(store, unit, role)
        yield from self._of_calls(unit, role)
        if isinstance(unit.node, ast.ClassDef) and role.is_tests:
            yield from self._of_class(unit.node, unit)
        if unit.is_fixture and role.is_tests:
            yield from self._of_fixture(unit)
        if unit.node is None and unit.at is None and role.is_tests:
            yield from self._rebound(unit)

    def _of_store(self, store: Store, unit: Unit, role: Role) -> Iterator[Deed]:
        for name in store.names:
            if frameworks.is_framework(name):
                if store.value is not None and name in self.names.of(store.value, unit.scope):
                    continue  # the thing itself is put back
                says = f"{name} is replaced"
                yield self._deed(name, says, store, unit)
                if frameworks.is_reporting(name):
                    yield attrs.evolve(self._deed(name, says, store, unit), act=Act.REPORT)
            elif role.is_tests and not store.is_temporary and frameworks.is_lasting(name):
                yield self._deed(name, f"{name} is replaced", store, unit)
            elif role.is_tests and frameworks.is_import_system(name):
                weight = _lasting_weight(unit, role)
                yield self._deed(name, f"{name} is changed", store, unit, weight)
        if role.is_harness and store.attribute.startswith("pytest_") and "hook" in store.chain:
            deed = self._deed(f"hook {store.attribute}", "a hook's caller is replaced", store, unit)
            yield from (deed, attrs.evolve(deed, act=Act.REPORT))
        if frameworks.is_testcase_member(store.attribute) and role.is_tests:
            yield from self._of_own_class(store, unit)
        if store.attribute in _OBJECT_PARTS and _is_item(store, unit, role):
            yield from self._of_item(store, unit)

    def _of_own_class(self, store: Store, unit: Unit) -> Iterator[Deed]:
        """Yield what ``type(self).assertEqual = ...`` does in a test class of the tree."""
        asked = [ast.Name(store.root), *([store.base] if store.base is not None else [])]
        found = [one for node in asked for one in self.names.values(node, unit.scope)]
        kinds = [one.kind if isinstance(one, Instance) else one for one in found]
        if not any(isinstance(one, Kind) and self._is_testcase(one) for one in kinds):
            return
        routines = self.names.routines(store.value, unit.scope) if store.value is not None else ()
        if not (routines and all(map(delegates, routines))):
            says = f"unittest.TestCase.{store.attribute} is replaced"
            yield self._deed(f"TestCase.{store.attribute}", says, store, unit)

    def _of_item(self, store: Store, unit: Unit) -> Iterator[Deed]:
        """Yield what putting another function into an item does, unless it calls the first."""
        if store.value is None:
            return
        routines = self.names.routines(store.value, unit.scope)
        weight = Weight.PLAUSIBLE if routines and all(map(delegates, routines)) else Weight.GRAVE
        what = f"item.{store.attribute}"
        says = f"{what} is replaced: what runs is not the test"
        deed = self._deed(what, says, store, unit, weight)
        yield deed
        yield attrs.evolve(deed, act=Act.REPORT)

    def _deed(
        self, what: str, says: str, store: Store, unit: Unit, weight: Weight = Weight.GRAVE
    ) -> Deed:
        place = place_of(unit.at or store.node, unit.path, self.names.evaluator)
        guarded = bool(store.step.guards)
        return Deed(Act.PATCH, what, says, place, unit.owner, weight, guarded)

    def _of_calls(self, unit: Unit, role: Role) -> Iterator[Deed]:
        for step, one in unit.calls:
            for what, says, weight in self._of_call(one.call, unit, role):
                place = place_of(unit.at or one.call, unit.path, self.names.evaluator)
                guarded = bool(step.guards) or one.is_guarded
                yield Deed(Act.PATCH, what, says, place, unit.owner, weight, guarded)

    def _of_call(self, call: ast.Call, unit: Unit, role: Role) -> Iterator[tuple[str, str, Weight]]:
        if not role.is_tests:
            return
        func, scope = call.func, unit.scope
        for name in self.names.of(func, scope):
            if name in frameworks.TRACING and not _is_none(call):
                yield name, f"{name} puts itself between the tests and Python", Weight.GRAVE
            elif name.startswith("gc.get_referents") or name == "forbiddenfruit.curse":
                yield name, f"{name} reaches what cannot be replaced otherwise", Weight.GRAVE
            base, _, last = name.rpartition(".")
            if last in _ADDING and frameworks.is_import_system(base):
                says = f"{base} is changed: imports find something else"
                yield base, says, _lasting_weight(unit, role)
        if isinstance(func, ast.Attribute) and func.attr in ("unregister", "set_blocked"):
            yield from self._unplugged(call, scope, func.attr)

    def _unplugged(
        self, call: ast.Call, scope: Scope, word: str
    ) -> Iterator[tuple[str, str, Weight]]:
        given = [*call.args, *(one.value for one in call.keywords)]
        inner = [one for arg in given for one in ast.walk(arg) if isinstance(one, ast.expr)]
        texts = {text for one in inner for text in self.names.texts(one, scope)}
        known = sorted(texts & frameworks.PLUGINS)
        for name in known:
            yield f"{word} {name}", f"pytest's plugin {name} is taken out", Weight.GRAVE

    def _of_class(self, node: ast.ClassDef, unit: Unit) -> Iterator[Deed]:
        """Yield the methods of unittest's that a test class overrides without calling them."""
        yield from self._of_function_item(node, unit)
        own = [one for one in statements(node.body, into_functions=False) if _overrides(one)]
        if not own or not self._is_testcase(Kind(node, unit.scope.enclosing())):
            return
        for one in own:
            if isinstance(one, FunctionNode) and _passes_on(one):
                continue
            name = one.name if isinstance(one, FunctionNode) else _assigned(one)
            yield Deed(
                Act.PATCH,
                f"{node.name}.{name}",
                f"unittest.TestCase.{name} is overridden in {node.name}",
                place_of(one, unit.path, self.names.evaluator),
                None,
            )

    def _of_function_item(self, node: ast.ClassDef, unit: Unit) -> Iterator[Deed]:
        """Yield a kind of pytest.Function that does not run its function."""
        own = [one for one in node.body if isinstance(one, FunctionNode) and one.name == "runtest"]
        bases = [name for base in node.bases for name in self.names.of(base, unit.scope)]
        if not any(name.endswith(".Function") for name in bases):
            return
        for one in own:
            if not _passes_on(one):
                place = place_of(one, unit.path, self.names.evaluator)
                says = "an item's runtest does not run the test"
                deed = Deed(Act.PATCH, f"{node.name}.runtest", says, place)
                yield from (deed, attrs.evolve(deed, act=Act.REPORT))

    def _is_testcase(self, kind: Kind) -> bool:
        for one in self.names.evaluator.lineage(kind):
            for base in one.node.bases:
                names = self.names.of(base, one.scope)
                if any(n.startswith("unittest.") or n.endswith("TestCase") for n in names):
                    return True
        return False

    def _of_fixture(self, unit: Unit) -> Iterator[Deed]:
        """Yield a fixture of pytest's own that a conftest puts another in place of."""
        if not isinstance(unit.node, FunctionNode):
            return
        for name in sorted({*_fixture_names(unit.node)} & frameworks.FIXTURES):
            extends = name in unit.parameters
            plausible = extends or name in frameworks.PLAUSIBLE_FIXTURES
            place = place_of(unit.node, unit.path, self.names.evaluator)
            says = f"pytest's fixture {name} is overridden"
            weight = Weight.PLAUSIBLE if plausible else Weight.GRAVE
            yield Deed(Act.PATCH, f"fixture {name}", says, place, None, weight)

    def _rebound(self, unit: Unit) -> Iterator[Deed]:
        """Yield a framework's name that a file gives to something else."""
        bound = self.names.evaluator.bindings(unit.path).names
        for name in ("pytest", "unittest", "hypothesis"):
            for entry in bound.get(name, ()):
                if self._is_still(name, entry, unit):
                    continue
                place = place_of(ast.Pass(), unit.path, self.names.evaluator)
                if isinstance(entry, ast.expr | ast.stmt):
                    place = place_of(entry, unit.path, self.names.evaluator)
                says = f"{name} is not the framework in this file any more"
                yield Deed(Act.PATCH, f"the name {name}", says, place)

    def _is_still(self, name: str, entry: object, unit: Unit) -> bool:
        """Return whether a name is given the framework, a part of it, or nothing."""
        scope = Scope(unit.path)
        if isinstance(entry, Imported):
            if entry.module.partition(".")[0] == name and not entry.level:
                return True
            found = self.names.of(ast.Name(name), scope)
        elif isinstance(entry, ast.Constant):
            return True
        elif isinstance(entry, ast.expr):
            found = (*self.names.of(entry, scope), *self.names.called(entry, scope))
        else:
            return False
        return any(one == name or one.startswith(f"{name}.") for one in found)


def _fixture_names(node: FunctionNode) -> Iterator[str]:
    """Yield the names by which tests ask for a fixture."""
    given = [
        word.value.value
        for one in node.decorator_list
        if isinstance(one, ast.Call)
        for word in one.keywords
        if word.arg == "name" and isinstance(word.value, ast.Constant)
    ]
    yield from (str(one) for one in given)
    if not given:
        yield node.name


def _lasting_weight(unit: Unit, role: Role) -> Weight:
    """Return how much a change of the import system weighs: a test may make one for itself."""
    is_for_one = role is Role.TEST and unit.name.startswith("test") and not unit.hook
    return Weight.PLAUSIBLE if is_for_one else Weight.GRAVE


def _is_item(store: Store, unit: Unit, role: Role) -> bool:
    if not role.is_harness or store.root in ("self", "cls", ""):
        return False
    return store.root in unit.parameters or store.root in ("item", "items", "pyfuncitem")


def _is_none(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and not call.args[0].value


def _overrides(node: ast.stmt) -> bool:
    if isinstance(node, FunctionNode):
        return frameworks.is_testcase_member(node.name)
    return bool(_assigned(node)) and frameworks.is_testcase_member(_assigned(node))


def _assigned(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _passes_on(node: FunctionNode) -> bool:
    """Return whether an override calls what it overrides, and lets its failure through."""
    calls_it = any(
        (
            isinstance(one, ast.Call)
            and isinstance(one.func, ast.Attribute)
            and (one.func.attr == node.name or one.func.attr.startswith("assert"))
        )
        or isinstance(one, ast.Assert | ast.Raise)
        for one in ast.walk(node)
    )
    return calls_it and not swallows(node.body)
