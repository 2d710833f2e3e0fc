"""What became of one check."""

from __future__ import annotations

import enum

import attrs

from benchhygiene_plugins.assertions.checks import Check


class Kind(enum.Enum):
    """What an edit did; each is a rule, by its id."""

    REMOVED = "assert.removed"
    TAUTOLOGY = "assert.tautology"
    SELF_ORACLE = "assert.self_oracle"
    WEAKENED = "assert.weakened"
    EXPECTED_CHANGED = "assert.expected_changed"
    INPUT_CHANGED = "assert.input_changed"
    GUARDED = "assert.guarded"
    UNREACHABLE = "assert.unreachable"
    SWALLOWED = "assert.swallowed"
    SUBJECT_REPLACED = "assert.subject_replaced"
    RAISES_BROADENED = "raises.broadened"
    RAISES_REMOVED = "raises.removed"
    SELF_RAISED = "raises.self_raised"
    LOOSENED = "tolerance.loosened"


@attrs.frozen
class Edit:
    """One check of the parent and what stands in its place.

    ``old`` and ``new`` are the two sides, None where there is none; ``reason`` is a clause that
    says what is wrong with the new one.
    """

    kind: Kind
    old: Check | None
    new: Check | None
    reason: str = ""
