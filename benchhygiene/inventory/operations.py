"""What each kind of expression computes, for ``values.Evaluator``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from benchhygiene.inventory import functions
from benchhygiene.inventory.comparisons import VersionInfo, compares, is_asked_for_main
from benchhygiene.inventory.values import (
    MOST_ELEMENTS,
    Compute,
    Evaluator,
    Opaque,
    Unknown,
    unpacked,
)

_Binary: TypeAlias = Callable[[object, object], object]

_MOST_BITS = 10_000
_BINARY: Mapping[type[ast.operator], _Binary] = {
    kind: cast("_Binary", getattr(operator, name))
    for kind, name in (
        (ast.Add, "add"),
        (ast.Sub, "sub"),
        (ast.Div, "truediv"),
        (ast.FloorDiv, "floordiv"),
        (ast.BitOr, "or_"),
        (ast.BitAnd, "and_"),
        (ast.BitXor, "xor"),
        (ast.RShift, "rshift"),
    )
}
_COMPARE: Mapping[type[ast.cmpop], _Binary] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: cast("_Binary", operator.lt),
    ast.LtE: cast("_Binary", operator.le),
    ast.Gt: cast("_Binary", operator.gt),
    ast.GtE: cast("_Binary", operator.ge),
    ast.In: lambda one, many: operator.contains(cast("Sequence[object]", many), one),
    ast.NotIn: lambda one, many: not operator.contains(cast("Sequence[object]", many), one),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[object], object]] = {
    ast.UAdd: cast("Callable[[object], object]", operator.pos),
    ast.USub: cast("Callable[[object], object]", operator.neg),
    ast.Invert: cast("Callable[[object], object]", operator.invert),
    ast.Not: operator.not_,
}


def _known(found: object) -> object:
    if isinstance(found, Opaque):
        raise Unknown("not known what it is")
    return found


def _constant(_: Evaluator, node: ast.expr) -> object:
    return cast("ast.Constant", node).value


def _name(evaluator: Evaluator, node: ast.expr) -> object:
    name = cast("ast.Name", node).id
    if name in evaluator.variables:
        return evaluator.variables[name]
    return evaluator.lookup(name)


def _attribute(evaluator: Evaluator, node: ast.expr) -> object:
    return evaluator.lookup(evaluator.resolve(node) or "an attribute")


def _sequence(evaluator: Evaluator, nodes: Sequence[ast.expr]) -> Iterator[object]:
    for node in nodes:
        if isinstance(node, ast.Starred):
            yield from evaluator.elements(evaluator.raw(node.value))
        else:
            yield evaluator.value_or_opaque(node)


def _list(evaluator: Evaluator, node: ast.expr) -> object:
    return list(_sequence(evaluator, cast("ast.List", node).elts))


def _tuple(evaluator: Evaluator, node: ast.expr) -> object:
    return tuple(_sequence(evaluator, cast("ast.Tuple", node).elts))


def _set(evaluator: Evaluator, node: ast.expr) -> object:
    return frozenset(_sequence(evaluator, cast("ast.Set", node).elts))


def _dict(evaluator: Evaluator, node: ast.expr) -> object:
    found: dict[object, object] = {}
    display = cast("ast.Dict", node)
    for name, value in zip(display.keys, display.values, strict=True):
        if name is not None:
            found[evaluator.value_or_opaque(name)] = evaluator.value_or_opaque(value)
            continue
        merged = evaluator.raw(value)
        if not isinstance(merged, dict):
            raise Unknown("not known what is merged")
        found.update(cast("dict[object, object]", merged))
    return found


def _binary(evaluator: Evaluator, node: ast.expr) -> object:
    operation = cast("ast.BinOp", node)
    left, right = (_known(evaluator.raw(one)) for one in (operation.left, operation.right))
    if isinstance(operation.op, ast.Mult):
        return _product(left, right)
    if isinstance(operation.op, ast.Mod):
        return functions.formatted_old(left, right) if isinstance(left, str) else left % right  # type: ignore[operator]
    if isinstance(operation.op, ast.Pow | ast.LShift):
        return _power(operation.op, left, right)
    compute = _BINARY.get(type(operation.op))
    if compute is None:
        raise Unknown("an operator that is not computed here")
    return compute(left, right)


def _product(left: object, right: object) -> object:
    for times, many in ((left, right), (right, left)):
        if isinstance(times, int) and isinstance(many, str | bytes | list | tuple):
            if len(cast("Sequence[object]", many)) * times > MOST_ELEMENTS:
                raise Unknown("too many elements")
            return cast("Sequence[object]", many) * times  # type: ignore[operator]
    if isinstance(left, int | float | complex) and isinstance(right, int | float | complex):
        return left * right
    raise Unknown("not known what is multiplied")


def _power(op: ast.operator, left: object, right: object) -> object:
    if not isinstance(right, int | float) or not isinstance(left, int | float):
        raise Unknown("not known what is raised")
    size = left.bit_length() if isinstance(left, int) else 64
    if abs(right) * max(size, 1) > _MOST_BITS:
        raise Unknown("a number too large to look at")
    if isinstance(op, ast.Pow):
        return cast("object", left**right)
    if isinstance(left, int) and isinstance(right, int):
        return left << right
    raise Unknown("not known what is shifted")


def _unary(evaluator: Evaluator, node: ast.expr) -> object:
    operation = cast("ast.UnaryOp", node)
    return _UNARY[type(operation.op)](_known(evaluator.raw(operation.operand)))


def _boolean(evaluator: Evaluator, node: ast.expr) -> object:
    operation = cast("ast.BoolOp", node)
    decides = isinstance(operation.op, ast.Or)
    found: object = not decides
    for part in operation.values:
        found = _known(evaluator.raw(part))
        if bool(found) is decides:
            return found
    return found


def _compare(evaluator: Evaluator, node: ast.expr) -> object:
    comparison = cast("ast.Compare", node)
    left = evaluator.raw(comparison.left)
    for op, operand in zip(comparison.ops, comparison.comparators, strict=True):
        right = evaluator.raw(operand)
        if is_asked_for_main(left, right) and isinstance(op, ast.Eq | ast.NotEq):
            holds = isinstance(op, ast.NotEq)
        else:
            holds = compares(_known(left), _known(right), _COMPARE[type(op)])
        if not holds:
            return False
        left = right
    return True


def _condition(evaluator: Evaluator, node: ast.expr) -> object:
    choice = cast("ast.IfExp", node)
    holds = _known(evaluator.raw(choice.test))
    return evaluator.raw(choice.body if holds else choice.orelse)


def _bound(evaluator: Evaluator, node: ast.expr) -> int:
    found = evaluator.raw(node)
    if not isinstance(found, int):
        raise Unknown("not known where it is cut")
    return found


def _subscript(evaluator: Evaluator, node: ast.expr) -> object:
    subscript = cast("ast.Subscript", node)
    many = _known(evaluator.raw(subscript.value))
    if isinstance(many, VersionInfo):
        return _version_part(many, subscript.slice)
    if isinstance(subscript.slice, ast.Slice):
        bounds = (subscript.slice.lower, subscript.slice.upper, subscript.slice.step)
        low, high, step = (None if one is None else _bound(evaluator, one) for one in bounds)
        return cast("Sequence[object]", many)[low:high:step]
    return cast("Sequence[object]", many)[cast("int", _known(evaluator.raw(subscript.slice)))]


def _version_part(version: VersionInfo, index: ast.expr) -> object:
    if isinstance(index, ast.Slice):
        return version
    if isinstance(index, ast.Constant) and index.value == 0:
        return version.oldest[0]
    raise Unknown("not known which interpreter it is")


def _converted(value: object, conversion: int) -> object:
    if conversion == ord("r"):
        return repr(value)
    return str(value) if conversion == ord("s") else value


def _text(evaluator: Evaluator, node: ast.expr) -> object:
    parts: list[str] = []
    for part in cast("ast.JoinedStr", node).values:
        if isinstance(part, ast.FormattedValue):
            spec = "" if part.format_spec is None else str(evaluator.raw(part.format_spec))
            value = _converted(_known(evaluator.raw(part.value)), part.conversion)
            parts.append(functions.formatted(value, spec))
        else:
            parts.append(str(evaluator.raw(part)))
    return "".join(parts)


def _comprehended(
    evaluator: Evaluator, generators: Sequence[ast.comprehension]
) -> Iterator[Evaluator]:
    if not generators:
        yield evaluator
        return
    first, *rest = generators
    for item in evaluator.elements(evaluator.raw(first.iter)):
        evaluator.budget.spend(1)
        inner = evaluator.binding(dict(unpacked(first.target, item)))
        if all(_known(inner.raw(test)) for test in first.ifs):
            yield from _comprehended(inner, rest)


def _listed(evaluator: Evaluator, node: ast.expr) -> object:
    made = cast("ast.ListComp | ast.GeneratorExp", node)
    return [one.value_or_opaque(made.elt) for one in _comprehended(evaluator, made.generators)]


def _set_listed(evaluator: Evaluator, node: ast.expr) -> object:
    return frozenset(cast("list[object]", _listed(evaluator, node)))


def _dict_listed(evaluator: Evaluator, node: ast.expr) -> object:
    made = cast("ast.DictComp", node)
    return {
        one.value_or_opaque(made.key): one.value_or_opaque(made.value)
        for one in _comprehended(evaluator, made.generators)
    }


def _call(evaluator: Evaluator, node: ast.expr) -> object:
    return functions.called(evaluator, cast("ast.Call", node))


COMPUTE: Mapping[type[ast.expr], Compute] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _condition,
    ast.Subscript: _subscript,
    ast.JoinedStr: _text,
    ast.ListComp: _listed,
    ast.GeneratorExp: _listed,
    ast.SetComp: _set_listed,
    ast.DictComp: _dict_listed,
    ast.Call: _call,
}
