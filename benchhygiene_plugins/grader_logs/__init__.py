"""Tell where a grade that was read out of a log is not what the tests did."""

from __future__ import annotations

from benchhygiene_plugins.grader_logs.analyzer import GradedLog, GraderLogs
from benchhygiene_plugins.grader_logs.findings import LogMisread
from benchhygiene_plugins.grader_logs.grade import Grade, grade, is_resolved
from benchhygiene_plugins.grader_logs.lines import StatusLine

__all__ = [
    "Grade",
    "GradedLog",
    "GraderLogs",
    "LogMisread",
    "StatusLine",
    "grade",
    "is_resolved",
]
