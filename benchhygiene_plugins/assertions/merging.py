"""One look for both sides of a test in whose body nothing but ``assert`` statements differ.

Where an assertion leaves everything as it was before it, what comes after it reads the same with
it, without it, or with another in its place. So the parent's body is followed once, and where the
sides differ the parent's assertions and then the candidate's, each from the same state. Whether
they do leave everything as it was is looked at; where not, both sides have to be followed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene_plugins.assertions.checks import Check, Exit, Flow
from benchhygiene_plugins.assertions.edits import Edit
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.modules import Module
from benchhygiene_plugins.assertions.terms import Term


@attrs.frozen(eq=False)
class Merged:
    """The body of a test on both sides: what stands before, what differs, and what comes after."""

    before: Sequence[ast.stmt]
    old: Sequence[ast.stmt]
    new: Sequence[ast.stmt]
    after: Sequence[ast.stmt]

    @classmethod
    def of(cls, old: Side, new: Side) -> Merged | None:
        """Return both bodies in one, None where more than assertions differs between them."""
        first, second = old.texts(), new.texts()
        if first[0] != second[0]:
            return None
        most = min(len(first), len(second)) - 1
        start = 0
        while start < most and first[start + 1] == second[start + 1]:
            start += 1
        end = 0
        while end < most - start and first[-end - 1] == second[-end - 1]:
            end += 1
        before, olds, after = _split(old.node.definition.body, start, end)
        news = _split(new.node.definition.body, start, end)[1]
        if not all(map(_is_assertion, (*olds, *news))):
            return None
        return cls(before, olds, news, after)


@attrs.frozen(eq=False)
class Side:
    """A test in its module, on one side of a change."""

    node: Node
    module: Module

    def texts(self) -> list[str]:
        """Return the source before the body, and that of each of its statements."""
        definition, source = self.node.definition, self.module.source
        decorators, begin = definition.decorator_list, definition.body[0]
        first = decorators[0].lineno if decorators else definition.lineno
        lines = (*source.lines[first - 1 : begin.lineno - 1], source.lines[begin.lineno - 1])
        cut = len(lines[-1]) - begin.col_offset
        head = b"\n".join(lines)
        return [head[: len(head) - cut].decode(), *(_text(source, one) for one in definition.body)]


def _text(source: PythonFile, statement: ast.stmt) -> str:
    if isinstance(statement, FunctionNode | ast.ClassDef):
        return source.definition_text(statement)
    return source.segment(statement)


def _split(
    body: Sequence[ast.stmt], start: int, end: int
) -> tuple[Sequence[ast.stmt], Sequence[ast.stmt], Sequence[ast.stmt]]:
    return body[:start], body[start : len(body) - end], body[len(body) - end :]


def _is_assertion(statement: ast.stmt) -> bool:
    """Return whether a statement is likely to do nothing but check; that it does is looked at."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        named = function.attr if isinstance(function, ast.Attribute) else ""
        return named.startswith("assert")
    return isinstance(statement, ast.Assert)


@attrs.define(eq=False)
class Merging:
    """Follows a merged body; ``failed`` says that both sides have to be followed after all."""

    body: Merged
    module: Module
    failed: bool = False
    old: set[int] = attrs.field(factory=set[int], init=False)
    new: set[int] = attrs.field(factory=set[int], init=False)

    def follow(self, run: Run, flow: Flow) -> None:
        """Follow the body once for both sides; ``module`` is the candidate's."""
        leaving, flow = run.block(self.body.before, flow)
        self.failed = self.failed or leaving not in (Exit.NEXT, Exit.SKIP)
        self._aside(run, self.body.old, flow, self.old)
        # What the new assertions make known of the modules is the candidate's.
        known, run.trace.terms = run.trace.terms, dict(run.trace.terms)
        own, run.module = run.module, self.module
        self._aside(run, self.body.new, flow, self.new)
        run.module, run.trace.terms = own, known
        if not self.failed:
            run.block(self.body.after, flow)

    def _aside(self, run: Run, body: Sequence[ast.stmt], flow: Flow, numbers: set[int]) -> None:
        """Follow assertions, note the numbers of their checks, and look at what they leave."""
        if not body or self.failed:
            return
        state, start = _state(run), len(run.trace.checks)
        left = run.block(body, flow)
        checks = run.trace.checks[start:]
        numbers.update(range(start, start + len(checks)))
        first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
        own = (
            one.place.path == run.module.path and first <= one.place.line <= last for one in checks
        )
        self.failed = not all(own) or left != (Exit.NEXT, flow) or _state(run) != state

    def sides(self, checks: Sequence[Check]) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
        """Return the checks of the parent's body and those of the candidate's."""
        numbered = [*enumerate(checks)]
        old = tuple(one for number, one in numbered if number not in self.new)
        return old, tuple(one for number, one in numbered if number not in self.old)

    def can_tell(self, checks: Sequence[Check], edits: Sequence[Edit], name: str) -> bool:
        """Return whether edits stand as they are.

        A check of both sides is known by the parent's place alone; a test that leads to itself has
        more to it on each side.
        """
        own = {id(checks[number]) for number in self.new}
        return all(one.new is None or id(one.new) in own for one in edits) and not any(
            name in one.flow.helpers for one in checks
        )


def _state(run: Run) -> tuple[object, ...]:
    """Return what tells whether anything was done: terms that are equal need not be the same."""
    trace = run.trace
    return (
        _each(run.names),
        {key: _each(noted) for key, noted in trace.attributes.items()},
        _each(trace.chains),
        {key: id(one) for key, one in trace.pending.items()},
        (len(trace.effects), len(run.returned), len(run.yielded), trace.tearing_down),
        [len(one) for one in (*trace.recorders, *trace.raising)],
    )


def _each(terms: dict[str, Term] | dict[bytes, Term]) -> dict[object, int]:
    return {key: id(one) for key, one in terms.items()}
