"""pytest-json-report's single JSON file; see its README for the format."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene.errors import InputError
from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import failure_of
from benchhygiene.sources.records.fields import Fields, moment

_ENDS = {
    "passed": NodeEnd.PASSED,
    "skipped": NodeEnd.SKIPPED,
    "xfailed": NodeEnd.XFAILED,
    "xpassed": NodeEnd.XPASSED,
    "failed": NodeEnd.FAILED,
    "error": NodeEnd.ERROR,
}
_PHASES = ("setup", "call", "teardown")
_SKIPPED = "Skipped: "


def is_json_report(members: dict[str, object]) -> bool:
    """Return whether a file's members are this form's."""
    return {"exitcode", "summary", "created"} <= set(members)


def parse(report: Fields) -> SuiteRun:
    """Return the run that the file tells; raises InputError with the key's path in it."""
    if not report.has("tests"):
        raise InputError(
            f"{report.place}: has no tests: it was made with --json-report-summary or "
            "--json-report-omit=tests; leave these out"
        )
    tests = report.all_fields("tests")
    nodes = [run for test in tests for run in _runs(test)]
    nodes.extend(_skipped_collectors(report))
    collectors = [
        each.text("nodeid")
        for each in report.all_fields("collectors")
        if each.text("outcome") == "failed"
    ]
    return SuiteRun(
        origin="json-report",
        nodes=nodes,
        exit_status=report.optional_count("exitcode"),
        ended=moment(report.optional_number("created")),
        failed_collectors=collectors,
        doubts=tuple(_doubts(report, tests)),
    )


def _runs(test: Fields) -> Iterator[NodeRun]:
    node_id, word = test.text("nodeid"), test.text("outcome")
    phases = [(when, test.fields(when)) for when in _PHASES if test.has(when)]
    duration = sum(phase.optional_number("duration") or 0.0 for _, phase in phases)
    failed = [(when, phase) for when, phase in phases if phase.text("outcome") == "failed"]
    for when, phase in failed:
        end = NodeEnd.FAILED if when == "call" else NodeEnd.ERROR
        yield NodeRun(node_id=node_id, end=end, failure=_failure(phase), duration=duration)
    if word == "rerun":  # only its last run was kept
        yield NodeRun(node_id=node_id, end=NodeEnd.FAILED, reason="it was run again")
        word = "passed"
    if not failed:
        end = _ENDS.get(word, NodeEnd.UNKNOWN)
        yield NodeRun(node_id=node_id, end=end, duration=duration, reason=_reason(phases))


def _failure(phase: Fields) -> Failure | None:
    crash = phase.optional_fields("crash")
    if crash is not None:
        return failure_of(crash.text("message"))
    told = phase.members.get("longrepr")
    return failure_of(phase.text("longrepr")) if isinstance(told, str) and told else None


def _reason(phases: list[tuple[str, Fields]]) -> str | None:
    """Return the reason of a skip: the file has Python's form of path, line and reason."""
    for _, phase in phases:
        told = phase.members.get("longrepr")
        if phase.text("outcome") == "skipped" and isinstance(told, str) and _SKIPPED in told:
            return phase.text("longrepr").partition(_SKIPPED)[2].rstrip("')\"")
    return None


def _skipped_collectors(report: Fields) -> Iterator[NodeRun]:
    for each in report.all_fields("collectors"):
        if each.text("outcome") == "skipped":
            yield NodeRun(node_id=each.text("nodeid"), end=NodeEnd.SKIPPED)


def _doubts(report: Fields, tests: list[Fields]) -> Iterator[str]:
    summary = report.fields("summary")
    total = summary.optional_count("total")
    if total is not None and total != len(tests):
        yield f"the summary counts {total} tests, and {len(tests)} are told of"
    for test in tests:
        word = test.text("outcome")
        if word not in (*_ENDS, "rerun"):
            # With subtests the plugin keeps the last one's word, whatever became of the others.
            yield f"{test.text('nodeid')}: {word!r} does not say how the test ended"
