"""What a function makes of what it draws, in a form in which two of them can be compared."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.predicates import renamed

_SILENT = frozenset(("assume", "reject", "note", "event", "target"))


@attrs.frozen(eq=False)
class _Writer(ast.NodeTransformer):
    """Put what was drawn, and what locals stand for, in the place of calls and names."""

    drawn: Mapping[tuple[int, int], str]
    values: dict[str, ast.expr]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        place = (node.lineno, node.col_offset) if hasattr(node, "lineno") else (0, 0)
        if place in self.drawn:
            return ast.Name(self.drawn[place], ast.Load())
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return copy.deepcopy(self.values[node.id])
        return node


def outline(node: FunctionNode | ast.Lambda, draws: Iterable[ast.Call]) -> str:
    """Return the text of a body: draws by their order, locals read through or by their order.

    What it assumes, its docstring, and what locals and arguments are called have no part in it.
    """
    if isinstance(node, ast.Lambda):
        return ast.unparse(node.body)
    drawn = {(one.lineno, one.col_offset): f"drawn_{k}" for k, one in enumerate(draws)}
    once = _assigned_once(node)
    writer = _Writer(drawn, {})
    kept: list[ast.stmt] = []
    for statement in node.body:
        written: ast.stmt = writer.visit(copy.deepcopy(statement))
        match written:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in once:
                writer.values[name] = value
            case ast.Expr(value=value) if _is_silent(value):
                continue
            case _:
                kept.append(written)
    return "\n".join(_numbered(kept, node))


def _assigned_once(node: FunctionNode) -> frozenset[str]:
    stored = Counter(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )
    own = {one.arg for one in arguments_of(node)}
    return frozenset(name for name, times in stored.items() if times == 1 and name not in own)


def _is_silent(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return True
    func = value.func if isinstance(value, ast.Call) else None
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name in _SILENT


def _numbered(kept: Iterable[ast.stmt], node: FunctionNode) -> list[str]:
    """Return the statements with arguments and locals by the order in which they come."""
    own = {one.arg for one in arguments_of(node)}
    own |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and _is_stored(one)}
    names: dict[str, str] = {}
    texts: list[str] = []
    for statement in kept:
        for one in ast.walk(statement):
            if isinstance(one, ast.Name) and one.id in own:
                names.setdefault(one.id, f"local_{len(names)}")
        texts.append(ast.unparse(ast.fix_missing_locations(renamed(statement, names))))
    return texts


def _is_stored(one: ast.Name) -> bool:
    return isinstance(one.ctx, ast.Store)
