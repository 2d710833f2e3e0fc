"""What is wrong with a grade as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchhygiene import GraderLog, Severity, Verdict
from benchhygiene_plugins.grader_logs import findings
from benchhygiene_plugins.grader_logs.findings import LogMisread, about
from benchhygiene_plugins.grader_logs.grade import Grade, is_resolved, repeated_markers
from benchhygiene_plugins.grader_logs.lines import as_read

_GATES = (  # what pytest-cov and coverage print, and others
    re.compile(r"(?:FAIL|ERROR:?)\s+(?:Required test coverage|Coverage failure).*"),
    re.compile(r"Coverage failure: total of .*"),
    re.compile(r"FAIL Required test coverage of .*"),
)
_LONGEST_LINE = 300


def of_log(log: GraderLog, grade: Grade) -> Iterator[LogMisread]:
    """Yield what is wrong with the log, and with the verdict that the grader has given."""
    for marker, lines in repeated_markers(log):
        told = ", ".join(map(str, lines))
        yield about(
            findings.PRINTED,
            f"{marker!r} stands in lines {told}: a test can print it, and so end what is graded, "
            "or say how the tests exited",
            log.name,
            *lines,
        )
    if grade.refusal is not None or not grade.lines:
        yield _unread(log, grade)
    elif log.parser.is_swebench and grade.gated:
        yield _gated(log, grade)
    yield from _verdict(log, grade)


def _unread(log: GraderLog, grade: Grade) -> LogMisread:
    if grade.refusal is None:
        why = "no line gives a test a status"
    elif "Output" in grade.refusal:
        why = f"{grade.refusal!r} is missing"
    else:
        why = f"it has {grade.refusal!r}"
    return about(
        findings.UNREAD,
        f"the grader ({log.parser.value}) reads nothing in the log: {why}; that the tests failed "
        "does not follow",
        log.name,
        verdict=Verdict.INCONCLUSIVE,
    )


def _gated(log: GraderLog, grade: Grade) -> LogMisread:
    number, line = _gate(log)
    cause = f": {line}" if line else ""
    return about(
        findings.GATE,
        f"no test counts as failed, and the tests exited with {grade.exit_status}{cause}; the "
        "grader throws the passes away and says that the patch was not applied. Look for what the "
        "workspace inherits with `benchhygiene check`",
        log.name,
        *(() if number is None else (number,)),
    )


def _gate(log: GraderLog) -> tuple[int | None, str]:
    """Return the line in which a gate says that it fails the run."""
    for number, line in enumerate(as_read(log.text).split("\n"), 1):
        shown = line[:_LONGEST_LINE].strip()
        if any(gate.match(shown) for gate in _GATES):
            return number, shown
    return None, ""


def _verdict(log: GraderLog, grade: Grade) -> Iterator[LogMisread]:
    told = log.verdict
    if told is None:
        return
    resolved = is_resolved(log, grade)
    if told.resolved is not None and told.resolved is not resolved:
        yield about(
            findings.DISAGREES,
            f"the grader's report says resolved: {str(told.resolved).lower()}, and by its own "
            f"rules the log says {str(resolved).lower()}",
            log.name,
            severity=None if told.resolved else Severity.WARNING,
        )
    for name in sorted({*told.succeeded} & {*told.failed}):
        yield about(
            findings.DISAGREES,
            f"the grader's report has {name} among the tests that succeeded and those that failed",
            log.name,
            test=name,
        )
    missing = sorted({*log.expected} - {*told.succeeded} - {*told.failed})
    if told.succeeded or told.failed:
        for name in missing:
            yield about(
                findings.ABSENT,
                f"{name} is in neither list of the grader's report: it dropped out of the count",
                log.name,
                test=name,
                severity=Severity.ERROR,
            )
