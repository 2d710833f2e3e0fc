"""The analyzer ``grader-logs``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle, GraderLog, SuiteRun
from benchhygiene_plugins.grader_logs import findings
from benchhygiene_plugins.grader_logs.grade import grade
from benchhygiene_plugins.grader_logs.reporting import of_names, of_tests
from benchhygiene_plugins.grader_logs.whole_log import of_log

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class GradedLog(Bundle):
    """A grader's log, and what is known of the same run from elsewhere."""

    log: GraderLog
    run: SuiteRun | None = None


@attrs.frozen
class GraderLogs:
    """Report where what a grader reads out of a log is not what the tests did."""

    name = "grader-logs"
    rules = findings.RULES
    consumes = GradedLog

    def analyze(self, given: GradedLog, /) -> Iterator[BaseFinding]:
        """Yield what is wrong with the log as a whole, and with each test that decides."""
        found = grade(given.log)
        yield from of_log(given.log, found)
        if found.refusal is None and found.lines:
            yield from of_names(given.log, found)
            yield from of_tests(given.log, found, given.run)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.grader_logs.cases import CASES

        return CASES
