"""Methods of classes that the tests define for their checks."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.bodies import execute
from benchhygiene_plugins.assertions.definitions import own_nodes
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.terms import Term
from benchhygiene_plugins.assertions.trace import Closure

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.reading import Reading


def checking_method(reading: Reading, function: Term) -> tuple[Closure, *tuple[Term, ...]] | None:
    """Return the method that a call means where it checks something, and the object, if any.

    Other methods are not followed: what they do is known by what they are called with.
    """
    if function.kind != "attr":
        return None
    (base,) = function.children
    made = base.children[0] if base.kind == "call" else base
    if made.kind != "class" or not isinstance(made.node, ast.ClassDef):
        return None
    home = reading.trace.project.homes_of.get(id(made.node))
    definition = home.methods(made.node).get(function.value) if home is not None else None
    if home is None or definition is None or not _checks(definition):
        return None
    kinds = [d.id for d in definition.decorator_list if isinstance(d, ast.Name)]
    if len(kinds) != len(definition.decorator_list):
        return None
    closure = Closure(definition, home)
    if kinds == ["staticmethod"]:
        return (closure,)
    if kinds == ["classmethod"]:
        return closure, made
    if kinds or base.kind != "call":
        return None
    _initialize(reading, base, made.node, home)
    return closure, base


def _checks(definition: FunctionNode) -> bool:
    return any(isinstance(node, ast.Assert) for node in own_nodes(definition))


def _initialize(reading: Reading, made: Term, definition: ast.ClassDef, home: Module) -> None:
    """Note what an object's attributes are when it has just been made."""
    start = home.methods(definition).get("__init__")
    if start is None or made.digest in reading.trace.attributes:
        return
    given = [one for one in made.children[1:] if one.kind != "keyword"]
    named = tuple(one for one in made.children[1:] if one.kind == "keyword")
    reading.trace.muted += 1
    execute(reading, Closure(start, home), (made, *given), named, reading.flow)
    reading.trace.muted -= 1
