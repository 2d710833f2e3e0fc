"""Every check of one node: its fixtures, its set-up, its own body, its tear-down."""

from __future__ import annotations

import ast
import itertools
import posixpath
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode, decorator_call
from benchhygiene_plugins.assertions.calls import own_nodes
from benchhygiene_plugins.assertions.checks import Check, Flow, Place
from benchhygiene_plugins.assertions.decorating import swallowing_decorator
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.expressions import item, read
from benchhygiene_plugins.assertions.modules import Module, Project
from benchhygiene_plugins.assertions.scope import Owner, hierarchy
from benchhygiene_plugins.assertions.terms import Term, constant, term
from benchhygiene_plugins.assertions.trace import Closure, Trace

ROWS = 64  # parameter sets of a node that are followed one by one
_BUDGET = 20_000
_SET_UP = ("setUpClass", "setup_class", "setUp", "asyncSetUp", "setup_method", "setup")
_TEAR_DOWN = ("tearDown", "asyncTearDown", "teardown_method", "teardown", "tearDownClass")
_RUNNERS = ("run", "__call__", "_callTestMethod", "debug", "_callSetUp", "runTest")


@attrs.frozen(eq=False)
class Followed:
    """What one node demands and does, in the order in which it would run.

    ``overflowed`` says that there was more than is followed; ``swallowed`` names what keeps every
    failure of the node from the runner.
    """

    node: Node
    checks: tuple[Check, ...]
    effects: tuple[tuple[Term, Place], ...] = ()
    overflowed: bool = False
    swallowed: str | None = None


@attrs.frozen(eq=False)
class Follower:
    """Follows the nodes of one tree."""

    project: Project
    terms: dict[tuple[str, str], Term] = attrs.field(factory=dict["tuple[str, str]", Term])
    aliases: Mapping[str, str] = attrs.field(factory=dict[str, str])

    def follow(self, node: Node, *, unrolls: bool = True) -> Followed | None:
        """Return what a node demands, None where its file cannot be read."""
        module = self.project.module(node.definition_path)
        if module is None:
            return None
        trace = Trace(self.project, self.terms, unrolls=unrolls)
        trace.budget = _BUDGET
        owner = self._owner(node, trace)
        run = Run(trace, module, owner=owner)
        swallowed = swallowing_decorator(run, node) or _own_runner(node, owner)
        flow = Flow() if swallowed is None else Flow().caught(swallowed)
        self._prologue(run, node, module, flow)
        for names in self._rows(run, node):
            inner = Run(trace, module, {**run.names, **names}, owner)
            _name_self(inner, node)
            inner.block(node.definition.body, flow)
        if owner is not None:
            self._methods(run, _TEAR_DOWN, flow)
        _settle(run)
        return Followed(
            node, tuple(trace.checks), tuple(trace.effects), trace.overflowed, swallowed
        )

    def _owner(self, node: Node, trace: Trace) -> Term | None:
        home = self.project.module(node.path)
        if not node.classes or home is None:
            return None
        classes = tuple(hierarchy(node.classes[-1], home, trace))
        return term("owner", node=Owner(classes))

    def _prologue(self, run: Run, node: Node, module: Module, flow: Flow) -> None:
        if run.owner is not None:
            self._methods(run, _SET_UP, flow)
        parametrized = frozenset(name for name, _ in _parameters(run, node))
        requested = [one.arg for one in node.definition.args.args if one.arg not in parametrized]
        for name in requested:
            run.names[name] = term("fixture", value=self.aliases.get(name, name))
        for fixture, home in self._fixtures(node, module, frozenset(requested)):
            _follow_fixture(run, fixture, home, flow)

    def _methods(self, run: Run, names: Sequence[str], flow: Flow) -> None:
        owner = run.owner.node if run.owner is not None else None
        for name in names:
            found = owner.method(name) if isinstance(owner, Owner) else None
            if found is not None:
                inner = Run(run.trace, found[1], owner=run.owner, depth=1)
                arguments = found[0].args.args
                if arguments:
                    inner.names[arguments[0].arg] = term("self")
                inner.block(found[0].body, flow.inside(name))

    def _rows(self, run: Run, node: Node) -> Iterator[dict[str, Term]]:
        """Yield what each parameter set binds; one that stands for all where they are not known."""
        known = [rows for rows in _parameter_sets(run, node) if rows is not None]
        total = 1
        for rows in known:
            total *= max(1, len(rows))
        if not run.trace.unrolls or total > ROWS:
            run.trace.overflowed = run.trace.overflowed or total > ROWS
            yield dict(_symbolic_row(run, node))
            return
        for combination in itertools.product(*known):
            names: dict[str, Term] = {}
            for row in combination:
                names.update(row)
            yield {**dict(_symbolic_row(run, node)), **names}

    def _fixtures(
        self, node: Node, module: Module, requested: frozenset[str]
    ) -> Iterator[tuple[FunctionNode, Module]]:
        """Yield the definitions of the fixtures a node uses that may check something."""
        homes = [module, *self._conftests(node.path)]
        found: dict[str, tuple[FunctionNode, Module]] = {}
        for home in homes:
            members = [*home.functions.values()]
            if home is module:
                members += [m for c in node.classes for m in c.body if isinstance(m, FunctionNode)]
            for one in members:
                automatic = _fixture_use(home, one)
                if automatic is not None and one.name not in found:
                    if automatic or one.name in requested:
                        found[one.name] = (one, home)
        for name in sorted(found):
            yield found[name]

    def fixture(self, node: Node, name: str) -> FunctionNode | None:
        """Return the definition of a fixture that a node asks for, None where nobody here has it."""
        module = self.project.module(node.definition_path)
        if module is None:
            return None
        found = {one.name: one for one, _ in self._fixtures(node, module, frozenset((name,)))}
        return found.get(name)

    def _conftests(self, path: str) -> Iterator[Module]:
        directory = posixpath.dirname(path)
        while True:
            module = self.project.module(posixpath.join(directory, "conftest.py"))
            if module is not None:
                yield module
            if not directory:
                return
            directory = posixpath.dirname(directory)


def _fixture_use(home: Module, definition: FunctionNode) -> bool | None:
    """Return whether a fixture is used without being asked for, None for what is no fixture."""
    for decorator in definition.decorator_list:
        named, call = decorator_call(decorator)
        if home.source.resolved(named).rpartition(".")[2] in ("fixture", "yield_fixture"):
            given = {k.arg: k.value for k in call.keywords} if call is not None else {}
            value = given.get("autouse")
            return isinstance(value, ast.Constant) and bool(value.value)
    return None


def _follow_fixture(run: Run, fixture: FunctionNode, home: Module, flow: Flow) -> None:
    has_checks = any(isinstance(n, ast.Assert | ast.Raise) for n in own_nodes(fixture)) or any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute | ast.Name)
        for n in own_nodes(fixture)
    )
    if not has_checks:
        return
    trace = run.trace
    effects, chains = len(trace.effects), dict(trace.chains)
    inner = Run(trace, home, owner=run.owner, depth=1)
    for one in fixture.args.args:
        inner.names[one.arg] = term("fixture", value=one.arg)
    inner.block(fixture.body, flow.inside(fixture.name))
    # What a fixture does to things belongs to the fixture; only its checks are the node's.
    del trace.effects[effects:]
    trace.chains = chains


def _name_self(run: Run, node: Node) -> None:
    arguments = node.definition.args.args
    if node.classes and arguments:
        run.names[arguments[0].arg] = term("self")


def _settle(run: Run) -> None:
    """Note the checks of what was handed on and never asked for."""
    from benchhygiene_plugins.assertions.calls import execute

    for _ in range(3):
        pending = list(run.trace.pending.values())
        run.trace.pending.clear()
        for one in pending:
            execute(run, one.closure, one.arguments, one.keywords, one.flow)


def _own_runner(node: Node, owner: Term | None) -> str | None:
    """Return the method of the node's classes that stands in for unittest's own way to run it."""
    if owner is None or not node.is_unittest or not isinstance(owner.node, Owner):
        return None
    for name in _RUNNERS[:5]:
        found = owner.node.method(name)
        if found is not None and not _calls_super(found[0]):
            return f"its own {name}()"
    return None


def _calls_super(definition: FunctionNode) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == "super" for n in ast.walk(definition)
    ) and not any(isinstance(n, ast.Try) for n in ast.walk(definition))


def _decorators(node: Node) -> Iterator[ast.Call]:
    holders = [node.definition, *node.classes]
    for holder in holders:
        for decorator in holder.decorator_list:
            if isinstance(decorator, ast.Call):
                yield decorator


def _parameters(run: Run, node: Node) -> Iterator[tuple[str, Term]]:
    for names, rows in _parametrizations(run, node):
        for k, name in enumerate(names):
            yield name, (term("element", rows) if len(names) == 1 else item(term("element", rows), constant(k)))


def _parametrizations(run: Run, node: Node) -> Iterator[tuple[tuple[str, ...], Term]]:
    for call in _decorators(node):
        if run.dotted(call.func).rpartition(".")[2] != "parametrize":
            continue
        given = {k.arg: k.value for k in call.keywords}
        named = call.args[0] if call.args else given.get("argnames")
        values = call.args[1] if len(call.args) > 1 else given.get("argvalues")
        if named is None or values is None:
            continue
        names = _argument_names(read(named, run))
        if names:
            yield names, read(values, run)


def _argument_names(one: Term) -> tuple[str, ...]:
    if isinstance(one.node, str):
        return tuple(part.strip() for part in one.node.split(",") if part.strip())
    return tuple(str(part.node) for part in one.children)


def _parameter_sets(
    run: Run, node: Node
) -> Iterator[tuple[dict[str, Term], ...] | None]:
    for names, values in _parametrizations(run, node):
        rows = elements(values, 4 * ROWS)
        yield None if rows is None else tuple(_bound(names, _unwrapped(row)) for row in rows)


def _unwrapped(row: Term) -> Term:
    """Return the values in ``pytest.param(...)``."""
    if row.kind != "call" or row.children[0].value.rpartition(".")[2] != "param":
        return row
    values = tuple(one for one in row.children[1:] if one.kind != "keyword")
    return values[0] if len(values) == 1 else term("tuple", *values)


def _bound(names: tuple[str, ...], row: Term) -> dict[str, Term]:
    if len(names) == 1:
        return {names[0]: row}
    return {name: item(row, constant(k)) for k, name in enumerate(names)}


def _symbolic_row(run: Run, node: Node) -> Iterator[tuple[str, Term]]:
    yield from _parameters(run, node)
