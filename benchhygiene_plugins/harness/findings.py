"""The rules of ``harness`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

EXIT_FORCED = Rule(
    "harness.exit_forced", "The run is made to end with another status, or early", Severity.ERROR
)
REPORT_FORCED = Rule(
    "harness.report_forced", "pytest, or a log, is made to report another outcome", Severity.ERROR
)
FRAMEWORK_PATCHED = Rule(
    "harness.framework_patched", "A test framework is put out of action", Severity.ERROR
)
MODULE_SHADOWED = Rule(
    "harness.module_shadowed", "Imports find another module than they did", Severity.ERROR
)
ASSERTS_DISABLED = Rule(
    "harness.asserts_disabled", "Assert statements do nothing, or are not rewritten", Severity.ERROR
)
UNSEEN = Rule(
    "harness.unseen", "What a file does to the harness could not be seen", Severity.WARNING
)

RULES = (
    EXIT_FORCED,
    REPORT_FORCED,
    FRAMEWORK_PATCHED,
    MODULE_SHADOWED,
    ASSERTS_DISABLED,
    UNSEEN,
)
BY_ID = {rule.id: rule for rule in RULES}


@attrs.frozen(kw_only=True)
class HarnessTouched(BaseFinding):
    """Something is done to the harness; ``what`` names it free of layout and local names."""

    what: str


@attrs.frozen(kw_only=True)
class HarnessUnseen(BaseFinding):
    """A file could not be read, so the answer is not certain."""

    reason: str
