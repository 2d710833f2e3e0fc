"""Expectations that are called with a function, ``raises(E, function)``, as the block they mean."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from benchhygiene.inventory.python import PythonFile
from benchhygiene_plugins.assertions.terms import Term
from benchhygiene_plugins.assertions.verbs import is_expectation

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.reading import Reading

#: How many arguments stand before the function.
_BEFORE = {
    "raises": 1,
    "warns": 1,
    "deprecated_call": 0,
    "assertRaises": 1,
    "assertRaisesRegex": 2,
    "assertWarns": 1,
    "assertWarnsRegex": 2,
    "failUnlessRaises": 1,
    "assert_raises": 1,
    "assert_raises_regex": 2,
    "assert_warns": 1,
}
_OWN = frozenset(("match", "msg", "check"))  # named arguments that are not the function's
_RAISED = "<raised>"  # no name of a source is spelt like that


def follow(reading: Reading, call: ast.Call) -> Term | None:
    """Return what an expectation in the form of a call yields, None for any other call."""
    called = call.func
    short = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if short not in _BEFORE or len(call.args) <= _BEFORE[short]:
        return None
    if not is_expectation(reading.dotted(called), short):
        return None
    known = reading.module.source.derived(_blocks)
    if call not in known:
        known[call] = _block(call, _BEFORE[short])
    block = known[call]
    return None if block is None else _followed(reading, block)


def _followed(reading: Reading, block: ast.With) -> Term | None:
    from benchhygiene_plugins.assertions.contexts import enter
    from benchhygiene_plugins.assertions.execution import Run

    if not isinstance(reading, Run):
        return None
    enter(reading, block.items, block, reading.flow)
    return reading.names.pop(_RAISED, None)


def _blocks(source: PythonFile) -> dict[ast.Call, ast.With | None]:
    """Return nothing yet: the blocks of the file's calls are noted as they are asked for."""
    del source
    return {}


def _block(call: ast.Call, before: int) -> ast.With | None:
    function, rest = call.args[before], call.args[before + 1 :]
    if isinstance(function, ast.Constant | ast.JoinedStr | ast.Starred):
        return None
    own = [one for one in call.keywords if one.arg in _OWN]
    opening = ast.copy_location(ast.Call(call.func, call.args[:before], own), call)
    if isinstance(function, ast.Lambda) and not rest:
        done: ast.expr = function.body
    else:
        kept = [one for one in call.keywords if one.arg not in _OWN]
        done = ast.copy_location(ast.Call(function, rest, kept), call)
    target = ast.copy_location(ast.Name(_RAISED, ast.Store()), call)
    body = ast.copy_location(ast.Expr(done), call)
    return ast.copy_location(ast.With([ast.withitem(opening, target)], [body]), call)
