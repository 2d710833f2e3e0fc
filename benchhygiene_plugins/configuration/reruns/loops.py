"""Loops that try the same thing again until it passes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode, statements
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.configuration.reruns.vocabulary import reruns

_CAUGHT = frozenset(
    ("AssertionError", "Exception", "BaseException", "pytest.fail.Exception", "Failed")
)
#: Calls by which a hook or a method runs the test at hand.
_RUNNING = frozenset(
    (
        "runtestprotocol",
        "runtest",
        "call_runtest_hook",
        "call_and_report",
        "testfunction",
        "pytest_runtest_protocol",
        "pytest_pyfunc_call",
        "obj",
        "function",
    )
)
_METHODS = frozenset(("run", "__call__", "_callTestMethod", "debug"))
_HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtest_call",
    "pytest_pyfunc_call",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
    "pytest_runtestloop",
    "pytest_runtest_logreport",
)
Resolve = Callable[[ast.expr], str]


@attrs.frozen(eq=False)
class Loop:
    """A loop, and how many times it tries: None where that is not known."""

    node: ast.stmt
    times: int | None


def retrying(body: Sequence[ast.stmt], resolve: Resolve) -> Iterator[Loop]:
    """Yield the loops of a function that try again what it checks, inner functions included."""
    for node in statements(body):
        if isinstance(node, ast.For | ast.AsyncFor):
            if reruns(resolve(node.iter.func) if isinstance(node.iter, ast.Call) else ""):
                yield Loop(node, None)
            elif _tries_again(node.body, resolve) and not _names_used(node):
                yield Loop(node, _times(node.iter))
        elif isinstance(node, ast.While) and _tries_again(node.body, resolve):
            yield Loop(node, None)


def _names_used(node: ast.For | ast.AsyncFor) -> bool:
    """Return whether the rounds differ: then each checks something else."""
    names = {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)} - {"_"}
    if not names:
        return False
    tried = [one for one in node.body if isinstance(one, ast.Try | ast.TryStar)]
    return any(
        isinstance(one, ast.Name) and one.id in names and isinstance(one.ctx, ast.Load)
        for block in tried
        for statement in block.body
        for one in ast.walk(statement)
    )


def _times(node: ast.expr) -> int | None:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        argument = node.args[0]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, int):
            return argument.value
    return None


def _tries_again(body: Sequence[ast.stmt], resolve: Resolve) -> bool:
    """Return whether a loop's body catches a failure, goes on, and leaves once there is none."""
    for statement in body:
        if not isinstance(statement, ast.Try | ast.TryStar):
            continue
        catches = any(_goes_on(one, resolve) for one in statement.handlers)
        leaves = any(
            isinstance(one, ast.Break | ast.Return)
            for block in (statement.body, statement.orelse)
            for one in statements(block, into_functions=False)
        )
        after = body[list(body).index(statement) + 1 :]
        leaves = leaves or any(isinstance(one, ast.Break | ast.Return) for one in after)
        if catches and leaves and _checks(statement.body):
            return True
    return False


def _goes_on(handler: ast.ExceptHandler, resolve: Resolve) -> bool:
    kinds = handler.type
    names = (
        [resolve(one) for one in kinds.elts]
        if isinstance(kinds, ast.Tuple)
        else [resolve(kinds) if kinds is not None else "BaseException"]
    )
    if not any(name in _CAUGHT or name.endswith("Exception") for name in names):
        return False
    last = handler.body[-1]
    return not isinstance(last, ast.Raise | ast.Return | ast.Break)


def _checks(body: Sequence[ast.stmt]) -> bool:
    """Return whether a block checks something, or calls what by its name does."""
    for statement in statements(body):
        if isinstance(statement, ast.Assert):
            return True
        for one in ast.walk(statement) if not isinstance(statement, FunctionNode) else ():
            if isinstance(one, ast.Call):
                name = one.func.attr if isinstance(one.func, ast.Attribute) else ""
                name = one.func.id if isinstance(one.func, ast.Name) else name
                if name.lstrip("_").startswith(("assert", "fail", "check", "verify", "expect")):
                    return True
    return False


def calls_again(node: FunctionNode) -> bool:
    """Return whether a helper calls what it is given again and again until it passes."""
    spec = node.args
    given = {one.arg for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    inner = [one for one in statements(node.body) if isinstance(one, FunctionNode)]
    names = given | {one.arg for function in inner for one in function.args.args}
    for loop in statements(node.body):
        if not isinstance(loop, ast.For | ast.While | ast.AsyncFor):
            continue
        for tried in statements(loop.body):
            if isinstance(tried, ast.Try | ast.TryStar) and _forgives(tried, names):
                return True
    return False


def _forgives(tried: ast.Try | ast.TryStar, names: set[str]) -> bool:
    """Return whether one of these is called, and what it raises need not leave."""
    ends = (one.body[-1] for one in tried.handlers)
    return _calls_one(tried.body, names) and any(not isinstance(one, ast.Raise) for one in ends)


def _calls_one(body: Sequence[ast.stmt], names: set[str]) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in names
        for statement in body
        for one in ast.walk(statement)
    )


def reruns_test(node: FunctionNode) -> bool:
    """Return whether a hook, or a test case's own method, runs the test in a loop."""
    if not node.name.startswith(_HOOKS) and node.name not in _METHODS:
        return False
    for loop in statements(node.body):
        if isinstance(loop, ast.For | ast.While) and any(map(_runs, ast.walk(loop))):
            return node.name != "pytest_runtestloop" or _is_nested(loop)
    return False


def _is_nested(loop: ast.stmt) -> bool:
    """Return whether there is a loop in the loop: the outer one goes through the items."""
    inner = [one for one in ast.walk(loop) if isinstance(one, ast.For | ast.While)]
    return len(inner) > 1 and any(any(map(_runs, ast.walk(one))) for one in inner[1:])


def _runs(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in _METHODS:
        return _is_of_case(function.value)
    name = function.attr if isinstance(function, ast.Attribute) else ""
    name = function.id if isinstance(function, ast.Name) else name
    return name in _RUNNING


def _is_of_case(node: ast.expr) -> bool:
    """Return whether it is ``super()``, or a TestCase by its name."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "super"
    return dotted(node).endswith("TestCase")


def replaces_test(node: ast.stmt) -> bool:
    """Return whether a statement puts something in place of what an item runs."""
    if isinstance(node, ast.Assign):
        return any(isinstance(one, ast.Attribute) and one.attr in _RUN for one in node.targets)
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and (isinstance(call.func, ast.Name | ast.Attribute))
        and getattr(call.func, "id", getattr(call.func, "attr", "")) == "setattr"
        and any(isinstance(one, ast.Constant) and one.value in _RUN for one in call.args)
    )


_RUN = frozenset(("runtest", "obj", "_obj", "runtestprotocol", "call_runtest_hook"))


def tries_again(node: FunctionNode) -> bool:
    """Return whether a function has a loop that goes on after a failure."""
    return any(
        isinstance(tried, ast.Try | ast.TryStar)
        and any(not isinstance(one.body[-1], ast.Raise) for one in tried.handlers)
        for loop in statements(node.body)
        if isinstance(loop, ast.For | ast.While)
        for tried in statements(loop.body)
    )
