"""The pieces of code of a file that run on their own: the module, its classes and functions."""

from __future__ import annotations

import ast
import functools
from collections.abc import Container, Iterator, Sequence

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Instance, Kind, Routine, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.harness.steps import Called, Step, calls, expressions, steps

_DEEPEST = 20
_RUN = (
    "test",
    "setup",
    "setUp",
    "teardown",
    "tearDown",
    "asyncSetUp",
    "asyncTearDown",
    "addCleanup",
    "doCleanups",
    "load_tests",
    "run",
    "__init__",
    "__del__",
    "__enter__",
    "__exit__",
    "__aexit__",
    "__init_subclass__",
)


@attrs.frozen(eq=False, slots=False)
class Unit:
    """One piece of code and where its names are looked up.

    ``owner`` is the outermost function around it, None for what runs on import. ``hook`` is the
    name of the pytest hook that it implements, empty for everything else; ``is_wrapper`` says that
    it runs around the others. ``at`` is the call that runs a text, where the code is one.
    """

    path: str
    name: str
    body: Sequence[ast.stmt]
    scope: Scope
    node: FunctionNode | ast.Lambda | ast.ClassDef | None = None
    owner: FunctionNode | None = None
    hook: str = ""
    is_wrapper: bool = False
    is_nested: bool = False
    at: ast.expr | None = None

    @functools.cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the statements of the body, with what must hold on the way to each."""
        return tuple(steps(self.body))

    @functools.cached_property
    def calls(self) -> tuple[tuple[Step, Called], ...]:
        """Return every call of the body's own statements."""
        return tuple(
            (step, one)
            for step in self.steps
            for expression in expressions(step.statement)
            for one in calls(expression)
        )

    @property
    def is_run(self) -> bool:
        """Return whether a run of the tests calls the function by itself."""
        if self.node is None or isinstance(self.node, ast.Lambda | ast.ClassDef) or self.is_nested:
            return bool(self.hook)
        return bool(self.hook) or self.is_fixture or self.name.startswith(_RUN)

    @property
    def is_import_time(self) -> bool:
        """Return whether importing the file runs it."""
        return self.owner is None and not isinstance(self.node, FunctionNode | ast.Lambda)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the function's parameters."""
        if self.node is None or isinstance(self.node, ast.ClassDef):
            return ()
        given = self.node.args
        return tuple(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))

    @property
    def is_fixture(self) -> bool:
        """Return whether a decorator makes a fixture of it."""
        marks = self.node.decorator_list if isinstance(self.node, FunctionNode) else []
        return any(dotted(decorator_call(one)[0]).endswith("fixture") for one in marks)


def units(evaluator: Evaluator, path: str, only: Container[str] | None = None) -> Iterator[Unit]:
    """Yield every piece of code of a file, outer before inner.

    Definitions at the top of the module whose names are not in ``only`` are left out.
    """
    body = evaluator.file(path).body
    whole = Unit(path, "", body, Scope(path))
    yield whole
    read = [
        one
        for one in body
        if only is None or not isinstance(one, FunctionNode | ast.ClassDef) or one.name in only
    ]
    yield from _inside(evaluator, read, whole, 0, None)
    yield from _assigned(evaluator, path)


def _inside(
    evaluator: Evaluator,
    body: Sequence[ast.stmt],
    around: Unit,
    depth: int,
    kind: Kind | None,
) -> Iterator[Unit]:
    if depth > _DEEPEST:
        raise RecursionError("too many definitions inside one another")
    for node in _definitions(body):
        if isinstance(node, ast.ClassDef):
            made = Kind(node, around.scope)
            scope = around.scope.inside(evaluator.local(node))
            unit = Unit(around.path, node.name, node.body, scope, node, around.owner)
            yield unit
            yield from _inside(evaluator, node.body, unit, depth + 1, made)
        else:
            unit = _function(evaluator, node, around, kind)
            yield unit
            yield from _inside(evaluator, node.body, unit, depth + 1, None)


def _function(evaluator: Evaluator, node: FunctionNode, around: Unit, kind: Kind | None) -> Unit:
    routine = Routine(node, around.scope, Instance(kind) if kind is not None else None)
    hook, is_wrapper = hook_of(node)
    return Unit(
        around.path,
        node.name,
        node.body,
        evaluator.frame_of(routine, ()),
        node,
        around.owner or node,
        hook,
        is_wrapper,
        is_nested=isinstance(around.node, FunctionNode),
    )


def _definitions(body: Sequence[ast.stmt]) -> Iterator[FunctionNode | ast.ClassDef]:
    """Yield the definitions of a body, those in its blocks included, without recursion."""
    pending: list[ast.AST] = [*reversed(body)]
    while pending:
        node = pending.pop()
        if isinstance(node, FunctionNode | ast.ClassDef):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            inner = [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr)]
            pending.extend(reversed(inner))


def hook_of(node: FunctionNode) -> tuple[str, bool]:
    """Return which hook a function implements, and whether it wraps the others."""
    name, is_wrapper = node.name if node.name.startswith("pytest_") else "", False
    for one in node.decorator_list:
        _, call = decorator_call(one)
        for word in call.keywords if call is not None else ():
            constant = word.value.value if isinstance(word.value, ast.Constant) else None
            if word.arg == "specname" and isinstance(constant, str):
                name = constant
            elif word.arg in ("hookwrapper", "wrapper"):
                is_wrapper = constant is not False
    return name, is_wrapper


def _assigned(evaluator: Evaluator, path: str) -> Iterator[Unit]:
    """Yield the hooks that a module names without defining them: ``pytest_x = lambda: ...``."""
    for name, entries in evaluator.bindings(path).names.items():
        if not name.startswith("pytest_") or name == "pytest_plugins":
            continue
        if all(isinstance(one, FunctionNode) for one in entries):
            continue
        for value in evaluator.name(path, name):
            if isinstance(value, Routine) and not getattr(value.node, "name", "").startswith(
                "pytest_"
            ):
                yield of_routine(evaluator, value, hook=name)


def of_routine(evaluator: Evaluator, routine: Routine, *, hook: str = "") -> Unit:
    """Return a function of the tree as a piece of code."""
    node = routine.node
    scope = evaluator.frame_of(routine, ())
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        return Unit(routine.scope.path, hook, body, scope, node, None, hook)
    own, is_wrapper = hook_of(node)
    path = routine.scope.path
    return Unit(path, node.name, node.body, scope, node, node, hook or own, is_wrapper)
