"""Whether a function still does what stood in its place, and lets its failure through."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from benchhygiene.inventory.meanings import Routine
from benchhygiene.inventory.python import FunctionNode, statements
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.harness.steps import kinds

#: What catches the failure of a test.
BROAD = frozenset(
    [
        "*",
        "Exception",
        "BaseException",
        "AssertionError",
        "Failed",
        "OutcomeException",
        "failureException",
        "Exception.fail",
    ]
)
_SUPPRESSING = frozenset(("suppress", "nullcontext"))


def delegates(routine: Routine) -> bool:
    """Return whether a function calls something, and does not swallow how it fails."""
    node = routine.node
    if isinstance(node, ast.Lambda):
        return any(isinstance(one, ast.Call) for one in ast.walk(node.body))
    has_call = any(isinstance(one, ast.Call) for one in ast.walk(node))
    return has_call and not swallows(node.body)


def swallows(body: Sequence[ast.stmt], concerns: Callable[[ast.AST], bool] | None = None) -> bool:
    """Return whether a body keeps a failure to itself: caught and not raised again.

    ``concerns`` picks the expressions whose failure matters, by default all.
    """
    return any(True for _ in swallowing(body, concerns))


def swallowing(
    body: Sequence[ast.stmt], concerns: Callable[[ast.AST], bool] | None = None
) -> Iterator[ast.stmt]:
    """Yield the statements of a body that keep a failure to themselves."""
    for one in statements(body):
        if isinstance(one, ast.Try | ast.TryStar):
            if concerns is None or _holds(one.body, concerns):
                caught = any(_is_swallowed(handler) for handler in one.handlers)
                if caught or any(_leaves(final) for final in one.finalbody):
                    yield one
        elif (
            isinstance(one, ast.With | ast.AsyncWith)
            and (concerns is None or _holds(one.body, concerns))
            and any(_suppresses(item.context_expr) for item in one.items)
        ):
            yield one


def _holds(body: Sequence[ast.stmt], concerns: Callable[[ast.AST], bool]) -> bool:
    return any(
        concerns(inner)
        for one in body
        if not isinstance(one, FunctionNode | ast.ClassDef)
        for inner in ast.walk(one)
    )


def _leaves(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return)


def _is_swallowed(handler: ast.ExceptHandler) -> bool:
    if kinds(handler).isdisjoint(BROAD):
        return False
    for one in statements(handler.body):
        if isinstance(one, ast.Raise):
            return False
        value = one.value if isinstance(one, ast.Expr) else None
        if isinstance(value, ast.Call) and dotted(value.func).endswith(
            ("fail", "force_exception", "exit", "skip")
        ):
            return False
    return True


def _suppresses(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if dotted(node.func).rpartition(".")[2] not in _SUPPRESSING:
        return False
    return any(dotted(one).rpartition(".")[2] in BROAD for one in node.args)
