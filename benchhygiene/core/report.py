"""What became of every analyzer in one run, and what it all amounts to."""

from __future__ import annotations

import collections
import datetime
import enum
import functools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import attrs

from benchhygiene.core.findings import (
    Finding,
    Rule,
    Verdict,
    detail,
    effective_verdict,
    fingerprint,
    place,
)
from benchhygiene.core.json import JSON
from benchhygiene.core.provenance import Provenance
from benchhygiene.errors import AnalyzerCrashed, MissingExtra
from benchhygiene.evidence.waivers import Waiver

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")
Scalar: TypeAlias = "str | int | float | bool | None"
COLUMNS = (
    "analyzer",
    "rule",
    "severity",
    "verdict",
    "message",
    "path",
    "line",
    "column",
    "symbol",
    "symbol_kind",
    "fingerprint",
)


@attrs.frozen
class Completed:
    """The analyzer ran to its end; ``exhibits`` are the facts it laid out."""

    findings: tuple[Finding, ...] = ()
    exhibits: JSON = None


@attrs.frozen
class Skipped:
    """The analyzer did not run; ``missing`` names the evidence types it had needed.

    ``unasked`` says that these are all it cannot do without: it answers another question.
    """

    reason: str
    missing: tuple[str, ...] = ()
    unasked: bool = attrs.field(default=False, eq=False)


@attrs.frozen
class Crashed:
    """The analyzer raised: the exception's type, its message, where, and the findings so far."""

    error: str
    message: str
    where: str = ""
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        place = f" (in {self.where})" if self.where else ""
        return f"{self.error}: {self.message}{place}"


State: TypeAlias = Completed | Skipped | Crashed


@attrs.frozen
class Outcome:
    """What became of one analyzer; ``rules`` is empty where it could not be loaded."""

    analyzer: str
    state: State
    rules: tuple[Rule, ...] = ()
    required: bool = False
    distribution: str | None = None
    version: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return what the analyzer found, before it crashed if it did."""
        return () if isinstance(self.state, Skipped) else self.state.findings

    @property
    def is_unasked(self) -> bool:
        """Return whether the analyzer was skipped, and nobody had asked what it answers."""
        return isinstance(self.state, Skipped) and self.state.unasked and not self.required

    @property
    def verdict(self) -> Verdict | None:
        """Return what the outcome contributes, None where the analyzer was merely skipped.

        A crash, and the skip of a required analyzer, are at best INCONCLUSIVE.
        """
        found = [effective_verdict(finding) for finding in self.findings]
        match self.state:
            case Completed():
                return Verdict.worst(found or (Verdict.PASS,))
            case Crashed():
                return Verdict.worst((Verdict.INCONCLUSIVE, *found))
            case Skipped():
                return Verdict.INCONCLUSIVE if self.required else None


@attrs.frozen
class ReportedFinding:
    """A finding with the analyzer that made it and its fingerprint within the report."""

    analyzer: str
    finding: Finding
    fingerprint: str


@attrs.frozen
class WaivedFinding:
    """A finding that was excused, by whom, why and until which day.

    ``waiver`` is the place of the first waiver that binds it, counted from 0.
    """

    reported: ReportedFinding
    reason: str
    approved_by: str
    expires: datetime.date
    waiver: int = 0


class WaiverState(enum.Enum):
    """What became of one waiver."""

    USED = "used"
    UNUSED = "unused"  # binds nothing that was found
    EXPIRED = "expired"
    UNDATED = "undated"  # the run was given no day, so nobody knows whether it has expired


@attrs.frozen
class WaiverOutcome:
    """One waiver of the run and what became of it.

    ``index`` is its place among the waivers, counted from 0; ``findings`` how many findings it
    binds, which only a used one excuses. ``lacks_node_id`` says that it would bind more if it named
    their nodes.
    """

    index: int
    waiver: Waiver
    state: WaiverState
    findings: int = 0
    lacks_node_id: bool = False

    def __str__(self) -> str:
        """Return what a reader should know of it."""
        waiver = self.waiver
        where = f"{waiver.path} ({waiver.node_id})" if waiver.node_id else waiver.path
        said = {
            WaiverState.USED: f"excuses {self._count}",
            WaiverState.UNUSED: "excuses nothing: no finding of this run is the one it names",
            WaiverState.EXPIRED: f"expired on {waiver.expires} and excuses nothing{self._lost}",
            WaiverState.UNDATED: f"excuses nothing, as no day was given to judge it by{self._lost}",
        }
        hint = "; findings of that rule there have a node, so it needs a node_id"
        more = hint if self.lacks_node_id else ""
        return f"waiver {self.index} ({waiver.kind} in {where}) {said[self.state]}{more}"

    @property
    def _count(self) -> str:
        return f"{self.findings} finding{'' if self.findings == 1 else 's'}"

    @property
    def _lost(self) -> str:
        return f"; it names {self._count} of this run" if self.findings else ""


def _by_name(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    return tuple(sorted(outcomes, key=lambda outcome: outcome.analyzer))


@attrs.frozen(repr=False)
class Report:
    """All outcomes of one run, sorted by analyzer.

    The outcomes hold no finding that was ``waived``; ``waivers`` says what became of every waiver.
    """

    outcomes: tuple[Outcome, ...] = attrs.field(default=(), converter=_by_name)
    waived: tuple[WaivedFinding, ...] = ()
    provenance: Provenance = attrs.field(factory=Provenance)
    waivers: tuple[WaiverOutcome, ...] = ()

    def __repr__(self) -> str:
        """Return one short line: a notebook keeps it beside the table."""
        ran = ", ".join(outcome.analyzer for outcome in self.outcomes)
        return f"<Report {self.verdict.value}: {len(self.findings)} findings by {ran or 'nobody'}>"

    @functools.cached_property
    def reported(self) -> tuple[ReportedFinding, ...]:
        """Return every finding with its analyzer and fingerprint, by place, rule and message."""
        found = [(o.analyzer, finding) for o in self.outcomes for finding in o.findings]
        # Fingerprints tell equal findings apart by their number: the waived ones keep theirs.
        excused = [(each.reported.analyzer, each.reported.finding) for each in self.waived]
        taken = {each.reported.fingerprint for each in self.waived}
        every = _fingerprinted(sorted((*found, *excused), key=_position))
        return tuple(each for each in every if each.fingerprint not in taken)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return every finding that was not waived, by place, rule and message."""
        return tuple(reported.finding for reported in self.reported)

    @property
    def verdict(self) -> Verdict:
        """Return the worst that any outcome contributes; INCONCLUSIVE where none does."""
        verdicts = (outcome.verdict for outcome in self.outcomes)
        return Verdict.worst(verdict for verdict in verdicts if verdict is not None)

    @property
    def gaps(self) -> tuple[Outcome, ...]:
        """Return the outcomes that leave something of this run's question unanswered.

        Where none at all came to an end, that is every one.
        """
        ended = any(isinstance(outcome.state, Completed) for outcome in self.outcomes)
        return tuple(
            outcome
            for outcome in self.outcomes
            if not isinstance(outcome.state, Completed) and not (ended and outcome.is_unasked)
        )

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """Return the findings of one class, typed, in the report's order."""
        return tuple(finding for finding in self.findings if isinstance(finding, kind))

    def rows(self) -> tuple[dict[str, Scalar], ...]:
        """Return a flat dict per finding.

        Every row has the same first keys; what a finding's class adds follows as ``detail.name``
        where it is a single value.
        """
        return tuple(_row(reported) for reported in self.reported)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a frame; needs the extra ``notebook``, else raises MissingExtra."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("notebook", "Report.to_pandas") from error
        rows = self.rows()
        columns = dict.fromkeys((*COLUMNS, *(key for row in rows for key in row)))
        return pandas.DataFrame(list(rows), columns=list(columns))

    def raise_for_crashes(self) -> None:
        """Raise AnalyzerCrashed, naming each analyzer that crashed, if any did."""
        crashes = [
            f"{o.analyzer}: {o.state}" for o in self.outcomes if isinstance(o.state, Crashed)
        ]
        if crashes:
            raise AnalyzerCrashed("; ".join(crashes))

    def _repr_html_(self) -> str:
        from benchhygiene.core import html

        return html.render(self)


def _position(found: tuple[str, Finding]) -> tuple[str | int, ...]:
    analyzer, finding = found
    at = place(finding)
    where = (at.path, at.line or 0, at.column or 0, finding.rule.id, at.symbol or "")
    return (*where, finding.message, finding.old_text, finding.new_text, analyzer)


def _fingerprinted(found: Iterable[tuple[str, Finding]]) -> Iterator[ReportedFinding]:
    """Tell findings that are alike apart by the order of their places."""
    alike: collections.Counter[str] = collections.Counter()
    for analyzer, finding in found:
        first = fingerprint(finding)
        yield ReportedFinding(analyzer, finding, fingerprint(finding, alike[first]))
        alike[first] += 1


def _row(reported: ReportedFinding) -> dict[str, Scalar]:
    finding = reported.finding
    at = place(finding)
    values = (
        reported.analyzer,
        finding.rule.id,
        finding.severity.value,
        finding.verdict.value,
        finding.message,
        at.path,
        at.line,
        at.column,
        at.symbol,
        at.symbol_kind.value if at.symbol_kind else None,
        reported.fingerprint,
    )
    extra = {f"detail.{name}": value for name, value in detail(finding).items()}
    single = {name: v for name, v in extra.items() if v is None or isinstance(v, str | int | float)}
    return dict(zip(COLUMNS, values, strict=True)) | single
