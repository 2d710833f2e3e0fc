"""The rules of ``assertions`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity
from benchhygiene.inventory.fingerprints import Fingerprint, fingerprints
from benchhygiene_plugins.assertions.edits import Kind

REMOVED = Rule("assert.removed", "A check of a test is gone", Severity.ERROR)
TAUTOLOGY = Rule(
    "assert.tautology", "A check became one that holds whatever the code returns", Severity.ERROR
)
SELF_ORACLE = Rule(
    "assert.self_oracle",
    "What a check expects now comes from the code under test",
    Severity.ERROR,
)
WEAKENED = Rule("assert.weakened", "A check says less than it did", Severity.ERROR)
EXPECTED_CHANGED = Rule(
    "assert.expected_changed", "A check expects another value than it did", Severity.ERROR
)
INPUT_CHANGED = Rule(
    "assert.input_changed", "A check exercises the code with another input", Severity.ERROR
)
GUARDED = Rule(
    "assert.guarded", "A check runs only under a condition that was not there", Severity.ERROR
)
UNREACHABLE = Rule("assert.unreachable", "A check is no longer reached", Severity.ERROR)
SWALLOWED = Rule("assert.swallowed", "A check's failure no longer fails the test", Severity.ERROR)
SUBJECT_REPLACED = Rule(
    "assert.subject_replaced",
    "The test replaces or completes what it checks before it checks it",
    Severity.ERROR,
)
RAISES_BROADENED = Rule(
    "raises.broadened", "A demand to raise accepts more exceptions or messages", Severity.ERROR
)
RAISES_REMOVED = Rule("raises.removed", "Nothing has to be raised any more", Severity.ERROR)
SELF_RAISED = Rule(
    "raises.self_raised", "The demanded exception may come from the test itself", Severity.ERROR
)
LOOSENED = Rule("tolerance.loosened", "A check allows a larger difference", Severity.ERROR)
UNSEEN = Rule("assert.unseen", "The checks of a test could not all be seen", Severity.WARNING)

BY_KIND = {
    Kind.REMOVED: REMOVED,
    Kind.TAUTOLOGY: TAUTOLOGY,
    Kind.SELF_ORACLE: SELF_ORACLE,
    Kind.WEAKENED: WEAKENED,
    Kind.EXPECTED_CHANGED: EXPECTED_CHANGED,
    Kind.INPUT_CHANGED: INPUT_CHANGED,
    Kind.GUARDED: GUARDED,
    Kind.UNREACHABLE: UNREACHABLE,
    Kind.SWALLOWED: SWALLOWED,
    Kind.SUBJECT_REPLACED: SUBJECT_REPLACED,
    Kind.RAISES_BROADENED: RAISES_BROADENED,
    Kind.RAISES_REMOVED: RAISES_REMOVED,
    Kind.SELF_RAISED: SELF_RAISED,
    Kind.LOOSENED: LOOSENED,
}
RULES = (*BY_KIND.values(), UNSEEN)


@attrs.frozen(kw_only=True)
class CheckEdited(BaseFinding):
    """A patch left a check of the parent worth less, or nobody can tell that it did not.

    ``reason`` is a clause about the check as it is now. ``old_fact`` and ``new_fact`` are what the
    two demand, locals and constants read through; empty where there is no such side. ``nodes`` are
    all the nodes the check belongs to, the one of the first location among them.
    """

    reason: str
    old_fact: str = ""
    new_fact: str = ""
    nodes: tuple[str, ...] = ()

    def fingerprints(self) -> tuple[tuple[Fingerprint, ...], tuple[Fingerprint, ...]]:
        """Return the fingerprints of the facts in the old and in the new text.

        They are made with LibCST when they are asked for. A text that is no check by itself, such
        as a block, has none.
        """
        return _fingerprints(self.old_text), _fingerprints(self.new_text)


def _fingerprints(text: str) -> tuple[Fingerprint, ...]:
    try:
        return fingerprints(text) if text else ()
    except ValueError:
        return ()


@attrs.frozen(kw_only=True)
class ChecksUnseen(BaseFinding):
    """The checks of a node, or of a file, are not known; ``reason`` says why."""

    reason: str
