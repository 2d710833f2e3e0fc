"""Which tests a unit of test code is in force for, and what of the product they call."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.fixtures import SET_UP, fixture, fixtures, last
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.targets import Target, of_value
from benchhygiene_plugins.subjects.units import Unit

_SET_UP_MODULE = ("setUpModule", "setup_module", "setup_function")
_RECORDED = ("assert_", "call_", "called", "mock_calls", "method_calls", "await", "reset_mock")
_DEEPEST = 3


@attrs.frozen(eq=False)
class Users:
    """Answers which of the given nodes a unit is in force for."""

    product: Product
    nodes: Sequence[Node]

    def of(self, unit: Unit, depth: int = 0) -> frozenset[int]:
        """Return the ids of the nodes, as objects."""
        there = [one for one in self.nodes if self._is_near(one, unit)]
        if unit.function is None:
            return frozenset(id(one) for one in there if _is_inside(one, unit))
        own = [id(one) for one in there if one.definition is unit.function]
        if own:
            return frozenset(own)
        name = unit.function.name
        if name in _SET_UP_MODULE or name.startswith("pytest_"):
            return frozenset(map(id, there))
        if unit.owner is not None and name in SET_UP:
            return frozenset(id(one) for one in there if self._is_of_class(one, unit))
        found = fixture(unit.function)
        if found is not None:
            named, is_autouse = found
            return self._of_fixture(named, unit, there, is_autouse=is_autouse)
        return self._of_function(unit, there, depth)

    def _is_near(self, node: Node, unit: Unit) -> bool:
        if posixpath.basename(unit.path) == "conftest.py":
            folder = posixpath.dirname(unit.path)
            return not folder or node.path.startswith(f"{folder}/")
        if node.path == unit.path or node.definition_path == unit.path:
            return True
        return not self.product.sides.rules.is_test_file(unit.path)

    def _is_of_class(self, node: Node, unit: Unit) -> bool:
        if unit.owner is None:
            return False
        names = {one.name for one in node.classes}
        bases = {last(base) for one in node.classes for base in one.bases}
        return unit.owner.node.name in names | bases

    def _of_fixture(
        self, name: str, unit: Unit, there: list[Node], *, is_autouse: bool
    ) -> frozenset[int]:
        if unit.owner is not None:
            there = [one for one in there if self._is_of_class(one, unit)]
        if is_autouse:
            return frozenset(map(id, there))
        return frozenset(id(one) for one in there if name in self.requested(one))

    def requested(self, node: Node) -> frozenset[str]:
        """Return the fixtures that a test asks for, at once or through others."""
        found: set[str] = set()
        pending = [one.arg for one in arguments_of(node.definition)]
        pending += [x for one in (node.definition, *node.classes) for x in _used(one)]
        body = self.product.evaluator.file(node.path).constants.get("pytestmark")
        pending += [*_strings(body)] if body is not None else []
        while pending:
            name = pending.pop()
            if name in found or len(found) > 200:
                continue
            found.add(name)
            for one in fixtures(name, node.path, self.product):
                pending += [arg.arg for arg in arguments_of(one.function)] if one.function else []
        return frozenset(found)

    def _of_function(self, unit: Unit, there: list[Node], depth: int) -> frozenset[int]:
        """Return the nodes that call a function, at once or through what they use."""
        name = unit.function.name if unit.function is not None else ""
        found = {id(one) for one in there if name in _words(one.definition)}
        decorated = {
            id(one)
            for one in there
            if any(name in _words(x) for k in one.classes for x in k.decorator_list)
        }
        if depth < _DEEPEST:
            for other in self.product.units(unit.path).values():
                if other.qualname == unit.qualname or other.function is None:
                    continue
                if name in _words(other.function) and not other.function.name.startswith("test"):
                    found |= self.of(other, depth + 1)
            loose = self.product.units(unit.path).get("")
            if loose is not None and any(name in _words(x) for x in _calls_in(loose)):
                found |= {id(one) for one in there if one.path == unit.path}
        return frozenset(found | decorated)

    def bodies(self, node: Node, *, with_fixtures: bool) -> Iterator[ast.AST]:
        """Yield a test and the functions of its file that it calls, its fixtures too."""
        yield node.definition
        units = self.product.units(node.definition_path)
        pending, seen = [node.definition], set[str]()
        prefix = ".".join(one.name for one in node.classes)
        while pending and len(seen) < 60:
            for name in sorted(_words(pending.pop())):
                found = units.get(name) or units.get(f"{prefix}.{name}")
                if name not in seen and found is not None and found.function is not None:
                    seen.add(name)
                    pending.append(found.function)
                    yield found.function
        if not with_fixtures:
            return
        for name in sorted(self.requested(node)):
            for one in fixtures(name, node.path, self.product):
                if one.function is not None:
                    yield one.function
        for kind in node.classes:
            yield from (x for x in kind.body if isinstance(x, FunctionNode) and x.name in SET_UP)

    def calls(self, node: Node, target: Target, aliases: frozenset[str]) -> bool:
        """Return whether a test calls a target, or hands it to something that does."""
        is_class = not target.member and target.last[:1].isupper()
        for body in self.bodies(node, with_fixtures=is_class):
            for one in ast.walk(body):
                if isinstance(one, ast.Call):
                    if _is_named(one.func, target, aliases):
                        return True
                    given = (*one.args, *(x.value for x in one.keywords))
                    if (
                        not target.member
                        and _hands_on(one)
                        and any(
                            isinstance(x, ast.Name | ast.Attribute)
                            and _is_named(x, target, aliases)
                            for x in given
                        )
                    ):
                        return True
                elif target.member and isinstance(one, ast.Attribute):
                    is_asked = one.attr == target.member and isinstance(one.ctx, ast.Load)
                    if is_asked and self._is_property(target):
                        return True
        return False

    def _is_property(self, target: Target) -> bool:
        unit = self.product.units(target.path).get(f"{target.name}.{target.member}")
        function = unit.function if unit is not None else None
        return function is not None and any(
            "property" in last(x.func if isinstance(x, ast.Call) else x)
            for x in function.decorator_list
        )

    def aliases(self, path: str, target: Target) -> frozenset[str]:
        """Return the names that a test file has for a target."""
        found: set[str] = set()
        for name in self.product.evaluator.bindings(path).names:
            for value in self.product.evaluator.name(path, name):
                if of_value(value, self.product) == Target(target.path, target.name):
                    found.add(name)
        return frozenset(found)


def _hands_on(call: ast.Call) -> bool:
    """Return whether a call may call what it is given: one that patches does not."""
    name = last(call.func)
    return name not in ("setattr", "setitem", "object", "patch", "isinstance", "create_autospec")


def _is_named(node: ast.expr, target: Target, aliases: frozenset[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in aliases and not target.member
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr == target.last and not node.attr.startswith(_RECORDED)


def _is_inside(node: Node, unit: Unit) -> bool:
    if not isinstance(unit.node, ast.ClassDef):
        return True
    names = {one.name for one in node.classes}
    bases = {last(base) for one in node.classes for base in one.bases}
    return unit.node.name in names | bases


def _used(node: FunctionNode | ast.ClassDef) -> Iterator[str]:
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and last(one.func) == "usefixtures":
            yield from _strings(one)


def _strings(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _words(node: ast.AST) -> frozenset[str]:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    attributes = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    return frozenset(names | attributes)


def _calls_in(unit: Unit) -> Iterator[ast.AST]:
    for one in unit.body:
        if isinstance(one, ast.Expr | ast.Assign):
            yield one
