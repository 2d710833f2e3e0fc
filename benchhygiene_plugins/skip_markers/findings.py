"""The rules of ``skip-markers`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

MARKER = Rule(
    "skip.marker",
    "A marker skips a test that ran",
    Severity.ERROR,
    edit=("adds skip or skipif by any alias, on node, class, module, parameter or by a hook"),
    seen="markers and the conditions they hang on, widened ones too",
    unseen="marks that a plugin outside the tree adds",
)
CALL = Rule(
    "skip.call",
    "A call or an exception skips a test that ran",
    Severity.ERROR,
    edit="calls `pytest.skip`, raises SkipTest, in tests, fixtures or what they call",
    seen="calls and exceptions through helpers and product code",
    unseen="skips inside other libraries",
)
IMPORTORSKIP = Rule(
    "skip.importorskip",
    "A test that ran is skipped where a module is missing",
    Severity.ERROR,
    edit="asks for a module that is not there",
    seen="importorskip in tests, modules and fixtures",
    unseen="whether a module is installed",
)
DOCTEST = Rule(
    "skip.doctest",
    "An example that ran is skipped",
    Severity.ERROR,
    edit="adds `+SKIP`, `__doctest_skip__` or a skip in the text",
    seen="directives and blocks of examples",
    unseen="examples that are put together at run time",
)
XFAIL = Rule(
    "xfail.added",
    "A test that had to pass may fail",
    Severity.ERROR,
    edit="marks a test as expected to fail, or loosens such a mark",
    seen="marks, calls, `expectedFailure`, strictness and `raises`",
    unseen="marks that a plugin outside the tree adds",
)
UNSEEN = Rule("skip.unseen", "Whether a test still runs could not be seen", Severity.WARNING)

RULES = (MARKER, CALL, IMPORTORSKIP, DOCTEST, XFAIL, UNSEEN)
BY_ID = {rule.id: rule for rule in RULES}


@attrs.frozen(kw_only=True)
class NodeExempted(BaseFinding):
    """A test of the parent's no longer runs, or may fail, when ``condition`` holds.

    ``parameters`` names the parameter set where it is only that one. ``quarantined`` says that the
    trusted ledger lets it.
    """

    condition: str
    parameters: str = ""
    quarantined: bool = False


@attrs.frozen(kw_only=True)
class NodesExempted(BaseFinding):
    """One place exempts several tests; the further locations name them, ``count`` says how many."""

    condition: str
    count: int


@attrs.frozen(kw_only=True)
class ExampleSkipped(BaseFinding):
    """An example of a docstring or text file is no longer run."""


@attrs.frozen(kw_only=True)
class ExemptionUnseen(BaseFinding):
    """What would exempt a test could not be read, so the answer is not certain."""

    reason: str
