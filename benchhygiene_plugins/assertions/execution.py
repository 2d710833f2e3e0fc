"""Follow the statements of a function as they would run, without running them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.contexts import catching, enter, suppressed
from benchhygiene_plugins.assertions.expressions import (
    alternatives,
    negated,
    read,
)
from benchhygiene_plugins.assertions.folding import truth
from benchhygiene_plugins.assertions.handlers import follow_try
from benchhygiene_plugins.assertions.loops import follow_for, follow_while
from benchhygiene_plugins.assertions.modules import bound_names
from benchhygiene_plugins.assertions.reading import Reading
from benchhygiene_plugins.assertions.terms import Term, constant, fallback, term
from benchhygiene_plugins.assertions.trace import Closure, Pending
from benchhygiene_plugins.assertions.verbs import SUPPRESSES, ends_test, is_skip, leaves

_ALWAYS_FALSE = frozenset(("typing.TYPE_CHECKING", "TYPE_CHECKING"))


@attrs.define(eq=False)
class Run(Reading):
    """One function being followed: its names, and what it returned so far."""

    is_fixture: bool = False
    returned: list[tuple[Term, Flow]] = attrs.field(factory=list["tuple[Term, Flow]"])
    yielded: list[tuple[Term, Flow]] = attrs.field(factory=list["tuple[Term, Flow]"])

    def block(self, body: Sequence[ast.stmt], flow: Flow) -> tuple[Exit, Flow]:
        """Follow statements in order; return how the block is left and what then holds."""
        ending = Exit.NEXT
        for index, statement in enumerate(body):
            if not self.trace.spend():
                return ending, flow
            self.flow = flow
            leaving, flow = self._guarded(statement, flow)
            if leaving is Exit.SKIP:
                ending = leaving  # a skip is judged elsewhere: here the test goes on
            elif leaving is not Exit.NEXT:
                self.bury(body[index + 1 :], flow, f"after {_ending(statement)}")
                return leaving, flow
        return ending, flow

    def _guarded(self, statement: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
        try:
            return self.statement(statement, flow)
        except RecursionError:
            self.opaque(statement, flow)
            return Exit.NEXT, flow

    def bury(self, body: Sequence[ast.stmt], flow: Flow, why: str) -> None:
        """Follow statements that never run."""
        if body:
            saved = self.saved()
            self.block(body, flow.buried(why))
            self.restore(saved)

    def statement(self, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
        """Follow one statement."""
        step = _STEPS.get(type(node))
        if step is not None:
            return step(self, node, flow)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                read(child, self)
        return Exit.NEXT, flow

    def net(self, given: ast.expr) -> str | None:
        """Return what makes a context manager swallow failures, None where nothing does."""
        if isinstance(given, ast.Call) and self.dotted(given.func) in SUPPRESSES:
            inner = suppressed(self, given, Flow())
            return inner.swallowed
        return catching(self, read(given, self))

    def repeat(self, body: Sequence[ast.stmt], flow: Flow) -> tuple[Exit, Flow]:
        """Follow a loop's body once; what only ends its round is forgotten after it."""
        leaving, after = self.block(body, flow)
        kept = tuple(g for g in after.guards if g.origin is not Origin.SKIP_ROUND)
        return leaving, attrs.evolve(after, guards=kept)


def _ending(node: ast.stmt) -> str:
    return {"Return": "return", "Raise": "raise", "Break": "break", "Continue": "continue"}.get(
        type(node).__name__, "a statement that always ends"
    )


def _assert(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.Assert)
    run.demand(read(node.test, run), node, same_words=written_alike(node.test))
    return Exit.NEXT, flow


def written_alike(test: ast.expr) -> bool:
    """Return whether both sides of a comparison are the same source."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.dump(test.left) == ast.dump(test.comparators[0])
    if isinstance(test, ast.Call) and len(test.args) == 2:
        return ast.dump(test.args[0]) == ast.dump(test.args[1])
    return False


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


def _if(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.If)
    condition = read(node.test, run)
    known = False if condition.value in _ALWAYS_FALSE else truth(condition)
    if known is not None:
        taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
        word = "true" if known else "false"
        if condition.kind != "const" or other:
            run.bury(other, flow, f"under a condition that is always {word}")
        return run.block(taken, flow)
    if run.trace.recorders:  # what raises here need not be a failure
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
    origin = {Exit.LEAVE: Origin.LEAVE, Exit.STOP: Origin.STOP, Exit.ROUND: Origin.SKIP_ROUND}
    if leaving in origin:
        return flow.guarded(negated(condition), origin[leaving])
    for guard in inner.guards:
        if guard.origin in origin.values() and guard not in flow.guards:
            joined = alternatives("or", (negated(condition), guard.condition))
            flow = flow.guarded(joined, guard.origin)
    if inner.swallowed and not flow.swallowed:
        return attrs.evolve(flow, swallowed=inner.swallowed)
    return flow


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


def _match(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
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


def _class(run: Run, node: ast.stmt, flow: Flow) -> tuple[Exit, Flow]:
    assert isinstance(node, ast.ClassDef)
    run.names[node.name] = term("class", value=node.name, node=node)
    for member in node.body:
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
    ast.If: _if,
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
    ast.Match: _match,
    ast.Break: _leave(Exit.STOP),
    ast.Continue: _leave(Exit.ROUND),
    ast.Pass: _leave(Exit.NEXT),
}
