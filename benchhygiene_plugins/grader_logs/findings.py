"""The rules of ``grader-logs`` and its findings."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity, SymbolKind, Verdict

OVERRIDDEN = Rule("grader_log.overridden", "A later line hides that a test failed", Severity.ERROR)
PRINTED = Rule("grader_log.printed", "A line that pytest did not write decides", Severity.ERROR)
SKIP_COUNTED = Rule(
    "grader_log.skip_counted", "A test that did not pass counts as passed", Severity.ERROR
)
ID_CUT = Rule("grader_log.id_cut", "The grader reads less than the whole node id", Severity.WARNING)
GATE = Rule("grader_log.gate", "An exit status makes the grader throw passes away", Severity.ERROR)
DUPLICATE = Rule(
    "grader_log.duplicate", "A test has several lines that say different things", Severity.NOTE
)
ABSENT = Rule("grader_log.absent", "A test that should decide is not in the log", Severity.WARNING)
DISAGREES = Rule(
    "grader_log.disagrees",
    "The grade is not what the run did, or what the log says",
    Severity.ERROR,
)
UNREAD = Rule("grader_log.unread", "The grader reads nothing in the log", Severity.WARNING)

RULES = (
    OVERRIDDEN,
    PRINTED,
    SKIP_COUNTED,
    ID_CUT,
    GATE,
    DUPLICATE,
    ABSENT,
    DISAGREES,
    UNREAD,
)


@attrs.frozen(kw_only=True)
class LogMisread(BaseFinding):
    """What a grader makes of a log is not what happened.

    ``test`` is the grader's name for the test, ``status`` what it takes; None where it is not about
    one test. ``lines`` are those of the log that are spoken of.
    """

    test: str | None = None
    status: str | None = None
    lines: tuple[int, ...] = ()


def about(
    rule: Rule,
    message: str,
    path: str,
    *lines: int,
    test: str | None = None,
    status: str | None = None,
    severity: Severity | None = None,
    verdict: Verdict | None = None,
) -> LogMisread:
    """Return a finding at the first of the lines, and about the test where it is about one."""
    kind = None if test is None else SymbolKind.NODE
    places = lines or (None,)
    return LogMisread(
        rule=rule,
        message=message,
        locations=tuple(Location(path, line, symbol=test, symbol_kind=kind) for line in places),
        new_text="" if status is None else status,
        severity=severity,
        verdict=verdict,
        test=test,
        status=status,
        lines=tuple(lines),
    )
