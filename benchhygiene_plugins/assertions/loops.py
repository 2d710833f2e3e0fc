"""Loops: round by round where the source spells out what is run through, else all at once."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.definitions import names_in
from benchhygiene_plugins.assertions.elements import each_element, each_of, elements
from benchhygiene_plugins.assertions.expressions import UNROLLED, read
from benchhygiene_plugins.assertions.folding import truth
from benchhygiene_plugins.assertions.terms import Term, term

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.execution import Run


def follow_for(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    """Follow a ``for``; return how it is left and what then holds."""
    assert isinstance(node, ast.For | ast.AsyncFor)
    iterable = run.consumed(read(node.iter, run))
    known = elements(iterable, UNROLLED) if run.trace.unrolls else None
    if known is None:
        return _symbolic(run, node, iterable, flow)
    if not known:
        run.bury(node.body, flow, "in a loop over nothing")
        return run.block(node.orelse, flow)
    entered, current = flow, flow
    for one in known:
        run.bind(node.target, one)
        leaving, current = run.repeat(node.body, current)
        if leaving in (Exit.STOP, Exit.LEAVE, Exit.FAIL, Exit.SKIP):
            if leaving is not Exit.STOP:
                return leaving, current
            break
    run.block(node.orelse, current)
    return Exit.NEXT, _left_loop(entered, current)


def _left_loop(entered: Flow, after: Flow) -> Flow:
    kept = tuple(g for g in after.guards if g in entered.guards or g.origin is Origin.LEAVE)
    return entered.holding(kept)


def _symbolic(
    run: Run, node: ast.For | ast.AsyncFor, iterable: Term, flow: Flow
) -> tuple[Exit, Flow]:
    element, iterable = each_element(iterable), each_of(iterable)
    over = term("first", iterable) if _ends_at_once(node.body) else iterable
    run.carry(run.module.assigned_in(node) - frozenset(names_in(node.target)), over)
    run.bind(node.target, element if over is iterable else term("element", over))
    before = dict(run.names)
    _, after = run.repeat(node.body, flow.repeated(over))
    if over is iterable:
        _gather(run, before, over)
    run.block(node.orelse, _unbroken(node, flow, over))
    return Exit.NEXT, _left_loop(flow, after)


def _gather(run: Run, before: Mapping[str, Term], over: Term) -> None:
    """Read a list that was empty and to which each round has added as a comprehension."""
    for name, old in before.items():
        new = run.names.get(name, old)
        if old.kind != "list" or old.children or old.value or new.kind != "list":
            continue
        if len(new.children) != 1 or new.value:
            continue
        (one,) = new.children
        if one.kind == "perhaps":
            condition, one = one.children
            run.names[name] = term("each", one, over, condition, value="list")
        else:
            run.names[name] = term("each", one, over, value="list")


def _unbroken(node: ast.For | ast.AsyncFor | ast.While, flow: Flow, over: Term) -> Flow:
    """Return the flow of a loop's ``else``: a break in the loop leads past it."""
    if not node.orelse or not any(
        isinstance(inner, ast.Break) for one in node.body for inner in ast.walk(one)
    ):
        return flow
    return flow.guarded(term("unbroken", over), Origin.IF)


def _ends_at_once(body: Sequence[ast.stmt]) -> bool:
    """Return whether a loop never comes to its second round."""
    return any(isinstance(one, ast.Break | ast.Return) for one in body)


def follow_while(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    """Follow a ``while``; return how it is left and what then holds."""
    assert isinstance(node, ast.While)
    condition = read(node.test, run)
    if truth(condition) is False:
        run.bury(node.body, flow, "in a loop that never starts")
        return run.block(node.orelse, flow)
    run.carry(run.module.assigned_in(node), term("while"))
    over = term("while", read(node.test, run))
    over = term("first", over) if _ends_at_once(node.body) else over
    leaving, after = run.repeat(node.body, flow.repeated(over))
    run.block(node.orelse, _unbroken(node, flow, over))
    if truth(condition) is True and leaving is Exit.LEAVE:
        return Exit.LEAVE, _left_loop(flow, after)
    return Exit.NEXT, _left_loop(flow, after)
