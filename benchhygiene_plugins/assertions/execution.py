"""Follow the statements of a function as they would run, without running them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.branches import follow_if, follow_match
from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.contexts import catching, enter, suppressed
from benchhygiene_plugins.assertions.definitions import bound_names
from benchhygiene_plugins.assertions.expressions import (
    read,
)
from benchhygiene_plugins.assertions.handlers import follow_try
from benchhygiene_plugins.assertions.loops import follow_for, follow_while
from benchhygiene_plugins.assertions.reading import Reading
from benchhygiene_plugins.assertions.tautologies import Sides
from benchhygiene_plugins.assertions.terms import Term, constant, term
from benchhygiene_plugins.assertions.trace import Closure, Pending
from benchhygiene_plugins.assertions.verbs import SUPPRESSES, ends_test, is_skip, leaves


@attrs.define(eq=False)
class Run(Reading):
    """One function being followed: its names, and what it returned so far."""

    is_fixture: bool = False
    returned: list[tuple[Term, Flow]] = attrs.field(factory=list["tuple[Term, Flow]"])
    yielded: list[tuple[Term, Flow]] = attrs.field(factory=list["tuple[Term, Flow]"])

    def block(self, body: Sequence[ast.stmt], flow: Flow) -> tuple[Exit, Flow]:
        """Follow statements in order; return how the block is left and what then holds."""
        seam = self.trace.seam
        if seam is not None and seam.body is body:
            return seam.follow(self, flow)
        ending, trace = Exit.NEXT, self.trace
        for index, statement in enumerate(body):
            if not trace.spend():
                return ending, flow
            self.flow = flow
            step = _STEPS.get(type(statement))
            try:
                if step is not None:
                    leaving, flow = step(self, statement, flow)
                else:
                    self._any(statement)
                    leaving = Exit.NEXT
            except RecursionError:
                self._opaque(statement, flow)
                leaving = Exit.NEXT
            if leaving is Exit.NEXT:
                continue
            if leaving is Exit.SKIP:
                ending = leaving  # a skip is judged elsewhere: here the test goes on
            else:
                self.bury(body[index + 1 :], flow, f"after {_ending(statement)}")
                return leaving, flow
        return ending, flow

    def _opaque(self, statement: ast.stmt, flow: Flow) -> None:
        if self.trace.seam is not None:
            self.trace.seam.failed = True  # it may hold what differs, and is one source here
        self.opaque(statement, flow)

    def bury(self, body: Sequence[ast.stmt], flow: Flow, why: str) -> None:
        """Follow statements that never run."""
        if body:
            saved = self.saved()
            self.block(body, flow.buried(why))
            self.restore(saved)

    def _any(self, node: ast.stmt) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                read(child, self)

    def net(self, given: ast.expr) -> str | None:
        """Return what makes a context manager swallow failures, None where nothing does."""
        if isinstance(given, ast.Call) and self.dotted(given.func) in SUPPRESSES:
            inner = suppressed(self, given, Flow())
            return inner.swallowed
        return catching(self, read(given, self))

    def repeat(self, body: Sequence[ast.stmt], flow: Flow) -> tuple[Exit, Flow]:
        """Follow a loop's body once; what only ends its round is forgotten after it."""
        leaving, after = self.block(body, flow)
        if not after.guards:
            return leaving, after
        kept = tuple(g for g in after.guards if g.origin is not Origin.SKIP_ROUND)
        return leaving, after.holding(kept)


def _ending(node: ast.stmt) -> str:
    return {"Return": "return", "Raise": "raise", "Break": "break", "Continue": "continue"}.get(
        type(node).__name__, "a statement that always ends"
    )


def _assert(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Assert)
    run.is_checking = True
    demanded = read(node.test, run)
    run.is_checking = False
    run.demand(demanded, node, _compared(node.test))
    return Exit.NEXT, flow


def _compared(test: ast.expr) -> Sides | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return test.left, test.comparators[0]
    if isinstance(test, ast.Call) and len(test.args) == 2:
        return test.args[0], test.args[1]
    return None


def _expression(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Expr)
    value = node.value
    if isinstance(value, ast.GeneratorExp):
        run.flow = flow.buried("in a generator that nobody runs")
        read(value, run)
        return Exit.NEXT, flow
    inner = value.value if isinstance(value, ast.Await) else value
    if isinstance(inner, ast.Call):
        name = run.dotted(inner.func)
        if leaves(name):
            return Exit.LEAVE, flow
        ending = ends_test(name)
        if ending is not None:
            return (Exit.SKIP if ending == "skip" else Exit.FAIL), flow
        return Exit.NEXT, run.act(value, inner, flow)
    if isinstance(value, ast.Yield):
        handed = constant(None) if value.value is None else read(value.value, run)
        run.yielded.append((handed, flow))
        run.trace.tearing_down = run.trace.tearing_down or run.is_fixture
        return Exit.NEXT, flow
    shown = read(value, run)
    if run.trace.recorders and not shown.is_constant and shown.kind != "const":
        run.trace.recorders[-1].append(shown)
    return Exit.NEXT, flow


def _assign(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Assign)
    if isinstance(node.value, ast.GeneratorExp):
        run.flow = flow.buried("in a generator that nobody runs")
        value = read(node.value, run)
        run.flow = flow
    else:
        value = read(node.value, run)
    for target in node.targets:
        run.assign(target, value, node)
    return Exit.NEXT, flow


def _annotated(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        run.assign(node.target, read(node.value, run), node)
    return Exit.NEXT, flow


def _augmented(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.AugAssign)
    before = read(node.target, run)
    value = term("binary", before, read(node.value, run), value=type(node.op).__name__)
    run.assign(node.target, value, node)
    return Exit.NEXT, flow


def _return(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Return)
    value = constant(None) if node.value is None else read(node.value, run)
    run.returned.append((value, flow))
    return Exit.LEAVE, flow


def _raise(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Raise)
    what = constant(None) if node.exc is None else read(node.exc, run)
    if run.trace.recorders:
        run.trace.recorders[-1].append(term("raise", what))
    named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    name = "" if named is None else run.dotted(named)
    if leaves(name):
        return Exit.LEAVE, flow
    return (Exit.SKIP if is_skip(name) else Exit.FAIL), flow


def _with(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.With | ast.AsyncWith)
    return enter(run, list(node.items), node, flow)


def _try(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Try | ast.TryStar)
    return follow_try(run, node, flow)


def _define(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, FunctionNode)
    for inner in node.body:
        run.touch_all(inner)
    made = run.function(Closure(node, run.module, run.names, run.owner))
    run.names[node.name] = made
    closure = made.node
    if isinstance(closure, Closure):
        run.trace.pending[made.digest] = Pending(
            closure, (), (), flow.buried("in a function that nobody calls")
        )
    return Exit.NEXT, flow


def _import(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    for name in bound_names(node):
        run.names[name] = run.imported(node, name)
    return Exit.NEXT, flow


def _class(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.ClassDef)
    run.names[node.name] = term("class", value=node.name, node=node)
    for member in node.body:
        run.touch_all(member)
        if isinstance(member, FunctionNode):
            made = run.function(Closure(member, run.module, run.names, run.owner))
            waiting = Pending(
                Closure(member, run.module, run.names, run.owner),
                (),
                (),
                flow.buried("in a method of a class that the test makes"),
            )
            run.trace.pending.setdefault(made.digest, waiting)
    return Exit.NEXT, flow


def _delete(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Subscript | ast.Attribute):
            base = read(target.value, run)
            run.touch(target)
            index = read(target.slice, run) if isinstance(target, ast.Subscript) else base
            run.trace.effect(term("delete", base, index), run.place(node), [base])
    return Exit.NEXT, flow


def _leave(leaving: Exit) -> Callable[[Run, ast.stmt, Flow], tuple[Exit, Flow]]:
    return lambda _run, _node, flow: (leaving, flow)


_STEPS: Mapping[type[ast.stmt], Callable[[Run, ast.stmt, Flow], tuple[Exit, Flow]]] = {
    ast.Assert: _assert,
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Delete: _delete,
    ast.Raise: _raise,
    ast.If: follow_if,
    ast.For: follow_for,
    ast.AsyncFor: follow_for,
    ast.While: follow_while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.FunctionDef: _define,
    ast.AsyncFunctionDef: _define,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Match: follow_match,
    ast.Break: _leave(Exit.STOP),
    ast.Continue: _leave(Exit.ROUND),
    ast.Pass: _leave(Exit.NEXT),
}
