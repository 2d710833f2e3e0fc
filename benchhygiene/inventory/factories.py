"""Classes that a call makes out of other classes, by the statement that names them."""

from __future__ import annotations

import ast
import bisect

from benchhygiene.inventory.bindings import Changed, Class, Function, Value
from benchhygiene.inventory.classes import ClassAt, Lineage, lineage
from benchhygiene.inventory.modules import External, Found, Module, Modules
from benchhygiene.inventory.python import FunctionNode, PythonFile


def making_call(module: Module | None, binding: Value | Changed) -> ast.Call | None:
    """Return the call whose value, or a part of it, the name stands for; None where it is none.

    ``A = make(X)``, ``A = make(X)[0]`` and ``A, B = make(X)``.
    """
    made = binding.expression if isinstance(binding, Value) else None
    if made is None and isinstance(binding, Value) and module is not None:
        made = _unpacked(module, binding.line)
    while isinstance(made, ast.Subscript | ast.Attribute):
        made = made.value
    return made if isinstance(made, ast.Call) else None


def _unpacked(module: Module, line: int) -> ast.expr | None:
    """Return what the statement of a line, at the top of the file, takes apart."""
    body = module.file.module.body if module.file.module is not None else []
    at = bisect.bisect_left(body, line, key=lambda statement: statement.lineno)
    found = body[at] if at < len(body) else None
    return found.value if isinstance(found, ast.Assign) and found.lineno == line else None


def makes_tests(modules: Modules, path: str, call: ast.Call) -> bool:
    """Return whether a call is given a class with tests, or calls a function that holds one."""
    names = [one for one in call.args if isinstance(one, ast.Name)]
    if any(has_tests(modules, modules.meaning(one, path)) for one in names):
        return True
    found = modules.meaning(call.func, path)
    if not isinstance(found, Found) or not isinstance(found.binding, Function):
        return False
    module = modules.at(found.path)
    return module is not None and found.binding.line in module.file.derived(_holders)


def _holders(file: PythonFile) -> frozenset[int]:
    """Return the lines of the functions that hold a class with tests."""
    return frozenset(
        one.lineno
        for one in (file.module.body if file.module is not None else ())
        if isinstance(one, FunctionNode) and any(map(_is_class_with_tests, ast.walk(one)))
    )


def _is_class_with_tests(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        isinstance(one, FunctionNode) and one.name.startswith("test") for one in node.body
    )


def has_tests(modules: Modules, found: Found | Module | External | None) -> bool:
    """Return whether what a name means is a class with tests, inherited ones included."""
    if not isinstance(found, Found) or not isinstance(found.binding, Class):
        return False
    return _holds_tests(lineage(modules, ClassAt(found.path, found.binding)))


def may_be_testcase(line: Lineage) -> bool:
    """Return whether a call made the class or a base of it, so that it may be a TestCase."""
    is_made = bool(line.classes[0].binding.wrappers) or "?" in line.externals
    return is_made and _holds_tests(line)


def _holds_tests(line: Lineage) -> bool:
    return any(
        name.startswith("test") and isinstance(binding, Function)
        for one in line.classes
        for name, binding in one.binding.scope.names.items()
    )
