"""What following one node has brought to light so far."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import NO_HISTORY, Check, Flow, Origin, Place
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.assertions.predicates import facts
from benchhygiene_plugins.assertions.tautologies import Sides, reason
from benchhygiene_plugins.assertions.terms import Term, term

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.merging import Merging

_QUIET = frozenset(
    (
        "addfinalizer",
        "addCleanup",
        "addAsyncCleanup",
        "addTypeEqualityFunc",
        "print",
        "sleep",
        "debug",
        "info",
        "warning",
        "error",
        "exception",
        "log",
        "collect",
        "flush",
        "pprint",
        "write_line",
        "set_trace",
        "breakpoint",
        "settimeout",
    )
)
_HISTORY_PARTS = 60
_WRAPPERS = frozenset(("list", "tuple", "set", "dict", "pair", "attr", "item", "starred", "binary"))
_UNTOUCHED = frozenset(("const", "builtin", "function", "ref", "self", "class", "free", "argument"))


@attrs.frozen(eq=False)
class Closure:
    """A function somebody can call: where it stands, and the names around it."""

    definition: FunctionNode | ast.Lambda
    module: Module
    names: Mapping[str, Term] = attrs.field(factory=dict[str, Term])
    owner: Term | None = None

    @property
    def name(self) -> str:
        """Return the function's name."""
        return getattr(self.definition, "name", "<lambda>")


@attrs.frozen(eq=False)
class Pending:
    """Code that was handed on, and what it is worth if nobody asks for its outcome."""

    closure: Closure
    arguments: tuple[Term, ...]
    keywords: tuple[Term, ...]
    flow: Flow


@attrs.define(eq=False)
class Trace:
    """The checks and effects met while one node is followed; one per node, thrown away after."""

    project: Project
    terms: dict[tuple[str, str], Term] = attrs.field(factory=dict["tuple[str, str]", Term])
    unrolls: bool = True
    blind: bool = False  # fixtures and set-up are not looked into
    seam: Merging | None = None
    checks: list[Check] = attrs.field(factory=list[Check])
    effects: list[tuple[Term, Place]] = attrs.field(factory=list["tuple[Term, Place]"])
    chains: dict[bytes, Term] = attrs.field(factory=dict[bytes, Term])
    written: list[bytes] = attrs.field(factory=list[bytes])  # to what chains were added, in order
    attributes: dict[bytes, dict[str, Term]] = attrs.field(factory=dict[bytes, "dict[str, Term]"])
    pending: dict[bytes, Pending] = attrs.field(factory=dict[bytes, Pending])
    recorders: list[list[Term]] = attrs.field(factory=list["list[Term]"])
    raising: list[list[Term]] = attrs.field(factory=list["list[Term]"])
    tearing_down: bool = False
    muted: int = 0
    budget: int = 20_000
    overflowed: bool = False

    def spend(self) -> bool:
        """Return whether there is still budget for a statement."""
        self.budget -= 1
        if self.budget <= 0:
            self.overflowed = True
        return self.budget > 0

    def demand(self, what: Term, place: Place, flow: Flow, sides: Sides | None = None) -> None:
        """Note a demand, fact by fact; ``sides`` are those of a comparison as they are written."""
        if self.muted:
            return
        if self.raising and self.raising[-1]:
            flow = flow.buried("behind what must raise")
        for fact in facts(what):
            inner = flow
            for iterable in fact.loops:
                inner = inner.repeated(iterable)
            void = reason(fact.predicate, sides)
            history = self._history(fact.predicate) if self.chains else NO_HISTORY
            made = Check(fact.predicate, place, inner, history, None, void)
            self.checks.append(_filtered(made, fact.filters) if fact.filters else made)

    def effect(self, what: Term, place: Place, roots: Iterable[Term]) -> None:
        """Note that a statement may change the things it touches."""
        if self.recorders and what not in self.recorders[-1][-1:]:
            self.recorders[-1].append(what)
        if self.muted or self.tearing_down or _is_quiet(what):
            return
        self.effects.append((what, place))
        for root in dict.fromkeys(_touched(roots)):
            before = self.chains.get(root.digest, NO_HISTORY)
            self.chains[root.digest] = term("then", before, what)
            self.written.append(root.digest)

    def _history(self, fact: Term) -> Term:
        parts = [p.digest for p in fact.subterms(_HISTORY_PARTS) if p.digest in self.chains]
        found = sorted({self.chains[digest] for digest in parts}, key=lambda one: one.digest)
        return term("history", *found) if found else NO_HISTORY


def _touched(roots: Iterable[Term]) -> Iterator[Term]:
    """Yield the things behind what a call is given: the list's elements, the method's object."""
    queue = list(roots)
    for root in queue:
        looks_inside = root.kind == "call" and root.children[0].value in ("vars", "getattr")
        if (root.kind in _WRAPPERS or looks_inside) and len(queue) < _HISTORY_PARTS:
            queue.extend(root.children)
        if not root.is_constant and root.kind not in _UNTOUCHED:
            yield root


def _is_quiet(effect: Term) -> bool:
    if effect.kind != "call":
        return False
    function = effect.children[0]
    return function.value.rpartition(".")[2] in _QUIET


def _filtered(check: Check, filters: tuple[Term, ...]) -> Check:
    flow = check.flow
    for one in filters:
        flow = flow.guarded(one, Origin.FILTER)
    return attrs.evolve(check, flow=flow)
