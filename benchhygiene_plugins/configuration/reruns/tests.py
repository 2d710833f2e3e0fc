"""What has a single test run again: marks, decorators, loops, and its class's own ``run``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.bindings import Class, Function, Scope
from benchhygiene.inventory.classes import ClassAt, lineage
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.modules import Found, Module, Modules
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import decorator_call
from benchhygiene.inventory.values import Opaque
from benchhygiene_plugins.configuration.reruns.loops import calls_again, reruns_test, retrying
from benchhygiene_plugins.configuration.reruns.vocabulary import marks_rerun, reruns
from benchhygiene_plugins.configuration.session.items import Marker
from benchhygiene_plugins.configuration.session.markers import marker, marks_of

_MANY = 99
_COUNTS = (
    "reruns",
    "max_runs",
    "retries",
    "tries",
    "max_tries",
    "attempts",
    "stop_max_attempt_number",
)


@attrs.frozen
class Rerun:
    """One reason why a test runs again: how often, where that stands, and its text."""

    times: int
    path: str
    line: int
    text: str


def reruns_of(modules: Modules, node: Node) -> tuple[Rerun, ...]:
    """Return everything that has a test run again when it fails."""
    return tuple(_Reader(modules, node).all())


@attrs.frozen(eq=False)
class _Reader:
    modules: Modules
    node: Node

    def all(self) -> Iterator[Rerun]:
        for mark in marks_of(self.modules, self.node):
            if marks_rerun(mark.name):
                times = _of_mark(mark)
                yield Rerun(times, self.node.path, self.node.line, f"pytest.mark.{mark.name}")
        path = self.node.definition_path
        for expression in self.node.definition.decorator_list:
            yield from self._decorator(expression, path)
        for found_path, expression in self._further():
            yield from self._decorator(expression, found_path)
        yield from self._body()
        yield from self._methods()

    def _decorator(self, expression: ast.expr, path: str) -> Iterator[Rerun]:
        """Yield what a decorator does: one of a library's, or a function of the tree that loops."""
        named, call = decorator_call(expression)
        if isinstance(named, ast.Call):
            named = named.func
        name = self.modules.constants(path).resolved(named)
        if name == "pytest.mark.parametrize":
            yield from self._rows(expression, path)
        if name.startswith("pytest.mark."):
            return
        found = self.modules.meaning(named, path)
        is_own = isinstance(found, Found) and isinstance(found.binding, Function)
        if not is_own and reruns(name):
            yield self._rerun(_of_call(call), path, expression)
        elif isinstance(found, Found) and isinstance(found.binding, Function):
            if self._tries_again(found.path, found.binding.definition):
                yield self._rerun(_of_call(call), path, expression)
        elif isinstance(found, Found):
            inner = getattr(found.binding, "expression", None)
            if isinstance(inner, ast.Call) and call is None and inner is not expression:
                yield from self._decorator(inner, found.path)

    def _tries_again(self, path: str, definition: FunctionNode) -> bool:
        """Return whether a decorator of the tree, or one that it uses, calls in a loop."""
        if calls_again(definition):
            return True
        for call in _calls(definition):
            used = self.modules.meaning(call.func, path)
            binding = used.binding if isinstance(used, Found) else None
            if isinstance(binding, Function) and calls_again(binding.definition):
                return True
        return False

    def _rows(self, expression: ast.expr, path: str) -> Iterator[Rerun]:
        """Yield the marks on single parameter sets."""
        for one in ast.walk(expression):
            if not isinstance(one, ast.keyword) or one.arg != "marks":
                continue
            several = one.value.elts if isinstance(one.value, ast.List | ast.Tuple) else [one.value]
            for each in several:
                for mark in marker(self.modules, path, each):
                    if marks_rerun(mark.name):
                        yield self._rerun(_of_mark(mark), path, each)

    def _rerun(self, times: int, path: str, at: ast.expr | ast.stmt) -> Rerun:
        module = self.modules.at(path)
        text = module.file.segment(at)[:500] if module is not None else ""
        return Rerun(times, path, at.lineno, text)

    def _further(self) -> Iterator[tuple[str, ast.expr]]:
        """Yield what else decorates the test: wrappers put round its name, and its classes' own."""
        module = self.modules.at(self.node.path)
        if module is None:
            return
        scope = module.scope
        for at, binding in self._classes(module):
            for expression in (*at.definition.decorator_list, *binding.wrappers):
                yield at.path, expression
            scope = binding.scope
        function = scope.names.get(self.node.name)
        if isinstance(function, Function):
            yield from ((self.node.path, one) for one in function.wrappers)

    def _classes(self, module: Module) -> Iterator[tuple[ClassAt, Class]]:
        scope: Scope = module.scope
        for one in self.node.classes:
            binding = scope.names.get(one.name)
            if not isinstance(binding, Class):
                return
            for each in lineage(self.modules, ClassAt(module.path, binding)).classes[1:]:
                yield each, each.binding
            yield ClassAt(module.path, binding), binding
            scope = binding.scope

    def _body(self) -> Iterator[Rerun]:
        path = self.node.definition_path
        resolve = self.modules.constants(path).resolved
        for loop in retrying(self.node.definition.body, resolve):
            yield self._rerun(loop.times or _MANY, path, loop.node)
        for call in _calls(self.node.definition):
            name = resolve(call.func)
            found = self.modules.meaning(call.func, path) if name else None
            if isinstance(found, Found) and isinstance(found.binding, Function):
                hands_over = any(isinstance(one, ast.Lambda | ast.Name) for one in call.args)
                if hands_over and calls_again(found.binding.definition):
                    yield self._rerun(_of_call(call), path, call)
            elif name.rpartition(".")[2] in ("retry_call", "Retrying", "AsyncRetrying"):
                yield self._rerun(_of_call(call), path, call)

    def _methods(self) -> Iterator[Rerun]:
        module = self.modules.at(self.node.path)
        for at, binding in self._classes(module) if module is not None else ():
            for method in binding.definition.body:
                if isinstance(method, FunctionNode) and reruns_test(method):
                    yield self._rerun(_MANY, at.path, method)


def _calls(definition: FunctionNode) -> Iterator[ast.Call]:
    for one in ast.walk(definition):
        if isinstance(one, ast.Call) and one not in definition.decorator_list:
            yield one


def _of_mark(mark: Marker) -> int:
    given = dict(mark.kwargs)
    values = [given[name] for name in _COUNTS if name in given] or list(mark.args[:1])
    return _number(values[0]) if values else 1


def _of_call(call: ast.Call | None) -> int:
    if call is None:
        return 1
    named = {one.arg: one.value for one in call.keywords}
    for name in (*_COUNTS, "stop"):
        if name in named:
            return _number_in(named[name])
    return _number_in(call.args[0]) if call.args else 1


def _number_in(node: ast.expr) -> int:
    if isinstance(node, ast.Call) and node.args:  # stop_after_attempt(3)
        node = node.args[0]
    return _number(node.value) if isinstance(node, ast.Constant) else _MANY


def _number(value: object) -> int:
    if isinstance(value, bool | Opaque):
        return _MANY
    return value if isinstance(value, int) else 1
