"""The fixtures of a node: what they hand out, and what they check."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Flow
from benchhygiene_plugins.assertions.definitions import fixture_option, is_automatic
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.terms import Term, term

_DEEPEST = 8  # fixtures that ask for fixtures


@attrs.frozen(eq=False, slots=False)
class Fixtures:
    """The fixtures one node can see, set up at most once each; the nearest home comes first."""

    run: Run
    homes: Sequence[Module]
    node: Node
    flow: Flow
    values: dict[str, Term] = attrs.field(factory=dict[str, Term])

    def set_up(self, requested: Iterable[str]) -> None:
        """Bind what a node asks for, and follow what is used without being asked for."""
        if self.run.trace.blind:
            self.run.names.update((name, term("fixture", value=name)) for name in requested)
            return
        for home in reversed(self.homes):
            if home is self.homes[0]:
                for name, definition in self._inner:
                    if is_automatic(home.source, definition):
                        self.value(name)
            for name in home.automatic:
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
        for known, definition in self._inner:
            if known == name:
                return definition, self.homes[0]
        for home in self.homes:
            found = home.fixtures.get(name)
            if found is not None:
                return found, home
        return None

    @functools.cached_property
    def _inner(self) -> tuple[tuple[str, FunctionNode], ...]:
        """Return the fixtures in the node's classes, the innermost class's first."""
        home = self.homes[0]
        return tuple(one for c in reversed(self.node.classes) for one in home.fixtures_of(c))

    def _followed(self, name: str, fixture: FunctionNode, home: Module, depth: int) -> Term:
        inner = Run(self.run.trace, home, owner=self.run.owner, depth=1, chain=(fixture,))
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


def _is_parametrized(home: Module, definition: FunctionNode) -> bool:
    return fixture_option(home.source, definition, "params") is not None
