"""A demand taken apart into its facts, each in the one form all its spellings share."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene_plugins.assertions.expressions import alternatives, negated, relation
from benchhygiene_plugins.assertions.lists import emptiness, opposite
from benchhygiene_plugins.assertions.terms import LENT, Term, constant, is_call_of, term
from benchhygiene_plugins.assertions.vocabulary import (
    CLOSENESS,
    ZERO,
    Arguments,
    approximately,
)

_BOOLEAN = frozenset(
    ("eq", "ne", "lt", "le", "is", "isnot", "in", "notin", "not", "and", "or", "approx", "search")
)
_BOOLEAN_CALLS = frozenset(
    ("isinstance", "issubclass", "callable", "hasattr", "all", "any", "bool")
)
_OPERATORS = {
    "__eq__": "eq",
    "__ne__": "ne",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
}
_CALL = term("ref", value="unittest.mock.call", node="unittest.mock.call")
_DEPTH = 60
_OPENED = 32  # members of a set that are looked for one by one
#: Kinds of facts that may be several.
_COMPOUND = frozenset(("and", "eq", "call", "not", "le"))


@attrs.define(eq=False)
class Fact:
    """One fact; ``loops`` are the iterables over which it holds for every element.

    Never changed once it is made: it is not frozen because that takes longer to make.
    """

    predicate: Term
    loops: tuple[Term, ...] = ()
    filters: tuple[Term, ...] = ()


def facts(demand: Term) -> Iterator[Fact]:
    """Yield the facts that together are the demand."""
    one = normal(demand)
    if one.kind in _COMPOUND:
        yield from _facts(Fact(one), _DEPTH)
    else:
        yield Fact(one)


def _facts(fact: Fact, depth: int) -> Iterator[Fact]:
    one = normal(fact.predicate)
    fact = Fact(one, fact.loops, fact.filters)
    parts = tuple(_parts(fact)) if depth else ()
    if not parts:
        yield fact
    for part in parts:
        yield from _facts(part, depth - 1)


def _parts(fact: Fact) -> Iterator[Fact]:
    one = fact.predicate
    if one.kind == "and":
        for child in one.children:
            yield Fact(child, fact.loops, fact.filters)
    elif one.kind == "eq":
        yield from _by_element(fact)
        yield from _by_round(fact)
        yield from _none_of(fact)
    elif one.kind == "le" and one.children[0].kind == "set":
        yield from _by_member(fact)
    elif is_call_of(one, "all"):
        yield from _for_every(fact, one.children[1], negate=False)
    elif one.kind == "not" and one.children[0].kind in ("list", "each"):
        yield from _none_of(fact)
    elif one.kind == "not" and is_call_of(one.children[0], "any"):
        yield from _for_every(fact, one.children[0].children[1], negate=True)


def _by_element(fact: Fact) -> Iterator[Fact]:
    """Open a comparison with a tuple that is spelt out: each element is a fact."""
    left, right = fact.predicate.children
    alike = opposite(left, right)
    if alike is not None:
        for mine, other in alike:
            yield Fact(relation("eq", mine, other), fact.loops, fact.filters)
        return
    if left.kind != "tuple" or (
        right.kind == "tuple" and len(right.children) != len(left.children)
    ):
        left, right = right, left
    if left.kind != "tuple" or not 0 < len(left.children) <= 32:
        return
    if any(one.kind == "starred" for one in (*left.children, *right.children)):
        return
    if right.kind == "tuple" and len(right.children) == len(left.children):
        others = right.children
    elif right.kind in ("tuple", "list", "const"):
        return
    else:
        others = tuple(term("item", right, constant(k)) for k in range(len(left.children)))
    for mine, other in zip(left.children, others, strict=True):
        yield Fact(relation("eq", mine, other), fact.loops, fact.filters)


def _by_member(fact: Fact) -> Iterator[Fact]:
    """Open a demand that a set that is spelt out is part of another: each member is in it."""
    small, large = fact.predicate.children
    if small.node == LENT or not 0 < len(small.children) <= _OPENED:
        return
    if is_call_of(large, "set"):
        large = large.children[1]
    for one in small.children:
        if one.kind != "starred":
            yield Fact(term("in", one, large), fact.loops, fact.filters)


def _by_round(fact: Fact) -> Iterator[Fact]:
    """Open a comparison of two comprehensions over the same: what each round yields is equal."""
    left, right = fact.predicate.children
    is_each = left.kind == right.kind == "each" and left.value == right.value == "list"
    if is_each and left.children[1:] == right.children[1:] and len(left.children) == 2:
        both = relation("eq", left.children[0], right.children[0])
        yield Fact(both, (*fact.loops, left.children[1]), fact.filters)


def _none_of(fact: Fact) -> Iterator[Fact]:
    """Open a demand that a list of what meets a condition is empty."""
    for found in emptiness(fact.predicate):
        if found.kind == "list" and found.children:
            if all(one.kind == "perhaps" for one in found.children):
                for one in found.children:
                    yield Fact(negated(one.children[0]), fact.loops, fact.filters)
        elif found.kind == "each" and found.value == "list" and len(found.children) > 2:
            _, iterable, *conditions = found.children
            yield Fact(
                negated(alternatives("and", conditions)), (*fact.loops, iterable), fact.filters
            )


def _for_every(fact: Fact, over: Term, *, negate: bool) -> Iterator[Fact]:
    if over.kind in ("list", "tuple", "set") and over.children:
        for one in over.children:
            yield Fact(negated(one) if negate else one, fact.loops, fact.filters)
    if over.kind == "each" and over.value in ("list", "generator", "set"):
        body, iterable, *filters = over.children
        yield Fact(
            negated(body) if negate else body,
            (*fact.loops, iterable),
            (*fact.filters, *filters),
        )


def normal(one: Term) -> Term:
    """Return the form of a predicate that all its spellings share."""
    for _ in range(_DEPTH):
        simpler = _simpler(one)
        if simpler is None:
            return one
        one = simpler
    return one


def _simpler(one: Term) -> Term | None:
    if one.kind == "call":
        return _from_call(one)
    if one.kind in ("eq", "ne", "is", "isnot"):
        return _from_equality(one)
    if one.kind in ("in", "notin"):
        return _from_membership(one)
    if one.kind in ("lt", "le"):
        return _from_bound(one)
    if one.kind == "not":
        inner = _simpler(one.children[0])
        return None if inner is None else negated(inner)
    if one.kind in ("and", "or"):
        parts = [_simpler(child) or child for child in one.children]
        made = alternatives(one.kind, parts)
        return None if made == one else made
    return None


def _from_call(one: Term) -> Term | None:
    if is_call_of(one, "bool"):
        return one.children[1]
    function = one.children[0]
    given = arguments(one)
    if function.kind == "ref":
        if function.value in CLOSENESS:
            return CLOSENESS[function.value](given)
        if function.value == "numpy.array_equal" and len(given.positional) == 2:
            return term("same", *sorted(given.positional, key=lambda t: t.digest))
        module, _, name = function.value.rpartition(".")
        if module == "operator" and len(given.positional) == 2:
            kind = _OPERATORS.get(f"__{name.strip('_')}__")
            return None if kind is None else relation(kind, *given.positional)
        if function.value in ("re.search",) and len(given.positional) == 2:
            return term("search", given.positional[1], given.positional[0])
    if function.kind == "attr" and function.value in _OPERATORS and len(given.positional) == 1:
        return relation(_OPERATORS[function.value], function.children[0], given.positional[0])
    if function.kind == "attr" and function.value == "all" and not given.positional:
        return _from_array(function.children[0])
    return None


def _from_array(compared: Term) -> Term | None:
    """Read ``(a == b).all()``."""
    return term("same", *compared.children) if compared.kind == "eq" else None


def arguments(call: Term) -> Arguments:
    """Return the arguments of a call's term."""
    rest = call.children[1:]
    named = {one.value: one.children[0] for one in rest if one.kind == "keyword" and one.value}
    return Arguments(tuple(one for one in rest if one.kind != "keyword"), named)


def _from_equality(one: Term) -> Term | None:
    positive = one.kind in ("eq", "is")
    if one.kind in ("is", "isnot") and any(map(_is_type, one.children)):
        return relation("eq" if positive else "ne", *one.children)
    for side, other in (one.children, one.children[::-1]):
        if side.kind == "const" and isinstance(side.node, bool) and is_boolean(other):
            return other if side.node is positive else negated(other)
        if side.value == "None" and side.node is None and _is_match(other):
            return negated(other) if positive else other
        if one.kind == "eq" and _is_beginning(other, side):
            return term("call", term("attr", other.children[0], value="startswith"), side)
        if side.kind == "const" and side.value == "0" and _is_attribute(other, "call_count"):
            called = term("attr", other.children[0], value="called")
            return negated(called) if positive else called
        counted = _counted(side, other)
        if counted is not None:
            return relation(one.kind, counted, other)
        close = _approximation(side, other) if one.kind in ("eq", "ne") else None
        if close is not None:
            return close if positive else term("not", close)
    return _rounded(one) if one.kind == "eq" else None


def _is_match(one: Term) -> bool:
    """Return whether a term is what looking for a pattern yields: None, or what is true."""
    return one.kind == "call" and one.children[0].value in ("re.search", "re.match", "re.fullmatch")


def _is_beginning(one: Term, text: Term) -> bool:
    """Return whether a term is as much of the beginning of something as a text is long."""
    if one.kind != "item" or one.children[1].kind != "slice" or not isinstance(text.node, str):
        return False
    start, stop, step = (part.node for part in one.children[1].children)
    is_first = start in (None, 0) and step is None and bool(text.node)
    return is_first and type(stop) is int and stop == len(text.node)


def _counted(side: Term, other: Term) -> Term | None:
    """Return the mock's own word for how often, or with what, it was called."""
    records = ("mock_calls", "call_args_list")
    if is_call_of(side, "len") and side.children[1].kind == "attr":
        mock = side.children[1]
        if mock.value in records:
            return term("attr", mock.children[0], value="call_count")
    if side.kind != "attr" or side.value != "mock_calls" or other.kind != "list":
        return None
    if other.children and all(c.children[:1] == (_CALL,) for c in other.children):
        return term("attr", side.children[0], value="call_args_list")
    return None


def _is_type(one: Term) -> bool:
    return one.kind in ("builtin", "class") or is_call_of(one, "type")


def is_boolean(one: Term) -> bool:
    """Return whether a term is True or False, never something else that is true."""
    if one.kind in _BOOLEAN:
        return (
            all(is_boolean(child) for child in one.children) if one.kind in ("and", "or") else True
        )
    function = one.children[0] if one.kind == "call" else one
    return function.kind == "builtin" and function.value in _BOOLEAN_CALLS


def _is_attribute(one: Term, name: str) -> bool:
    return one.kind == "attr" and one.value == name


def _approximation(side: Term, other: Term) -> Term | None:
    if side.kind != "call" or side.children[0].value != "pytest.approx":
        return None
    given = arguments(side)
    expected = given.get(0, "expected")
    if expected is None:
        return None
    relative, absolute = given.get(1, "rel"), given.get(2, "abs")
    if relative is None:
        relative = ZERO if absolute is not None else constant(1e-6)
    return approximately(other, expected, relative, absolute or constant(1e-12))


def _rounded(one: Term) -> Term | None:
    """Read ``round(a - b, n) == 0`` as unittest's assertAlmostEqual."""
    for side, other in (one.children, one.children[::-1]):
        if other.value != "0" or side.kind != "call" or side.children[0].value != "round":
            continue
        given = arguments(side)
        places = given.get(1, "ndigits") or ZERO
        inner = given.get(0)
        if inner is None or inner.kind != "binary" or inner.value != "Sub":
            continue
        if isinstance(places.node, int) and -30 < places.node < 30:
            left, right = inner.children
            return approximately(left, right, ZERO, constant(0.5 * 10.0**-places.node))
    return None


def _from_membership(one: Term) -> Term | None:
    member, container = one.children
    if container.kind not in ("list", "tuple", "set") or len(container.children) != 1:
        return None
    (only,) = container.children
    if only.kind == "starred":
        return None
    return relation("eq" if one.kind == "in" else "ne", member, only)


def _from_bound(one: Term) -> Term | None:
    """Read ``abs(a - b) <= t``."""
    small, large = one.children
    if not is_call_of(small, "abs"):
        return None
    inner = small.children[1]
    if inner.kind != "binary" or inner.value != "Sub":
        return None
    return approximately(inner.children[0], inner.children[1], ZERO, large)
