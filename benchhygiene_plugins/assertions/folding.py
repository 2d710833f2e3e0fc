"""The value of a term whose source says it all: a small calculator, bounded on every side."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Container, Mapping, Sized
from typing import Never, TypeAlias, cast

from benchhygiene_plugins.assertions.terms import LENT, Term

_LONGEST = 10_000  # characters or elements a folded value may have
_LARGEST = 10**30
_DEEPEST = 40


class NotFolded(Exception):
    """The source does not say what the value is, or it is not worth finding out."""


_Operation: TypeAlias = Callable[[Never, Never], object]


def _is_in(member: object, container: Container[object]) -> bool:
    return member in container


def _is_not_in(member: object, container: Container[object]) -> bool:
    return member not in container


def _divided(left: float, right: float) -> float:
    return left / right


def _floored(left: float, right: float) -> float:
    return left // right


def _united(left: int, right: int) -> int:
    return left | right


def _shared(left: int, right: int) -> int:
    return left & right


_BINARY: Mapping[str, _Operation] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": _divided,
    "FloorDiv": _floored,
    "Mod": operator.mod,
    "BitOr": _united,
    "BitAnd": _shared,
}
_RELATIONS: Mapping[str, _Operation] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "in": _is_in,
    "notin": _is_not_in,
}
_DISPLAYS = frozenset(("list", "tuple", "set", "dict"))
_SINGLETONS = (None, True, False, ...)
_TYPES: Mapping[str, type] = {
    name.__name__: name
    for name in (
        bool,
        int,
        float,
        complex,
        str,
        bytes,
        list,
        tuple,
        dict,
        set,
        frozenset,
        object,
        type,
    )
}
_FUNCTIONS: Mapping[str, object] = {
    "len": len,
    "sum": sum,
    "sorted": sorted,
    "repr": repr,
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "any": any,
    "all": all,
    "isinstance": isinstance,
    "type": type,
    "dict": dict,
    "callable": callable,
}
_METHODS = frozenset(
    (
        "startswith",
        "endswith",
        "lower",
        "upper",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "splitlines",
        "keys",
        "values",
        "items",
        "count",
        "index",
        "find",
        "get",
        "copy",
        "isdigit",
        "isalpha",
        "is_integer",
        "issubset",
        "issuperset",
        "title",
        "casefold",
        "__len__",
        "__eq__",
        "__contains__",
    )
)


def fold(one: Term, known: Mapping[bytes, Term] | None = None) -> object:
    """Return the Python value of a term.

    ``known`` gives terms to read in place of others, by digest. Raises NotFolded.
    """
    try:
        return _bounded(_fold(one, known or {}, _DEEPEST))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise NotFolded from None


def _bounded(value: object) -> object:
    if isinstance(value, Sized) and len(value) > _LONGEST:
        raise NotFolded
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise NotFolded
    return value


def _fold(one: Term, known: Mapping[bytes, Term], depth: int) -> object:
    if one.digest in known:
        one, known = known[one.digest], {}
    if one.kind == "const":
        return one.node
    if one.kind == "builtin" and one.value in _TYPES:
        return _TYPES[one.value]
    step = _STEPS.get(one.kind)
    # Too long a literal to be kept, or one that somebody may have changed.
    cut = one.kind in _DISPLAYS and (one.value or one.node == LENT)
    if step is None or depth <= 0 or cut:
        raise NotFolded
    if one.kind in ("and", "or"):
        return _alternatives(one, known, depth)
    return _bounded(step(one, [_fold(c, known, depth - 1) for c in _operands(one)]))


def _operands(one: Term) -> tuple[Term, ...]:
    if one.kind != "call":
        return one.children
    function, *arguments = one.children
    return (*((function.children[0],) if function.kind == "attr" else ()), *arguments)


def _alternatives(one: Term, known: Mapping[bytes, Term], depth: int) -> object:
    """Decide where one side alone does; the terms of an ``or`` stand in no order."""
    decisive, open_ = one.kind == "or", False
    for child in one.children:
        try:
            if bool(_fold(child, known, depth - 1)) is decisive:
                return decisive
        except NotFolded:
            open_ = True
    if open_:
        raise NotFolded
    return not decisive


def _related(kind: str, left: object, right: object) -> object:
    return _RELATIONS[kind](cast("Never", left), cast("Never", right))


def _applied(function: object, *values: object) -> object:
    if not callable(function):
        raise NotFolded
    found: object = function(*values)
    return found


def _binary(one: Term, values: list[object]) -> object:
    left, right = values
    if one.value == "Mult":
        sizes = [len(v) for v in values if isinstance(v, Sized)]
        counts = [v for v in values if isinstance(v, int)]
        if sizes and counts and sizes[0] * counts[0] > _LONGEST:
            raise NotFolded
    if one.value == "Mod" and isinstance(left, str | bytes):
        raise NotFolded  # a width in the format could ask for any size
    if one.value == "Pow":
        return _power(left, right)
    return _BINARY[one.value](cast("Never", left), cast("Never", right))


def _power(base: object, exponent: object) -> object:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float):
        raise NotFolded
    if abs(exponent) > 64 or abs(base) > 1e6:
        raise NotFolded
    return base**exponent


def _unary(one: Term, values: list[object]) -> object:
    (value,) = values
    if not isinstance(value, int | float | complex):
        raise NotFolded
    if one.value == "USub":
        return -value
    return +value if one.value == "UAdd" else _inverted(value)


def _inverted(value: object) -> int:
    if not isinstance(value, int):
        raise NotFolded
    return ~value


def _same(one: Term, values: list[object]) -> object:
    """Compare identity where a singleton is involved: of other values it says nothing."""
    left, right = values
    if not any(side is single for side in values for single in _SINGLETONS):
        raise NotFolded
    return (left is right) is (one.kind == "is")


def _called(one: Term, values: list[object]) -> object:
    function = one.children[0]
    if any(child.kind in ("keyword", "starred") for child in one.children[1:]):
        raise NotFolded
    if function.kind == "attr":
        if function.value not in _METHODS:
            raise NotFolded
        return _plain(getattr(values[0], function.value)(*values[1:]))
    if function.kind != "builtin" or function.value not in _FUNCTIONS:
        raise NotFolded
    return _plain(_applied(_FUNCTIONS[function.value], *values))


def _plain(value: object) -> object:
    kind = type(value).__name__
    return _applied(list, value) if kind in ("dict_keys", "dict_values", "dict_items") else value


def _paired(values: list[object]) -> dict[object, object]:
    pairs = cast("list[tuple[object, object]]", values)
    return dict(pairs)


def _item(_: Term, values: list[object]) -> object:
    return _applied(operator.getitem, *values)


def _approx(_: Term, values: list[object]) -> object:
    numbers = [float(v) for v in values if isinstance(v, int | float)]
    if len(numbers) != len(values):
        raise NotFolded
    return math.isclose(numbers[0], numbers[1], rel_tol=numbers[2], abs_tol=numbers[3])


_STEPS: Mapping[str, Callable[[Term, list[object]], object]] = {
    "tuple": lambda _, values: tuple(values),
    "list": lambda _, values: values,
    "set": lambda _, values: set(values),
    "pair": lambda _, values: tuple(values),
    "dict": lambda _, values: _paired(values),
    "slice": lambda _, values: slice(*values),
    "binary": _binary,
    "unary": _unary,
    "not": lambda _, values: not values[0],
    "truth": lambda _, values: bool(values[0]),
    "and": _binary,
    "or": _binary,
    "is": _same,
    "isnot": _same,
    "call": _called,
    "item": _item,
    "approx": _approx,
    **{name: (lambda one, values: _related(one.kind, *values)) for name in _RELATIONS},
}


_FOLDED = frozenset((*_STEPS, "const", "builtin"))


def _is_open(one: Term, depth: int = 4) -> bool:
    """Return whether a term has no value for sure: that is so of most, and sooner seen than tried.

    Only of alternatives may a part without a value leave the whole one.
    """
    if one.kind in ("and", "or"):
        return False
    if one.kind == "call" and not _is_callable(one.children[0]):
        return True
    parts = _operands(one)
    if any(part.kind not in _FOLDED for part in parts):
        return True
    inner = (part for part in parts if part.children and part.kind not in _DISPLAYS)
    return depth > 0 and any(_is_open(part, depth - 1) for part in inner)


def _is_callable(function: Term) -> bool:
    known = _METHODS if function.kind == "attr" else _FUNCTIONS
    return function.kind in ("attr", "builtin") and function.value in known


def truth(one: Term, known: Mapping[bytes, Term] | None = None) -> bool | None:
    """Return whether a term is true, None where the source does not say."""
    if not known and _is_open(one):
        return None
    try:
        return bool(fold(one, known))
    except NotFolded:
        return None
