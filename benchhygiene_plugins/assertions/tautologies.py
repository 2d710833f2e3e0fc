"""Demands that hold whatever the code under test returns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

from benchhygiene_plugins.assertions.certainties import (
    EVERY_OBJECT,
    FILLED,
    NEVER_FALSE_CALLS,
    NOT_NONE,
    RESULT_TYPES,
)
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.expressions import negated
from benchhygiene_plugins.assertions.folding import truth
from benchhygiene_plugins.assertions.predicates import arguments, normal
from benchhygiene_plugins.assertions.sameness import (
    core,
    is_anything,
    is_fresh,
    is_infinite,
    is_never_negative,
    is_open_pattern,
    members,
)
from benchhygiene_plugins.assertions.terms import LENT, Term, is_call_of
from benchhygiene_plugins.assertions.vocabulary import MISSPELT, MOCK

CONSTANT = "it is always true"
IDENTICAL = "it compares a value with itself"
RECOMPUTED = "it compares a value with what the same code has just computed"
NEVER_FALSE = "what it tests is never false"
Sides: TypeAlias = tuple[ast.expr, ast.expr]


def reason(fact: Term, sides: Sides | None = None) -> str | None:
    """Return why the fact always holds, None where it may fail.

    ``sides`` are those of the comparison as they are written.
    """
    if truth(fact) is True:
        return CONSTANT
    step = _STEPS.get(fact.kind)
    found = step(fact) if step is not None else _truthy(fact)
    if found == IDENTICAL and not (_is_one_value(fact) or _are_alike(sides)):
        return RECOMPUTED if any(c.has_call for c in fact.children[:2]) else found
    return found


def _are_alike(sides: Sides | None) -> bool:
    return sides is not None and ast.dump(sides[0]) == ast.dump(sides[1])


def _is_one_value(fact: Term) -> bool:
    """Return whether both sides are one value, not two that were made alike."""
    return len(fact.children) >= 2 and fact.children[0] is fact.children[1]


def _truthy(one: Term) -> str | None:
    if one.kind in FILLED and (one.children or one.value):
        may_be_empty = one.children and all(c.kind == "perhaps" for c in one.children)
        return None if may_be_empty else NEVER_FALSE
    if one.kind in ("function", "lambda", "class", "builtin", "each") and one.value != "list":
        return NEVER_FALSE if one.kind != "each" or one.value == "generator" else None
    if one.kind in ("coroutine", "generator", "task", "future", "excinfo"):
        return NEVER_FALSE
    if one.kind == "fstring" and any(p.kind == "const" and p.node for p in one.children):
        return NEVER_FALSE
    if one.kind == "attr" and (one.value in MISSPELT or one.value in MOCK):
        return NEVER_FALSE
    if one.kind == "attr" and one.value in EVERY_OBJECT:
        return NEVER_FALSE
    if one.kind == "ref" and one.value.rpartition(".")[2].islower():
        return NEVER_FALSE  # a module or a function
    if one.kind == "choice":
        return _truthy_choice(one)
    if one.kind in ("binary", "call") and _is_positive(one):
        return NEVER_FALSE
    return _truthy_call(one) if one.kind == "call" else None


def _truthy_choice(one: Term) -> str | None:
    condition, yes, no = one.children
    known = truth(condition)
    if known is not None:
        return CONSTANT if reason(normal(yes if known else no)) else None
    return NEVER_FALSE if reason(normal(yes)) and reason(normal(no)) else None


def _is_positive(one: Term) -> bool:
    """Return whether a number is surely above zero."""
    if one.kind == "binary" and one.value == "Add":
        sides = one.children
        return any(map(_is_positive, sides)) and all(
            _is_positive(side) or is_never_negative(side) for side in sides
        )
    if one.kind == "call" and one.children[0].kind == "builtin" and one.children[0].value == "max":
        return len(one.children) > 2 and any(map(_is_positive, one.children[1:]))
    return isinstance(one.node, int | float) and not isinstance(one.node, bool) and one.node > 0


def _truthy_call(one: Term) -> str | None:
    function = one.children[0]
    given = arguments(one)
    if function.kind == "attr":
        if function.value in MISSPELT:
            return NEVER_FALSE
        return _truthy_method(function, given.positional)
    if function.kind != "builtin":
        return None
    if function.value in NEVER_FALSE_CALLS or elements(one, 1_000):
        return NEVER_FALSE
    if function.value in ("isinstance", "issubclass") and len(given.positional) == 2:
        return _always_instance(*given.positional)
    if function.value == "hasattr" and len(given.positional) == 2:
        return NEVER_FALSE if given.positional[1].node in EVERY_OBJECT else None
    if is_call_of(one, "any") or is_call_of(one, "all"):
        return _truthy_quantifier(function.value, given.positional[0])
    return None


def _truthy_quantifier(name: str, over: Term) -> str | None:
    if name == "all" and over.kind == "each":
        return NEVER_FALSE if reason(normal(over.children[0])) is not None else None
    if name == "any" and over.kind in FILLED:
        return NEVER_FALSE if any(reason(normal(one)) for one in over.children) else None
    return None


def _truthy_method(method: Term, given: tuple[Term, ...]) -> str | None:
    base = method.children[0]
    if method.value in ("startswith", "endswith") and given and given[0].node == "":
        return NEVER_FALSE
    if method.value in ("issubset", "issuperset", "__eq__", "equals") and given:
        return IDENTICAL if members(given[0]) == members(base) else None
    return None


def _always_instance(one: Term, kind: Term) -> str | None:
    kinds = kind.children if kind.kind == "tuple" else (kind,)
    names = {k.value for k in kinds if k.kind == "builtin"}
    if "object" in names:
        return NEVER_FALSE
    if any(is_call_of(k, "type") and k.children[1] == one for k in kinds):
        return IDENTICAL
    if any(k.kind == "attr" and k.value == "__class__" and k.children[0] == one for k in kinds):
        return IDENTICAL
    return NEVER_FALSE if _type_of(one) in names else None


def _type_of(one: Term) -> str | None:
    if one.kind == "call" and one.children[0].kind == "builtin":
        return RESULT_TYPES.get(one.children[0].value)
    if one.kind == "fstring":
        return "str"
    if one.kind == "const":
        return type(one.node).__name__
    return one.kind if one.kind in FILLED else None


def _equality(fact: Term) -> str | None:
    left, right = fact.children[:2]
    if (left.node == LENT) is not (right.node == LENT):
        return None
    if left == right or _is_copy_of(left, right) or _is_copy_of(right, left):
        return IDENTICAL
    if any(is_anything(side) for side in (left, right)):
        return NEVER_FALSE
    return None


def _is_copy_of(copy: Term, original: Term) -> bool:
    """Return whether one side is made of the other, so that they are equal unless types differ."""
    if core(copy) != core(original):
        return False
    return core(copy).has_call or core(copy).kind not in ("const",)


def _difference(fact: Term) -> str | None:
    left, right = fact.children
    fresh = any(is_fresh(side) for side in (left, right))
    for side, other in ((left, right), (right, left)):
        if is_call_of(side, "repr") and other.node == "":
            return NEVER_FALSE
    if fact.kind == "isnot" and any(s.kind == "const" and s.node is None for s in fact.children):
        other = right if left.kind == "const" and left.node is None else left
        return NEVER_FALSE if _is_never_none(other) else None
    return NEVER_FALSE if fresh else None


def _is_never_none(one: Term) -> bool:
    if one.kind in FILLED or one.kind in ("fstring", "function", "lambda", "each", "class"):
        return True
    if one.kind == "call" and one.children[0].kind == "builtin":
        return one.children[0].value in NOT_NONE
    return one.kind in ("eq", "ne", "lt", "le", "in", "is", "isnot", "notin", "not")


def _bound(fact: Term) -> str | None:
    small, large = fact.children
    if fact.kind == "le" and (small == large or core(small) == core(large)):
        return IDENTICAL
    floor = small.node
    if isinstance(floor, int | float) and not isinstance(floor, bool):
        lowest = 0 if is_never_negative(large) else None
        if lowest is not None and (floor <= lowest if fact.kind == "le" else floor < lowest):
            return NEVER_FALSE
    if is_infinite(large) or (small.kind == "unary" and is_infinite(small.children[0])):
        return NEVER_FALSE
    return None


def _membership(fact: Term) -> str | None:
    member, container = fact.children
    if container.kind in ("list", "tuple", "set"):
        if any(child == member or is_anything(child) for child in container.children):
            return IDENTICAL
        if is_truth_value(member) and {c.value for c in container.children} >= {"True", "False"}:
            return NEVER_FALSE
    if member.node == "" and member.kind == "const":
        return NEVER_FALSE
    if container.contains(member) and container.kind == "call" and member.has_call:
        return IDENTICAL if core(container).contains(member) else None
    return None


def is_truth_value(one: Term) -> bool:
    """Return whether a term can only be True or False."""
    return _type_of(one) == "bool" or one.kind in ("eq", "ne", "lt", "le", "not", "in", "notin")


def _alternative(fact: Term) -> str | None:
    children = fact.children
    if any(reason(normal(child)) is not None for child in children):
        return NEVER_FALSE
    digests = {child.digest for child in children}
    if any(negated(child).digest in digests for child in children):
        return CONSTANT
    return NEVER_FALSE if _covers_order(children) else None


def _covers_order(children: tuple[Term, ...]) -> bool:
    """Return whether ``a <= b or a >= b``, or ``a < b or a == b or a > b``, is among them."""
    bounds: dict[frozenset[bytes], set[tuple[str, bytes]]] = {}
    for child in children:
        if child.kind in ("lt", "le", "eq", "ne"):
            pair = frozenset(side.digest for side in child.children)
            bounds.setdefault(pair, set()).add((child.kind, child.children[0].digest))
    for found in bounds.values():
        firsts = {first for kind, first in found if kind in ("lt", "le")}
        kinds = {kind for kind, _ in found}
        if len(firsts) == 2 and kinds & {"le", "eq"}:
            return True
    return False


def _search(fact: Term) -> str | None:
    pattern = fact.children[1].node
    return NEVER_FALSE if isinstance(pattern, str) and is_open_pattern(pattern) else None


def _negation(fact: Term) -> str | None:
    inner = fact.children[0]
    return CONSTANT if truth(inner) is False else None


def _same_elements(fact: Term) -> str | None:
    left, right = fact.children[:2]
    return IDENTICAL if core(left) == core(right) else None


_STEPS: Mapping[str, Callable[[Term], str | None]] = {
    "eq": _equality,
    "is": _equality,
    "approx": _equality,
    "same": _same_elements,
    "same_elements": _same_elements,
    "ne": _difference,
    "isnot": _difference,
    "lt": _bound,
    "le": _bound,
    "in": _membership,
    "or": _alternative,
    "search": _search,
    "not": _negation,
}
