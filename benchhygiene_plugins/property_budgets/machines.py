"""State machines: the test cases made of them, their rules and their budgets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.calling import arguments_in
from benchhygiene.inventory.meanings import Applied, Delayed, Kind, Known, Routine, Scope
from benchhygiene.inventory.nodes import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.budgets import MACHINE, Profiles, Settings
from benchhygiene_plugins.property_budgets.drawing import Assumption
from benchhygiene_plugins.property_budgets.following import plain_name
from benchhygiene_plugins.property_budgets.places import place_of
from benchhygiene_plugins.property_budgets.properties import Property
from benchhygiene_plugins.property_budgets.reading import Reading
from benchhygiene_plugins.property_budgets.strategies import Strategies

_BASES = ("hypothesis.stateful.RuleBasedStateMachine", "hypothesis.stateful.GenericStateMachine")
_RULES = ("hypothesis.stateful.rule", "hypothesis.stateful.initialize")
_PRECONDITION = "hypothesis.stateful.precondition"
_FREE = ("target", "targets")


@attrs.frozen(eq=False)
class Case:
    """A test case that a module names, the machine it runs, and the class it is, if it is one."""

    name: str
    machine: Kind
    own: ast.ClassDef | None
    line: int


@attrs.frozen(eq=False)
class Machines:
    """Reads the state machines of one tree."""

    reading: Reading

    def of_file(self, path: str) -> Iterator[Property]:
        """Yield the properties that pytest collects from a file's state machines."""
        body = self.reading.evaluator.file(path).body
        for case in self._cases(path, body):
            settings = self._settings(case, path, body)
            node_id = f"{path}::{case.name}::runTest"
            yield self._property(node_id, path, case.machine, settings)

    def run(self, node: Node, call: ast.Call, scope: Scope) -> Property | None:
        """Return the property of a test that runs a machine itself."""
        arguments = arguments_in(call, scope)
        for one in arguments[:1]:
            for value in self.reading.evaluator.evaluate(one.value.expression, one.value.scope):
                if isinstance(value, Kind) and self._is_machine(value):
                    profiles = self._profiles(node.path)
                    settings = profiles.current
                    for given in arguments[1:]:
                        settings = self.reading.budgets.settings(given.value, profiles) or settings
                    return self._property(node.node_id, node.path, value, settings)
        return None

    def _cases(self, path: str, body: list[ast.stmt]) -> Iterator[Case]:
        for one in body:
            match one:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    for machine in self._machines(Delayed(value, Scope(path))):
                        yield Case(name, machine, None, one.lineno)
                case ast.ClassDef(name=name, bases=bases):
                    for base in bases:
                        for machine in self._machines(Delayed(base, Scope(path))):
                            yield Case(name, machine, one, one.lineno)
                case _:
                    continue

    def _machines(self, at: Delayed) -> Iterator[Kind]:
        """Yield the machine whose ``TestCase`` an expression is."""
        node = at.expression
        if isinstance(node, ast.Call) and len(node.args) > 1:  # getattr(Machine, "TestCase")
            named = node.args[1]
            if isinstance(named, ast.Constant) and named.value == "TestCase":
                node = ast.Attribute(node.args[0], "TestCase")
        if isinstance(node, ast.Attribute) and node.attr == "TestCase":
            for value in self.reading.evaluator.evaluate(node.value, at.scope):
                if isinstance(value, Kind) and self._is_machine(value):
                    yield value

    def _is_machine(self, kind: Kind) -> bool:
        return any(
            isinstance(value, Known) and plain_name(value.name) in _BASES
            for one in self.reading.evaluator.lineage(kind)
            for base in one.node.bases
            for value in self.reading.evaluator.evaluate(base, one.scope)
        )

    def _profiles(self, path: str) -> Profiles:
        """Return the profiles as a machine has them that nobody gives settings."""
        found = self.reading.profiles.at(path)
        special = {key: MACHINE[key] for key in ("deadline", "suppress_health_check")}
        return attrs.evolve(found, current={**found.current, **special})

    def _settings(self, case: Case, path: str, body: list[ast.stmt]) -> Settings:
        profiles = self.reading.profiles.at(path)
        found: Settings = self._profiles(path).current
        for at in self._given(case, path, body):
            found = self.reading.budgets.settings(at, profiles) or found
        return found

    def _given(self, case: Case, path: str, body: list[ast.stmt]) -> Iterator[Delayed]:
        """Yield the settings that are given to a test case, the last one in force."""
        for decorator in case.machine.node.decorator_list:
            yield Delayed(decorator, case.machine.scope)
        if case.own is not None:
            inner = Scope(path).inside(self.reading.evaluator.local(case.own))
            for one in case.own.body:
                if isinstance(one, ast.Assign) and _names(one, "settings"):
                    yield Delayed(one.value, Scope(path))
                    yield Delayed(one.value, inner)
        for one in body:
            match one:
                case ast.Assign(targets=[ast.Attribute(value=holder, attr="settings")]):
                    if self._holds(holder, case):
                        yield Delayed(one.value, Scope(path))
                case _:
                    continue

    def _holds(self, holder: ast.expr, case: Case) -> bool:
        words = ast.unparse(holder)
        return words in (case.name, f"{case.machine.node.name}.TestCase") or words.endswith(
            f".{case.machine.node.name}.TestCase"
        )

    def _property(self, node_id: str, path: str, machine: Kind, settings: Settings) -> Property:
        strategies: dict[str, Strategies] = {}
        assumptions: list[Assumption] = []
        for routine in self._routines(machine):
            strategies.update(self._rules(routine))
            assumptions.extend(self._assumptions(routine))
        home = machine.scope.path
        place = place_of(machine.node, home, self.reading.evaluator)
        head = attrs.evolve(place, text=place.text.partition("\n")[0])
        return Property(node_id, path, head, settings, strategies, {}, tuple(assumptions))

    def _routines(self, machine: Kind) -> Iterator[Routine]:
        seen: set[str] = set()
        for one in self.reading.evaluator.lineage(machine):
            scope = one.scope.inside(self.reading.evaluator.local(one.node))
            for member in one.node.body:
                if isinstance(member, FunctionNode) and member.name not in seen:
                    seen.add(member.name)
                    yield Routine(member, scope)

    def _rules(self, routine: Routine) -> Iterator[tuple[str, Strategies]]:
        node = routine.node
        if not isinstance(node, FunctionNode):
            return
        for one in self._applied(node, routine.scope):
            if not isinstance(one.function, Known) or plain_name(one.function.name) not in _RULES:
                continue
            yield node.name, ()
            for argument in one.arguments:
                if argument.name is not None and argument.name not in _FREE:
                    found = self.reading.builder.strategies(argument.value)
                    yield f"{node.name}.{argument.name}", found

    def _assumptions(self, routine: Routine) -> Iterator[Assumption]:
        node = routine.node
        if not isinstance(node, FunctionNode):
            return
        evaluator = self.reading.evaluator
        for one in self._applied(node, routine.scope):
            if isinstance(one.function, Known) and plain_name(one.function.name) == _PRECONDITION:
                for given in one.positional()[:1]:
                    for effect in self.reading.builder.predicates.effects(given):
                        text = f"@precondition({self.reading.quantities.text(given)})"
                        meaning = f"{node.name}: {effect.meaning}"
                        yield Assumption(meaning, text, routine.scope.path, node.lineno)
        scope = routine.scope.enclosing().inside(evaluator.local(node))
        body = self.reading.drawing.of_function(node, scope, frozenset())
        for each in body.assumptions:
            yield attrs.evolve(each, meaning=f"{node.name}: {each.meaning}")

    def _applied(self, node: FunctionNode, scope: Scope) -> Iterator[Applied]:
        for decorator in node.decorator_list:
            for root in self.reading.builder.follower.roots(Delayed(decorator, scope)):
                yield from self.reading.builder.follower.applied(root)


def _names(one: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in one.targets)
