"""Every check of one node: its fixtures, its set-up, its own body, its tear-down."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.bodies import execute
from benchhygiene_plugins.assertions.checks import Check, Flow, Place
from benchhygiene_plugins.assertions.decorating import swallowing_decorator
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.fixtures import Fixtures
from benchhygiene_plugins.assertions.injecting import injected
from benchhygiene_plugins.assertions.merging import Merging
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.assertions.parametrizing import digests, parameter_sets
from benchhygiene_plugins.assertions.scope import Owner, hierarchy
from benchhygiene_plugins.assertions.setups import Before, SetUp, is_blank, standing
from benchhygiene_plugins.assertions.terms import Term, term
from benchhygiene_plugins.assertions.trace import Trace

ROWS = 64  # parameter sets of a node that are followed one by one
_BUDGET = 8_000  # statements that are followed beyond four times those of the node itself
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
    _set_ups: dict[Hashable, SetUp] = attrs.field(factory=dict[Hashable, SetUp], init=False)
    # The class is kept beside its owner so that its id is not used again.
    _owners: dict[tuple[str, int], tuple[ast.ClassDef, Term]] = attrs.field(
        factory=dict["tuple[str, int]", "tuple[ast.ClassDef, Term]"], init=False
    )

    def rows(self, node: Node) -> frozenset[bytes] | None:
        """Return the digests of a node's parameter sets where they are too many to follow."""
        module = self.project.module(node.definition_path)
        if module is None:
            return None
        return digests(Run(Trace(self.project, self.terms), module), node)

    def follow(
        self,
        node: Node,
        *,
        unrolls: bool = True,
        rows: frozenset[bytes] | None = None,
        merging: Merging | None = None,
        like: Node | None = None,
        blind: bool = False,
    ) -> Followed | None:
        """Return what a node demands, None where its file cannot be read.

        ``rows`` are the digests of parameter sets that need not be told apart. ``merging`` follows
        a block of the candidate's with the node's own. What a property draws is called as ``like``
        calls it. ``blind`` leaves out what sets it up and what takes that down again.
        """
        module = self.project.module(node.definition_path)
        if module is None:
            return None
        trace = Trace(
            self.project, self.terms, unrolls, seam=merging, blind=blind, budget=_budget(node)
        )
        owner = self._owner(node)
        run = Run(trace, module, owner=owner)
        swallowed = swallowing_decorator(run, node) or _own_runner(node, owner)
        flow = Flow() if swallowed is None else Flow().caught(swallowed)
        given = injected(run, node, like or node)
        for row in parameter_sets(run, node, rows):
            # Each parameter set is a test of its own, with its own set-up.
            trace.chains, trace.attributes = {}, {}
            inner = Run(trace, module, {**given, **row}, owner, chain=(node.definition,))
            self._prologue(inner, node, module, flow)
            _name_self(inner, node)
            inner.block(node.definition.body, flow)
            if merging is not None and merging.failed:
                return None
            if owner is not None and not blind:
                self._methods(inner, _TEAR_DOWN, flow)
        _settle(run)
        return Followed(
            node, tuple(trace.checks), tuple(trace.effects), trace.overflowed, swallowed
        )

    def _owner(self, node: Node) -> Term | None:
        home = self.project.module(node.path)
        if not node.classes or home is None:
            return None
        key = (node.path, id(node.classes[-1]))
        if key not in self._owners:
            owner = term(
                "owner", node=Owner(tuple(hierarchy(node.classes[-1], home, self.project)))
            )
            self._owners[key] = (node.classes[-1], owner)
        return self._owners[key][1]

    def _prologue(self, run: Run, node: Node, module: Module, flow: Flow) -> None:
        """Set a test up, as another was where that is the same."""
        requested = [one.arg for one in node.definition.args.args if one.arg not in run.names]
        if not is_blank(run.trace):
            self._set_up(run, node, module, requested, flow)
            return
        key = standing(node, requested, flow, run.trace)
        known = self._set_ups.get(key)
        if known is not None and known.spent < run.trace.budget:
            known.repeat(run)
            return
        before = Before.of(run.trace)
        self._set_up(run, node, module, requested, flow)
        if not run.trace.overflowed:
            self._set_ups[key] = SetUp.of(run, node, requested, before)

    def _set_up(
        self, run: Run, node: Node, module: Module, requested: Sequence[str], flow: Flow
    ) -> None:
        if run.owner is not None and not run.trace.blind:
            self._methods(run, _SET_UP, flow)
        Fixtures(run, self.project.homes(node.path, module), node, flow).set_up(requested)

    def _methods(self, run: Run, names: Sequence[str], flow: Flow) -> None:
        owner = run.owner.node if run.owner is not None else None
        for name in names:
            found = owner.method(name) if isinstance(owner, Owner) else None
            if found is not None:
                inner = Run(run.trace, found[1], owner=run.owner, depth=1, chain=(found[0],))
                arguments = found[0].args.args
                if arguments:
                    inner.names[arguments[0].arg] = term("self")
                inner.block(found[0].body, flow.inside(name))


def _budget(node: Node) -> int:
    definition = node.definition
    return _BUDGET + 4 * ((definition.end_lineno or definition.lineno) - definition.lineno)


def _name_self(run: Run, node: Node) -> None:
    arguments = node.definition.args.args
    if node.classes and arguments:
        run.names[arguments[0].arg] = term("self")


def _settle(run: Run) -> None:
    """Note the checks of what was handed on and never asked for."""
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
