"""What the names of a unit of test code are bound to, and what it calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from benchhygiene.inventory.calling import returned
from benchhygiene.inventory.meanings import Known, Value
from benchhygiene.inventory.names import Bound, Each, Imported, Opaque
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit


def names(unit: Unit, product: Product) -> Mapping[str, tuple[Bound, ...]]:
    """Return what the loose statements of a module or class bind."""
    if unit.node is None:
        return product.evaluator.bindings(unit.path).names
    if not isinstance(unit.node, ast.ClassDef):
        return {}
    names = product.evaluator.local(unit.node).names
    kept = ast.expr | FunctionNode | ast.ClassDef | Imported | Each | Opaque
    return {
        name: tuple(one for one in bound if isinstance(one, kept))
        for name, bound in names.items()
        if not isinstance(bound[-1], FunctionNode)
    }


def imported(bound: Imported, path: str, product: Product) -> tuple[Value, ...]:
    """Return what an import brings."""
    if bound.level:
        home = product.evaluator.modules.locate(path, bound.module, bound.level)
        is_known = home is not None and bound.name is not None
        return product.evaluator.name(home or "", bound.name or "") if is_known else ()
    if bound.name is None:
        home = product.evaluator.modules.locate(path, bound.module)
        return () if home is not None else (Known(bound.module),)
    home = product.evaluator.modules.locate(path, bound.module)
    if home is None:
        return (Known(f"{bound.module}.{bound.name}"),)
    return product.evaluator.name(home, bound.name)


def import_of(bound: Imported, unit: Unit) -> ast.AST:
    """Return the statement of an import."""
    for one in unit.body:
        for node in ast.walk(one):
            match node:
                case ast.ImportFrom(names=aliases) if (node.module or "") == bound.module:
                    if bound.name in {alias.name for alias in aliases}:
                        return node
                case ast.Import(names=aliases) if bound.module in {x.name for x in aliases}:
                    return node
                case _:
                    pass
    return unit.body[0] if unit.body else ast.Pass(lineno=1, col_offset=0)


def calls(unit: Unit) -> list[ast.Call]:
    """Return every call in a function."""
    node = unit.function
    return [x for x in ast.walk(node) if isinstance(x, ast.Call)] if node is not None else []


def given(call: ast.Call) -> str:
    """Return the arguments of a call in a form that can be compared."""
    return "".join(map(ast.dump, (*call.args, *call.keywords)))


def wraps(node: ast.expr) -> bool:
    """Return whether a mock hands its calls on to something."""
    return isinstance(node, ast.Call) and any(one.arg == "wraps" for one in node.keywords)


def asks_super(node: FunctionNode) -> bool:
    """Return whether a method asks the one it overrides."""
    return any(isinstance(one, ast.Name) and one.id == "super" for one in ast.walk(node))


def held(unit: Unit) -> dict[str, ast.expr]:
    """Return what a function's names and its object's attributes are set to, and what it gives."""
    found: dict[str, ast.expr] = {}
    if unit.function is None:
        return found
    for one in ast.walk(unit.function):
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            target = one.targets[0]
            if isinstance(target, ast.Name):
                found[target.id] = one.value
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                found[f"{target.value.id}.{target.attr}"] = one.value
        elif isinstance(one, ast.withitem) and isinstance(one.optional_vars, ast.Name):
            found[one.optional_vars.id] = one.context_expr
    for answer in returned(unit.function):
        if isinstance(answer, ast.List) and len(answer.elts) == 1:
            answer = answer.elts[0]
        if not isinstance(answer, ast.Name):
            found["return"] = answer
        elif answer.id in found:
            found["return"] = found[answer.id]
    return found
