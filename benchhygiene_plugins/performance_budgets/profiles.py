"""Everything by which one test measures, read off its source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.bindings import Class
from benchhygiene.inventory.classes import ClassAt, lineage
from benchhygiene.inventory.collection import Node
from benchhygiene_plugins.performance_budgets import clocks, vocabulary
from benchhygiene_plugins.performance_budgets.frames import Frame
from benchhygiene_plugins.performance_budgets.generators import is_generator
from benchhygiene_plugins.performance_budgets.machine import Machine
from benchhygiene_plugins.performance_budgets.marking import (
    amount_of_memory,
    assigned,
    each_of,
    keywords_of,
    parametrized,
    texts_of,
)
from benchhygiene_plugins.performance_budgets.names import Names
from benchhygiene_plugins.performance_budgets.recording import (
    Amount,
    Exhausted,
    Fake,
    Record,
    Setting,
    Timeout,
)
from benchhygiene_plugins.performance_budgets.sides import Side
from benchhygiene_plugins.performance_budgets.terms import (
    NOTHING,
    Bench,
    Kind,
    Known,
    Made,
    Place,
    Ref,
    Routine,
    Row,
    Table,
    Term,
    Thing,
)
from benchhygiene_plugins.performance_budgets.vocabulary import HOOKS, SETUPS

_Then = Callable[[], None]


@attrs.frozen(eq=False)
class Profile:
    """One test and what was met while it was followed; ``reason`` says why that is not all."""

    node: Node
    record: Record
    reason: str | None = None

    @property
    def is_timed(self) -> bool:
        """Return whether a clock, or something that reads one, is read."""
        return bool(self.record.clocks)


def profile(side: Side, node: Node) -> Profile:
    """Follow one test with all it is run with."""
    record = Record()
    module = side.modules.at(node.definition_path)
    if module is None or module.file.module is None:
        return Profile(node, record, "its file cannot be read")
    follower = _Follower(side, node, record)
    try:
        follower.run()
    except Exhausted:
        return Profile(node, record, "there is more in it than is followed")
    except (RecursionError, MemoryError):
        return Profile(node, record, "it is too deeply nested to be followed")
    return Profile(node, record)


@attrs.define(eq=False)
class _Follower:
    side: Side
    node: Node
    record: Record
    machine: Machine = attrs.field(init=False)
    names: Names = attrs.field(init=False)
    given: dict[str, Term] = attrs.field(factory=dict[str, Term], init=False)
    used: list[str] = attrs.field(factory=list[str], init=False)
    owner: Thing | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        def evaluate(node: ast.expr, path: str, known: dict[str, Term]) -> Term:
            return self.machine.expression(node, Frame(path, known))

        self.names = Names(self.side.modules, self.side.fixtures, evaluate)
        named = vocabulary.is_named_for_it(self.node.name)
        classes = (one.name for one in self.node.classes)
        stem = self.node.path.rpartition("/")[2].removesuffix(".py")
        named = named or any(map(vocabulary.is_named_for_it, (stem, *classes)))
        self.machine = Machine(self.names, self.record, named)

    def run(self) -> None:
        """Follow what runs before the test, and then the test."""
        self._modules()
        kinds = tuple(self._classes())
        if kinds:
            self.owner = Thing(Kind(kinds[-1]))
        self._marks(kinds)
        for name in SETUPS:
            self._set_up(name)
        test = self._test()
        if test is None:
            return
        line = lineage(self.side.modules, kinds[-1]).classes if kinds else ()
        autouse = [one.name for one in self.names.autouse(self.node.path, line)]
        wanted = [*autouse, *self.used, *self._asked()]
        self._request(wanted, line, lambda: self._call(test))

    def _call(self, test: Routine) -> None:
        asked = {name: self.given[name] for name in self._asked() if name in self.given}
        self.machine.call(test, (), asked)

    def _asked(self) -> list[str]:
        definition = self.node.definition.args
        names = [one.arg for one in (*definition.posonlyargs, *definition.args)]
        own = names[1:] if self.owner is not None and names[:1] in (["self"], ["cls"]) else names
        return [*own, *(one.arg for one in definition.kwonlyargs)]

    def _test(self) -> Routine | None:
        name, path = self.node.name, self.node.definition_path
        if self.owner is not None and self.owner.kind is not None:
            found = self.names.member(self.owner.kind, name, self.owner)
        else:
            found = self.names.at(self.node.path, name)
        if isinstance(found, Routine):
            return found
        return Routine(self.node.definition, path, {}, self.owner)

    def _classes(self) -> Iterator[ClassAt]:
        module = self.side.modules.at(self.node.path)
        scope = module.scope if module is not None else None
        for one in self.node.classes:
            binding = scope.names.get(one.name) if scope is not None else None
            if not isinstance(binding, Class):
                return
            yield ClassAt(self.node.path, binding)
            scope = binding.scope

    def _set_up(self, name: str) -> None:
        routine: Term | None = None
        if self.owner is not None and self.owner.kind is not None:
            routine = self.names.member(self.owner.kind, name, self.owner)
        if routine is None and name in ("setUpModule", "setup_module"):
            routine = self.names.at(self.node.path, name)
        if isinstance(routine, Routine):
            self.machine.call(routine, (), {})

    def _modules(self) -> None:
        """Follow what modules do to clocks when they are imported, and the hooks of conftests."""
        for path in (*self._conftests(), self.node.path):
            module = self.side.modules.at(path)
            for statement in module.file.body if module is not None else ():
                if _may_replace(statement):
                    self.machine.statement(statement, Frame(path))
            bound = module.scope.names if module is not None else {}
            for name in (one for one in HOOKS if one in bound):
                hook = self.names.at(path, name)
                if isinstance(hook, Routine):
                    self._hook(hook)

    def _hook(self, hook: Routine) -> None:
        if is_generator(hook.node):
            self.machine.generate(hook, (), {}, lambda _: None)
        else:
            self.machine.call(hook, (), {})

    def _conftests(self) -> Iterator[str]:
        folder, _, _ = self.node.path.rpartition("/")
        parts = folder.split("/") if folder else []
        for end in range(len(parts) + 1):
            path = "/".join((*parts[:end], "conftest.py"))
            if self.side.tree.is_file(path):
                yield path

    def _request(self, wanted: Sequence[str], line: tuple[ClassAt, ...], then: _Then) -> None:
        """Follow fixtures, those they ask for first, and then what stands inside them."""
        if not wanted:
            then()
            return
        name, *rest = wanted
        if name in self.given:
            self._request(rest, line, then)
            return
        if name == "benchmark":
            self.given[name] = Bench()
            self._request(rest, line, then)
            return
        fixture = self.names.fixture(name, self.node.path, line)
        if fixture is None:
            self._strange(name)
            self._request(rest, line, then)
            return
        self.given[name] = NOTHING  # asked for by itself: the one that it overrides
        asked = [one.arg for one in fixture.definition.args.args if one.arg not in ("self", name)]

        def follow() -> None:
            self._fixture(name, fixture.path, fixture.definition, rest, line, then)

        self._request(asked, line, follow)

    def _strange(self, name: str) -> None:
        if name in vocabulary.FREEZER_FIXTURES:
            self.record.fakes.append(Fake(name, self._own_place()))
        self.given[name] = (
            Ref(name) if name in ("monkeypatch", "mocker") else Made(f"fixture:{name}")
        )

    def _fixture(
        self,
        name: str,
        path: str,
        definition: ast.FunctionDef | ast.AsyncFunctionDef,
        rest: Sequence[str],
        line: tuple[ClassAt, ...],
        then: _Then,
    ) -> None:
        routine = Routine(definition, path, {})
        words = {
            one.arg: self.given[one.arg] for one in definition.args.args if one.arg in self.given
        }
        if definition.args.args[:1] and definition.args.args[0].arg == "self" and self.owner:
            words["self"] = self.owner
        words.setdefault("request", self._request_of(definition, path))
        if not is_generator(definition):
            self.given[name] = self.machine.call(routine, (), words)
            self._request(rest, line, then)
            return

        def inside(value: Term) -> None:
            self.given[name] = value
            self._request(rest, line, then)

        self.machine.generate(routine, (), words, inside)

    def _request_of(self, definition: ast.FunctionDef | ast.AsyncFunctionDef, path: str) -> Term:
        for one in definition.decorator_list:
            for word in one.keywords if isinstance(one, ast.Call) else ():
                if word.arg == "params":
                    rows = self.machine.expression(word.value, Frame(path))
                    return Table((("param", Made("param", (rows,))),))
        return Made("request")

    def _own_place(self) -> Place:
        return self.machine.place(self.node.definition, Frame(self.node.definition_path))

    def _marks(self, kinds: Sequence[ClassAt]) -> None:
        found: dict[str, tuple[Made, Place]] = {}
        bench: tuple[Mapping[str, Term], Place] = ({}, self._own_place())
        for node, path in self._marking(kinds):
            for term in each_of(self.machine.expression(node, Frame(path))):
                place = self.machine.place(node, Frame(path))
                if isinstance(term, Made) and term.name == "pytest.mark.usefixtures":
                    self.used.extend(texts_of(term))
                if isinstance(term, Made) and term.name not in found:
                    found[term.name] = (term, place)
                    self._fill(parametrized(term))
                if isinstance(term, Made) and term.name == "pytest.mark.benchmark":
                    bench = (keywords_of(term), place)
        timeout = found.get("pytest.mark.timeout")
        if timeout is not None:
            self._timeout(*timeout)
        for word in vocabulary.BOUNDS:
            if f"pytest.mark.{word}" in found:
                self._bound(word, *found[f"pytest.mark.{word}"])
        if "benchmark" in self._asked():
            self._benchmark_options(*bench)

    def _marking(self, kinds: Sequence[ClassAt]) -> Iterator[tuple[ast.expr, str]]:
        for one in self.node.definition.decorator_list:
            yield one, self.node.definition_path
        for kind in reversed(kinds):
            for at in lineage(self.side.modules, kind).classes:
                yield from ((one, at.path) for one in at.definition.decorator_list)
                if "pytestmark" in at.binding.scope.names:
                    yield assigned("pytestmark", at.definition.body), at.path
        module = self.side.modules.at(self.node.path)
        if module is not None and "pytestmark" in module.scope.names:
            yield assigned("pytestmark", module.file.body), self.node.path

    def _fill(self, given: Mapping[str, Term]) -> None:
        for name, value in given.items():
            self.given.setdefault(name, value)

    def _timeout(self, term: Made, place: Place) -> None:
        first = term.parts[0]
        given = (
            first.parts[0]
            if isinstance(first, Row) and first.parts
            else keywords_of(term).get("timeout")
        )
        value = given.number if isinstance(given, Known) else None
        self.record.timeouts.append(Timeout("pytest.mark.timeout", value, place))

    def _bound(self, word: str, term: Made, place: Place) -> None:
        first = term.parts[0] if term.parts else NOTHING
        given = first.parts[0] if isinstance(first, Row) and first.parts else NOTHING
        value = given.number if isinstance(given, Known) else None
        if isinstance(given, Known) and isinstance(given.value, str):
            value = amount_of_memory(given.value)
        self.record.timeouts.append(Timeout(word, value, place))

    def _benchmark_options(self, words: Mapping[str, Term], place: Place) -> None:
        wanted = (
            ("max_time", Setting.DURATION),
            ("min_time", Setting.LEAST_TIME),
            ("warmup_iterations", Setting.WARMUP),
        )
        for name, setting in wanted:
            term = words.get(name)
            if term is not None:
                value = term.number if isinstance(term, Known) else None
                self.record.amounts.append(Amount(setting, value, place))
        least = words.get("min_rounds")
        if least is not None:
            self.record.least_rounds = least.number if isinstance(least, Known) else None
        warm = words.get("warmup")
        if isinstance(warm, Known):
            self.record.amounts.append(
                Amount(Setting.WARMED, float(warm.value not in (False, "off")), place)
            )
        timer = words.get("timer")
        if timer is not None and not clocks.is_wall(timer):
            clocks.replaced(self.record, "timeit.default_timer", place)


def _may_replace(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign():
            return any(isinstance(one, ast.Attribute) for one in statement.targets)
        case ast.Expr(value=ast.Call()):
            return True
        case _:
            return False
