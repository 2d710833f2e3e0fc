"""What is wrong with a grade, test by test."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import GraderLog, GraderParser, NodeEnd, Severity, SuiteRun
from benchhygiene_plugins.grader_logs import findings
from benchhygiene_plugins.grader_logs.findings import LogMisread, about
from benchhygiene_plugins.grader_logs.grade import FAILING, Grade, counts, deciding_names
from benchhygiene_plugins.grader_logs.lines import StatusLine

_NOT_PASSED = ("XFAIL", "SKIPPED")
_PASSED = (NodeEnd.PASSED, NodeEnd.XPASSED)


def of_tests(log: GraderLog, grade: Grade, run: SuiteRun | None) -> Iterator[LogMisread]:
    """Yield what is wrong with the status that decides for each test."""
    for name in deciding_names(log, grade):
        line = grade.deciding(name)
        if line is None:
            yield from _absent(name, log, grade)
            continue
        yield from _hidden(name, line, log, grade)
        yield from _counted(name, line, log)
        if run is not None:
            yield from _against_run(name, line, log, run)


def of_names(log: GraderLog, grade: Grade) -> Iterator[LogMisread]:
    """Yield the names that several tests share, as the grader reads less than their whole ids."""
    for name, lines in grade.lines.items():
        node_ids = sorted({line.node_id for line in lines})
        if len(node_ids) > 1 and name not in node_ids[1:]:
            yield _shared(name, node_ids, lines, log)


def _shared(
    name: str, node_ids: list[str], lines: tuple[StatusLine, ...], log: GraderLog
) -> LogMisread:
    last = lines[-1]
    hides = counts(last.status, log, name) and any(line.status in FAILING for line in lines)
    shown = ", ".join(node_ids[:3]) + (f" and {len(node_ids) - 3} more" if node_ids[3:] else "")
    return about(
        findings.ID_CUT,
        f"the grader calls {shown} all {name!r}, and only the last one's {last.status} counts"
        + ("; one of the others failed" if hides else ""),
        log.name,
        *(line.number for line in lines),
        test=name,
        status=last.status,
        severity=Severity.ERROR if hides else None,
    )


def _absent(name: str, log: GraderLog, grade: Grade) -> Iterator[LogMisread]:
    if name.count("[") > name.count("]"):
        found = grade.beginning_with(name)
        if found:
            yield about(
                findings.ID_CUT,
                f"{name!r} is cut within its parameters, and the tests it may stand for do not "
                "agree: the grader takes it for failed",
                log.name,
                *(line.number for line in found),
                test=name,
            )
            return
    cut = name.split(" ")[0]
    if " " in name and cut in grade.lines:
        yield about(
            findings.ID_CUT,
            f"the grader reads {name!r} as {cut!r} in the log and looks for the whole of it: the "
            "test counts as failed, whatever it did",
            log.name,
            grade.lines[cut][-1].number,
            test=name,
        )
        return
    ignored = log.parser is GraderParser.TERMINAL_BENCH
    then = "the grader does not miss it" if ignored else "the grader counts it as failed"
    yield about(
        findings.ABSENT,
        f"{name} has no line in the log, and {then}; nothing shows that it was run",
        log.name,
        test=name,
        severity=Severity.ERROR if ignored else None,
    )


def _hidden(name: str, line: StatusLine, log: GraderLog, grade: Grade) -> Iterator[LogMisread]:
    same = [each for each in grade.lines[line.name] if each.node_id == line.node_id]
    others = [each for each in same if each.status != line.status]
    failing = [each for each in others if each.status in FAILING]
    success = counts(line.status, log, name)
    if failing and success:
        yield about(
            findings.OVERRIDDEN,
            f"{name} is {failing[-1].status} in line {failing[-1].number}, and the grader takes "
            f"{line.status} from line {line.number}, as the last line wins",
            log.name,
            line.number,
            *(each.number for each in failing),
            test=name,
            status=line.status,
        )
    elif line.in_summary is False and success:
        yield about(
            findings.PRINTED,
            f"{name} counts as {line.status} for line {line.number}, which is not in pytest's "
            "summary: a test or the code under test can print such a line",
            log.name,
            line.number,
            test=name,
            status=line.status,
        )
    elif others:
        yield _duplicate(name, line, same, log)


def _duplicate(name: str, line: StatusLine, same: list[StatusLine], log: GraderLog) -> LogMisread:
    told = ", ".join(sorted({each.status for each in same}))
    return about(
        findings.DUPLICATE,
        f"{name} has {len(same)} lines that say {told}; the last one, {line.status}, counts",
        log.name,
        *(each.number for each in same),
        test=name,
        status=line.status,
    )


def _counted(name: str, line: StatusLine, log: GraderLog) -> Iterator[LogMisread]:
    success = counts(line.status, log, name)
    if success and line.status in _NOT_PASSED:
        wanted = "to go on passing" if name in log.pass_to_pass else "to pass"
        told = f"{name} is {line.status}: it was to be seen {wanted}, and the grader counts it so"
    elif success is None:
        told = (
            f"{name} is {line.status!r}, which the grader knows neither as passed nor as failed: "
            "the test drops out of the count"
        )
    else:
        return
    yield about(findings.SKIP_COUNTED, told, log.name, line.number, test=name, status=line.status)


def _against_run(
    name: str, line: StatusLine, log: GraderLog, run: SuiteRun
) -> Iterator[LogMisread]:
    ends = sorted({each.end.value for each in run.by_node.get(line.node_id, ())})
    passed = bool(ends) and all(NodeEnd(end) in _PASSED for end in ends)
    success = counts(line.status, log, name)
    if success is None or line.status in _NOT_PASSED or bool(success) == passed:
        return
    did = f"ended as {', '.join(ends)}" if ends else "has no such test"
    yield about(
        findings.DISAGREES,
        f"{name} counts as {line.status} for line {line.number}, and the record of the run "
        f"({run.origin}) {did}",
        log.name,
        line.number,
        test=name,
        status=line.status,
        severity=None if success else Severity.WARNING,
    )
