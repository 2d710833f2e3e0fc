"""What the names of a unit of test code are bound to, and what it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from benchhygiene.inventory.calling import returned
from benchhygiene.inventory.meanings import File, Given, Known, Value
from benchhygiene.inventory.names import Bound, Imported
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
    return {
        name: tuple(one for one in bound if not isinstance(one, Given))
        for name, bound in names.items()
        if not isinstance(bound[-1], FunctionNode)
    }


def imported(bound: Imported, path: str, product: Product) -> tuple[Value, ...]:
    """Return what an import brings."""
    modules = product.evaluator.modules
    home = modules.locate(path, bound.module, bound.level)
    if bound.name is None:
        return (File(home),) if home is not None else (Known(bound.module),)
    inner = f"{bound.module}.{bound.name}".lstrip(".")
    found = product.evaluator.name(home, bound.name) if home is not None else ()
    if found and found != (Known(bound.name),):
        return found
    submodule = modules.locate(path, inner, bound.level)
    return (File(submodule),) if submodule is not None else (Known(inner),)


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


def fillings(name: str, unit: Unit) -> Iterator[ast.expr]:
    """Yield what fills an argument: its default, or the rows of a parametrization."""
    if unit.function is None:
        return
    given = unit.function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    defaults = dict(zip(reversed(names), reversed(given.defaults), strict=False))
    if name in defaults:
        yield defaults[name]
    for one in unit.function.decorator_list:
        match one:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[asked, rows, *_]):
                texts = [x.value for x in ast.walk(asked) if isinstance(x, ast.Constant)]
                words = {w.strip() for x in texts for w in str(x).split(",")}
                if name in words:
                    yield rows
            case _:
                pass


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
