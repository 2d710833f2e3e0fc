"""pytest-reportlog's JSON lines: every report that pytest made, in the order it made them.

See https://github.com/pytest-dev/pytest-reportlog and ``_pytest/reports.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import failure_of
from benchhygiene.sources.documents import json_of, shown
from benchhygiene.sources.records.fields import Fields, moment, printable

_TYPE = "$report_type"
_TEST_REPORTS = ("TestReport", "SubTestReport", "SubtestReport")
_OTHERS = ("WarningMessage",)
_PHASES = ("setup", "call", "teardown")
_SKIPPED = "Skipped: "


def is_reportlog(first: object) -> bool:
    """Return whether a file's first line is a record of this form."""
    return isinstance(first, dict) and _TYPE in first


def parse(data: bytes, name: str) -> SuiteRun:
    """Return the run that the lines tell; raises InputError that names the line."""
    session = _Session()
    if data and not data.endswith(b"\n"):
        number = data.count(b"\n") + 1
        raise InputError(f"{name}: line {number}: is cut off: the record does not end with a line")
    for number, line in enumerate(data.splitlines(), 1):
        place = f"{name}: line {number}"
        if line.strip():
            session.take(Fields.of(json_of(line, place), place))
    return session.run()


@attrs.define
class _Node:
    """What has been reported of one run of a node so far."""

    phases: dict[str, str] = attrs.field(factory=dict[str, str])
    is_expected_to_fail: bool = False
    failures: list[tuple[str, Failure | None]] = attrs.field(
        factory=list[tuple[str, Failure | None]]
    )
    reason: str | None = None
    duration: float = 0.0
    is_repeated: bool = False


@attrs.define
class _Session:
    """The reports of a session, read in order; several workers may report at once."""

    open: dict[str, _Node] = attrs.field(factory=dict[str, _Node])
    nodes: list[NodeRun] = attrs.field(factory=list[NodeRun])
    collectors: list[str] = attrs.field(factory=list[str])
    doubts: list[str] = attrs.field(factory=list[str])
    stop: float = 0.0
    has_started: bool = False
    has_finished: bool = False
    exit_status: int | None = None

    def take(self, report: Fields) -> None:
        kind = report.text(_TYPE)
        if kind == "SessionStart":
            if self.has_started:
                raise InputError(
                    f"{report.place}: a second session starts; give each record by itself"
                )
            self.has_started = True
        elif kind == "SessionFinish":
            self.has_finished = True
            self.exit_status = report.optional_count("exitstatus")
        elif kind == "CollectReport":
            self._collected(report)
        elif kind in _TEST_REPORTS:
            self._tested(report, is_part=kind != "TestReport")
        elif kind not in _OTHERS:
            raise InputError(f"{report.place}: {_TYPE} {shown(kind)} is none that pytest writes")

    def _collected(self, report: Fields) -> None:
        outcome, node_id = report.text("outcome"), report.text("nodeid")
        if outcome == "failed":
            self.collectors.append(node_id)
        elif outcome == "skipped":  # the whole module, whose nodes nobody then knows
            self.nodes.append(
                NodeRun(node_id=node_id, end=NodeEnd.SKIPPED, reason=_skip_reason(report))
            )

    def _tested(self, report: Fields, *, is_part: bool) -> None:
        node_id, when, outcome = report.text("nodeid"), report.text("when"), report.text("outcome")
        if when not in _PHASES:
            raise InputError(f"{report.place}.when: expected a phase of a test, not {shown(when)}")
        if when == "setup" and not is_part and node_id in self.open:
            self._close(node_id)
        node = self.open.setdefault(node_id, _Node())
        node.duration += report.optional_number("duration") or 0.0
        self.stop = max(self.stop, report.optional_number("stop") or 0.0)
        self._note(node, report, when, outcome)
        if not is_part:
            node.phases[when] = outcome
        if when == "teardown" and not is_part:
            self._close(node_id)

    def _note(self, node: _Node, report: Fields, when: str, outcome: str) -> None:
        if report.has("wasxfail"):
            node.is_expected_to_fail = True
            node.reason = report.optional_text("wasxfail") or node.reason
        elif outcome == "skipped":
            node.reason = _skip_reason(report)
        if outcome in ("failed", "rerun"):
            node.failures.append((when, _failure(report)))
        if outcome == "rerun":
            node.is_repeated = True

    def _close(self, node_id: str) -> None:
        node = self.open.pop(node_id)
        if "setup" not in node.phases:
            self.doubts.append(f"{node_id}: its record begins in the middle")
        self.nodes.extend(_runs(node_id, node))

    def run(self) -> SuiteRun:
        for node_id in list(self.open):
            if not self.open[node_id].is_repeated:
                self.doubts.append(f"{node_id}: its record has no end")
            self._close(node_id)
        if not self.has_started:
            self.doubts.append("the record has no beginning of the session")
        if not self.has_finished:
            self.doubts.append("the record has no end of the session")
        return SuiteRun(
            origin="reportlog",
            nodes=self.nodes,
            exit_status=self.exit_status,
            ended=moment(self.stop),
            failed_collectors=self.collectors,
            doubts=self.doubts,
        )


def _runs(node_id: str, node: _Node) -> Iterator[NodeRun]:
    """Yield one run, or one for each phase and part that failed."""
    ends = list(_ends(node))
    for end, failure in ends:
        yield NodeRun(
            node_id=node_id,
            end=end,
            failure=failure,
            duration=node.duration,
            reason=None if end.is_failure else node.reason,
        )


def _ends(node: _Node) -> Iterator[tuple[NodeEnd, Failure | None]]:
    for when, failure in node.failures:
        yield NodeEnd.FAILED if when == "call" else NodeEnd.ERROR, failure
    if node.failures:
        return
    phases = node.phases
    if any(outcome not in ("passed", "skipped") for outcome in phases.values()):
        yield NodeEnd.UNKNOWN, None
    elif "teardown" not in phases:
        yield NodeEnd.UNFINISHED, None
    elif "skipped" in phases.values():
        yield NodeEnd.XFAILED if node.is_expected_to_fail else NodeEnd.SKIPPED, None
    elif "call" not in phases:
        yield NodeEnd.UNFINISHED, None
    else:
        yield NodeEnd.XPASSED if node.is_expected_to_fail else NodeEnd.PASSED, None


def _failure(report: Fields) -> Failure | None:
    """Return what the crash says; where pytest wrote text instead, its last line that says it."""
    told = report.optional_fields("longrepr")
    crash = told.optional_fields("reprcrash") if told is not None else None
    if crash is not None:
        return failure_of(crash.text("message"))
    text = report.members.get("longrepr")
    return failure_of(printable(text)) if isinstance(text, str) and text else None


def _skip_reason(report: Fields) -> str | None:
    told = report.members.get("longrepr")
    if isinstance(told, list) and told and isinstance(told[-1], str):
        return printable(told[-1].removeprefix(_SKIPPED))
    return None
