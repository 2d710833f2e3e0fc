"""What decorators of hypothesis are on a function, whoever put them there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.inventory.calling import arguments_of, returned
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Delayed,
    Known,
    Routine,
    Scope,
)
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.following import Follower, TooMuch, plain_name

GIVEN, EXAMPLE, SETTINGS = "hypothesis.given", "hypothesis.example", "hypothesis.settings"
SEEDS = ("hypothesis.seed", "hypothesis.reproduce_failure")
_DEEPEST = 8
_TARGET = "function to be decorated"


@attrs.frozen(eq=False)
class Layer:
    """One decorator of hypothesis: its name, arguments, and the expression it is.

    ``at`` is where it is put on the function. An unread one has the name ``?``.
    """

    name: str
    arguments: tuple[Argument, ...]
    made: Delayed
    at: Delayed

    def positional(self) -> tuple[Delayed, ...]:
        """Return the arguments without a name."""
        return tuple(one.value for one in self.arguments if one.name is None)


@attrs.frozen(eq=False)
class Layers:
    """Reads the decorators of one tree."""

    follower: Follower

    def of(self, decorators: Iterable[ast.expr], scope: Scope) -> Iterator[Layer]:
        """Yield what each decorator puts on a function, and what it puts there itself."""
        for one in decorators:
            at = Delayed(one, scope)
            yield from self._decorator(at, at, 0)

    def of_wrapping(self, call: ast.expr, scope: Scope) -> Iterator[Layer]:
        """Yield what calls put on the function inside: ``settings(...)(given(...)(f))``."""
        yield from self._chain(Delayed(call, scope), None, 0)

    def _decorator(self, at: Delayed, placed: Delayed, depth: int) -> Iterator[Layer]:
        if depth > _DEEPEST:
            return
        try:
            roots = self.follower.roots(at)
        except (TooMuch, RecursionError):
            yield Layer("?", (), at, placed)
            return
        for root in roots:
            yield from self._root(root, placed, depth)

    def _root(self, at: Delayed, placed: Delayed, depth: int) -> Iterator[Layer]:
        match at.expression:
            case ast.Lambda() as node:
                yield from self._inside(Routine(node, at.scope), placed, depth)
            case ast.Call():
                yield from self._call(at, placed, depth)
            case _:
                for value in self.follower.evaluator.evaluate(at.expression, at.scope):
                    if isinstance(value, Routine):
                        yield from self._inside(value, placed, depth)

    def _call(self, at: Delayed, placed: Delayed, depth: int) -> Iterator[Layer]:
        for one in self.follower.applied(at):
            while isinstance(one.function, Applied):  # what a partial or a chain is made of
                yield from self._named(one, at, placed)
                one = one.function
            yield from self._named(one, at, placed)
        func = at.expression.func if isinstance(at.expression, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr in ("via", "xfail"):
            yield from self._decorator(Delayed(func.value, at.scope), placed, depth + 1)

    def _named(self, one: Applied, at: Delayed, placed: Delayed) -> Iterator[Layer]:
        name = plain_name(one.function.name) if isinstance(one.function, Known) else ""
        if name in (GIVEN, EXAMPLE, SETTINGS, *SEEDS):
            yield Layer(name, one.arguments, at, placed)
        elif name == "?":
            yield Layer("?", (), at, placed)

    def _inside(self, routine: Routine, placed: Delayed, depth: int) -> Iterator[Layer]:
        """Yield what a decorator of the tree puts on the function that it is given."""
        target = next((one.arg for one in arguments_of(routine.node)), None)
        if target is None:
            return
        marked = Argument(None, Delayed(ast.Constant(_TARGET), routine.scope))
        scope = self.follower.frame_of(routine, (marked,))
        if isinstance(routine.node, FunctionNode):  # ``f = given(...)(f)`` before it is returned
            own = self.follower.evaluator.local(routine.node).names.get(target, ())
            for one in own:
                if isinstance(one, ast.Call):
                    yield from self._chain(Delayed(one, scope), placed, depth + 1)
        for result in returned(routine.node):
            yield from self._result(Delayed(result, scope), target, placed, depth)

    def _result(self, at: Delayed, target: str, placed: Delayed, depth: int) -> Iterator[Layer]:
        if isinstance(at.expression, ast.Name) and at.expression.id != target:
            for value in self.follower.evaluator.evaluate(at.expression, at.scope):
                if isinstance(value, Routine) and isinstance(value.node, FunctionNode):
                    for one in value.node.decorator_list:
                        inner = Delayed(one, value.scope)
                        yield from self._decorator(inner, placed, depth + 1)
                elif isinstance(value, Applied):
                    yield from self._bound_result(at, placed, depth)
            return
        yield from self._chain(at, placed, depth)

    def _bound_result(self, at: Delayed, placed: Delayed, depth: int) -> Iterator[Layer]:
        for root in self.follower.roots(at):
            yield from self._chain(root, placed, depth + 1)

    def _chain(self, at: Delayed, placed: Delayed | None, depth: int) -> Iterator[Layer]:
        """Yield what a chain of calls puts on what stands innermost."""
        while depth < _DEEPEST:
            for one in self._assigned(at):
                yield from self._chain(one, placed, depth + 1)
            call = at.expression
            if not isinstance(call, ast.Call):
                return
            func = Delayed(call.func, at.scope)
            yield from self._decorator(func, placed or func, depth + 1)
            if len(call.args) != 1:
                return
            at = Delayed(call.args[0], at.scope)
            depth += 1

    def _assigned(self, at: Delayed) -> Iterator[Delayed]:
        """Yield the calls that a local was given before: ``f = given(...)(f)``."""
        if isinstance(at.expression, ast.Name):
            found = at.scope.find(at.expression.id)
            if found is not None:
                yield from (Delayed(one, found[1]) for one in found[0] if isinstance(one, ast.Call))
