"""The marks that stand on a test, on its classes and on its module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.bindings import Class, Function, Scope, Value
from benchhygiene.inventory.classes import ClassAt, lineage
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.modules import Found, Modules
from benchhygiene.inventory.spelling import decorator_call
from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.items import Marker

_PREFIX = "pytest.mark."


def marks_of(modules: Modules, node: Node) -> tuple[Marker, ...]:
    """Return the marks of a test, nearest first."""
    return tuple(_marks(modules, node))


def _marks(modules: Modules, node: Node) -> Iterator[Marker]:
    for expression in node.definition.decorator_list:
        yield from marker(modules, node.definition_path, expression)
    module = modules.at(node.path)
    if module is None:
        return
    chain: list[ClassAt] = []
    scope = module.scope
    for one in node.classes:
        binding = scope.names.get(one.name)
        if not isinstance(binding, Class):
            break
        chain.append(ClassAt(module.path, binding))
        scope = binding.scope
    function = scope.names.get(node.name)
    for expression in function.wrappers if isinstance(function, Function) else ():
        yield from marker(modules, node.path, expression)
    for at in reversed(chain):
        for each in lineage(modules, at).classes:
            for expression in (*each.definition.decorator_list, *each.binding.wrappers):
                yield from marker(modules, each.path, expression)
            yield from _assigned(modules, each.path, each.binding.scope)
    yield from _assigned(modules, module.path, module.scope)


def _assigned(modules: Modules, path: str, scope: Scope) -> Iterator[Marker]:
    binding = scope.names.get("pytestmark")
    if isinstance(binding, Value) and binding.expression is not None:
        marks = binding.expression
        for one in marks.elts if isinstance(marks, ast.List | ast.Tuple) else [marks]:
            yield from marker(modules, path, one)


def marker(modules: Modules, path: str, expression: ast.expr, depth: int = 0) -> Iterator[Marker]:
    """Yield the mark that an expression of a file stands for, where it is one."""
    named, call = decorator_call(expression)
    constants = modules.constants(path)
    name = constants.resolved(named)
    if name.startswith(_PREFIX):
        yield _made(name.removeprefix(_PREFIX).partition(".")[0], call, modules, path)
        return
    if call is None and depth < 5:
        found = modules.meaning(named, path)
        if isinstance(found, Found) and isinstance(found.binding, Value):
            inner = found.binding.expression
            if inner is not None and inner is not expression:
                yield from marker(modules, found.path, inner, depth + 1)


def _made(name: str, call: ast.Call | None, modules: Modules, path: str) -> Marker:
    if call is None:
        return Marker(name)
    evaluator = modules.constants(path).evaluator()

    def value(node: ast.expr) -> object:
        try:
            return evaluator.value_or_opaque(node)
        except (Unknown, RecursionError):
            return Opaque("?")

    args = tuple(value(one) for one in call.args if not isinstance(one, ast.Starred))
    kwargs = tuple((one.arg, value(one.value)) for one in call.keywords if one.arg is not None)
    return Marker(name, args, kwargs)
