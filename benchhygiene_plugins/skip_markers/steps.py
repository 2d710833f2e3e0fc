"""What a body does step by step, each step numbered so that two bodies can be held together."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene_plugins.skip_markers import paths
from benchhygiene_plugins.skip_markers.paths import Guard, Guards

_BLOCKS = ("body", "orelse", "finalbody")


@attrs.define(eq=False)
class Numbers:
    """Gives equal things equal numbers, and different things different ones."""

    _known: dict[object, int] = attrs.field(factory=dict[object, int])
    _guards: list[Guard] = attrs.field(factory=list[Guard])
    _ways: list[int] = attrs.field(factory=lambda: [0])

    def of(self, thing: object) -> int:
        """Return the number of a thing."""
        return self._known.setdefault(thing, len(self._known) + 1)

    def way(self, guards: Guards) -> int:
        """Return the number of the conditions on the way to a step.

        Guards that begin with the same objects as the last ones did are not looked at again: what
        follows many early exits has nearly all of them in common with what stands before it.
        """
        shared = min(len(guards), len(self._guards))
        while shared and guards[shared - 1] is not self._guards[shared - 1]:
            shared -= 1
        del self._guards[shared:], self._ways[shared + 1 :]
        for one in guards[shared:]:
            text = ast.dump(one.expression) if one.expression is not None else ""
            self._guards.append(one)
            self._ways.append(self.of((self._ways[-1], text, one.holds, one.words)))
        return self._ways[-1]


@attrs.frozen(eq=False)
class _Inside:
    """Which blocks a statement stands in, as far as they may be there to see it skip."""

    number: int = 0
    blocks: tuple[ast.With | ast.AsyncWith, ...] = ()


@attrs.frozen(eq=False)
class Step:
    """One statement without the blocks in it, under which guards and in which ``with`` blocks.

    Steps of one number are the same text in the same circumstances.
    """

    number: int
    statement: ast.stmt
    guards: Guards
    inside: _Inside

    def acts(self, numbers: Numbers) -> Iterator[tuple[int, ast.Call | None]]:
        """Yield all that the step may exempt with: its calls, None for what it raises itself.

        Each has a number: acts of one number are the same syntax in the same circumstances.
        """
        if isinstance(self.statement, ast.Raise) and self.statement.exc is not None:
            raised = ("raise", self._act(self.statement.exc, self.guards, numbers))
            yield numbers.of(raised), None
        for expression in paths.expressions(self.statement):
            for call, guards in paths.calls(expression, self.guards):
                yield self._act(call, guards, numbers), call

    def _act(self, node: ast.expr, guards: Guards, numbers: Numbers) -> int:
        return numbers.of((numbers.way(guards), self.inside.number, ast.dump(node)))

    def names(self) -> Iterator[str]:
        """Yield every name that decides what the step does."""
        for root in self._roots():
            yield from (one.id for one in ast.walk(root) if isinstance(one, ast.Name))

    def _roots(self) -> Iterator[ast.expr]:
        yield from paths.expressions(self.statement)
        yield from (one.expression for one in self.guards if one.expression is not None)
        yield from (item.context_expr for block in self.inside.blocks for item in block.items)


def steps(body: Sequence[ast.stmt], file: PythonFile, numbers: Numbers) -> Iterator[Step]:
    """Yield the steps of a body that are reached; definitions do nothing by themselves."""
    around: dict[int, _Inside] = {}
    for statement, guards in paths.statements(body):
        inside = around.pop(id(statement), _OUTSIDE)
        around.update(_inner(statement, inside, numbers))
        if not isinstance(statement, FunctionNode | ast.ClassDef):
            texts = tuple(_texts(statement, file))
            kind = type(statement).__name__
            number = numbers.of((numbers.way(guards), inside.number, kind, texts))
            yield Step(number, statement, guards, inside)


_OUTSIDE = _Inside()


def _texts(statement: ast.stmt, file: PythonFile) -> Iterator[str]:
    if not isinstance(getattr(statement, "body", None), list) and not isinstance(
        statement, ast.Match
    ):
        yield file.segment(statement)
        return
    yield from (file.segment(one) for one in paths.expressions(statement))


def _inner(statement: ast.stmt, inside: _Inside, numbers: Numbers) -> Iterator[tuple[int, _Inside]]:
    """Yield what is directly in a statement's blocks, where a ``with`` is around it."""
    if isinstance(statement, ast.With | ast.AsyncWith):
        items = tuple(ast.dump(item.context_expr) for item in statement.items)
        within = _Inside(numbers.of((inside.number, items)), (*inside.blocks, statement))
        yield from ((id(one), within) for one in statement.body)
    elif inside.number:
        for name, block in _blocks(statement):
            further = _Inside(numbers.of((inside.number, name)), inside.blocks)
            yield from ((id(one), further) for one in block)


def _blocks(statement: ast.stmt) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    if isinstance(statement, FunctionNode | ast.ClassDef):
        return
    yield from ((name, getattr(statement, name, ())) for name in _BLOCKS)
    for name in ("handlers", "cases"):
        yield from ((name, one.body) for one in getattr(statement, name, ()))
