"""The directories that code puts on ``sys.path``."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.harness.naming import Names
from benchhygiene_plugins.harness.steps import calls, expressions
from benchhygiene_plugins.harness.units import Unit, units

_ADDING = frozenset(("sys.path.insert", "sys.path.append", "sys.path.extend", "site.addsitedir"))
_WORDS = frozenset(("insert", "append", "extend", "addsitedir"))
_SEEN_THROUGH = 30  # names that one path is put together from


@attrs.frozen
class Insertion:
    """One directory that a file puts on the path, and where it does so."""

    directory: str
    path: str
    line: int
    text: str


def insertions(names: Names, path: str) -> Iterator[Insertion]:
    """Yield the directories of the tree that a file puts on ``sys.path``."""
    for unit in units(names.evaluator, path):
        for step in unit.steps:
            for given, node in _given(step.statement, unit, names):
                for directory in _directories(given, unit, names):
                    text = names.evaluator.file(path).segment(step.statement)
                    yield Insertion(directory, path, getattr(node, "lineno", 1), text[:1_000])


def _given(statement: ast.stmt, unit: Unit, names: Names) -> Iterator[tuple[ast.expr, ast.AST]]:
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            base = target.value if isinstance(target, ast.Subscript) else target
            if isinstance(base, ast.Attribute) and "sys.path" in names.of(base, unit.scope):
                yield statement.value, statement
    for expression in expressions(statement):
        for one in calls(expression):
            func = one.call.func
            word = func.attr if isinstance(func, ast.Attribute) else ""
            is_adding = word in _WORDS or isinstance(func, ast.Name)
            if word == "syspath_prepend" or (is_adding and _ADDING & {*names.of(func, unit.scope)}):
                yield from ((arg, one.call) for arg in one.call.args)


def _directories(node: ast.expr, unit: Unit, names: Names) -> Iterator[str]:
    """Yield the directory that an expression such as ``Path(__file__).parent / "x"`` means."""
    parts, ups = _parts(node, unit.scope, names)
    home = posixpath.dirname(unit.path)
    if parts is None:
        return
    for _ in range(max(0, ups - 1)):
        home = posixpath.dirname(home)
    tail = "/".join(parts)
    bases = [home, *_above(home)] if tail else [home]
    for base in bases:
        found = posixpath.normpath(posixpath.join(base, tail))
        found = "" if found == "." else found
        if found.startswith(("..", "/")):
            continue
        if any(one.startswith(f"{found}/" if found else "") for one in _near(found, names)):
            yield found
            return


def _near(directory: str, names: Names) -> Iterator[str]:
    return (one for one in names.evaluator.tree.entries if one.startswith(directory))


def _above(directory: str) -> Iterator[str]:
    while directory:
        directory = posixpath.dirname(directory)
        yield directory


def _parts(node: ast.expr, scope: Scope, names: Names) -> tuple[list[str] | None, int]:
    """Return the texts that a path is put together from, and how often it goes up."""
    texts: list[str] = []
    ups, seen = 0, 0
    pending: list[tuple[ast.AST, Scope]] = [(node, scope)]
    while pending:
        one, where = pending.pop()
        seen += 1
        if seen > _SEEN_THROUGH * 10:
            return None, 0
        if isinstance(one, ast.Constant):
            if isinstance(one.value, str):
                texts.append(one.value)
            continue
        if isinstance(one, ast.Name):
            if one.id == "__file__":
                continue
            origin = names.evaluator.origin(one, where)
            if origin.expression is not one:
                pending.append((origin.expression, origin.scope))
            continue
        if isinstance(one, ast.Attribute):
            ups += one.attr == "parent"
        if isinstance(one, ast.Call):
            word = getattr(one.func, "attr", getattr(one.func, "id", ""))
            ups += word == "dirname"
            inner = [*([one.func.value] if isinstance(one.func, ast.Attribute) else []), *one.args]
            pending.extend((each, where) for each in reversed(inner))
            continue
        if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant):
            value = one.slice.value
            ups += value + 1 if isinstance(value, int) and 0 <= value < 20 else 0
            pending.append((one.value, where))
            continue
        pending.extend((each, where) for each in reversed([*ast.iter_child_nodes(one)]))
    return texts, ups
