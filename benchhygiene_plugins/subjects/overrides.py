"""Where a file defines, or gives to a class, a comparison that does not compare."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.meanings import Kind, Routine, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects import equality
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.eq_override"
WORDS = frozenset(name.encode() for name in (*equality.ANSWERS, *equality.METACLASS)) | {
    b"ANY",
    b"compare",
    b"eq",
}
_METHODS = frozenset((*equality.ANSWERS, *equality.METACLASS))


def overrides(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield the comparisons of a unit that answer without looking."""
    file = product.evaluator.file(unit.path)
    if unit.function is not None and unit.owner is not None and unit.function.name in _METHODS:
        said = _verdict(unit.function.name, unit.function, unit.owner, unit, product)
        if said:
            name = unit.function.name
            yield fact(RULE, unit, file, unit.function, f"{name} {said}", f"{name} {said}")
    if isinstance(unit.node, ast.ClassDef) and equality.is_blind(unit.node):
        said = "leaves all fields out of the comparison"
        yield fact(RULE, unit, file, unit.node, said, said)
    for node, scope in unit.walk(product.evaluator):
        for name, value in _given(node, scope, product):
            for routine in _routines(value, scope, product):
                owner = unit.owner if isinstance(unit.node, ast.ClassDef) else None
                said = _verdict(name, routine, owner, unit, product)
                if said and isinstance(node, ast.stmt | ast.expr):
                    yield fact(RULE, unit, file, node, f"{name} {said}", f"{name} {said}")
        if "ANY" in file.text and isinstance(node, ast.Name | ast.Attribute):
            names = product.texts.names(node, scope)
            if "unittest.mock.ANY" in names:
                yield fact(RULE, unit, file, node, "mock.ANY", "uses mock.ANY, which equals all")


def _verdict(
    name: str, node: FunctionNode | ast.Lambda, owner: Kind | None, unit: Unit, product: Product
) -> str:
    lineage = None
    if owner is not None:
        lineage = [one.node for one in product.evaluator.lineage(owner)]
    found = equality.verdict(name, node, lineage)
    if found or name not in ("__eq__", "__bool__"):
        return found
    if name == "__eq__" and owner is not None and _by_fixed_hash(node, owner):
        return "compares hashes that are all the same"
    if name == "__bool__" and unit.function is node:
        before = product.before(unit)
        if before is not None and equality.verdict(name, node, None):
            return "" if equality.verdict(name, before, None) else "is always true"
    return ""


def _by_fixed_hash(node: FunctionNode | ast.Lambda, owner: Kind) -> bool:
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    if not any(isinstance(one.func, ast.Name) and one.func.id == "hash" for one in calls):
        return False
    methods = (one for one in owner.node.body if isinstance(one, ast.FunctionDef))
    return any(
        one.name == "__hash__"
        and all(
            isinstance(each.value, ast.Constant)
            for each in ast.walk(one)
            if isinstance(each, ast.Return)
        )
        for one in methods
    )


def _given(node: ast.AST, scope: Scope, product: Product) -> Iterator[tuple[str, ast.expr]]:
    """Yield the comparing methods that a statement or call gives to a class."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, value) for name in _assigned(target) if name in _METHODS)
        case ast.Call(args=[_, name, value]) if _is_named(node.func, "setattr"):
            for text in product.texts.text(name, scope):
                if text in _METHODS:
                    yield text, value
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in _METHODS:
                    yield str(key.value), value
        case ast.keyword(arg=str(name), value=value) if name in _METHODS:
            yield name, value
        case _:
            return


def _assigned(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        yield str(target.slice.value)


def _is_named(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (
        isinstance(node, ast.Attribute) and node.attr in (name, f"__{name}__")
    )


def _routines(
    value: ast.expr, scope: Scope, product: Product
) -> Iterator[FunctionNode | ast.Lambda]:
    if isinstance(value, ast.Lambda):
        yield value
        return
    for one in product.texts.values(value, scope):
        if isinstance(one, Routine):
            yield one.node
