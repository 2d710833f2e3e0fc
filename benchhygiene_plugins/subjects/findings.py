"""The rules of ``subjects`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity, SymbolKind, Verdict
from benchhygiene_plugins.subjects.facts import Fact
from benchhygiene_plugins.subjects.replacements import Replaced

MOCK_SUBJECT = Rule(
    "mock.subject",
    "A test replaces the code that it is there to test",
    Severity.ERROR,
    edit="patches or stubs the code that the test is there to test",
    seen="what is patched, and what the check's value comes from",
    unseen="patches by C code",
)
MOCK_UNSEEN = Rule(
    "mock.unseen", "Whether tests still reach the code under test is not known", Severity.WARNING
)
EQ_OVERRIDE = Rule(
    "source.eq_override",
    "A comparison answers without comparing",
    Severity.ERROR,
    edit="lets `__eq__` answer True",
    seen="what comparisons of product classes return",
    unseen="an `__eq__` that compares too few fields",
)
TEST_AWARE = Rule(
    "source.test_aware",
    "The product asks whether it is tested",
    Severity.ERROR,
    edit="asks for pytest, the stack, the environment",
    seen="reads of what only a test run has, by any alias",
    unseen="reads inside other libraries",
)
SPECIAL_CASE = Rule(
    "source.test_special_case",
    "The product answers the tests by heart",
    Severity.ERROR,
    edit="answers the tests' inputs by heart",
    seen="literals that the tests use as input and expect as output",
    unseen="answers from one word to another",
)
CLOCK_PATCHED = Rule(
    "source.clock_patched",
    "The product replaces the clock",
    Severity.ERROR,
    edit="replaces the clock by which it is timed",
    seen="assignments to clocks in product code",
)
RAISES_SKIP = Rule(
    "source.raises_skip",
    "The product skips the test that calls it",
    Severity.ERROR,
    edit="raises SkipTest in product code",
    seen="calls and exceptions that skip",
)
READS_ORACLE = Rule(
    "source.reads_oracle",
    "The product reads the tests or what they expect",
    Severity.ERROR,
    edit="opens the tests or what they expect",
    seen="paths and imports of test files in product code",
    unseen="paths that are put together at run time",
)
SOURCE_UNSEEN = Rule(
    "source.unseen", "What the product does with its tests is not known", Severity.WARNING
)
RULES = (
    MOCK_SUBJECT,
    MOCK_UNSEEN,
    EQ_OVERRIDE,
    TEST_AWARE,
    SPECIAL_CASE,
    CLOCK_PATCHED,
    RAISES_SKIP,
    READS_ORACLE,
    SOURCE_UNSEEN,
)
_BY_ID = {rule.id: rule for rule in RULES}
_ADVICE = {
    EQ_OVERRIDE.id: "compare the values",
    TEST_AWARE.id: "do the same whoever calls",
    SPECIAL_CASE.id: "compute the answer",
    CLOCK_PATCHED.id: "leave the clock alone",
    RAISES_SKIP.id: "raise an error of the product's own",
    READS_ORACLE.id: "keep what the product needs among its own files",
}


@attrs.frozen(kw_only=True)
class SubjectReplaced(BaseFinding):
    """A test no longer reaches ``subject``, the code of the product it was there to test."""

    subject: str


@attrs.frozen(kw_only=True)
class SourceAware(BaseFinding):
    """A function of the product, ``function``, does what only its tests would notice."""

    function: str


@attrs.frozen(kw_only=True)
class SubjectUnseen(BaseFinding):
    """A file could not be read, so the answer is not certain."""

    reason: str


def aware(fact: Fact, old_text: str) -> SourceAware:
    """Return the finding for what a change makes the product do."""
    where = f"{fact.symbol} " if fact.symbol else "this "
    return SourceAware(
        rule=_BY_ID[fact.rule],
        message=f"{where}{fact.said}; {_ADVICE[fact.rule]}",
        locations=(Location(fact.path, fact.line, fact.column, fact.symbol or None),),
        old_text=old_text,
        new_text=fact.text,
        function=fact.symbol,
    )


def replaced(one: Replaced) -> SubjectReplaced:
    """Return the finding for a test, or a file, that replaces what is tested."""
    further = (Location(one.path, one.line),) if one.node_path != one.path else ()
    at = Location(one.path, one.line)
    if one.node_id is not None:
        line = one.line if one.node_path == one.path else None
        at = Location(one.node_path, line, None, one.node_id, SymbolKind.NODE)
    return SubjectReplaced(
        rule=MOCK_SUBJECT,
        message=f"{one.subject} is the code under test here, and {one.how}; test the real one",
        locations=(at, *further) if one.node_id is not None else (at,),
        old_text=one.old_text,
        new_text=one.text,
        subject=one.subject,
    )


def unseen(rule: Rule, path: str, reason: str) -> SubjectUnseen:
    """Return the finding for a file that cannot be read."""
    return SubjectUnseen(
        rule=rule,
        message=f"nobody can tell what this file does: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=(Location(path),),
        reason=reason,
    )
