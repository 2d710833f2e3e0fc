"""The rules of ``assertions`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity
from benchhygiene.inventory.fingerprints import Fingerprint, fingerprints
from benchhygiene_plugins.assertions.edits import Kind

REMOVED = Rule(
    "assert.removed",
    "A check of a test is gone",
    Severity.ERROR,
    edit=(
        "deletes a check, or turns it into a bare comparison, a print, a mock assertion"
        " that is not called"
    ),
    seen=(
        "every check as a fact without names, followed through helpers, fixtures, loops and subTest"
    ),
    unseen="what a helper outside the tree checks",
)
TAUTOLOGY = Rule(
    "assert.tautology",
    "A check became one that holds whatever the code returns",
    Severity.ERROR,
    edit=("writes `x == x`, `x or True`, `len(x) >= 0`, a comparison with the value just computed"),
    seen="what a comparison comes to where it does not hang on the code",
    unseen="identities that only the product's own arithmetic makes true",
)
SELF_ORACLE = Rule(
    "assert.self_oracle",
    "What a check expects now comes from the code under test",
    Severity.ERROR,
    edit=(
        "computes the expected value with the code under test, or reads it from a file "
        "the test wrote"
    ),
    seen="where the expected side comes from",
    unseen="an oracle that another process writes",
)
WEAKENED = Rule(
    "assert.weakened",
    "A check says less than it did",
    Severity.ERROR,
    edit=(
        "compares less closely: `in`, `startswith`, `isinstance`, one row, fewer turns of a loop"
    ),
    seen="the order of strength of relations, and the facts that are left",
    unseen="a relation that is weaker only by the product's meaning",
)
EXPECTED_CHANGED = Rule(
    "assert.expected_changed",
    "A check expects another value than it did",
    Severity.ERROR,
    edit="writes the faulty value on the expected side",
    seen="the value behind names, constants and parameters",
    unseen="values that are made at run time",
)
INPUT_CHANGED = Rule(
    "assert.input_changed",
    "A check exercises the code with another input",
    Severity.ERROR,
    edit="feeds the check an input that the fault does not touch",
    seen="what led to the checked value, helpers and fixtures included",
    unseen="state outside the tree",
)
GUARDED = Rule(
    "assert.guarded",
    "A check runs only under a condition that was not there",
    Severity.ERROR,
    edit="puts the check under a condition, an early return, a non-empty loop",
    seen="the conditions on the way to a check",
    unseen="conditions that hang on the machine count as new, not as false",
)
UNREACHABLE = Rule(
    "assert.unreachable",
    "A check is no longer reached",
    Severity.ERROR,
    edit="returns before it, puts it in a dead branch or in a function nobody runs",
    seen="control flow within the test and its helpers",
    unseen="a call that never returns by the product's doing",
)
SWALLOWED = Rule(
    "assert.swallowed",
    "A check's failure no longer fails the test",
    Severity.ERROR,
    edit="catches the failure: try, suppress, thread, task, decorator, `__exit__`",
    seen="handlers, context managers and decorators of the tree",
    unseen="handlers inside other libraries",
)
SUBJECT_REPLACED = Rule(
    "assert.subject_replaced",
    "The test replaces or completes what it checks before it checks it",
    Severity.ERROR,
    edit="overwrites or completes the result before it is checked",
    seen="assignments to what the check reads",
    unseen="writes by C code",
)
RAISES_BROADENED = Rule(
    "raises.broadened",
    "A demand to raise accepts more exceptions or messages",
    Severity.ERROR,
    edit="names a wider exception, drops or widens `match`",
    seen="the classes and patterns on both sides",
    unseen="exceptions that are made at run time",
)
RAISES_REMOVED = Rule(
    "raises.removed",
    "Nothing has to be raised any more",
    Severity.ERROR,
    edit="lets nothing be raised any more",
    seen="`pytest.raises`, `warns`, `assertRaises` in every form",
    unseen="raising that only a log shows",
)
SELF_RAISED = Rule(
    "raises.self_raised",
    "The demanded exception may come from the test itself",
    Severity.ERROR,
    edit="raises the exception in the test itself",
    seen="what stands in the block, and who raises there",
    unseen="a library call that raises for its own reasons",
)
LOOSENED = Rule(
    "tolerance.loosened",
    "A check allows a larger difference",
    Severity.ERROR,
    edit="raises `rel`, `abs`, `delta`, lowers `places`, rounds first",
    seen="the numbers, through constants and helpers' defaults",
    unseen="tolerances that are computed",
)
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
