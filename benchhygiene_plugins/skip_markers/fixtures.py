"""Which fixtures a test uses, by pytest's rules of lookup."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Applied,
    Delayed,
    Kind,
    Known,
    Literal,
    Routine,
    Scope,
    Value,
)
from benchhygiene.inventory.names import Imported
from benchhygiene.inventory.python import FunctionNode

_BY_NAME = ("getfixturevalue", "getfuncargvalue")
_FIXTURES = 400  # fixtures that one test may lead to


@attrs.frozen(eq=False)
class Fixture:
    """One fixture: its function, and how ``@pytest.fixture`` was called."""

    name: str
    routine: Routine
    is_autouse: bool = False
    params: Delayed | None = None


@attrs.frozen(eq=False)
class Fixtures:
    """Finds the fixtures of one tree."""

    evaluator: Evaluator
    _files: dict[str, Mapping[str, Fixture]] = attrs.field(
        factory=dict[str, "Mapping[str, Fixture]"]
    )
    _classes: dict[tuple[int, ...], tuple[Kind, Mapping[str, Fixture]]] = attrs.field(
        factory=dict[tuple[int, ...], tuple[Kind, "Mapping[str, Fixture]"]]
    )
    _plugins: dict[str, tuple[str, ...]] = attrs.field(factory=dict[str, "tuple[str, ...]"])

    def conftests(self, path: str) -> tuple[str, ...]:
        """Return the conftests in force for a file, nearest first, and the plugins they name."""
        if path not in self._plugins:
            found: list[str] = []
            folder: str = posixpath.dirname(path)
            while True:
                candidate = posixpath.join(folder, "conftest.py")
                if self.evaluator.tree.is_file(candidate):
                    found.append(candidate)
                if not folder:
                    break
                folder = str(posixpath.dirname(folder))
            named = [plugin for one in (path, *found) for plugin in self._named_plugins(one)]
            self._plugins[path] = tuple(dict.fromkeys((*found, *named)))
        return self._plugins[path]

    def _named_plugins(self, path: str) -> Iterator[str]:
        bound = self.evaluator.bindings(path).names.get("pytest_plugins", ())
        for entry in bound:
            if isinstance(entry, ast.expr):
                for name in strings(Delayed(entry, Scope(path)), self.evaluator):
                    home = self.evaluator.modules.locate(path, name)
                    if home is not None:
                        yield home

    def of_file(self, path: str) -> Mapping[str, Fixture]:
        """Return the fixtures that a module's own names are, imported ones included."""
        if path not in self._files:
            found = [
                *self._starred(path),
                *(
                    fixture
                    for name, entries in self.evaluator.bindings(path).names.items()
                    for entry in entries
                    if self._is_plausible(entry, path)
                    for fixture in self._read(name, self.evaluator.name(path, name))
                ),
            ]
            self._files[path] = {one.name: one for one in found}
        return self._files[path]

    def _is_plausible(self, entry: object, path: str) -> bool:
        if isinstance(entry, Imported):
            home = self.evaluator.modules.locate(path, entry.module, entry.level)
            return entry.name is not None and home is not None and self._names_fixtures(home)
        is_decorated = isinstance(entry, FunctionNode) and bool(entry.decorator_list)
        return is_decorated or isinstance(entry, ast.Call)

    def _names_fixtures(self, path: str) -> bool:
        """Return whether a file may hold a fixture, or hand one on."""
        if path.endswith("__init__.py"):
            return True
        try:
            return self.evaluator.tree.derived(path, _mentions_fixture)
        except EvidenceUnavailable:
            return False

    def _starred(self, path: str) -> Iterator[Fixture]:
        for star in self.evaluator.bindings(path).stars:
            home = self.evaluator.modules.locate(path, star.module, star.level)
            if home is not None and home != path and home not in self._files:
                self._files[path] = {}  # while two files import one another's stars
                yield from self.of_file(home).values()
            elif home is not None and home != path:
                yield from self._files[home].values()

    def of_class(self, kind: Kind) -> Mapping[str, Fixture]:
        """Return the fixtures of a class and its bases in the tree, the nearest of each name."""
        # By identity: the class is kept with what it has, so that its id is not used again.
        key = (id(kind.node), *map(id, kind.scope.frames))
        if key not in self._classes:
            self._classes[key] = (kind, self._of_class(kind))
        return self._classes[key][1]

    def _of_class(self, kind: Kind) -> Mapping[str, Fixture]:
        found: dict[str, Fixture] = {}
        for one in reversed(list(self.evaluator.lineage(kind))):
            scope = one.scope.inside(self.evaluator.local(one.node))
            for statement in one.node.body:
                if isinstance(statement, FunctionNode) and statement.decorator_list:
                    routine = Routine(statement, scope)
                    found.update((f.name, f) for f in self._read(statement.name, (routine,)))
        return found

    def _read(self, name: str, values: tuple[Value, ...]) -> Iterator[Fixture]:
        for value in values:
            if isinstance(value, Routine) and not isinstance(value.node, ast.Lambda):
                for decorator in value.node.decorator_list:
                    for made in self.evaluator.evaluate(decorator, value.scope):
                        yield from self._fixture(name, made, value)
            elif isinstance(value, Applied):
                yield from self._made(name, value)

    def _made(self, name: str, value: Applied) -> Iterator[Fixture]:
        """Read ``name = pytest.fixture(function)`` and ``pytest.fixture(...)(function)``."""
        for given in value.positional()[:1]:
            for found in self.evaluator.evaluate(given.expression, given.scope):
                if isinstance(found, Routine):
                    maker = value.function if isinstance(value.function, Applied) else value
                    yield from self._fixture(name, maker, found)

    def _fixture(self, name: str, made: Value, routine: Routine) -> Iterator[Fixture]:
        if isinstance(made, Known) and is_fixture(made):
            yield Fixture(name, routine)
        elif isinstance(made, Applied) and is_fixture(made.function):
            named = made.named("name")
            texts = strings(named, self.evaluator) if named is not None else ()
            autouse = made.named("autouse")
            params = made.named("params")
            yield Fixture(texts[0] if texts else name, routine, self._holds(autouse), params)

    def _holds(self, given: Delayed | None) -> bool:
        if given is None:
            return False
        values = self.evaluator.evaluate(given.expression, given.scope)
        return not all(isinstance(one, Literal) and not one.value for one in values) or not values

    def closure(
        self, node: Node, kinds: tuple[Kind, ...], requested: tuple[str, ...]
    ) -> tuple[Fixture, ...]:
        """Return every fixture that a test uses, directly or through another."""
        layers = self._layers(node, kinds)
        wanted = [one.name for layer in layers for one in layer.values() if one.is_autouse]
        pending = [(name, 0) for name in dict.fromkeys((*wanted, *requested))]
        found: dict[int, Fixture] = {}
        while pending and len(found) < _FIXTURES:
            name, first = pending.pop(0)
            depth, fixture = _lookup(layers, name, first)
            if fixture is None or id(fixture.routine.node) in found:
                continue
            found[id(fixture.routine.node)] = fixture
            for one in self.requests(fixture.routine.node, fixture.routine.scope.path):
                pending.append((one, depth + 1 if one == name else 0))
        return tuple(found.values())

    def requests(self, node: FunctionNode | ast.Lambda, path: str) -> Iterator[str]:
        """Yield the fixtures that a function asks for: by argument, or by name while it runs."""
        yield from _arguments(node)
        if any(word in self.evaluator.file(path).text for word in _BY_NAME):
            yield from _by_name(node)

    def _layers(self, node: Node, kinds: tuple[Kind, ...]) -> list[Mapping[str, Fixture]]:
        classes = [self.of_class(kind) for kind in reversed(kinds)]
        files = (node.path, *self.conftests(node.path))
        return [*classes, *(self.of_file(path) for path in files)]


def _mentions_fixture(data: bytes) -> bool:
    return b"fixture" in data


def _lookup(
    layers: list[Mapping[str, Fixture]], name: str, first: int
) -> tuple[int, Fixture | None]:
    for depth in range(first, len(layers)):
        if name in layers[depth]:
            return depth, layers[depth][name]
    return 0, None


def is_fixture(value: Value) -> bool:
    """Return whether a value is pytest's ``fixture`` or a kin's."""
    return isinstance(value, Known) and value.name.rpartition(".")[2] in (
        "fixture",
        "yield_fixture",
    )


def _arguments(node: FunctionNode | ast.Lambda) -> Iterator[str]:
    optional = len(node.args.defaults)
    plain = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    unneeded = set(plain[len(plain) - optional :]) if optional else set[str]()
    yield from (one.arg for one in arguments_of(node) if one.arg not in unneeded)


def _by_name(node: FunctionNode | ast.Lambda) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Call(
                func=ast.Attribute(attr="getfixturevalue" | "getfuncargvalue"),
                args=[ast.Constant(value=str() as name), *_],
            ):
                yield name
            case _:
                continue


def strings(given: Delayed, evaluator: Evaluator) -> tuple[str, ...]:
    """Return the texts that an expression, or a list, stands for."""
    found: list[str] = []
    for value in evaluator.evaluate(given.expression, given.scope):
        if isinstance(value, Literal) and isinstance(value.value, str):
            found.append(value.value)
        for item in evaluator.items(value):
            found.extend(
                one.value
                for one in evaluator.evaluate(item.expression, item.scope)
                if isinstance(one, Literal) and isinstance(one.value, str)
            )
    return tuple(dict.fromkeys(found))
