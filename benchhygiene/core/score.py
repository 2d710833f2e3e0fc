"""The score: what a report and a run amount to, and which row of the decision table said so.

The table is the protocol's: the pack must be the pinned one, the surface must say as much as it
did, quarantine lapses, and the pack's tests decide. A pass is permission to read the patch.
"""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.core.findings import Rule, Severity, Verdict, effective_verdict
from benchhygiene.core.report import Report, ReportedFinding
from benchhygiene.evidence.ledger import Ledger
from benchhygiene.evidence.suite import NodeEnd, SuiteRun
from benchhygiene.inventory.fates import Fate, NodeFate, fates

TAG = "score:"  # a rule's tag that names its row, such as score:surface


class Row(enum.Enum):
    """The rows of the decision table, the first that applies deciding."""

    PACK = "pack"
    RUN = "run"
    SURFACE = "surface"
    BUDGET = "budget"
    EXPIRED = "expired"
    REGRESSION = "regression"
    UNDECIDED = "undecided"
    CLEAN = "clean"

    @property
    def observation(self) -> str:
        """Return what was observed, in the table's words."""
        return _OBSERVATIONS[self]

    @property
    def action(self) -> str:
        """Return what to do next."""
        return _ACTIONS[self]


_OBSERVATIONS = {
    Row.PACK: "the pack is not the one that was pinned or signed",
    Row.RUN: "the run of the pack's tests cannot be believed",
    Row.SURFACE: "the candidate's tests, fixtures or configuration say less, or something else",
    Row.BUDGET: "a budget of examples or samples is reduced, or was not used up",
    Row.EXPIRED: "a quarantine has expired, and its node is still flaky",
    Row.REGRESSION: "the pack's tests fail on the candidate's source",
    Row.UNDECIDED: "something could not be seen",
    Row.CLEAN: "the pack's tests pass, and the inventory is clean",
}
_ACTIONS = {
    Row.PACK: "Stop: nothing was run. Fetch the pack by its digest again.",
    Row.RUN: "Read the candidate's source before anything else: it reached for its judge.",
    Row.SURFACE: "Restore the tests, or open a change of the ledger or the waivers in the pack.",
    Row.BUDGET: "Restore the budget.",
    Row.EXPIRED: "Mend the test or the code; nothing extends a quarantine by itself.",
    Row.REGRESSION: "Mend the code: this is a real regression.",
    Row.UNDECIDED: "Read what was not seen, and score again.",
    Row.CLEAN: "Review the patch as usual: this is permission to read it, and no more.",
}
_BY_FAMILY = {
    "pack": Row.PACK,
    "run": Row.RUN,
    "property": Row.BUDGET,
    "perf": Row.BUDGET,
}
_BY_RULE = {
    "ledger.over_limit": Row.PACK,  # the pack's own policy
    "ledger.still_flaky": Row.EXPIRED,
    "ledger.unknown_shape": Row.REGRESSION,  # a new failure, whatever the node
    "pack.tampered": Row.SURFACE,  # the candidate wrote it, the pinned pack is as it was
    "run.budget_unmet": Row.BUDGET,
    "run.regression": Row.REGRESSION,
    "run.skipped": Row.REGRESSION,
}
# "config or fixture changed": here a warning about one of them is enough.
_STRICT = frozenset(("config", "fixture", "collection", "coverage"))


def row_of(rule: Rule) -> Row:
    """Return the row that a violation of a rule belongs to; SURFACE where nothing else is said.

    A tag ``score:ROW`` decides, then our own rules by id and family.
    """
    for tag in rule.tags:
        if tag.startswith(TAG):
            return Row(tag.removeprefix(TAG))
    return _BY_RULE.get(rule.id) or _BY_FAMILY.get(rule.family, Row.SURFACE)


@attrs.frozen
class Decision:
    """One row that applies, and the findings that say so."""

    row: Row
    evidence: tuple[ReportedFinding, ...]


@attrs.frozen(kw_only=True)
class Score:
    """What a candidate is worth: the rows that apply, the deciding one first.

    ``passed`` counts the nodes that passed and are scored, ``scored`` all that are; ``omitted`` are
    those that the ledger keeps out. All are empty where nothing was run.
    """

    verdict: Verdict
    decisions: tuple[Decision, ...]
    passed: int = 0
    scored: int = 0
    omitted: tuple[NodeFate, ...] = ()
    report: Report = attrs.field(factory=Report, repr=False)

    @property
    def row(self) -> Row:
        """Return the row that decided."""
        return self.decisions[0].row


def refused() -> Score:
    """Return the score of a pack that was refused: nothing is run, and nothing else is known."""
    return Score(verdict=Verdict.VIOLATION, decisions=(Decision(Row.PACK, ()),))


def score(report: Report, run: SuiteRun | None, ledger: Ledger | None, on: datetime.date) -> Score:
    """Return what the report of a candidate and the run of the pack's tests amount to.

    Without a run nothing can pass: that is UNDECIDED unless something fails.
    """
    decided = tuple(_decisions(report, has_run=run is not None and bool(run.nodes)))
    found = () if run is None else fates(run, ledger or Ledger(), on)
    omitted = tuple(one for one in found if one.fate is Fate.OMITTED)
    scored = [one.node_id for one in found if one.fate is not Fate.OMITTED]
    return Score(
        verdict=_VERDICTS.get(decided[0].row, Verdict.VIOLATION),
        decisions=decided,
        passed=sum(_has_passed(run, node_id) for node_id in scored),
        scored=len(scored),
        omitted=omitted,
        report=report,
    )


_VERDICTS = {Row.CLEAN: Verdict.PASS, Row.UNDECIDED: Verdict.INCONCLUSIVE}


def _has_passed(run: SuiteRun | None, node_id: str) -> bool:
    runs = () if run is None else run.by_node[node_id]
    return bool(runs) and all(each.end is NodeEnd.PASSED for each in runs)


def _decisions(report: Report, *, has_run: bool) -> Iterator[Decision]:
    """Yield the rows that apply in the table's order."""
    failing = [each for each in report.reported if _fails(each)]
    any_row = False
    for row in Row:
        evidence = tuple(_of_row(failing, row))
        if evidence:
            any_row = True
            yield Decision(row, evidence)
    doubts = tuple(
        each for each in report.reported if effective_verdict(each.finding) is Verdict.INCONCLUSIVE
    )
    if doubts or report.verdict is Verdict.INCONCLUSIVE or not has_run:
        yield Decision(Row.UNDECIDED, doubts)
    elif not any_row:
        yield Decision(Row.CLEAN, ())


def _fails(each: ReportedFinding) -> bool:
    """Return whether a finding fails a candidate: an error, or a change of what must not change."""
    finding = each.finding
    if effective_verdict(finding) is Verdict.VIOLATION:
        return True
    is_strict = finding.rule.family in _STRICT and finding.severity is Severity.WARNING
    return is_strict and finding.verdict is not Verdict.INCONCLUSIVE


def _of_row(failing: Iterable[ReportedFinding], row: Row) -> Iterator[ReportedFinding]:
    return (each for each in failing if row_of(each.finding.rule) is row)
