"""Hand each analyzer what it declared, and record what became of it."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol, TypeVar, cast, runtime_checkable

import attrs

from benchhygiene import __version__
from benchhygiene.core.analyzer import Describes
from benchhygiene.core.digest import digest
from benchhygiene.core.findings import (
    Finding,
    Fixable,
    Location,
    Rule,
    Severity,
    Verdict,
    detail,
)
from benchhygiene.core.json import JSON, to_json
from benchhygiene.core.pool import Missing, Pool
from benchhygiene.core.provenance import EvidenceDigest, PluginVersion, Provenance
from benchhygiene.core.registry import AnyAnalyzer, Plugin, Registry
from benchhygiene.core.report import Completed, Crashed, Outcome, Report, Skipped, State
from benchhygiene.errors import BenchhygieneError, ContractBreach, InputError

T = TypeVar("T")
_MAX_MESSAGE = 2_000  # characters of an exception's message that are kept
_FINDING_SHAPE: tuple[tuple[str, type[object]], ...] = (
    ("message", str),
    ("severity", Severity),
    ("verdict", Verdict),
    ("locations", tuple),
    ("old_text", str),
    ("new_text", str),
)


@runtime_checkable
class Rooted(Protocol):
    """Evidence that knows the directories it was taken from."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Return directories whose content is under judgement: no plugin may come from them."""
        ...


def _names(value: Iterable[str]) -> frozenset[str]:
    if isinstance(value, str):
        raise InputError(f"expected a set of analyzer names, got the text {value!r}")
    return frozenset(value)


@attrs.frozen
class Orchestrator:
    """Run every analyzer of a registry over the evidence of one question.

    Without a registry, each run discovers the installed plugins. A report in which an analyzer
    named by ``require`` was skipped, or any crashed, is at best INCONCLUSIVE. Analyzers named by
    ``disable`` are skipped. ``run`` raises InputError for a name that is not registered.
    """

    registry: Registry | None = None
    require: frozenset[str] = attrs.field(default=frozenset[str](), converter=_names)
    disable: frozenset[str] = attrs.field(default=frozenset[str](), converter=_names)

    def run(self, *evidence: object) -> Report:
        """Return what every analyzer made of the evidence; at most one piece of each type.

        A pack brings its ledger, waivers and campaign; what a waiver binds is excused once all
        analyzers are done. Raises InputError for a second piece of one type, for what is not
        evidence or cannot be digested, and for a pack that is part of the candidate's own tree;
        RegistryError where two installed distributions claim the same name.
        """
        pool = Pool(evidence)
        registry = Registry.discover(_roots(pool)) if self.registry is None else self.registry
        for name in sorted(self.require | self.disable):
            registry.find(name)
        notes = _trusted(pool)
        outcomes = tuple(self._outcome(plugin, pool) for plugin in registry)
        report = Report(outcomes, provenance=_provenance(registry, pool, notes))
        return _without_waived(report, pool)

    def _outcome(self, plugin: Plugin, pool: Pool) -> Outcome:
        state, rules = self._state(plugin, pool)
        required = plugin.name in self.require
        return Outcome(plugin.name, state, rules, required, plugin.distribution, plugin.version)

    def _state(self, plugin: Plugin, pool: Pool) -> tuple[State, tuple[Rule, ...]]:
        if plugin.name in self.disable:
            return Skipped("disabled by configuration"), ()
        analyzer = load(plugin)
        if isinstance(analyzer, Crashed):
            return analyzer, ()
        return analyze(analyzer, pool), analyzer.rules


def load(plugin: Plugin) -> AnyAnalyzer | Crashed:
    """Return the plugin's analyzer, or how loading it crashed."""
    return _isolated(plugin.load)


def analyze(analyzer: AnyAnalyzer, pool: Pool) -> State:
    """Return what becomes of one analyzer when it is handed its evidence out of the pool."""
    piece = _isolated(lambda: pool.build(analyzer.consumes))
    if isinstance(piece, Crashed):
        return piece
    if isinstance(piece, Missing):
        return Skipped(f"needs {', '.join(piece.types)}", piece.types, piece.all)
    findings: list[Finding] = []
    with _collector_paused():
        exhibits = _isolated(lambda: _collect(analyzer, piece, findings))
    if isinstance(exhibits, Crashed):
        return attrs.evolve(exhibits, findings=tuple(findings))
    return Completed(tuple(findings), exhibits)


@contextmanager
def _collector_paused() -> Generator[None]:
    """Pause the garbage collector: among many syntax trees it takes as long as the analysis."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _collect(analyzer: AnyAnalyzer, piece: object, findings: list[Finding]) -> JSON:
    """Add the findings one by one, so that those before a crash survive; return the exhibits."""
    declared = frozenset(analyzer.rules)
    for finding in analyzer.analyze(piece):
        _require_conforming(finding, declared)
        findings.append(finding)
    if not isinstance(analyzer, Describes):
        return None
    return to_json(cast("Describes[object]", analyzer).describe(piece))


def _require_conforming(finding: object, declared: frozenset[Rule]) -> None:
    """Raise ContractBreach unless every format can rely on the finding's shape."""
    if not isinstance(finding, Finding):
        raise ContractBreach(f"analyze yielded a {type(finding).__name__}, which is no Finding")
    if finding.rule not in declared:
        raise ContractBreach(f"analyze reported {_rule_name(finding)}, which is not in its rules")
    for name, kind in _FINDING_SHAPE:
        _require_kind(finding.rule, cast(object, getattr(finding, name)), kind)
    for location in finding.locations:
        _require_kind(finding.rule, location, Location)
        _require_kind(finding.rule, location.path, str)
        _require_kind(finding.rule, location.symbol or "", str)
    # Formats ask for these outside the analyzer's isolation: what they raise belongs here.
    detail(finding)
    if isinstance(finding, Fixable):
        _require_kind(finding.rule, finding.fix, str)


def _rule_name(finding: Finding) -> str:
    return getattr(finding.rule, "id", None) or repr(finding.rule)


def _require_kind(rule: Rule, value: object, kind: type[object]) -> None:
    if not isinstance(value, kind):
        raise ContractBreach(f"{rule.id}: a finding holds {value!r}, which is no {kind.__name__}")


def _isolated(work: Callable[[], T]) -> T | Crashed:
    """Return what the work returns, or what it raised: a plugin cannot end the process."""
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit(0) in a plugin must not look clean
        return _crash(error)


def _crash(error: BaseException) -> Crashed:
    # Together they take as long to import as the rest of this module, and crashes are rare.
    import logging
    import traceback

    logging.getLogger("benchhygiene").debug("an analyzer crashed", exc_info=error)
    # The format survives an exception whose own __str__ raises.
    lines = traceback.format_exception_only(error)
    message = "".join(lines).removeprefix(_qualified(type(error))).removeprefix(":").strip()
    # Addresses differ from run to run; the same evidence must give the same report.
    message = re.sub(r"\b0x[0-9a-fA-F]+\b", "0x...", message)[:_MAX_MESSAGE]
    where = "" if isinstance(error, BenchhygieneError) else _innermost(error.__traceback__)
    return Crashed(type(error).__name__, message, where)


def _qualified(kind: type[BaseException]) -> str:
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _innermost(trace: TracebackType | None) -> str:
    """Return module and line where it was raised; a path would say where we are installed."""
    where = ""
    while trace is not None:
        where = f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where


def _roots(pool: Pool) -> tuple[str, ...]:
    return tuple(root for piece in pool.pieces if isinstance(piece, Rooted) for root in piece.roots)


# What a pack brings takes a while to import; evidence that stands alone has none.


def _trusted(pool: Pool) -> tuple[str, ...]:
    """Return what to know of the pack; raises InputError for one that is no witness."""
    if len(pool.pieces) == 1:
        return ()
    from benchhygiene.core import witness
    from benchhygiene.evidence.pack import WitnessPack
    from benchhygiene.evidence.tree import Change

    pack, change = pool.find(WitnessPack), pool.find(Change)
    if pack is None:
        return ()
    if change is not None:
        witness.require_foreign(pack, change)
    return tuple(f"pack: {note}" for note in witness.notes(pack, change))


def _without_waived(report: Report, pool: Pool) -> Report:
    if len(pool.pieces) == 1:
        return report
    from benchhygiene.core.waiving import waive
    from benchhygiene.evidence.as_of import AsOf
    from benchhygiene.evidence.waivers import Waivers

    waivers = pool.find(Waivers)
    return report if waivers is None else waive(report, waivers, pool.find(AsOf))


def _provenance(registry: Registry, pool: Pool, notes: tuple[str, ...]) -> Provenance:
    plugins = (PluginVersion(one.name, one.distribution, one.version) for one in registry)
    pieces = (EvidenceDigest(type(piece).__name__, digest(piece)) for piece in pool.pieces)
    said = (*registry.notes, *notes)
    return Provenance(__version__, tuple(plugins), tuple(pieces), registry.refused, said)
