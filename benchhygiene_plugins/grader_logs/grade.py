"""What a grader makes of a log: the part it reads, each test's status, and its verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene import GraderLog, GraderParser
from benchhygiene_plugins.grader_logs.lines import (
    Part,
    StatusLine,
    as_read,
    ends_of_names,
    status_lines,
)

START, END = ">>>>> Start Test Output", ">>>>> End Test Output"
_EXIT = re.compile(r">>>>> Test Exit Code:\s*(-?[0-9]{1,9})")
_REFUSALS = (
    ">>>>> Patch Apply Failed",
    ">>>>> Reset Failed",
    ">>>>> Tests Errored",
    ">>>>> Tests Timed Out",
)
FAILING = ("FAILED", "ERROR")


@attrs.frozen
class Grade:
    """A grader's reading of one log.

    ``lines`` are those it takes for statuses, by the name it gives the test; the last one counts.
    ``refusal`` is the marker for which it reads nothing at all. ``exit_status`` is the one that it
    takes for the tests' own.
    """

    lines: Mapping[str, tuple[StatusLine, ...]]
    refusal: str | None = None
    exit_status: int | None = None

    @property
    def gated(self) -> bool:
        """Return whether the exit status makes it throw away statuses none of which fails."""
        return (
            self.exit_status not in (None, 0)
            and bool(self.lines)
            and not any(line[-1].status in FAILING for line in self.lines.values())
        )

    def deciding(self, name: str) -> StatusLine | None:
        """Return the line that counts for an expected test, None where there is none.

        An expected name that ends within its parameters stands for the names that begin with it,
        where these agree (swebench's ``_resolve_case``).
        """
        if name in self.lines:
            return self.lines[name][-1]
        if name.count("[") <= name.count("]"):
            return None
        found = self.beginning_with(name)
        alike = {line.status in ("PASSED", "XFAIL") for line in found}
        return found[0] if len(alike) == 1 else None

    def beginning_with(self, name: str) -> tuple[StatusLine, ...]:
        """Return the line that counts of each test whose name begins so."""
        return tuple(line[-1] for key, line in self.lines.items() if key.startswith(name))


def grade(log: GraderLog) -> Grade:
    """Return the grader's reading of the log."""
    text = as_read(log.text)
    if not log.parser.is_swebench:
        return Grade(dict(ends_of_names(status_lines(Part(text), log.parser))))
    refusal = next((marker for marker in _REFUSALS if marker in text), None)
    if refusal is None and not (START in text and END in text):
        refusal = START if START not in text else END
    if refusal is not None:
        return Grade({}, refusal)
    found = status_lines(_graded_part(text), log.parser) or status_lines(Part(text), log.parser)
    exit_status = _EXIT.search(text)
    return Grade(
        dict(ends_of_names(found)),
        exit_status=None if exit_status is None else int(exit_status[1]),
    )


def _graded_part(text: str) -> Part:
    before, part = text.split(START)[:2]
    return Part(part.split(END)[0], before.count("\n") + 1)


def counts(status: str | None, log: GraderLog, name: str) -> bool | None:
    """Return whether the grader takes the status for what it wants of the test.

    None stands for a status that it takes neither way, so that the test drops out of the count;
    a ``status`` of None for a test that is not in the log.
    """
    if log.parser is GraderParser.TERMINAL_BENCH:
        return None if status is None else status in ("PASSED", "XFAIL", "SKIPPED")
    if log.parser is GraderParser.PYTEST:
        return status in ("PASSED", "XPASS")
    if status in ("PASSED", "XFAIL"):
        return True
    if status == "SKIPPED":
        return name in log.pass_to_pass and name not in log.fail_to_pass
    return False if status is None or status in FAILING else None


def deciding_names(log: GraderLog, found: Grade) -> tuple[str, ...]:
    """Return the names of the tests that decide, as the grader calls them."""
    if not log.expected:
        return tuple(found.lines)
    if log.parser is GraderParser.TERMINAL_BENCH:  # it counts whatever stands in the log
        return tuple(dict.fromkeys((*found.lines, *map(_without_file, log.expected))))
    return log.expected


def _without_file(name: str) -> str:
    return name.split("::", 1)[-1]


def is_resolved(log: GraderLog, found: Grade) -> bool:
    """Return the verdict that the grader's own rules come to."""
    if found.refusal is not None or not found.lines:
        return False
    if log.parser.is_swebench and found.gated:
        return False
    statuses = {name: found.deciding(name) for name in deciding_names(log, found)}
    told = (counts(line.status if line else None, log, name) for name, line in statuses.items())
    return all(verdict is not False for verdict in told)


def repeated_markers(log: GraderLog) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each marker that the log cannot have twice, with the numbers of its lines."""
    if not log.parser.is_swebench:
        return
    lines = as_read(log.text).split("\n")
    for marker in (START, END):
        # Under `set -x` the shell prints the command that prints the marker as well.
        told = [at for at, line in enumerate(lines, 1) if marker in line and line[:6] != "+ echo"]
        if len(told) > 1:
            yield marker, tuple(told)
    exits = [(at, found[1]) for at, line in enumerate(lines, 1) for found in _EXIT.finditer(line)]
    if len({status for _, status in exits}) > 1:
        yield ">>>>> Test Exit Code", tuple(at for at, _ in exits)
