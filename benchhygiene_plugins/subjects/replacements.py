"""Which tests a change keeps from the code they are there to test."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.evidence import Change
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.importers import importing
from benchhygiene.inventory.touched import collected, rules_of
from benchhygiene_plugins.subjects.collaborators import stands_behind
from benchhygiene_plugins.subjects.doubles import Double, Doubles
from benchhygiene_plugins.subjects.patches import Patch, patches
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.sides import Sides
from benchhygiene_plugins.subjects.targets import Target
from benchhygiene_plugins.subjects.units import Unit
from benchhygiene_plugins.subjects.users import Users

_LONGEST = 2_000
_MOST_FILES = 2_000
#: How many tests that one place keeps from their subject have a finding each.
_NAMED = 500


@attrs.frozen
class Replaced:
    """One test, or one file where ``node_id`` is None, that no longer reaches its subject."""

    subject: str
    how: str
    path: str
    line: int
    text: str
    old_text: str
    node_id: str | None
    node_path: str


@attrs.frozen(eq=False)
class Replacements:
    """The test code that a change touches, on both sides."""

    change: Change
    sides: Sides
    old: Product
    new: Product
    deep: list[str] = attrs.field(factory=list[str], init=False)

    @classmethod
    def of(cls, change: Change) -> Replacements:
        """Return what a change touches of the test code."""
        sides = Sides(rules_of(change))
        old = Product.of(change.parent, sides)
        return cls(change, sides, old, Product.of(change.candidate, sides, old))

    def paths(self) -> tuple[str, ...]:
        """Return the files of test code that differ and are there in the candidate."""
        return tuple(
            path
            for path in self.change.differing()
            if path.endswith(".py")
            and self.change.candidate.is_file(path)
            and self.sides.is_test_code(path)
        )

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """Yield the files that cannot be read, and why; those too deep for ``fresh`` as well."""
        yield from ((path, "too deeply nested to be followed") for path in self.deep)
        for path in self.paths():
            error = self.new.evaluator.file(path).error
            if error is not None:
                yield path, error

    def fresh(self) -> Iterator[Replaced]:
        """Yield the tests that the change keeps from what they test, each with its place."""
        seen: set[tuple[str | None, str, str]] = set()
        for path in self.paths():
            for one in self._of_file(path):
                key = (one.node_id, one.node_path, one.subject)
                if key not in seen:
                    seen.add(key)
                    yield one

    def _of_file(self, path: str) -> tuple[Replaced, ...]:
        try:
            return (*self._patched(path), *self._doubled(path))
        except RecursionError:
            self.deep.append(path)
            return ()

    def _patched(self, path: str) -> Iterator[Replaced]:
        found = [x for unit in self.new.differing(path) for x in patches(unit, self.new)]
        if not found:
            return
        before = [x for unit in self.old.units(path).values() for x in patches(unit, self.old)]
        nodes, former = self._nodes(path, widely=True)
        users, formerly = Users(self.new, nodes), Users(self.old, former)
        known = {one.node_id for one in former}
        for patch in found:
            held = self._held(patch, before, formerly)
            reached = users.of(patch.unit)
            hit = [
                one
                for one in nodes
                if id(one) in reached
                and one.node_id in known
                and one.node_id not in held
                and self._is_subject(patch.target, one, users)
            ]
            yield from self._all(hit, patch.target, patch.how, patch.unit, patch.node)

    def _held(self, patch: Patch, before: list[Patch], users: Users) -> frozenset[str]:
        """Return the nodes for which the parent replaced the same."""
        units = [one.unit for one in before if one.target == patch.target]
        reached = {x for unit in units for x in users.of(unit)}
        return frozenset(one.node_id for one in users.nodes if id(one) in reached)

    def _is_subject(self, target: Target, node: Node, users: Users) -> bool:
        if not target.name:
            return self._uses_module(target, node, users)
        aliases = users.aliases(node.definition_path, target)
        if users.calls(node, target, aliases):
            return True
        return stands_behind(target, node, users, self.old)

    def _uses_module(self, target: Target, node: Node, users: Users) -> bool:
        evaluator = self.old.evaluator if self.old.tree.is_file(node.path) else self.new.evaluator
        names = {
            name
            for name in evaluator.bindings(node.definition_path).names
            for value in evaluator.name(node.definition_path, name)
            if getattr(getattr(value, "scope", value), "path", "") == target.path
        }
        return any(
            isinstance(one, ast.Name) and one.id in names
            for body in users.bodies(node, with_fixtures=True)
            for one in ast.walk(body)
        )

    def _doubled(self, path: str) -> Iterator[Replaced]:
        if not self.change.parent.is_file(path):
            return
        before = self.old.units(path)
        doubles = Doubles(self.old, self.new)
        found = [
            (unit, one)
            for unit in self.new.differing(path)
            if unit.qualname in before
            for one in doubles.of_unit(unit, before[unit.qualname])
        ]
        if not found:
            return
        nodes, former = self._nodes(path, widely=not self.sides.rules.is_test_file(path))
        users = Users(self.new, nodes)
        known = {one.node_id for one in former}
        for unit, one in found:
            reached = users.of(unit)
            hit = [
                node
                for node in nodes
                if id(node) in reached and node.node_id in known and _asks(node, one, users)
            ]
            yield from self._all(hit, one.target, one.how, unit, one.node)

    def _nodes(self, path: str, *, widely: bool) -> tuple[Sequence[Node], Sequence[Node]]:
        """Return the nodes that a file of test code may be in force for, on both sides."""
        paths = {path}
        if posixpath.basename(path) == "conftest.py":
            folder = posixpath.dirname(path)
            below = self.change.candidate.files(".py")
            paths.update(x for x in below if not folder or x.startswith(f"{folder}/"))
        elif widely:
            paths.update(importing(self.change.parent, [path]))
            paths.update(x for x in self.paths() if self.sides.rules.is_test_file(x))
        wanted = sorted(x for x in paths if self.sides.rules.is_test_file(x))[:_MOST_FILES]
        old, new = collected(self.change, wanted)
        return new.nodes, old.nodes

    def _all(
        self, hit: list[Node], target: Target, how: str, unit: Unit, node: ast.AST
    ) -> Iterator[Replaced]:
        file = self.new.evaluator.file(unit.path)
        line = int(getattr(node, "lineno", 1))
        text = file.segment(node)[:_LONGEST] if isinstance(node, ast.expr | ast.stmt) else ""
        was = self.old.units(unit.path).get(unit.qualname)
        function = was.function if was is not None else None
        before = self.old.evaluator.file(unit.path)
        old_text = before.definition_text(function)[:_LONGEST] if function is not None else ""
        if len(hit) > _NAMED or any(one.path != unit.path for one in hit):
            yield Replaced(target.said, how, unit.path, line, text, old_text, None, unit.path)
        for one in hit[:_NAMED]:
            yield Replaced(target.said, how, unit.path, line, text, old_text, one.node_id, one.path)


def _asks(node: Node, double: Double, users: Users) -> bool:
    """Return whether a test uses a name that no longer stands for the product."""
    name = double.name.rpartition(".")[2]
    if double.name in ("", "return"):
        if not isinstance(double.unit.function, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        if double.unit.function is node.definition:
            return True
        name = double.unit.function.name
    for body in users.bodies(node, with_fixtures=False):
        for one in ast.walk(body):
            if not isinstance(one, ast.Name | ast.Attribute) or _named(one) != name:
                continue
            if isinstance(one.ctx, ast.Load) and _is_used(one, body, double):
                return True
    return False


def _named(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_used(name: ast.expr, body: ast.AST, double: Double) -> bool:
    """Return whether a name is called, or one of what its double does otherwise is asked for."""
    for one in ast.walk(body):
        if isinstance(one, ast.Attribute) and one.value is name:
            recorded = one.attr.startswith(("assert_", "call_", "called", "mock_", "method_"))
            if not recorded and ("*" in double.overrides or one.attr in double.overrides):
                return True
        if isinstance(one, ast.Call) and not double.is_object:
            if one.func is name and double.overrides:
                return True
            if name in one.args and "*" in double.overrides:
                return True
        if double.is_object and isinstance(one, ast.Compare | ast.Subscript):
            is_inside = any(x is name for x in ast.walk(one))
            if is_inside and "*" in double.overrides:
                return True
    return False
