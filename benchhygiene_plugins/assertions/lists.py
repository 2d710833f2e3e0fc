"""Lists and dicts that are put together round by round, or only where a condition holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from benchhygiene_plugins.assertions.checks import Flow, Origin
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.expressions import Comprehension, alternatives
from benchhygiene_plugins.assertions.terms import LENT, Term, display, is_call_of, term

_OPENED = 32  # elements of two lists that are compared one by one


def displayed(node: Comprehension, spelt: list[Term]) -> Term:
    """Return what a comprehension comes to whose every round is known."""
    if isinstance(node, ast.SetComp):
        return display("set", spelt)
    if not isinstance(node, ast.DictComp):
        return display("list", spelt)
    by_key = {one.children[0].digest: one for one in spelt}  # the last one of a key stays
    return display("dict", sorted(by_key.values(), key=lambda one: one.children[0].digest))


def joined(condition: Term, yes: Term, no: Term) -> Term:
    """Return what a name holds behind a branch; a list that may have grown is one list."""
    size = len(no.children)
    grown = yes.kind == no.kind == "list" and yes.children[:size] == no.children
    if grown and not (yes.value or no.value) and LENT not in (yes.node, no.node):
        added = (perhaps(condition, one) for one in yes.children[size:])
        return display("list", (*no.children, *added))
    return term("choice", condition, yes, no)


def perhaps(condition: Term, one: Term) -> Term:
    """Return an element that is there where a condition holds."""
    if one.kind == "perhaps":
        condition, one = alternatives("and", (condition, one.children[0])), one.children[1]
    return term("perhaps", condition, one)


def if_reached(flow: Flow, added: Term) -> Term:
    """Return what a round adds that may have ended, or ended the loop, before."""
    early = (Origin.SKIP_ROUND, Origin.STOP)
    conditions = [one.condition for one in flow.guards if one.origin in early]
    return perhaps(alternatives("and", conditions), added) if conditions else added


def opposite(left: Term, right: Term) -> Sequence[tuple[Term, Term]] | None:
    """Return what stands opposite in two lists or dicts that are spelt out alike."""
    if LENT in (left.node, right.node):
        return None
    if left.kind == right.kind == "dict" and left.value == right.value == "":
        every = (*left.children, *right.children)
        if any(one.kind != "pair" or not one.children[0].is_constant for one in every):
            return None
        mine, other = ({p.children[0]: p.children[1] for p in d.children} for d in (left, right))
        if mine.keys() != other.keys() or not 0 < len(mine) == len(left.children) <= _OPENED:
            return None
        return [(mine[key], other[key]) for key in mine]
    if "list" not in (left.kind, right.kind):
        return None
    first, second = _listed(left), _listed(right)
    if not first or not second or len(first) != len(second):
        return None
    return list(zip(first, second, strict=True))


def _listed(one: Term) -> tuple[Term, ...] | None:
    """Return the elements of a list that is spelt out, or made of what is."""
    return elements(one, _OPENED) if one.kind == "list" or is_call_of(one, "list") else None


def emptiness(one: Term) -> Iterator[Term]:
    """Yield the list that a predicate says is empty."""
    if one.kind == "not":
        yield one.children[0]
    if one.kind != "eq":
        return
    for side, other in (one.children, one.children[::-1]):
        if other.kind == "list" and not other.children and not other.value:
            yield side
        elif other.kind == "const" and other.value == "0" and is_call_of(side, "len"):
            yield side.children[1]
