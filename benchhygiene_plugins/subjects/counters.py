"""Where the product counts how often it is called, and answers by the count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.test_special_case"
_COUNTS = re.compile(r"calls?|count|times|invo|seen|hits|asked|runs|nth|tick", re.IGNORECASE)
_ITERATORS = ("iter", "count", "cycle", "deque")


def counters(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield where what a function answers depends on how often it was called before."""
    function = unit.function
    if function is None:
        return
    file = product.evaluator.file(unit.path)
    counted = {*_counted(function, unit)}
    seen: set[str] = set()
    for node, name, how in _deciding(function, counted):
        if name not in seen:
            seen.add(name)
            said = f"answers by how often it was called: {how}"
            yield fact(RULE, unit, file, node, f"counts {how}", said)
    for node in _consumed(function, unit, product):
        yield fact(RULE, unit, file, node, "consumes answers", "answers from a row, one a call")


def _counted(function: FunctionNode, unit: Unit) -> Iterator[str]:
    """Yield the dotted names that a function counts up and that outlive the call."""
    outer = {
        name
        for one in ast.walk(function)
        if isinstance(one, ast.Global | ast.Nonlocal)
        for name in one.names
    }
    shared = _shared(function)
    for one in ast.walk(function):
        target: ast.expr | None = None
        if isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add):
            target = one.target
        elif isinstance(one, ast.Assign) and _is_one_more(one):
            target = one.targets[0]
        if isinstance(target, ast.Subscript):
            name = dotted(target.value)
            if name in shared or name in outer or _is_module_level(name, function, unit):
                yield name
        elif target is not None:
            name = dotted(target)
            first = name.partition(".")[0]
            if name in outer or ("." in name and not _is_own(first, name, function, unit)):
                yield name
    for one in ast.walk(function):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            name = dotted(one.func.value)
            if one.func.attr == "append" and (
                name in shared or _is_module_level(name, function, unit)
            ):
                yield name


def _is_one_more(node: ast.Assign) -> bool:
    target, value = node.targets[0], node.value
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "next":
        return isinstance(target, ast.Name | ast.Attribute)
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return False
    name = dotted(target)
    return bool(name) and name in (_read(value.left), _read(value.right))


def _read(node: ast.expr) -> str:
    """Return the dotted name that is read, by ``getattr`` too."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[base, ast.Constant(value=str(name)), *_]):
            return f"{dotted(base)}.{name}"
        case _:
            return dotted(node)


def _shared(function: FunctionNode) -> frozenset[str]:
    """Return the parameters whose default is a container: it outlives the call."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    pairs = [*zip(reversed(names), reversed(given.defaults), strict=False)]
    pairs += [(a.arg, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d]
    return frozenset(
        name
        for name, default in pairs
        if isinstance(default, ast.List | ast.Dict)
        or (isinstance(default, ast.Call) and getattr(default.func, "id", "") in _ITERATORS)
    )


def _is_module_level(name: str, function: FunctionNode, unit: Unit) -> bool:
    stores = {x.id for x in ast.walk(function) if isinstance(x, ast.Name) and _is_store(x)}
    arguments = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    return bool(name) and name.partition(".")[0] not in stores | arguments


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_own(first: str, name: str, function: FunctionNode, unit: Unit) -> bool:
    """Return whether an attribute is one object's own, and not named like a count of calls."""
    if name.startswith(("self.__class__.", "cls.")) or not _is_argument(first, function):
        stores = {x.id for x in ast.walk(function) if isinstance(x, ast.Name) and _is_store(x)}
        return first in stores
    return first != "self" or _COUNTS.search(name.partition(".")[2]) is None


def _is_argument(name: str, function: FunctionNode) -> bool:
    return any(one.arg == name for one in ast.walk(function) if isinstance(one, ast.arg))


def _deciding(
    function: FunctionNode, counted: set[str]
) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Yield the conditions on a count that decide an answer."""
    for one in ast.walk(function):
        if not isinstance(one, ast.If | ast.While | ast.IfExp | ast.Return):
            continue
        test = _test(one)
        for part in ast.walk(test) if test is not None else ():
            if isinstance(part, ast.Compare):
                yield from ((one, x, ast.unparse(part)[:80]) for x in _asked(part, counted))
            elif isinstance(part, ast.Subscript) and isinstance(one, ast.Return):
                if isinstance(part.slice, ast.Slice):
                    continue
                name = _count_in(part.slice, counted)
                if name:
                    yield one, name, ast.unparse(part)[:80]


def _test(node: ast.If | ast.While | ast.IfExp | ast.Return) -> ast.expr | None:
    """Return what decides an answer, None where the answer is no part of it."""
    if isinstance(node, ast.Return):
        return node.value
    if isinstance(node, ast.IfExp):
        return node.test
    inner = [*node.body, *node.orelse]
    decides = any(isinstance(x, ast.Return | ast.Assign | ast.AugAssign) for x in inner)
    return node.test if decides else None


def _asked(node: ast.Compare, counted: set[str]) -> Iterator[str]:
    sides = [node.left, *node.comparators]
    numbers = [one for one in sides if _is_number(one)]
    name = next((found for side in sides if (found := _count_in(side, counted))), "")
    name = name or next((found for side in sides if (found := _taken_next(side))), "")
    if not name or not numbers:
        return
    is_exact = isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn)
    if is_exact or not name.startswith("self."):
        yield name


def _taken_next(node: ast.expr) -> str:
    """Return what the next element of something is taken from, where that is a counter's name."""
    match node:
        case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name)]) if _COUNTS.search(name):
            return name
        case _:
            return ""


def _is_number(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return bool(parts) and all(
        isinstance(one, ast.Constant) and type(one.value) is int for one in parts
    )


def _count_in(node: ast.expr, counted: set[str]) -> str:
    for one in ast.walk(node):
        if isinstance(one, ast.Name | ast.Attribute) and dotted(one) in counted:
            return dotted(one)
    return ""


def _consumed(function: FunctionNode, unit: Unit, product: Product) -> Iterator[ast.expr]:
    """Yield answers that are taken from a row of literals, one for each call."""
    for one in ast.walk(function):
        if not isinstance(one, ast.Return) or one.value is None:
            continue
        for call in ast.walk(one.value):
            if not isinstance(call, ast.Call):
                continue
            taken = _taken_from(call)
            if taken is not None and _is_row(taken, function, unit, product):
                yield call


def _taken_from(call: ast.Call) -> ast.expr | None:
    """Return what a call takes the next element from."""
    match call.func:
        case ast.Name(id="next") if call.args:
            return call.args[0]
        case ast.Attribute(attr="pop" | "popleft", value=value):
            return value
        case _:
            return None


def _is_row(node: ast.expr, function: FunctionNode, unit: Unit, product: Product) -> bool:
    name = dotted(node)
    bound = product.evaluator.bindings(unit.path).names.get(name, ())
    if not name or not _is_module_level(name, function, unit):
        return False
    for one in bound:
        value = one
        while isinstance(value, ast.Call) and value.args:
            value = value.args[0]
        if isinstance(value, ast.List | ast.Tuple) and len(value.elts) > 1:
            return all(isinstance(x, ast.Constant | ast.List | ast.Tuple) for x in value.elts)
    return False
