"""Whether what is replaced is behind what a test calls, or only beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.targets import Target, of_value
from benchhygiene_plugins.subjects.users import Users

#: Words of code that reaches out of the process, or waits: tests replace it for good reasons.
_OUTSIDE = re.compile(
    r"open|request|url|http|socket|subprocess|popen|^os$|^sys$|^time$|^now$|^today$|random|sql"
    r"|cursor|connect|session|^db|client|transport|read|write|sleep|environ|getenv|^input$|^print$"
    r"|send|recv|fetch|upload|download|uuid|secret|shutil|tempfile|logg|stdout|stderr|path|glob"
    r"|query|commit|execute|publish|notify|email|smtp|boto|redis|cache|queue|thread|process|lock"
    r"|clock|clock_|platform|getpass|^run$|api|service|server|remote|network|driver|device|await"
    r"|password|hash|crypt|token|auth|config|setting|load|save|import_module|locale|subprocess",
    re.IGNORECASE,
)
_DEEPEST = 4


def stands_behind(target: Target, node: Node, users: Users, product: Product) -> bool:
    """Return whether a test's call rests on a target that only computes, in the same file."""
    names = {target.last}
    if not _only_computes(target, product):
        return False
    for called in _called(node, users, product):
        if called.path == target.path and _rests_on(called, names, product):
            return True
    return False


def _called(node: Node, users: Users, product: Product) -> Iterator[Target]:
    path = node.definition_path
    used = {
        one.id
        for body in users.bodies(node, with_fixtures=True)
        for one in ast.walk(body)
        if isinstance(one, ast.Name)
    }
    attributes = {
        one.attr
        for body in users.bodies(node, with_fixtures=False)
        for one in ast.walk(body)
        if isinstance(one, ast.Attribute)
    }
    for name in sorted(used & {*product.evaluator.bindings(path).names}):
        for value in product.evaluator.name(path, name):
            found = of_value(value, product)
            if found is None:
                continue
            yield found
            for member in sorted(attributes):
                if f"{found.name}.{member}" in product.units(found.path):
                    yield Target(found.path, found.name, member)
                elif not found.name and member in product.units(found.path):
                    yield Target(found.path, member)


def _function(target: Target, product: Product) -> FunctionNode | None:
    name = ".".join(one for one in (target.name, target.member) if one)
    unit = product.units(target.path).get(name)
    return unit.function if unit is not None else None


def _words(node: ast.AST) -> set[str]:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return names | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def _rests_on(target: Target, wanted: set[str], product: Product) -> bool:
    """Return whether a function leads to one of the names, through others of its file."""
    start = _function(target, product)
    pending = [(start, 0)] if start is not None else []
    seen: set[int] = set()
    while pending:
        node, depth = pending.pop()
        if id(node) in seen or depth > _DEEPEST:
            continue
        seen.add(id(node))
        found = _words(node)
        if found & wanted:
            return True
        for one in product.units(target.path).values():
            if one.function is not None and one.function.name in found:
                pending.append((one.function, depth + 1))
    return False


def _only_computes(target: Target, product: Product) -> bool:
    """Return whether a function and what it uses of its file touch nothing outside."""
    start = _function(target, product)
    if start is None:
        return False
    pending: list[FunctionNode] = [start]
    seen: set[int] = set()
    while pending and len(seen) < 60:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ast.AsyncFunctionDef) or any(map(_OUTSIDE.search, (_words(node)))):
            return False
        if _OUTSIDE.search(node.name):
            return False
        found = _words(node)
        for one in product.units(target.path).values():
            if one.function is not None and one.function.name in found:
                pending.append(one.function)
    return True
