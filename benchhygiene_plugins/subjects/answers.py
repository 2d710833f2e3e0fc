"""Where the product knows the tests' inputs, and answers them by heart."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.meanings import Table
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.checks import Check, Checks, literal, weight
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.test_special_case"
_ENOUGH = 4
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
                inputs = _pinned(test)
                if inputs:
                    yield Special(node, inputs, tuple(_answers(body)))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                inputs = _pinned(test)
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


def _pinned(test: ast.expr) -> tuple[ast.expr, ...]:
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
            yield side


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


def answers(unit: Unit, product: Product, asked: Checks) -> Iterator[Fact]:
    """Yield the special cases of a unit that the tests' own checks are behind."""
    before = _literals_before(unit, product)
    file = product.evaluator.file(unit.path)
    found = [*specials(unit, product)]
    siblings = {id(one) for one in found if _is_among_siblings(one, unit, product)}
    tables: dict[int, list[Special]] = {}
    for one in found:
        if one.is_table and not one.has_fallback:
            tables.setdefault(id(one.node), []).append(one)
            continue
        if id(one) in siblings or _is_known(one, before):
            continue
        if not _may_tell(one):
            continue
        if not one.inputs or any(_matches(one, check) for check in asked.about(_texts(one))):
            detail = ",".join(str(literal(part)) for part in (*one.inputs, *one.outputs))
            said = f"answers {detail[:80]} by heart, as a test asks"
            yield fact(RULE, unit, file, one.node, f"answers {detail}", said)
    for entries in tables.values():
        yield from _whole_table(entries, unit, product, asked)


def _texts(one: Special) -> list[str]:
    """Return the literals of what it answers, or where it answers none of its inputs."""
    outputs = [text for part in one.outputs if (text := literal(part)) is not None]
    inputs = [text for part in one.inputs if (text := literal(part)) is not None]
    return outputs or inputs if not one.is_table else inputs


def _may_tell(one: Special) -> bool:
    """Return whether its literals could tell enough, whatever the tests hold."""
    if not one.inputs:
        return True
    sizes = [weight(part) for part in one.inputs]
    return sum(sizes) + max(map(weight, one.outputs), default=0) + 1 >= _ENOUGH


def _whole_table(
    entries: list[Special], unit: Unit, product: Product, known: Checks
) -> Iterator[Fact]:
    """Yield a table that took the place of computing, all of whose entries tests ask for."""
    before = product.before(unit)
    if before is None or len(entries) < 2 or any(isinstance(x, ast.Dict) for x in ast.walk(before)):
        return
    if not any(isinstance(one, ast.BinOp | ast.For | ast.While) for one in ast.walk(before)):
        return
    asked = [x for x in entries if any(_agrees(x, check) for check in known.about(_texts(x)))]
    if len(asked) == len(entries):
        file = product.evaluator.file(unit.path)
        node = entries[0].node
        said = "looks up what it used to compute, and knows no more than the tests ask"
        yield fact(RULE, unit, file, node, "table of answers", said)


def _literals_before(unit: Unit, product: Product) -> frozenset[str]:
    before = product.before(unit)
    if before is None:
        return frozenset()
    return frozenset(text for one in ast.walk(before) if (text := literal(one)) is not None)


def _is_known(one: Special, before: frozenset[str]) -> bool:
    parts = (*one.inputs, *one.outputs)
    return all(literal(part) in before for part in parts)


def _is_among_siblings(one: Special, unit: Unit, product: Product) -> bool:
    """Return whether the parent's function had cases of this form: then one more is no wonder."""
    before = product.before(unit)
    if before is None or one.is_table:
        return False
    kinds = {type(getattr(part, "value", part)) for part in one.inputs}
    count = 0
    for inner in ast.walk(before):
        if isinstance(inner, ast.If | ast.IfExp):
            count += any(type(getattr(x, "value", x)) in kinds for x in _pinned(inner.test))
        elif isinstance(inner, ast.Dict):
            same = [key for key in inner.keys if type(getattr(key, "value", key)) in kinds]
            count += len(same)
        elif isinstance(inner, ast.match_case):
            count += 1
    return count >= 2


def _agrees(one: Special, check: Check) -> bool:
    inputs = [text for part in one.inputs if (text := literal(part)) is not None]
    outputs = [text for part in one.outputs if (text := literal(part)) is not None]
    return any(text in check.inputs for text in inputs) and any(
        text in check.expected for text in outputs
    )


def _matches(one: Special, check: Check) -> bool:
    """Return whether inputs and answer of one check stand together here, and tell enough."""
    inputs = [(literal(part), weight(part)) for part in one.inputs]
    outputs = [(literal(part), weight(part)) for part in one.outputs]
    pinned = [size for text, size in inputs if text in check.inputs]
    told = [size for text, size in outputs if text in check.expected]
    if not inputs:
        return bool(outputs)
    if not pinned or (len(pinned) < len([x for x in inputs if x[1]]) and not told):
        return False
    texts = {text for text, _ in inputs}
    whole = check.is_whole and {*check.inputs} <= texts
    if told:
        return max(told) > 0 and sum(pinned) + max(told) + whole >= _ENOUGH
    return whole and max(pinned) > 2 and sum(pinned) >= _ENOUGH
