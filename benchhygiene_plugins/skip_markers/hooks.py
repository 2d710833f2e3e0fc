"""What the hooks of conftests do to the tests below them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Applied, Known, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.skip_markers import paths
from benchhygiene_plugins.skip_markers.bodies import Bodies
from benchhygiene_plugins.skip_markers.exemptions import Exemption, place_of
from benchhygiene_plugins.skip_markers.vocabulary import ADDING, marker


@attrs.frozen(eq=False)
class Hooks:
    """Reads the hooks of one tree's conftests and plugins, each file once."""

    evaluator: Evaluator
    bodies: Bodies
    _files: dict[str, tuple[Exemption, ...]] = attrs.field(factory=dict[str, tuple[Exemption, ...]])

    def of_file(self, path: str) -> tuple[Exemption, ...]:
        """Return what the hooks of a file do; conditions still ask about the test at hand."""
        if path not in self._files:
            self._files[path] = ()
            scope = Scope(path)
            try:
                body = self.evaluator.file(path).body
                found = [*self._of_body(body, scope, 0), *self._imported(path)]
            except RecursionError:
                del self._files[path]
                raise
            self._files[path] = tuple(found)
        return self._files[path]

    def _imported(self, path: str) -> Iterator[Exemption]:
        """Yield what hooks do that a conftest takes over from another file by a star."""
        for star in self.evaluator.bindings(path).stars:
            home = self.evaluator.modules.locate(path, star.module, star.level)
            if home is not None:
                yield from self.of_file(home)

    def _of_body(self, body: list[ast.stmt], scope: Scope, depth: int) -> Iterator[Exemption]:
        for statement, _ in paths.statements(body):
            if isinstance(statement, ast.ClassDef) and depth < 3:
                inner = scope.inside(self.evaluator.local(statement))
                yield from self._of_body(statement.body, inner, depth + 1)
            elif isinstance(statement, FunctionNode) and _is_hook(statement):
                yield from self._of_hook(statement, scope)

    def _of_hook(self, node: FunctionNode, scope: Scope) -> Iterator[Exemption]:
        inside = scope.enclosing().inside(self.evaluator.local(node))
        yield from self.bodies.of_block(node.body, inside)
        for statement, guards in paths.statements(node.body):
            for expression in paths.expressions(statement):
                found = tuple(self._put(statement, expression, inside))
                condition = paths.read(guards, inside, self.evaluator) if found else None
                for one in found:
                    yield one.only_if(condition) if condition is not None else one

    def _put(self, statement: ast.stmt, expression: ast.expr, scope: Scope) -> Iterator[Exemption]:
        """Yield what a hook does that puts a marker on something otherwise than by adding it."""
        is_stored = isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Attribute | ast.Subscript) for target in statement.targets
        )
        for call, _ in paths.calls(expression, ()):
            if isinstance(call.func, ast.Attribute) and call.func.attr in ADDING:
                continue
            is_parametrizing = isinstance(call.func, ast.Attribute) and (
                call.func.attr == "parametrize"
            )
            applies = bool(call.args) and isinstance(call.args[0], ast.Attribute | ast.Subscript)
            place = place_of(call, scope.path, self.evaluator)
            if is_parametrizing:
                yield from self._rows(call, scope)
            elif applies:
                for function in self.evaluator.evaluate(call.func, scope):
                    if _is_marker(function):
                        yield from self.bodies.marks.of_value(function, scope, place)
        if is_stored:
            yield from self.bodies.marks.of_expression(expression, scope)
            yield from self._stored(statement, expression, scope)

    def _stored(
        self, statement: ast.stmt, expression: ast.expr, scope: Scope
    ) -> Iterator[Exemption]:
        """Yield what ``item.obj.__unittest_skip__ = True`` does."""
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        names = {one.attr for one in targets if isinstance(one, ast.Attribute)}
        place = place_of(statement, scope.path, self.evaluator)
        if "__unittest_skip__" in names and not _is_false(expression):
            yield Exemption(rule="skip.marker", place=place)

    def generating(self, path: str) -> tuple[Exemption, ...]:
        """Return what a test module's own ``pytest_generate_tests`` does."""
        key = f"{path}::"
        if key not in self._files:
            body = self.evaluator.file(path).body
            own = [one for one in body if isinstance(one, FunctionNode)]
            hooks = [one for one in own if one.name == "pytest_generate_tests"]
            scope = Scope(path)
            self._files[key] = tuple(one for hook in hooks for one in self._of_hook(hook, scope))
        return self._files[key]

    def _rows(self, call: ast.Call, scope: Scope) -> Iterator[Exemption]:
        for argument in call.args[1:2]:
            for value in self.evaluator.evaluate(argument, scope):
                yield from self.bodies.marks.of_rows(value)


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _is_marker(function: object) -> bool:
    name = function.function if isinstance(function, Applied) else function
    return isinstance(name, Known) and marker(name.name) is not None


def _is_hook(node: FunctionNode) -> bool:
    """Return whether pytest would call the function by itself."""
    return node.name.startswith("pytest_") or any(
        keyword.arg == "specname"
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )
