"""Lists and dicts that are put together round by round, or only where a condition holds."""

from __future__ import annotations

import ast

from benchhygiene_plugins.assertions.expressions import Comprehension, alternatives
from benchhygiene_plugins.assertions.terms import LENT, Term, display, term


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
