"""Definitions as the source has them: what binds a name, what is a fixture, what yields."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from benchhygiene.inventory.python import FunctionNode, PythonFile, statements
from benchhygiene.inventory.spelling import decorator_call


def own_nodes(definition: FunctionNode) -> Iterator[ast.AST]:
    """Yield the parts of a function's body, nested functions left out."""
    queue: list[ast.AST] = list(definition.body)
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.Lambda | ast.ClassDef):
            queue.extend(ast.iter_child_nodes(node))


def fixtures_among(
    source: PythonFile, members: Iterable[ast.stmt]
) -> Iterator[tuple[str, FunctionNode]]:
    """Yield those of some definitions that are fixtures, by the names they are asked for under."""
    if source.text.isascii() and "fixture" not in source.text:
        return  # the decorator is so called where it is used, or where it is imported
    for member in members:
        found = fixture_decorator(source, member) if isinstance(member, FunctionNode) else None
        if found is not None and isinstance(member, FunctionNode):
            given = [k.value for k in found[1].keywords if k.arg == "name"] if found[1] else []
            named = given[0] if given and isinstance(given[0], ast.Constant) else None
            is_text = named is not None and isinstance(named.value, str)
            yield (str(named.value) if named is not None and is_text else member.name), member


def fixture_decorator(
    source: PythonFile, definition: FunctionNode
) -> tuple[ast.expr, ast.Call | None] | None:
    """Return what makes a function a fixture, None where nothing does."""
    for decorator in definition.decorator_list:
        named, call = decorator_call(decorator)
        if source.resolved(named).rpartition(".")[2] in ("fixture", "yield_fixture"):
            return named, call
    return None


def fixture_option(source: PythonFile, definition: FunctionNode, name: str) -> ast.expr | None:
    """Return what a fixture's decorator is given by this name."""
    found = fixture_decorator(source, definition)
    call = found[1] if found is not None else None
    if call is None:
        return None
    return next((k.value for k in call.keywords if k.arg == name), None)


def is_automatic(source: PythonFile, definition: FunctionNode) -> bool:
    """Return whether a fixture is used without being asked for."""
    given = fixture_option(source, definition, "autouse")
    return isinstance(given, ast.Constant) and bool(given.value)


def shallow(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Yield statements at the top with those below an ``if`` or ``try``, none in definitions."""
    for statement in body:
        if isinstance(statement, ast.ExceptHandler):
            yield from statement.body
        elif isinstance(statement, ast.stmt):
            yield statement
            if isinstance(statement, ast.If | ast.Try | ast.With):
                yield from shallow(ast.iter_child_nodes(statement))


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names a simple statement or a definition binds."""
    if isinstance(statement, FunctionNode | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from names_in(target)
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
        yield from names_in(statement.target)
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]


def names_in(target: ast.expr) -> Iterator[str]:
    """Yield the plain names of an assignment's target."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def assigned_in(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names that a block binds, nested blocks included, nested functions not."""
    found: set[str] = set()
    for statement in statements(body):
        if isinstance(statement, ast.With | ast.AsyncWith):
            for item in statement.items:
                found.update(names_in(item.optional_vars) if item.optional_vars else ())
        found.update(bound_names(statement))
    return frozenset(found)


def positional(definition: FunctionNode) -> tuple[str, ...]:
    """Return the names of a function's positional parameters."""
    return tuple(one.arg for one in (*definition.args.posonlyargs, *definition.args.args))


def parameters_of(definition: ast.ClassDef, name: str) -> tuple[str, ...] | None:
    """Return a method's parameters without the first; those of a data class are its fields."""
    for member in definition.body:
        if isinstance(member, FunctionNode) and member.name == name:
            return positional(member)[1:]
    if name != "__init__" or not definition.decorator_list or definition.bases:
        return None
    fields = (member for member in definition.body if isinstance(member, ast.AnnAssign))
    return tuple(one.target.id for one in fields if isinstance(one.target, ast.Name))
