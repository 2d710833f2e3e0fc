"""What the body of a function, a class or a module does to the tests that run it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.asking import STEPS
from benchhygiene.inventory.calling import arguments_in
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Instance,
    Kind,
    Known,
    Routine,
    Scope,
    Value,
)
from benchhygiene.inventory.names import Imported
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.skip_markers import paths, vocabulary
from benchhygiene_plugins.skip_markers.exemptions import (
    Exemption,
    Place,
    place_of,
    place_of_routine,
    too_much,
)
from benchhygiene_plugins.skip_markers.marks import Marks
from benchhygiene_plugins.skip_markers.paths import Guards
from benchhygiene_plugins.skip_markers.progress import Progress, Shape
from benchhygiene_plugins.skip_markers.raising import expects_skip, missing, raised
from benchhygiene_plugins.skip_markers.telling import Telling
from benchhygiene_plugins.skip_markers.vocabulary import Means

_DEPTH = 6  # functions that call one another on the way to a skip
_RUNS = 2_000  # functions that are read for one
_STEPS = 100_000  # evaluations that reading one block may cost, with all that it calls
_PLENTY = 30_000  # after which each name is looked into less far
_LESS = 200  # evaluations that what a name stands for may cost then
_FOUND = 20  # exemptions in one function after which no more are looked for
_ENTRIES = ("__init__", "__new__", "__enter__", "__aenter__", "__exit__", "__call__", "__get__")


@attrs.frozen(eq=False)
class Bodies:
    """Reads bodies of one tree; remembers which functions do nothing of the kind."""

    evaluator: Evaluator
    _shapes: dict[tuple[int, int], Shape] = attrs.field(factory=dict[tuple[int, int], Shape])
    telling: Telling = attrs.field(
        default=attrs.Factory(lambda own: Telling(own.evaluator), takes_self=True)
    )
    _progress: Progress = attrs.field(factory=lambda: Progress())

    @property
    def marks(self) -> Marks:
        """Return what reads the markers of the same tree."""
        return Marks(self.evaluator, self)

    @property
    def _cost(self) -> int:
        """Return how many evaluations the outermost block has taken so far."""
        return self.evaluator.progress.steps - self._progress.begun

    def of_routine(
        self, routine: Routine, arguments: tuple[Argument, ...] = (), depth: int = 0
    ) -> tuple[Exemption, ...]:
        """Return what running a function does, and the functions of the tree that it calls."""
        if depth > _DEPTH or not self._may_exempt(routine):
            return ()
        shape = self._shape(routine, depth)
        if not shape or not arguments:
            return shape
        return self._run(routine, arguments, depth)

    def _shape(self, routine: Routine, depth: int) -> tuple[Exemption, ...]:
        """Return what running a function does when nothing is known of its arguments."""
        owner = routine.owner
        key = (id(routine.node), id(owner.kind.node) if owner is not None else 0)
        known, progress = self._shapes.get(key), self._progress
        if known is not None and known.depth <= depth:
            return known.found
        if key in progress.running:
            progress.is_cut = True  # one that calls itself says no more the second time
            return ()
        held = progress.held.get(key)
        if held is not None and held.depth <= depth:
            progress.is_cut = True
            return held.found
        progress.running.add(key)
        try:
            found = self._run(routine, (), depth)
        finally:
            progress.running.discard(key)
        # What was seen while a circle was cut is not all, except of where the circle began.
        kept = progress.held if progress.is_cut and progress.running else self._shapes
        kept[key] = Shape(routine.node, found, depth)
        if not progress.running:
            progress.held.clear()
        progress.is_cut = progress.is_cut and bool(progress.running)
        return found

    def _run(
        self, routine: Routine, arguments: tuple[Argument, ...], depth: int
    ) -> tuple[Exemption, ...]:
        progress = self._progress
        progress.spent = progress.spent + 1 if depth else 0
        if progress.spent > _RUNS:
            return (too_much(place_of_routine(routine, self.evaluator)),)
        scope = self.evaluator.frame_of(routine, arguments)
        block = self.of_block(paths.body_of(routine.node), scope, depth)
        return tuple(itertools.islice(block, _FOUND))

    def of_decorator(
        self, routine: Routine, arguments: tuple[Argument, ...], place: Place
    ) -> Iterator[Exemption]:
        """Yield what a decorator does: itself, and whatever function it puts in place."""
        if not self._may_exempt(routine):
            return
        scope = self.evaluator.frame_of(routine, arguments)
        for one in self._decorating(routine.node, scope, 0):
            yield attrs.evolve(one, place=place) if place.text else one

    def _decorating(
        self, node: FunctionNode | ast.Lambda, scope: Scope, depth: int
    ) -> Iterator[Exemption]:
        if depth > _DEPTH:
            return
        body = paths.body_of(node)
        yield from self.of_block(body, scope, depth)
        for statement, guards in paths.statements(body):
            if not isinstance(statement, ast.Return):
                yield from self._guarded(tuple(self._marked(statement, scope)), guards, scope)
            if isinstance(statement, FunctionNode):
                own = scope.enclosing().inside(self.evaluator.local(statement))
                yield from self._decorating(statement, own, depth + 1)
            elif isinstance(statement, ast.Return) and statement.value is not None:
                yield from self._replaced(statement.value, scope, guards, depth)

    def _marked(self, statement: ast.stmt, scope: Scope) -> Iterator[Exemption]:
        """Yield what a decorator's statement does by marking something."""
        for expression in paths.expressions(statement):
            for call, _ in paths.calls(expression, ()):
                yield from self.marks.applied(call, scope)

    def _replaced(
        self, result: ast.expr, scope: Scope, guards: Guards, depth: int
    ) -> Iterator[Exemption]:
        """Yield what a decorator does by what it returns."""
        found: list[Exemption] = []
        for value in self.evaluator.evaluate(result, scope):
            if isinstance(value, Known | Applied) and not _is_foreign_wrapper(value):
                found.extend(self.marks.of_value(value, scope, Place(scope.path)))
            elif isinstance(value, Routine) and isinstance(value.node, ast.Lambda):
                inner = value.scope.enclosing().inside(self.evaluator.local(value.node))
                found.extend(self._decorating(value.node, inner, depth + 1))
        yield from self._guarded(found, guards, scope)

    def of_object(self, kind: Kind, place: Place) -> Iterator[Exemption]:
        """Yield what making, entering or calling an object of the class does."""
        for name in _ENTRIES:
            for value in self.evaluator.member(Instance(kind), name, kind.scope):
                if isinstance(value, Routine):
                    yield from self.of_decorator(value, (), place)

    def of_block(
        self, body: Sequence[ast.stmt], scope: Scope, depth: int = 0
    ) -> Iterator[Exemption]:
        """Yield what the statements of a block do to the test that runs them."""
        progress = self._progress
        if not progress.blocks:
            progress.begun = self.evaluator.progress.steps
        progress.blocks += 1
        try:
            yield from self._of_statements(body, scope, depth)
        finally:
            progress.blocks -= 1
            if not progress.blocks:
                self.evaluator.progress.bound = STEPS

    def _of_statements(
        self, body: Sequence[ast.stmt], scope: Scope, depth: int
    ) -> Iterator[Exemption]:
        expected: set[int] = set()  # blocks that are there to see something skip
        for statement, guards in paths.statements(body):
            self.evaluator.progress.bound = _LESS if self._cost > _PLENTY else STEPS
            if self._cost > _STEPS:
                yield too_much(place_of(statement, scope.path, self.evaluator))
                return
            if id(statement) in expected or expects_skip(statement, scope, self.evaluator):
                expected.update(id(one) for one in getattr(statement, "body", ()))
                continue
            yield from self._guarded(self.of_statement(statement, scope, depth), guards, scope)
            for expression in paths.expressions(statement):
                for call, before in paths.calls(expression, guards):
                    found = tuple(self.of_call(call, scope, depth))
                    yield from self._guarded(found, before, scope)

    def of_statement(self, statement: ast.stmt, scope: Scope, depth: int) -> tuple[Exemption, ...]:
        """Return what a statement does by itself: raising what skips."""
        if not isinstance(statement, ast.Raise) or statement.exc is None:
            return ()
        place = place_of(statement, scope.path, self.evaluator)
        del depth
        for value in self.evaluator.evaluate(statement.exc, scope):
            means = raised(value, self.evaluator)
            if means is not None:
                return (_run(means, place),)
        return ()

    def of_call(self, call: ast.Call, scope: Scope, depth: int) -> Iterator[Exemption]:
        """Yield what one call does."""
        if isinstance(call.func, ast.Attribute):
            yield from self._method(call, call.func, scope)
        if not self._leads_nowhere(call.func, scope):
            for value in self.evaluator.evaluate(call.func, scope):
                if value == Known("functools.partial"):
                    return  # what it is given is called where the partial is
                yield from self._called(value, arguments_in(call, scope), call, scope, depth)
        for one in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(one, ast.Name | ast.Attribute | ast.Lambda):
                yield from self._handed_over(one, call, scope, depth)

    def _method(self, call: ast.Call, function: ast.Attribute, scope: Scope) -> Iterator[Exemption]:
        if function.attr == "skipTest":
            yield _run(Means.SKIP, place_of(call, scope.path, self.evaluator))
        elif function.attr in vocabulary.ADDING:
            place = place_of(call, scope.path, self.evaluator)
            for one in call.args:
                yield from self.marks.of_expression(one, scope, place)

    def _called(
        self,
        value: Value,
        arguments: tuple[Argument, ...],
        call: ast.Call,
        scope: Scope,
        depth: int,
    ) -> Iterator[Exemption]:
        match value:
            case Known():
                means = vocabulary.call(value.name)
                if means is not None:
                    yield self._skipped(means, arguments, call, scope)
            case Routine():
                place = place_of(call, scope.path, self.evaluator)
                for one in self.of_routine(value, arguments, depth + 1):
                    yield attrs.evolve(one, place=place)
            case Kind():
                yield from self.of_object(value, place_of(call, scope.path, self.evaluator))
            case Applied(function=Known(name="functools.partial")):
                rest = value.arguments[1:]
                for given in value.positional()[:1]:
                    for inner in self.evaluator.evaluate(given.expression, given.scope):
                        joined = (*rest, *arguments)
                        yield from self._called(inner, joined, call, scope, depth + 1)
            case _:
                return

    def _skipped(
        self, means: Means, arguments: tuple[Argument, ...], call: ast.Call, scope: Scope
    ) -> Exemption:
        place = place_of(call, scope.path, self.evaluator)
        if means is not Means.IMPORT:
            return _run(means, place)
        condition = missing(arguments, self.evaluator)
        return Exemption(rule="skip.importorskip", place=place, condition=condition)

    def _handed_over(
        self, node: ast.expr, call: ast.Call, scope: Scope, depth: int
    ) -> Iterator[Exemption]:
        """Yield what a function does that is passed on to be called by somebody else."""
        if self._leads_nowhere(node, scope):
            return
        place = place_of(call, scope.path, self.evaluator)
        for value in self.evaluator.evaluate(node, scope):
            if isinstance(value, Known) and value.name in ("pytest.skip", "pytest.xfail"):
                means = vocabulary.call(value.name)
                if means is not None:
                    yield _run(means, place)
            elif isinstance(value, Known) and _is_side_effect(call, node):
                means = vocabulary.exception(value.name)
                if means is not None:
                    yield _run(means, place)
            elif isinstance(value, Routine) and (
                value.scope.frames or isinstance(node, ast.Lambda)
            ):
                yield from self.of_routine(value, (), depth + 1)

    def _leads_nowhere(self, node: ast.expr, scope: Scope) -> bool:
        """Return whether a name is imported from a file of the tree that exempts nothing."""
        if not self.telling.may_lead(node, scope):
            return True
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or scope.find(node.id) is not None:
            return False
        bound = self.evaluator.bindings(scope.path).names.get(node.id, ())
        return bool(bound) and all(self._is_quiet(one, scope.path) for one in bound)

    def _is_quiet(self, bound: object, path: str) -> bool:
        if not isinstance(bound, Imported):
            return False
        home = self.evaluator.modules.locate(path, bound.module, bound.level)
        if home is None or home.endswith("__init__.py"):
            return False
        return not self.may_exempt(home)

    def _may_exempt(self, routine: Routine) -> bool:
        path = routine.scope.path
        return self.may_exempt(path) and self.telling.may_exempt(routine.node, path)

    def may_exempt(self, path: str) -> bool:
        """Return whether a file could exempt anything, or call what does: a file of test code."""
        return self.telling.is_read(path)

    def _guarded(
        self, found: Sequence[Exemption], guards: Guards, scope: Scope
    ) -> Iterator[Exemption]:
        if not found:
            return
        condition = paths.read(guards, scope, self.evaluator)
        for one in found:
            both = one.only_if(condition)
            if not both.condition.is_never:
                yield both


def _run(means: Means, place: Place) -> Exemption:
    if means is Means.XFAIL:
        return Exemption(rule="xfail.added", place=place, is_xfail=True)
    return Exemption(rule="skip.call", place=place)


def _is_foreign_wrapper(value: Known | Applied) -> bool:
    return isinstance(value, Applied) and value.function == Known("functools.wraps")


def _is_side_effect(call: ast.Call, node: ast.expr) -> bool:
    return any(one.arg == "side_effect" and one.value is node for one in call.keywords)
