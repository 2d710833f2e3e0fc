"""Every property of a tree, with its budget, its strategies, and what it assumes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.meanings import Delayed, Instance, Kind, Known, Routine, Scope
from benchhygiene.inventory.nodes import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.budgets import Setting, Settings
from benchhygiene_plugins.property_budgets.drawing import Assumption, local_name
from benchhygiene_plugins.property_budgets.following import plain_name
from benchhygiene_plugins.property_budgets.layers import (
    EXAMPLE,
    GIVEN,
    SEEDS,
    SETTINGS,
    Layer,
)
from benchhygiene_plugins.property_budgets.places import Place, place_of, place_of_definition
from benchhygiene_plugins.property_budgets.reading import Reading
from benchhygiene_plugins.property_budgets.strategies import Strategies

_RUN_MACHINE = "hypothesis.stateful.run_state_machine_as_test"
_MOST_CALLS = 40  # functions of the tree that one test calls and that are looked into


@attrs.frozen(eq=False)
class Example:
    """One explicit example: the value of each argument, by name, and how it is written.

    ``must_fail`` says that it is no longer an example that has to pass.
    """

    values: tuple[tuple[str, str], ...]
    text: str
    place: Place
    must_fail: bool = False


@attrs.frozen(eq=False)
class Property:
    """One test that hypothesis runs on many examples.

    ``deadline`` among the settings is in milliseconds. ``strategies`` are those of each argument,
    and of what it draws. ``place`` is where it is decorated, ``places`` where each strategy is
    given. ``unread`` says what could not be told.
    """

    node_id: str
    path: str
    place: Place
    settings: Settings = attrs.field(factory=dict[str, Setting])
    strategies: Mapping[str, Strategies] = attrs.field(factory=dict[str, Strategies])
    places: Mapping[str, Place] = attrs.field(factory=dict[str, Place])
    assumptions: tuple[Assumption, ...] = ()
    examples: tuple[Example, ...] = ()
    seeds: tuple[Place, ...] = ()
    names: Mapping[str, str] = attrs.field(factory=dict[str, str])
    unread: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class PropertyReader:
    """Reads the properties of one tree."""

    reading: Reading
    _known: dict[int, tuple[Node, Property | None]] = attrs.field(
        factory=dict[int, "tuple[Node, Property | None]"]
    )

    def read(self, node: Node) -> Property | None:
        """Return the property that a test is, None for a test that is none."""
        if id(node) not in self._known:  # kept beside what it is, so that its id is not used again
            self._known[id(node)] = (node, self._read(node))
        return self._known[id(node)][1]

    def _read(self, node: Node) -> Property | None:
        routine = self.routine(node)
        layers = [*self._layers(node, routine)]
        found = self._of(node.node_id, node.path, routine, layers)
        if found is not None:
            return found
        return self._within(node, routine)

    def machines(self, path: str) -> Iterator[Property]:
        """Yield the properties that pytest collects from a file's state machines."""
        if self.reading.tree.is_file(path):
            yield from self.reading.machines.of_file(path)

    def is_doubtful(self, node: Node) -> bool:
        """Return whether a decorator of a test could not be told."""
        return any(one.name == "?" for one in self._layers(node, self.routine(node)))

    def routine(self, node: Node) -> Routine:
        """Return a test's function and where its names are looked up."""
        evaluator = self.reading.evaluator
        scope, kind = Scope(node.definition_path), None
        if node.definition_path == node.path:
            for one in node.classes:
                kind = Kind(one, scope)
                scope = scope.inside(evaluator.local(one))
        return Routine(node.definition, scope, None if kind is None else Instance(kind))

    def _layers(self, node: Node, routine: Routine) -> Iterator[Layer]:
        yield from self.reading.layers.of(node.definition.decorator_list, routine.scope)
        for call in self._wrappings(node, routine.scope):
            yield from self.reading.layers.of_wrapping(call, routine.scope)

    def _wrappings(self, node: Node, scope: Scope) -> Iterator[ast.expr]:
        """Yield what the test's name is bound to otherwise: ``test_x = given(...)(test_x)``."""
        found = scope.find(node.name)
        entries: Sequence[object] = found[0] if found is not None else ()
        if found is None and not node.classes:
            entries = self.reading.evaluator.bindings(node.definition_path).names.get(node.name, ())
        yield from (one for one in entries if isinstance(one, ast.Call))

    def _of(
        self, node_id: str, path: str, routine: Routine, layers: Sequence[Layer]
    ) -> Property | None:
        given = [one for one in layers if one.name == GIVEN]
        if not given or not isinstance(routine.node, FunctionNode):
            return None
        evaluator, node = self.reading.evaluator, routine.node
        parts = dict(self._given(given, routine))
        strategies = {name: self.reading.builder.strategies(at) for name, at in parts.items()}
        inner = routine.scope.enclosing().inside(evaluator.local(node))
        body = self.reading.drawing.of_function(node, inner, _drawers(strategies))
        strategies.update((f"draw {k}", one) for k, one in enumerate(body.draws))
        placed = {name: self._placed(at, path, given[0]) for name, at in parts.items()}
        return Property(
            node_id,
            path,
            place_of_definition(node, routine.scope.path, evaluator),
            self._settings(layers, path),
            strategies,
            placed,
            body.assumptions,
            tuple(self._examples(layers, [one for one in parts if not one.isdigit()])),
            tuple(self._place(one) for one in layers if one.name in SEEDS),
            _local_names(node),
            tuple("a decorator" for one in layers if one.name == "?"),
        )

    def _placed(self, at: Delayed, path: str, given: Layer) -> Place:
        found = place_of(at.expression, at.scope.path, self.reading.evaluator)
        return found if found.text and found.path == path else self._place(given)

    def _place(self, layer: Layer) -> Place:
        return place_of(layer.at.expression, layer.at.scope.path, self.reading.evaluator)

    def _given(self, layers: Sequence[Layer], routine: Routine) -> Iterator[tuple[str, Delayed]]:
        """Yield each argument with its strategy; those without a name fill the last ones."""
        names = [one.arg for one in routine.node.args.args]
        for layer in layers:
            positional = layer.positional()
            ends = names[len(names) - len(positional) :] if positional else []
            if len(ends) < len(positional):  # ``*args``: named by their place
                ends = [str(index) for index in range(len(positional))]
            yield from zip(ends, positional, strict=False)
            for one in layer.arguments:  # a star that could not be written out keeps its name
                if one.name is not None:
                    yield one.name, one.value

    def _settings(self, layers: Sequence[Layer], path: str) -> Settings:
        profiles = self.reading.profiles.at(path)
        found = profiles.current
        for one in layers:
            if one.name == SETTINGS:
                found = self.reading.budgets.of_call(one.arguments, one.made, profiles)
                found = {key: self._held(each, one) for key, each in found.items()}
        return found

    def _held(self, setting: Setting, layer: Layer) -> Setting:
        """Return a setting with the decorator's place where its own is only made up."""
        if setting.place is None or setting.place.text or setting.profile:
            return setting
        return attrs.evolve(setting, place=self._place(layer))

    def _examples(self, layers: Sequence[Layer], names: list[str]) -> Iterator[Example]:
        """Yield the explicit examples; arguments without a name fill the last ones."""
        for one in layers:
            if one.name == EXAMPLE:
                positional = one.positional()
                ends = names[len(names) - len(positional) :] or [""] * len(positional)
                given = list(zip(ends, positional, strict=False))
                given += [(each.name, each.value) for each in one.arguments if each.name]
                values = tuple(sorted((name, self._written(at)) for name, at in given))
                written = self._place(one)
                yield Example(values, written.text, written, ".xfail(" in written.text)

    def _written(self, at: Delayed) -> str:
        return "|".join(map(repr, self.reading.quantities.several(at)))

    def _within(self, node: Node, routine: Routine) -> Property | None:
        """Return the property that a test runs inside: its own function, or one that it calls."""
        for inner, layers in self._inner(routine):
            found = self._of(node.node_id, node.path, inner, layers)
            if found is not None:
                return found
        return self._machine_run(node, routine)

    def _inner(self, routine: Routine) -> Iterator[tuple[Routine, list[Layer]]]:
        evaluator, node = self.reading.evaluator, routine.node
        if not isinstance(node, FunctionNode):
            return
        scope = routine.scope.enclosing().inside(evaluator.local(node))
        for one in ast.walk(node):
            if isinstance(one, FunctionNode) and one is not node and one.decorator_list:
                yield Routine(one, scope), [*self.reading.layers.of(one.decorator_list, scope)]
        calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
        for call in calls[:_MOST_CALLS]:
            if isinstance(call.func, ast.Call):
                yield from self._wrapped(call.func, scope)
            for value in evaluator.evaluate(call.func, scope):
                if isinstance(value, Routine) and isinstance(value.node, FunctionNode):
                    decorators = value.node.decorator_list
                    if decorators:
                        yield value, [*self.reading.layers.of(decorators, value.scope)]

    def _wrapped(self, call: ast.Call, scope: Scope) -> Iterator[tuple[Routine, list[Layer]]]:
        """Yield what ``given(...)(function)()`` runs."""
        layers = [*self.reading.layers.of_wrapping(call, scope)]
        innermost: ast.expr = call
        while isinstance(innermost, ast.Call) and len(innermost.args) == 1:
            innermost = innermost.args[0]
        for value in self.reading.evaluator.evaluate(innermost, scope):
            if isinstance(value, Routine) and layers:
                yield value, layers

    def _machine_run(self, node: Node, routine: Routine) -> Property | None:
        evaluator = self.reading.evaluator
        if not isinstance(routine.node, FunctionNode):
            return None
        scope = routine.scope.enclosing().inside(evaluator.local(routine.node))
        for call in (one for one in ast.walk(routine.node) if isinstance(one, ast.Call)):
            for value in evaluator.evaluate(call.func, scope)[:2]:
                if isinstance(value, Known) and plain_name(value.name) == _RUN_MACHINE:
                    return self.reading.machines.run(node, call, scope)
        return None


def _drawers(strategies: Mapping[str, Strategies]) -> frozenset[str]:
    """Return the arguments that a test draws from in its body."""
    return frozenset(
        name
        for name, several in strategies.items()
        if any(one.kind == "hypothesis.strategies.data" for one in several)
    )


def _local_names(node: FunctionNode) -> dict[str, str]:
    """Return what each argument is called in the conditions of assumptions."""
    names = [one.arg for one in arguments_of(node)]
    return {name: local_name(index) for index, name in enumerate(names)}
