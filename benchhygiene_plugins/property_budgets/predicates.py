"""What a lambda or function does to its argument: a filter's conditions, what a mapping loses."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import TypeVar

import attrs

from benchhygiene.inventory.calling import arguments_of, returned
from benchhygiene.inventory.canonical import local_names, name_free
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.inlining import inlined
from benchhygiene.inventory.meanings import Delayed, Known, Routine, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.places import plain_text

ARGUMENT = "it"
T = TypeVar("T", bound=ast.AST)
_COUNTS = ("==", "!=", "<", "<=", ">", ">=")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_LOSING_CALLS = frozenset(
    ("abs", "min", "max", "len", "bool", "set", "frozenset", "sum", "any", "all", "round", "sorted")
)
_LOSING_METHODS = frozenset(
    ("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "replace", "title", "translate")
)
_KEEPING_CALLS = frozenset(
    (
        "bytes",
        "bytearray",
        "decimal.Decimal",
        "dict",
        "fractions.Fraction",
        "json.dumps",
        "list",
        "repr",
        "str",
        "tuple",
        "iter",
    )
)


@attrs.frozen
class Bound:
    """A condition that compares the argument with a number: ``it < 200``."""

    operator: str
    limit: float


@attrs.frozen(eq=False)
class Effect:
    """What a function of one argument does: its canonical text, and its result where it is one."""

    meaning: str
    result: ast.expr | None = None
    name: str = ""


@attrs.frozen(eq=False)
class Predicates:
    """Reads functions that are handed to strategies."""

    evaluator: Evaluator

    def effects(self, at: Delayed) -> Iterator[Effect]:
        """Yield what each function does that an expression may stand for."""
        for value in self.evaluator.evaluate(at.expression, at.scope):
            if isinstance(value, Routine):
                yield self._routine(value)
            elif isinstance(value, Known):
                yield Effect(value.name, name=value.name)
            else:
                yield Effect(self._text(at.expression, at.scope))

    def _routine(self, routine: Routine) -> Effect:
        node = routine.node
        results = list(returned(node))
        is_plain = isinstance(node, ast.Lambda) or _is_one_return(node)
        if len(results) != 1 or not is_plain:
            return Effect(name_free(node), name=getattr(node, "name", ""))
        names = [one.arg for one in arguments_of(node)]
        scope = self.evaluator.frame_of(routine, ())
        node_in = _renamed(inlined(results[0], scope, self.evaluator), names[-1:])
        text = ast.unparse(ast.fix_missing_locations(node_in))
        return Effect(plain_text(text), node_in)

    def _text(self, node: ast.expr, scope: Scope) -> str:
        return ast.unparse(ast.fix_missing_locations(inlined(node, scope, self.evaluator)))


def _is_one_return(node: FunctionNode) -> bool:
    body = [one for one in node.body if not _is_text(one)]
    return len(body) == 1 and isinstance(body[0], ast.Return) and not list(_stored(node))


def _stored(node: FunctionNode) -> Iterator[str]:
    own = {one.arg for one in arguments_of(node)}
    yield from (name for name in local_names(node) if name not in own)


def _is_text(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), ast.Load())


def _renamed(node: ast.expr, names: list[str]) -> ast.expr:
    """Return a copy in which the argument has the one name that all have."""
    return renamed(node, dict.fromkeys(names, ARGUMENT))


def renamed(node: T, names: dict[str, str]) -> T:
    """Return a copy of a part of a tree with other names."""
    found: T = _Renamer(names).visit(copy.deepcopy(node))
    return found


def conjuncts(node: ast.expr, *, holds: bool = True) -> Iterator[str]:
    """Yield the conditions that must all hold where an expression is true, or false."""
    yield from map(plain_text, _conjuncts(node, holds=holds))


def _conjuncts(node: ast.expr, *, holds: bool) -> Iterator[str]:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _conjuncts(operand, holds=not holds)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is holds:
            for one in values:
                yield from _conjuncts(one, holds=holds)
        case ast.Compare(left=left, ops=ops, comparators=comparators) if holds or len(ops) == 1:
            operands = [left, *comparators]
            for first, operator, second in zip(operands, ops, comparators, strict=False):
                yield _compared(first, operator, second, holds=holds)
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            yield from _conjuncts(inner, holds=holds)
        case _:
            yield ast.unparse(node) if holds else f"not ({ast.unparse(node)})"


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool) -> str:
    word = _OPERATORS.get(type(operator))
    if word is None:
        text = ast.unparse(ast.Compare(left, [operator], [right]))
        return text if holds else f"not ({text})"
    word = word if holds else _OPPOSITE[word]
    first, second = ast.unparse(left), ast.unparse(right)
    if (
        isinstance(left, ast.Constant)
        or (word in ("==", "!=") and second < first)
        or (word in (">", ">=") and not isinstance(right, ast.Constant))
    ):
        first, second, word = second, first, _FLIPPED[word]
    return f"{first} {word} {second}"


def bound_of(condition: str, name: str = ARGUMENT) -> Bound | None:
    """Return the bound that a condition sets on the argument, None where it is another one."""
    first, _, rest = condition.partition(" ")
    operator, _, second = rest.partition(" ")
    if first != name or operator not in _COUNTS:
        return None
    try:
        return Bound(operator, float(second))
    except ValueError:
        return None


def implies(given: str, wanted: str) -> bool:
    """Return whether one condition on a name holds wherever another one is given."""
    if given == wanted:
        return True
    name = given.partition(" ")[0]
    if " or " in wanted:
        return _implies_either(given, wanted)
    one, other = bound_of(given, name), bound_of(wanted, name)
    if one is None or other is None:
        return False
    if other.operator in ("<", "<="):
        strict = other.operator == "<" and one.operator == "<="
        is_upper = one.operator in ("<", "<=", "==")
        return is_upper and (one.limit < other.limit or (one.limit == other.limit and not strict))
    if other.operator in (">", ">="):
        strict = other.operator == ">" and one.operator == ">="
        is_lower = one.operator in (">", ">=", "==")
        return is_lower and (one.limit > other.limit or (one.limit == other.limit and not strict))
    return other.operator == "!=" and _excludes(one, other.limit)


def _implies_either(given: str, wanted: str) -> bool:
    try:
        node = ast.parse(wanted, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        return False
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or):
        return False
    return any(all(implies(given, part) for part in conjuncts(one)) for one in node.values)


def _excludes(bound: Bound, value: float) -> bool:
    return {
        "<": value >= bound.limit,
        "<=": value > bound.limit,
        ">": value <= bound.limit,
        ">=": value < bound.limit,
        "==": value != bound.limit,
    }.get(bound.operator, False)


def loses(effect: Effect) -> bool | None:
    """Return whether a mapping gives fewer values than it takes, None where nobody can tell."""
    if effect.result is None:
        name = effect.name
        if name in _LOSING_CALLS or name.rpartition(".")[2] in _LOSING_METHODS:
            return True
        return False if name in _KEEPING_CALLS else None
    nodes = list(ast.walk(effect.result))
    if not any(isinstance(one, ast.Name) and one.id == ARGUMENT for one in nodes):
        return True
    if any(_is_losing(one) for one in nodes):
        return True
    return False if all(_is_keeping(one) for one in nodes) else None


def _is_losing(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Mod() | ast.FloorDiv() | ast.BitAnd() | ast.RShift()):
            return True
        case ast.BinOp(op=ast.Mult(), right=ast.Constant(value=0)):
            return True
        case ast.Subscript() | ast.Compare() | ast.BoolOp() | ast.IfExp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _LOSING_CALLS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _LOSING_METHODS
        case _:
            return False


def _is_keeping(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _KEEPING_CALLS
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return True
        case ast.BinOp() | ast.Call() | ast.ListComp() | ast.Lambda():
            return False
        case _:
            return True
