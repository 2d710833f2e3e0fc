"""Who catches a failure on its way out: ``except``, ``finally`` and what they do with it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.expressions import read
from benchhygiene_plugins.assertions.terms import Term, constant, term
from benchhygiene_plugins.assertions.verbs import catches_failures, ends_test, is_skip

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.execution import Run


def follow_try(run: Run, node: ast.Try | ast.TryStar, flow: Flow) -> tuple[Exit, Flow]:
    """Follow a ``try``; return how it is left and what then holds."""
    demanded = _expected_exception(run, node)
    if demanded is not None:
        return _as_raises(run, node, demanded, flow)
    inner = flow
    if _leaves(node.finalbody):
        inner = inner.caught("a finally that returns")
    for handler in node.handlers:
        inner = _under(run, handler, inner)
    leaving, after = run.block(node.body, inner)
    if leaving is Exit.NEXT:
        leaving, after = run.block(node.orelse, _if_none_raised(run, node, _unless(after, flow)))
    behind = _unless(after, flow)
    for handler in node.handlers:
        behind = _handled(run, handler, flow, behind)
    last, behind = run.block(node.finalbody, behind)
    return (last if last is not Exit.NEXT else leaving), behind


def _if_none_raised(run: Run, node: ast.Try | ast.TryStar, flow: Flow) -> Flow:
    for handler in node.handlers:
        if not passes_on(run, handler.body):
            types = _caught(run, handler) or ()
            flow = flow.guarded(term("unless", *types), Origin.HANDLER)
    return flow


def _unless(after: Flow, outer: Flow) -> Flow:
    """Return what holds behind the block: the handlers' conditions end with it."""
    kept = tuple(
        g for g in after.guards if g in outer.guards or g.origin in (Origin.LEAVE, Origin.STOP)
    )
    return outer.holding(kept)


def _caught(run: Run, handler: ast.ExceptHandler) -> tuple[Term, ...] | None:
    if handler.type is None:
        return None
    found = read(handler.type, run)
    return found.children if found.kind == "tuple" else (found,)


def _under(run: Run, handler: ast.ExceptHandler, flow: Flow) -> Flow:
    """Return the flow of a block that this handler stands below."""
    types = _caught(run, handler)
    if _skips(run, handler.body[-1]) and catches_failures(types):
        return flow.caught(f"{_clause(run, handler)} that skips")
    if passes_on(run, handler.body):
        return flow
    if catches_failures(types):
        return flow.caught(_clause(run, handler))
    return flow.guarded(term("unless", *(types or ())), Origin.HANDLER)


def _skips(run: Run, last: ast.stmt) -> bool:
    if isinstance(last, ast.Raise) and last.exc is not None:
        named = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        return is_skip(run.dotted(named))
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ends_test(run.dotted(last.value.func)) == "skip"
    return False


def _clause(run: Run, handler: ast.ExceptHandler) -> str:
    if handler.type is None:
        return "a bare except"
    return f"except {run.module.source.segment(handler.type)[:80]}"


def passes_on(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Return whether a handler lets the test fail or skip after all."""
    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ends_test(run.dotted(last.value.func)) is not None
    if isinstance(last, ast.Assert):
        return isinstance(last.test, ast.Constant) and not last.test.value
    if isinstance(last, ast.If):
        return bool(last.orelse) and passes_on(run, last.body) and passes_on(run, last.orelse)
    return False


def _handled(run: Run, handler: ast.ExceptHandler, flow: Flow, behind: Flow) -> Flow:
    saved = run.saved()
    types = _caught(run, handler) or (constant(None),)
    if handler.name:
        run.names[handler.name] = term("caught", *types)
    leaving, _ = run.block(handler.body, flow.guarded(term("raised", *types), Origin.HANDLER))
    run.restore(saved)
    if leaving in (Exit.LEAVE, Exit.STOP, Exit.ROUND):
        origin = Origin.LEAVE if leaving is Exit.LEAVE else Origin.SKIP_ROUND
        return behind.guarded(term("unless", *types), origin)
    return behind


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(one, ast.Return | ast.Break | ast.Continue) for one in body)


def _expected_exception(run: Run, node: ast.Try | ast.TryStar) -> Sequence[ast.stmt] | None:
    """Return the statements that must raise, where the ``try`` says so by failing behind them."""
    if len(node.handlers) != 1 or passes_on(run, node.handlers[0].body):
        return None
    last = node.body[-1]
    if node.orelse and _fails(run, node.orelse[0]):
        return node.body
    if _fails(run, last) and len(node.body) > 1 and not _catches_itself(run, node):
        return node.body[:-1]
    return None


def _catches_itself(run: Run, node: ast.Try | ast.TryStar) -> bool:
    types = _caught(run, node.handlers[0])
    last = node.body[-1]
    name = ""
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        name = run.dotted(last.value.func)
    if name == "pytest.fail":
        return types is None or any(one.value == "BaseException" for one in types)
    return catches_failures(types)


def _fails(run: Run, node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return named is not None and not is_skip(run.dotted(named))
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ends_test(run.dotted(node.value.func)) == "fail"
    return False


def _as_raises(
    run: Run, node: ast.Try | ast.TryStar, body: Sequence[ast.stmt], flow: Flow
) -> tuple[Exit, Flow]:
    handler = node.handlers[0]
    types = _caught(run, handler)
    kind = (
        constant(None) if types is None else types[0] if len(types) == 1 else term("tuple", *types)
    )
    recorded: list[Term] = []
    run.trace.recorders.append(recorded)
    run.block(body, flow)
    run.trace.recorders.pop()
    run.flow = flow
    run.demand(term("raises", kind, constant(None), *recorded), node)
    if handler.name:
        run.names[handler.name] = term("attr", term("excinfo", *recorded), value="value")
    _, after = run.block(handler.body, flow)
    run.block(node.finalbody, flow)
    return Exit.NEXT, after
