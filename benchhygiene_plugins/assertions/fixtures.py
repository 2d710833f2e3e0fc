"""The fixtures of a node: what they hand out, and what they check."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Flow
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.modules import Module, fixture_decorator, fixtures_among
from benchhygiene_plugins.assertions.terms import Term, term

_DEEPEST = 8  # fixtures that ask for fixtures


@attrs.frozen(eq=False)
class Fixtures:
    """The fixtures one node can see, set up at most once each; the nearest home comes first."""

    run: Run
    homes: Sequence[Module]
    node: Node
    flow: Flow
    values: dict[str, Term] = attrs.field(factory=dict[str, Term])

    def set_up(self, requested: Iterable[str]) -> None:
        """Bind what a node asks for, and follow what is used without being asked for."""
        for home in reversed(self.homes):
            for name, definition in self._members(home):
                if _is_automatic(home, definition):
                    self.value(name)
        for name in requested:
            self.run.names[name] = self.value(name)

    def value(self, name: str, depth: int = 0) -> Term:
        """Return what a fixture hands out; only its name where that is not plain."""
        if name not in self.values:
            self.values[name] = term("fixture", value=name)
            found = self._definition(name)
            if found is not None and depth < _DEEPEST:
                self.values[name] = self._followed(name, *found, depth)
        return self.values[name]

    def _definition(self, name: str) -> tuple[FunctionNode, Module] | None:
        for home in self.homes:
            for known, definition in self._members(home):
                if known == name:
                    return definition, home
        return None

    def _members(self, home: Module) -> Sequence[tuple[str, FunctionNode]]:
        if home is not self.homes[0] or not self.node.classes:
            return home.fixtures
        inner = (m for c in reversed(self.node.classes) for m in c.body)
        return (*fixtures_among(home.source, inner), *home.fixtures)

    def _followed(self, name: str, fixture: FunctionNode, home: Module, depth: int) -> Term:
        inner = Run(self.run.trace, home, owner=self.run.owner, depth=1)
        inner.is_fixture = True
        arguments = [one.arg for one in fixture.args.args]
        for one in arguments:
            if one in ("self", "cls") and one == arguments[0]:
                inner.names[one] = term("self")
            else:
                inner.names[one] = self.value(one, depth + 1)
        inner.block(fixture.body, self.flow.inside(fixture.name))
        self.run.trace.tearing_down = False
        handed = inner.returned + inner.yielded
        plain = len(handed) == 1 and handed[0][1].guards == self.flow.guards
        if not plain or _is_parametrized(home, fixture):
            return term("fixture", value=name)
        return handed[0][0]


def _option(home: Module, definition: FunctionNode, name: str) -> ast.expr | None:
    found = fixture_decorator(home.source, definition)
    call = found[1] if found is not None else None
    if call is None:
        return None
    return next((k.value for k in call.keywords if k.arg == name), None)


def _is_automatic(home: Module, definition: FunctionNode) -> bool:
    given = _option(home, definition, "autouse")
    return isinstance(given, ast.Constant) and bool(given.value)


def _is_parametrized(home: Module, definition: FunctionNode) -> bool:
    return _option(home, definition, "params") is not None
