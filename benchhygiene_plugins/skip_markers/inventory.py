"""Every reason why each test of a tree would not run, or may fail."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.collection import Collection, CollectionRules, Node, collect
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Applied,
    Instance,
    Kind,
    Known,
    Routine,
    Scope,
    Value,
)
from benchhygiene_plugins.skip_markers.blocks import Blocks, concerns
from benchhygiene_plugins.skip_markers.bodies import Bodies
from benchhygiene_plugins.skip_markers.comparison import Rows
from benchhygiene_plugins.skip_markers.exemptions import Exemption, Place
from benchhygiene_plugins.skip_markers.fixtures import Fixture, Fixtures, strings
from benchhygiene_plugins.skip_markers.hooks import Hooks
from benchhygiene_plugins.skip_markers.ini_fixtures import ini_fixtures
from benchhygiene_plugins.skip_markers.questions import Facts

_CLASS_SETUP = (
    "setUpClass",
    "setup_class",
    "setUp",
    "asyncSetUp",
    "setup_method",
    "setup",
    "run",
    "__init_subclass__",
    "tearDown",
    "asyncTearDown",
    "tearDownClass",
    "teardown_method",
    "teardown_class",
    "teardown",
)
_MODULE_SETUP = (
    "setUpModule",
    "setup_module",
    "setup_function",
    "tearDownModule",
    "teardown_module",
    "teardown_function",
)


@attrs.frozen(eq=False)
class Exempted:
    """One test and every reason why it would not run, or may fail."""

    node: Node
    exemptions: tuple[Exemption, ...]


@attrs.frozen(eq=False)
class Reader:
    """Reads what exempts the tests of one tree; remembers what several tests share."""

    evaluator: Evaluator
    bodies: Bodies
    blocks: Blocks
    fixtures: Fixtures
    hooks: Hooks
    everywhere: tuple[str, ...] = ()
    _shared: dict[tuple[object, ...], tuple[Exemption, ...]] = attrs.field(
        factory=dict[tuple[object, ...], tuple[Exemption, ...]]
    )

    @classmethod
    def of(cls, tree: SourceTree) -> Reader:
        """Return a reader of the tree."""
        evaluator = Evaluator.of(tree)
        bodies = Bodies(evaluator)
        blocks = Blocks(evaluator, bodies)
        hooks = Hooks(evaluator, bodies)
        return cls(evaluator, bodies, blocks, Fixtures(evaluator), hooks, ini_fixtures(tree))

    def read(self, node: Node) -> tuple[Exemption, ...]:
        """Return every reason why a test would not run, or may fail, and when."""
        try:
            return self._read(node)
        except RecursionError:
            place = Place(node.path, node.line)
            why = "its source is too deeply nested to read"
            return (Exemption(rule="skip.marker", place=place, unseen=why),)

    def _read(self, node: Node) -> tuple[Exemption, ...]:
        kinds = self._kinds(node)
        marks = tuple(self._marking(node, kinds))
        facts = self._facts(node, marks)
        found = [
            *self._own(node, kinds),
            *self._around(node, kinds),
            *self._rows(marks),
            *self._used(node, kinds, marks),
            *self.hooks.generating(node.path),
            *(one for path in self.fixtures.conftests(node.path) for one in self._hooked(path)),
        ]
        left = (attrs.evolve(one, condition=one.condition.decided(facts.answer)) for one in found)
        return tuple(dict.fromkeys(one for one in left if not one.condition.is_never))

    def rows(self, node: Node, exemptions: Iterable[Exemption]) -> Rows:
        """Return the parameter sets of a test, its own and its fixtures'."""
        kinds = self._kinds(node)
        marks = tuple(self._marking(node, kinds))
        given = [("", one.argument(1, "argvalues")) for one in _parametrized(marks)]
        requested = tuple(self._requested(node, marks))
        fixtures = self.fixtures.closure(node, kinds, requested)
        given += [(f"{one.name}=", one.params) for one in fixtures]
        keys = [
            key
            for label, values in given
            if values is not None
            for found in self.evaluator.evaluate(values.expression, values.scope)
            for key in self.bodies.marks.keys(found, label)
        ]
        return Rows(tuple(keys), frozenset(one.row for one in exemptions if one.row))

    def _kinds(self, node: Node) -> tuple[Kind, ...]:
        scope = Scope(node.path)
        kinds: list[Kind] = []
        for one in node.classes:
            kinds.append(Kind(one, scope))
            scope = scope.inside(self.evaluator.local(one))
        return tuple(kinds)

    def _scope(self, node: Node, kinds: tuple[Kind, ...]) -> Scope:
        """Return where the names of a test's decorators are looked up."""
        if node.definition_path != node.path or not kinds:
            return Scope(node.definition_path)
        return kinds[-1].scope.inside(self.evaluator.local(kinds[-1].node))

    def _own(self, node: Node, kinds: tuple[Kind, ...]) -> Iterator[Exemption]:
        routine = self._routine(node, kinds)
        for decorator in node.definition.decorator_list:
            yield from self.bodies.marks.of_decorator(decorator, routine.scope)
        yield from self.bodies.of_routine(routine)

    def routine(self, node: Node) -> Routine:
        """Return a test's function and where it stands."""
        return self._routine(node, self._kinds(node))

    def _routine(self, node: Node, kinds: tuple[Kind, ...]) -> Routine:
        owner = Instance(kinds[-1]) if kinds else None
        return Routine(node.definition, self._scope(node, kinds), owner)

    def _around(self, node: Node, kinds: tuple[Kind, ...]) -> Iterator[Exemption]:
        for depth, kind in enumerate(kinds):
            name = ".".join(node.qualname.split(".")[depth + 1 :])
            yield from (one for one in self.blocks.of_class(kind) if concerns(one, name))
        for path in (*self._packages(node.path), node.path):
            found = self.blocks.of_module(path)
            yield from (one for one in found if concerns(one, node.qualname))
        for kind in kinds:
            yield from self._set_up(kind)
        yield from self._set_up_module(node.path, is_function=not kinds)

    def _packages(self, path: str) -> Iterator[str]:
        folder = posixpath.dirname(path)
        while True:
            package = posixpath.join(folder, "__init__.py")
            if not self.evaluator.tree.is_file(package):
                return
            yield package
            if not folder:
                return
            folder = str(posixpath.dirname(folder))

    def _set_up(self, kind: Kind) -> tuple[Exemption, ...]:
        key = ("class", id(kind.node))
        if key not in self._shared:
            found: list[Exemption] = []
            for one in self.evaluator.lineage(kind):
                frame = self.evaluator.local(one.node)
                scope = one.scope.inside(frame)
                for name in _CLASS_SETUP:
                    if name in frame.names:
                        for value in self.evaluator.evaluate(ast.Name(name), scope):
                            found.extend(self._run(value, Instance(kind)))
            self._shared[key] = tuple(found)
        return self._shared[key]

    def _set_up_module(self, path: str, *, is_function: bool) -> tuple[Exemption, ...]:
        key = ("module", path, is_function)
        if key not in self._shared:
            names = self.evaluator.bindings(path).names
            wanted = [one for one in _MODULE_SETUP if is_function or "function" not in one]
            self._shared[key] = tuple(
                one
                for name in wanted
                if name in names
                for value in self.evaluator.name(path, name)
                for one in self._run(value, None)
            )
        return self._shared[key]

    def _run(self, value: Value, owner: Instance | None) -> tuple[Exemption, ...]:
        if not isinstance(value, Routine):
            return ()
        return self.bodies.of_routine(attrs.evolve(value, owner=owner))

    def _marking(self, node: Node, kinds: tuple[Kind, ...]) -> Iterator[Value]:
        """Yield every value that marks the test, as far as it is written on it or around it."""
        scope = self._scope(node, kinds)
        for decorator in node.definition.decorator_list:
            yield from self.evaluator.evaluate(decorator, scope)
        for kind in kinds:
            for one in self.evaluator.lineage(kind):
                for decorator in one.node.decorator_list:
                    yield from self.evaluator.evaluate(decorator, one.scope)
                yield from self._listed(ast.Name("pytestmark"), one)
        yield from self._flat(self.evaluator.name(node.path, "pytestmark"))

    def _listed(self, name: ast.Name, kind: Kind) -> Iterator[Value]:
        frame = self.evaluator.local(kind.node)
        if name.id in frame.names:
            yield from self._flat(self.evaluator.evaluate(name, kind.scope.inside(frame)))

    def _flat(self, values: Iterable[Value]) -> Iterator[Value]:
        for value in values:
            yield value
            for item in self.evaluator.items(value):
                yield from self.evaluator.evaluate(item.expression, item.scope)

    def _facts(self, node: Node, marks: tuple[Value, ...]) -> Facts:
        names = (_mark_name(value) for value in marks)
        classes = tuple(one.name for one in node.classes)
        arguments = frozenset(one.arg for one in arguments_of(node.definition))
        marked = frozenset(name for name in names if name)
        ids = node.parameters.ids
        brackets = None if "parametrize" in marked and not ids else ids
        return Facts(node.name, node.node_id, node.path, marked, classes, brackets, arguments)

    def _rows(self, marks: tuple[Value, ...]) -> Iterator[Exemption]:
        for one in _parametrized(marks):
            given = one.argument(1, "argvalues")
            if given is not None:
                for found in self.evaluator.evaluate(given.expression, given.scope):
                    yield from self.bodies.marks.of_rows(found)

    def _used(
        self, node: Node, kinds: tuple[Kind, ...], marks: tuple[Value, ...]
    ) -> Iterator[Exemption]:
        requested = tuple(self._requested(node, marks))
        for fixture in self.fixtures.closure(node, kinds, requested):
            yield from self.run(fixture)

    def run(self, fixture: Fixture) -> tuple[Exemption, ...]:
        """Return what a fixture does to the tests that use it."""
        key = ("fixture", id(fixture.routine.node))
        if key not in self._shared:
            found = [*self.bodies.of_routine(fixture.routine)]
            given = fixture.params
            if given is not None:
                for value in self.evaluator.evaluate(given.expression, given.scope):
                    found.extend(self.bodies.marks.of_rows(value, f"{fixture.name}="))
            self._shared[key] = tuple(found)
        return self._shared[key]

    def _requested(self, node: Node, marks: tuple[Value, ...]) -> Iterator[str]:
        """Yield the fixtures that a test asks for by argument or by a marker."""
        direct = {name for one in _parametrized(marks) for name in self._direct(one)}
        for value in marks:
            if isinstance(value, Applied) and _mark_name(value) == "usefixtures":
                for given in value.positional():
                    yield from strings(given, self.evaluator)
        yield from self.everywhere
        requested = self.fixtures.requests(node.definition, node.definition_path)
        yield from (name for name in requested if name not in direct)

    def _direct(self, value: Applied) -> Iterator[str]:
        given = value.argument(0, "argnames")
        if given is None or value.argument(2, "indirect") is not None:
            return
        for text in strings(given, self.evaluator):
            yield from (name.strip() for name in text.split(","))

    def _hooked(self, path: str) -> tuple[Exemption, ...]:
        return self.hooks.of_file(path)


def _parametrized(marks: Iterable[Value]) -> Iterator[Applied]:
    return (one for one in marks if isinstance(one, Applied) and _mark_name(one) == "parametrize")


def _mark_name(value: Value) -> str:
    name = value.function if isinstance(value, Applied) else value
    if not isinstance(name, Known) or not name.name.startswith("pytest.mark."):
        return ""
    return name.name.removeprefix("pytest.mark.").partition(".")[0]


def inventory(tree: SourceTree, rules: CollectionRules | None = None) -> tuple[Exempted, ...]:
    """Return the tests of a tree that something exempts, each with every reason.

    ``rules`` are the tree's own by default.
    """
    collection = collect(tree, rules or CollectionRules.of(tree))
    return tuple(one for one in exempted(tree, collection) if one.exemptions)


def exempted(tree: SourceTree, collection: Collection) -> Iterator[Exempted]:
    """Yield each node of a collection with what exempts it."""
    reader = Reader.of(tree)
    for node in collection.nodes:
        yield Exempted(node, reader.read(node))
