"""What a decorator, a ``pytestmark`` or an added marker does to a test."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.callables import BEYOND
from benchhygiene.inventory.calling import arguments_in
from benchhygiene.inventory.conditions import ALWAYS, NEVER, Condition, opaque
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.inlining import condition_of, text_of
from benchhygiene.inventory.meanings import (
    Applied,
    Delayed,
    Instance,
    Kind,
    Known,
    Literal,
    Routine,
    Row,
    Scope,
    Value,
)
from benchhygiene_plugins.skip_markers.exemptions import Exemption, Place, place_of
from benchhygiene_plugins.skip_markers.vocabulary import Means, marker

if TYPE_CHECKING:
    from benchhygiene_plugins.skip_markers.bodies import Bodies

_NESTED = 8  # lists of lists of markers, decorators of decorators
_ROWS = 5_000  # parameter sets that are looked at one by one


@attrs.frozen(eq=False)
class Marks:
    """Reads markers of one tree; what decorators of the tree do, ``bodies`` knows."""

    evaluator: Evaluator
    bodies: Bodies

    def of_decorator(self, node: ast.expr, scope: Scope) -> Iterator[Exemption]:
        """Yield what a decorator does."""
        origin = self.evaluator.origin(node, scope)
        place = place_of(node, scope.path, self.evaluator)
        called = origin.expression
        if isinstance(called, ast.Call):
            functions = self.evaluator.evaluate(called.func, origin.scope)
            routines = [one for one in functions if isinstance(one, Routine)]
            arguments = arguments_in(called, origin.scope)
            for routine in routines:
                yield from self.bodies.of_decorator(routine, arguments, place)
            if routines:
                return
        yield from self.of_expression(node, scope, place)

    def of_expression(
        self, node: ast.expr, scope: Scope, place: Place | None = None
    ) -> Iterator[Exemption]:
        """Yield what the marker, or the markers, that an expression stands for do."""
        at = place or place_of(node, scope.path, self.evaluator)
        for value in self.evaluator.evaluate(node, scope):
            yield from self.of_value(value, scope, at)

    def of_value(
        self, value: Value, scope: Scope, place: Place, depth: int = 0
    ) -> Iterator[Exemption]:
        """Yield what one value does as a marker."""
        if depth > _NESTED:
            return
        match value:
            case Known():
                yield from self._named(value, (), scope, place)
            case Applied(function=Known() as function):
                yield from self._applied(function, value, place)
            case Applied(function=Applied() as applied):
                yield from self.of_value(applied, scope, place, depth + 1)
            case Applied(function=Instance(kind=kind)) | Instance(kind=kind):
                yield from self.bodies.of_object(kind, place)
            case Kind():
                yield from self.bodies.of_object(value, place)
            case Row():
                for item in self.evaluator.items(value):
                    at = place_of(item.expression, item.scope.path, self.evaluator)
                    for inner in self.evaluator.evaluate(item.expression, item.scope):
                        yield from self.of_value(inner, item.scope, _nearer(at, place), depth + 1)
            case Routine():
                yield from self.bodies.of_decorator(value, (), place)
            case Literal(value="skip" | "skipif" | "xfail" as word):
                yield from self._named(Known(f"pytest.mark.{word}"), (), scope, place)
            case _:
                return

    def _named(
        self, name: Known, given: tuple[Delayed, ...], scope: Scope, place: Place
    ) -> Iterator[Exemption]:
        del given, scope
        if name == BEYOND or name.name in ("pytest.mark.?", "pytest.?"):
            yield Exemption(rule="skip.marker", place=place, unseen="a marker's name is computed")
        means = marker(name.name)
        if means is None or means is Means.SKIP_UNLESS:
            return
        yield from self._meant(means, name, None, place)

    def _applied(self, function: Known, value: Applied, place: Place) -> Iterator[Exemption]:
        if function.name in ("pytest.Mark", "pytest.MarkDecorator", "pytest.structures.Mark"):
            yield from self._constructed(value, place)
            return
        means = marker(function.name)
        if means is not None:
            yield from self._meant(means, function, value, place)
        elif function == BEYOND or function.name == "pytest.mark.?":
            yield Exemption(rule="skip.marker", place=place, unseen="a marker's name is computed")

    def _constructed(self, value: Applied, place: Place) -> Iterator[Exemption]:
        """Read a ``Mark`` object that is built by hand."""
        for given in value.positional()[:1]:
            for found in self.evaluator.evaluate(given.expression, given.scope):
                yield from self.of_value(found, given.scope, place, _NESTED - 1)

    def _meant(
        self, means: Means, function: Known, value: Applied | None, place: Place
    ) -> Iterator[Exemption]:
        condition = self._condition(means, function, value)
        if condition.is_never:
            return
        if means in (Means.XFAIL, Means.EXPECTED_FAILURE):
            yield self._xfail(means, value, condition, place)
        else:
            yield Exemption(rule="skip.marker", place=place, condition=condition)

    def _condition(self, means: Means, function: Known, value: Applied | None) -> Condition:
        match means:
            case Means.SKIP | Means.EXPECTED_FAILURE:
                return ALWAYS
            case Means.FOREIGN:
                arguments = value.positional() if value is not None else ()
                texts = [text_of(a.expression, a.scope, self.evaluator) for a in arguments]
                return opaque(f"{function.name}({', '.join(texts)})")
            case Means.SKIP_UNLESS if value is not None:
                return ~self._first(value)
            case _:
                return self._any(value) if value is not None else ALWAYS

    def _first(self, value: Applied) -> Condition:
        given = value.argument(0, "condition")
        return self.read(given) if given is not None else NEVER

    def _any(self, value: Applied) -> Condition:
        is_unittest = value.function == Known("unittest.skipIf")
        given = value.positional()[:1] if is_unittest else value.positional()
        named = value.named("condition")
        conditions = [self.read(one) for one in (*given, *((named,) if named else ()))]
        conditions += [
            opaque(text_of(one.value.expression, one.value.scope, self.evaluator))
            for one in value.arguments
            if one.name in ("*", "**")
        ]
        result = NEVER if conditions else ALWAYS
        for one in conditions:
            result |= one
        return result

    def read(self, given: Delayed) -> Condition:
        """Return a marker's condition; pytest evaluates one that is a text."""
        values = self.evaluator.evaluate(given.expression, given.scope)
        text = values[0].value if len(values) == 1 and isinstance(values[0], Literal) else None
        if not isinstance(text, str):
            return condition_of(given.expression, given.scope, self.evaluator)
        try:
            parsed = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return opaque(text)
        return condition_of(parsed, Scope(given.scope.path), self.evaluator)

    def _xfail(
        self, means: Means, value: Applied | None, condition: Condition, place: Place
    ) -> Exemption:
        found = Exemption(rule="xfail.added", place=place, is_xfail=True, condition=condition)
        if means is Means.EXPECTED_FAILURE:
            return attrs.evolve(found, is_strict=True)
        if value is None:
            return found
        return attrs.evolve(
            found,
            raises=self._raises(value.named("raises")),
            is_strict=self._is(value.named("strict"), True),
            runs=not self._is(value.named("run"), False),
        )

    def _raises(self, given: Delayed | None) -> tuple[str, ...]:
        if given is None or self._is(given, None):
            return ()
        values = self.evaluator.evaluate(given.expression, given.scope)
        named = [d for one in values for d in self.evaluator.items(one)] or [given]
        return tuple(sorted({text_of(one.expression, one.scope, self.evaluator) for one in named}))

    def _is(self, given: Delayed | None, wanted: bool | None) -> bool:
        if given is None:
            return False
        values = self.evaluator.evaluate(given.expression, given.scope)
        found = [one.value for one in values if isinstance(one, Literal)]
        if wanted is None:
            return found == [None]
        return len(found) == 1 and bool(found[0]) is wanted

    def applied(self, call: ast.Call, scope: Scope) -> Iterator[Exemption]:
        """Yield what a call does that puts a marker on what it is given: ``skip(function)``."""
        if not call.args or isinstance(call.args[0], ast.Constant | ast.JoinedStr):
            return
        place = place_of(call, scope.path, self.evaluator)
        for function in self.evaluator.evaluate(call.func, scope):
            made = function.function if isinstance(function, Applied) else function
            means = marker(made.name) if isinstance(made, Known) else None
            takes_function = isinstance(function, Applied) or means in (Means.SKIP, Means.XFAIL)
            if means is not None and takes_function:
                yield from self.of_value(function, scope, place)

    def of_rows(self, value: Value, label: str = "") -> Iterator[Exemption]:
        """Yield what is marked among the parameter sets of a ``parametrize`` or a fixture."""
        for index, item in enumerate(self.evaluator.items(value)):
            if index >= _ROWS:
                at = place_of(item.expression, item.scope.path, self.evaluator)
                yield Exemption(rule="skip.marker", place=at, unseen="too many parameter sets")
                return
            if not isinstance(item.expression, ast.Constant | ast.Tuple | ast.List):
                yield from self._row(item, label)

    def _row(self, item: Delayed, label: str) -> Iterator[Exemption]:
        for value in self.evaluator.evaluate(item.expression, item.scope):
            if not isinstance(value, Applied):
                continue
            marks = value.named("marks")
            if value.function == Known("pytest.param") and marks is not None:
                key = label + self.row_key(value.positional())
                for one in self.of_expression(marks.expression, marks.scope):
                    yield attrs.evolve(one, row=key)
            elif isinstance(value.function, Known) and marker(value.function.name):
                yield from self.of_value(value, item.scope, place_of_item(item, self.evaluator))

    def keys(self, value: Value, label: str = "") -> Iterator[str]:
        """Yield what each parameter set of a ``parametrize`` or a fixture is known by."""
        for item in itertools.islice(self.evaluator.items(value), _ROWS):
            yield label + self.row_key(self._row_values(item))

    def _row_values(self, item: Delayed) -> tuple[Delayed, ...]:
        if isinstance(item.expression, ast.Call):
            for value in self.evaluator.evaluate(item.expression, item.scope):
                if isinstance(value, Applied) and value.function == Known("pytest.param"):
                    return value.positional()
        return (item,)

    def row_key(self, given: tuple[Delayed, ...]) -> str:
        """Return what a parameter set is known by: its values."""
        if len(given) == 1 and isinstance(given[0].expression, ast.Tuple | ast.List):
            elements = given[0].expression.elts
            given = tuple(Delayed(one, given[0].scope) for one in elements)
        texts = [text_of(one.expression, one.scope, self.evaluator) for one in given]
        return f"({', '.join(texts)})"


def place_of_item(item: Delayed, evaluator: Evaluator) -> Place:
    """Return where one item of a list is written."""
    return place_of(item.expression, item.scope.path, evaluator)


def _nearer(one: Place, other: Place) -> Place:
    """Prefer the item's own place, where it stands in the file that uses it."""
    return one if one.path == other.path and one.text else other
