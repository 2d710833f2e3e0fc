"""What a function does for literal inputs alone: branches, tables, patterns, digests."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.meanings import Table
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.checks import literal, weight
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

_DIGESTS = frozenset(
    ("hexdigest", "digest", "crc32", "adler32", "hash", "md5", "sha1", "sha256", "blake2b")
)


@attrs.frozen(eq=False)
class Special:
    """A branch or entry for certain inputs: their literals, and the literals it answers with."""

    node: ast.stmt | ast.expr
    inputs: tuple[ast.expr, ...]
    outputs: tuple[ast.expr, ...]
    is_table: bool = False
    has_fallback: bool = True


def specials(unit: Unit, product: Product) -> Iterator[Special]:
    """Yield what a function does for literal inputs alone."""
    function = unit.function
    if function is None:
        return
    looked = _looked_up(function)
    for node, scope in unit.walk(product.evaluator):
        match node:
            case ast.If(test=test, body=body):
                inputs = pinned(test)
                if inputs:
                    yield Special(node, inputs, tuple(_answers(body)))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                inputs = pinned(test)
                if inputs:
                    outputs = tuple(one for one in (body, orelse) if literal(one) is not None)
                    yield Special(node, inputs, outputs)
            case ast.Match(cases=cases):
                for case in cases:
                    inputs = tuple(_patterned(case.pattern))
                    if inputs:
                        yield Special(node, inputs, tuple(_answers(case.body)))
            case ast.Compare() if _digested(node):
                yield Special(node, (), tuple(_digested(node)))
            case ast.Dict():
                yield from _entries(node, node, function)
            case ast.Call(func=ast.Name(id="dict"), args=[ast.List(elts=rows)]):
                if _is_looked_up(node, function):
                    both = [x.elts for x in rows if isinstance(x, ast.Tuple) and len(x.elts) == 2]
                    yield from _pairs(node, [(k, v) for k, v in both], function)
            case ast.Name(ctx=ast.Load()) if node.id in looked:
                for value in product.texts.values(node, scope):
                    if isinstance(value, Table):
                        pairs = [(k.expression, v.expression) for k, v in value.pairs]
                        yield from _pairs(node, pairs, function)
            case _:
                pass


def _entries(node: ast.Dict, at: ast.expr, function: FunctionNode) -> Iterator[Special]:
    if _is_looked_up(at, function):
        pairs = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if k is not None]
        yield from _pairs(at, pairs, function)


def _pairs(
    at: ast.expr, pairs: Sequence[tuple[ast.expr, ast.expr]], function: FunctionNode
) -> Iterator[Special]:
    fallback = _has_fallback(at, function)
    for key, value in pairs[:500]:
        if literal(key) is not None and literal(value) is not None:
            yield Special(at, _flat(key), (value,), is_table=True, has_fallback=fallback)


def _flat(node: ast.expr) -> tuple[ast.expr, ...]:
    return tuple(node.elts) if isinstance(node, ast.Tuple) and node.elts else (node,)


def _looked_up(function: FunctionNode) -> frozenset[str]:
    """Return the names of what a function looks things up in."""
    found: set[str] = set()
    for one in ast.walk(function):
        match one:
            case ast.Subscript(value=ast.Name(id=name)):
                found.add(name)
            case ast.Attribute(value=ast.Name(id=name), attr="get" | "pop" | "__getitem__"):
                found.add(name)
            case ast.Compare(ops=[ast.In() | ast.NotIn(), *_], comparators=[ast.Name(id=name), *_]):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def _is_looked_up(node: ast.expr, function: FunctionNode) -> bool:
    """Return whether a table is asked for a key: by subscript, ``get`` or ``in``."""
    for one in ast.walk(function):
        match one:
            case ast.Subscript(value=value) if _same(value, node):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr="get" | "pop" | "__getitem__")):
                if _same(value, node):
                    return True
            case ast.Compare(ops=[ast.In() | ast.NotIn(), *_], comparators=[value, *_]):
                if _same(value, node):
                    return True
            case ast.Assign(value=value, targets=[ast.Name()]) if value is node:
                return True
            case _:
                pass
    return False


def _same(value: ast.expr, node: ast.expr) -> bool:
    if isinstance(value, ast.Name) and isinstance(node, ast.Name):
        return value.id == node.id
    return value is node


def _has_fallback(node: ast.expr, function: FunctionNode) -> bool:
    """Return whether the function also answers otherwise than from the table."""
    for one in ast.walk(function):
        match one:
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[_, default]):
                if _same(value, node) and _computes(default):
                    return True
            case _:
                pass
    returns = [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value]
    without = [one for one in returns if not any(_same(x, node) for x in _expressions(one))]
    return any(_computes(one) or isinstance(one, ast.Name) for one in without)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    yield from (one for one in ast.walk(node) if isinstance(one, ast.expr))


def _computes(node: ast.expr) -> bool:
    return any(isinstance(one, ast.BinOp | ast.Call) for one in ast.walk(node))


def pinned(test: ast.expr) -> tuple[ast.expr, ...]:
    """Return the literals that a condition requires something to equal."""
    found: list[ast.expr] = []
    pending = [test]
    while pending:
        one = pending.pop(0)
        if isinstance(one, ast.BoolOp):
            pending.extend(one.values)
        elif isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not):
            pending.append(one.operand)
        elif isinstance(one, ast.Call) and getattr(one.func, "id", "") in ("all", "any"):
            pending.extend(one.args)
        elif isinstance(one, ast.GeneratorExp):
            pending.append(one.elt)
        elif isinstance(one, ast.Compare) and len(one.ops) == 1:
            found.extend(_compared(one))
    return tuple(found)


def _compared(node: ast.Compare) -> Iterator[ast.expr]:
    left, right = node.left, node.comparators[0]
    if isinstance(node.ops[0], ast.In | ast.NotIn):
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            yield from (part for one in right.elts if literal(one) for part in _flat(one))
        return
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is):
        return
    match (left, right):
        case (ast.Tuple(elts=asked), ast.Tuple(elts=given)) if len(asked) == len(given):
            yield from (one for one in given if literal(one) is not None)
            return
        case _:
            pass
    for side, other in ((left, right), (right, left)):
        if literal(side) is not None and literal(other) is None:
            yield _spelled(side, other)


def _spelled(side: ast.expr, other: ast.expr) -> ast.expr:
    """Return the literal that a text spells which is compared with ``repr`` of something."""
    text = side.value if isinstance(side, ast.Constant) else None
    is_text = isinstance(other, ast.Call) and _last(other.func) in ("repr", "str", "dumps")
    if not is_text or not isinstance(text, str) or len(text) > 500:
        return side
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return side


def _patterned(pattern: ast.pattern) -> Iterator[ast.expr]:
    for one in ast.walk(pattern):
        if isinstance(one, ast.MatchValue) and literal(one.value) is not None:
            yield one.value


def _answers(body: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    """Yield the literals that a block answers with."""
    for one in body:
        value = getattr(one, "value", None)
        if isinstance(one, ast.Return | ast.Assign | ast.AugAssign) and isinstance(value, ast.expr):
            while isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
                value = value.args[0]
            if literal(value) is not None:
                yield value


def _digested(node: ast.Compare) -> list[ast.expr]:
    sides = [node.left, *node.comparators]
    digests = any(
        isinstance(one, ast.Call) and _last(one.func) in _DIGESTS
        for side in sides
        for one in ast.walk(side)
    )
    return [one for one in sides if digests and weight(one) > 1 and literal(one)]


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def has_special(function: FunctionNode) -> bool:
    """Return whether a function holds any form of special case."""
    kinds = ast.If | ast.IfExp | ast.Match | ast.Dict | ast.Subscript | ast.Compare
    if any(isinstance(one, kinds) for one in ast.walk(function)):
        return True
    gets = (one for one in ast.walk(function) if isinstance(one, ast.Attribute))
    return any(one.attr == "get" for one in gets)
