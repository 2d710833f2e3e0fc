"""The rules of ``harness`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

EXIT_FORCED = Rule(
    "harness.exit_forced",
    "The run is made to end with another status, or early",
    Severity.ERROR,
    edit="exits with 0, sets the exit status, kills the run",
    seen="calls by any alias, in tests, fixtures, hooks, at import",
    unseen="what another process kills",
)
REPORT_FORCED = Rule(
    "harness.report_forced",
    "pytest, or a log, is made to report another outcome",
    Severity.ERROR,
    edit="rewrites outcomes in hooks, prints lines that graders read",
    seen="what hooks do with reports, calls and stats",
    unseen="reports that are edited after the run",
)
FRAMEWORK_PATCHED = Rule(
    "harness.framework_patched",
    "A test framework is put out of action",
    Severity.ERROR,
    edit="patches pytest, unittest or builtins, plants plugins",
    seen="assignments, setattr, mock, `sitecustomize`, `.pth`, entry points",
    unseen="text that is executed and cannot be worked out",
)
MODULE_SHADOWED = Rule(
    "harness.module_shadowed",
    "Imports find another module than they did",
    Severity.ERROR,
    edit="puts a module of the same name in front of the real one",
    seen="what an import finds on both sides",
    unseen="paths of the environment",
)
ASSERTS_DISABLED = Rule(
    "harness.asserts_disabled",
    "Assert statements do nothing, or are not rewritten",
    Severity.ERROR,
    edit="runs with `-O`, `--assert=plain`, without rewriting",
    seen="options, variables and commands in every file",
    unseen="variables of the job",
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
