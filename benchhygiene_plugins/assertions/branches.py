"""Branches: what holds in each, and what is left to hold behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.expressions import alternatives, negated, read
from benchhygiene_plugins.assertions.folding import truth
from benchhygiene_plugins.assertions.terms import Term, fallback, term
from benchhygiene_plugins.assertions.verbs import ends_test, is_skip, leaves

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.execution import Run

_ALWAYS_FALSE = frozenset(("typing.TYPE_CHECKING", "TYPE_CHECKING"))

_EARLY = (Origin.LEAVE, Origin.STOP, Origin.SKIP_ROUND)
_ORIGINS = tuple(zip((Exit.LEAVE, Exit.STOP, Exit.ROUND), _EARLY, strict=True))


def follow_if(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    """Follow an ``if``; return how it is left and what then holds."""
    assert isinstance(node, ast.If)
    condition = read(node.test, run)
    known = False if condition.value in _ALWAYS_FALSE else truth(condition)
    if known is not None:
        taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
        word = "true" if known else "false"
        if condition.kind != "const" or other:
            run.bury(other, flow, f"under a condition that is always {word}")
        return run.block(taken, flow)
    if run.trace.recorders and not (not node.orelse and _fails_by_name(run, node.body)):
        # What raises here need not be a failure.
        if condition.has_call:
            run.trace.recorders[-1].append(condition)
        return _branch(run, node.body, node.orelse, condition, flow)
    if node.orelse and _only_fails(run, node.orelse):
        run.demand(condition, node, head=True)
        return run.block(node.body, flow)
    if _only_fails(run, node.body):
        run.demand(negated(condition), node, head=True)
        return run.block(node.orelse, flow)
    return _branch(run, node.body, node.orelse, condition, flow)


def _only_fails(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Return whether a block does nothing but let the test fail."""
    last = body[-1]
    if isinstance(last, ast.Raise):
        named = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        name = "" if named is None else run.dotted(named)
        return bool(name) and not is_skip(name) and not leaves(name)
    if isinstance(last, ast.Assert):
        return isinstance(last.test, ast.Constant) and not last.test.value
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ends_test(run.dotted(last.value.func)) == "fail"
    return False


def _fails_by_name(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Return whether a block does nothing but raise what only a failing test raises."""
    last = body[-1]
    if not _only_fails(run, body) or not isinstance(last, ast.Raise) or len(body) > 1:
        return False
    named = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    return named is not None and run.dotted(named) == "AssertionError"


def _branch(
    run: Run, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], condition: Term, flow: Flow
) -> tuple[Exit, Flow]:
    before = run.saved()
    yes, when_true = run.block(body, flow.guarded(condition, Origin.IF))
    after_yes = run.saved()
    run.restore(before)
    no, when_false = run.block(orelse, flow.guarded(negated(condition), Origin.IF))
    run.merge(condition, after_yes, skip_yes=yes is not Exit.NEXT, skip_no=no is not Exit.NEXT)
    after = _continued(flow, condition, yes, when_true)
    after = _continued(after, negated(condition), no, when_false)
    if yes is not Exit.NEXT and no is not Exit.NEXT:
        return (yes if yes is no else Exit.LEAVE), after
    return Exit.NEXT, after


def _continued(flow: Flow, condition: Term, leaving: Exit, inner: Flow) -> Flow:
    """Return what holds after a branch that may have been left."""
    for exit_, origin in _ORIGINS:
        if leaving is exit_:
            return flow.guarded(negated(condition), origin)
    for guard in inner.guards:
        if guard.origin in _EARLY and guard not in flow.guards:
            joined = alternatives("or", (negated(condition), guard.condition))
            flow = flow.guarded(joined, guard.origin)
    if inner.swallowed and not flow.swallowed:
        return attrs.evolve(flow, swallowed=inner.swallowed)
    return flow


def follow_match(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    """Follow a ``match``; its cases exclude one another."""
    assert isinstance(node, ast.Match)
    subject = read(node.subject, run)
    for one in node.cases:
        condition = term("case", subject, fallback(one.pattern))
        saved = run.saved()
        for k, name in enumerate(_captured(one.pattern)):
            run.names[name] = term("captured", subject, value=str(k))
        run.block(one.body, flow.guarded(condition, Origin.CASE))
        run.restore(saved)
    return Exit.NEXT, flow


def _captured(pattern: ast.pattern) -> Iterator[str]:
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
            yield node.name
