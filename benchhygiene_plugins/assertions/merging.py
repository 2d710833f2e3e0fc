"""One look for both sides of a test in which nothing but assertions of one block differ.

Where an assertion leaves everything as it was before it, what comes after it reads the same with
it, without it, or with another in its place. So the parent's body is followed once, and where the
sides differ the parent's assertions and then the candidate's, each from the same state. Whether
they do leave everything as it was is looked at; where not, both sides have to be followed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene_plugins.assertions.checks import Check, Exit, Flow
from benchhygiene_plugins.assertions.edits import Edit
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.terms import Term

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.execution import Run


_BLOCKS = (ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.If)
_Holder = FunctionNode | ast.With | ast.AsyncWith | ast.For | ast.AsyncFor | ast.While | ast.If


@attrs.frozen(eq=False)
class Merged:
    """A block on both sides: what stands before, what differs, and what comes after.

    ``body`` is the parent's own list of statements.
    """

    body: list[ast.stmt]
    before: Sequence[ast.stmt]
    old: Sequence[ast.stmt]
    new: Sequence[ast.stmt]
    after: Sequence[ast.stmt]


def merged(old: _Holder, new: _Holder, sources: tuple[PythonFile, PythonFile]) -> Merged | None:
    """Return the block that differs between two functions, None where not only assertions do."""
    first, second = _texts(old, sources[0]), _texts(new, sources[1])
    if first[0] != second[0] or first[-1] != second[-1]:
        return None
    most, start, end = min(len(first), len(second)) - 2, 0, 0
    while start < most and first[start + 1] == second[start + 1]:
        start += 1
    while end < most - start and first[-end - 2] == second[-end - 2]:
        end += 1
    before, olds, after = _split(old.body, start, end)
    news = _split(new.body, start, end)[1]
    if all(map(_is_assertion, (*olds, *news))):
        # How a branch ends can decide what its condition means.
        is_last = isinstance(old, ast.If) and not after
        return None if is_last else Merged(old.body, before, olds, news, after)
    if len(olds) == len(news) == 1:
        inner, other = olds[0], news[0]
        if isinstance(inner, _BLOCKS) and isinstance(other, _BLOCKS):
            return merged(inner, other, sources)
    return None


def _texts(holder: _Holder, source: PythonFile) -> list[str]:
    """Return the source before a block, that of each of its statements, and what is behind."""
    begin, finish = holder.body[0], holder.body[-1]
    decorators = getattr(holder, "decorator_list", None) or [holder]
    first, last = decorators[0].lineno, finish.end_lineno or finish.lineno
    head = [*source.lines[first - 1 : begin.lineno - 1]]
    head.append(source.lines[begin.lineno - 1][: begin.col_offset])
    tail = [source.lines[last - 1][finish.end_col_offset :]]
    tail += source.lines[last : holder.end_lineno]
    body = (_text(source, one) for one in holder.body)
    return [b"\n".join(head).decode(), *body, b"\n".join(tail).decode()]


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
    """Follows a test with a merged block; ``module`` is the candidate's.

    ``failed`` says that both sides have to be followed after all.
    """

    block: Merged
    module: Module
    failed: bool = False
    old: set[int] = attrs.field(factory=set[int], init=False)
    new: set[int] = attrs.field(factory=set[int], init=False)

    @property
    def body(self) -> list[ast.stmt]:
        """Return the parent's own statements, which are not to be followed alone."""
        return self.block.body

    def follow(self, run: Run, flow: Flow) -> tuple[Exit, Flow]:
        """Follow the block once for both sides; return how it is left and what then holds."""
        leaving, flow = run.block(self.block.before, flow)
        self.failed = self.failed or leaving is not Exit.NEXT
        self._aside(run, self.block.old, flow, self.old)
        # What the new assertions make known of the modules is the candidate's.
        known, run.trace.terms = run.trace.terms, dict(run.trace.terms)
        own, run.module = run.module, self.module
        self._aside(run, self.block.new, flow, self.new)
        run.module, run.trace.terms = own, known
        if self.failed:
            return leaving, flow
        return run.block(self.block.after, flow)

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
