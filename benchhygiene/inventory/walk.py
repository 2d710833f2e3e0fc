"""Follow blocks of statements: branches, loops and calls, as far as the source tells."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.bindings import Function, Loss, Lost, Value
from benchhygiene.inventory.constants import Constants
from benchhygiene.inventory.frames import Frame
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.values import Budget, Evaluator, Opaque, Unknown, unpacked

_MOST_STATEMENTS = 200_000
_MOST_ROUNDS = 1_000
_DEEPEST_CALL = 3
_WRITING = frozenset(("globals", "vars", "setattr", "delattr", "modules"))

Step: TypeAlias = Callable[["Walk", ast.stmt, Frame], bool]
Branch: TypeAlias = tuple[ast.expr | None, Sequence[ast.stmt]]


@attrs.define(eq=False)
class Walk:
    """One walk through a module; a step returns whether the block surely ends with it."""

    module: Frame
    steps: Mapping[type[ast.stmt], Step]
    budget: Budget = attrs.field(factory=lambda: Budget(_MOST_STATEMENTS))
    values: Budget = attrs.field(factory=Budget)
    depth: int = 0
    has_walrus: bool = False

    def run(self, body: Sequence[ast.stmt], frame: Frame) -> bool:
        """Follow statements; return whether their block surely ends before its end."""
        for index, statement in enumerate(body):
            self.budget.spend(1)
            if self.has_walrus:
                self._bind_inside(statement, frame)
            step = self.steps.get(type(statement))
            if step is not None and step(self, statement, frame):
                self.dead(body[index + 1 :], frame)
                return True
        return False

    def _bind_inside(self, statement: ast.stmt, frame: Frame) -> None:
        """Bind the names that ``:=`` gives a meaning inside the statement's own expressions."""
        if isinstance(statement, FunctionNode | ast.ClassDef):
            return
        pending = [one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.expr)]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.NamedExpr):
                value = Value(line=node.lineno, expression=node.value, variables=frame.variables)
                frame.bind(node.target.id, value)
            if not isinstance(node, ast.Lambda):
                inner = ast.iter_child_nodes(node)
                pending.extend(one for one in inner if isinstance(one, ast.expr))

    def constants(self, frame: Frame) -> Constants:
        """Return what values the frame's names have."""
        return Constants(frame.find, frame.outside(self.module), self.values)

    def evaluator(self, frame: Frame) -> Evaluator:
        """Return what computes expressions in the frame."""
        return self.constants(frame).evaluator(frame.variables)

    def resolved(self, node: ast.expr, frame: Frame) -> str:
        """Return an expression's dotted name in the frame."""
        return self.constants(frame).resolved(node)

    def dead(self, body: Iterable[ast.stmt], frame: Frame) -> None:
        """Note the definitions in statements that are never reached."""
        for statement in body:
            if not isinstance(statement, FunctionNode | ast.ClassDef):
                self.dead(blocks(statement), frame)
            elif not frame.is_call:
                lost = Lost(statement.name, statement, Loss.DEAD, statement.lineno)
                frame.scope.lost.append(lost)

    def branches(self, branches: Sequence[Branch], frame: Frame) -> bool:
        """Follow the branches that may be taken; an ``else`` has None for its test."""
        alive: list[Branch] = []
        settled = False
        for test, body in branches:
            holds = True if test is None else self.evaluator(frame).truth(test)
            if settled or holds is False:
                self.dead(body, frame)
                continue
            settled = holds is True
            alive.append((None if settled else test, body))
        if settled and len(alive) == 1:
            return self.run(alive[0][1], frame)
        return self._open(alive, frame, exhaustive=settled)

    def _open(self, alive: Sequence[Branch], frame: Frame, *, exhaustive: bool) -> bool:
        passed: list[tuple[ast.expr, bool]] = []
        inner: list[Frame] = []
        ends: list[bool] = []
        for test, body in alive:
            # Of a long chain of tests only the last few are kept: they are for people to read.
            own = [] if test is None else [(test, True)]
            branch = frame.branch((*passed[-4:], *own))
            ends.append(self.run(body, branch))
            inner.append(branch)
            passed.extend([] if test is None else [(test, False)])
        frame.merge(
            [one for one, ended in zip(inner, ends, strict=True) if not ended] or inner,
            exhaustive=exhaustive,
        )
        return exhaustive and all(ends)

    def loop(self, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        """Follow a loop's body once for each item where the items are known, else once."""
        rounds = self._rounds(node, frame)
        if not rounds:
            self.dead(node.body, frame)
        for name in targets(node.target) if rounds else ():
            frame.bind(name, Value(line=node.lineno, expression=None))
        before = frame.variables
        for variables in rounds:
            frame.variables = {**before, **variables}
            if self.run(node.body, frame):
                break
        frame.variables = before
        self.run(node.orelse, frame)

    def _rounds(self, node: ast.For | ast.AsyncFor, frame: Frame) -> Sequence[Mapping[str, object]]:
        evaluator = self.evaluator(frame)
        unknown = [{name: Opaque(f"each {name}") for name in targets(node.target)}]
        try:
            items = evaluator.elements(evaluator.value(node.iter))
            if len(items) > _MOST_ROUNDS or self.budget.steps < _MOST_STATEMENTS // 2:
                return unknown  # the rest of the module must be followed, too
            return [dict(unpacked(node.target, item)) for item in items]
        except Unknown:
            return unknown

    def call(self, function: Function, call: ast.Call, frame: Frame) -> None:
        """Follow a function of the file that may write to the module's names."""
        definition = function.definition
        if self.depth >= _DEEPEST_CALL or not _may_write(definition):
            return
        evaluator = self.evaluator(frame)
        given = {
            argument.arg: evaluator.value_or_opaque(value)
            for argument, value in zip(definition.args.args, call.args, strict=False)
        }
        self.depth += 1
        scope = self.module.scope
        inner = Frame(scope, enclosing=self.module, variables=given, is_call=True)
        self.run(definition.body, inner)
        self.depth -= 1


def _may_write(definition: FunctionNode) -> bool:
    return any(
        isinstance(node, ast.Global)
        or (isinstance(node, ast.Name) and node.id in _WRITING)
        or (isinstance(node, ast.Attribute) and node.attr in _WRITING)
        for node in ast.walk(definition)
    )


def blocks(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements directly inside a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        yield from cast("list[ast.stmt]", getattr(statement, field, []))
    for field in ("handlers", "cases"):
        for part in cast("list[ast.ExceptHandler | ast.match_case]", getattr(statement, field, [])):
            yield from part.body


def targets(target: ast.expr) -> Iterator[str]:
    """Yield the names a target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from targets(one)
    elif isinstance(target, ast.Starred):
        yield from targets(target.value)
