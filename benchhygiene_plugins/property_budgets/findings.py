"""The rules of ``property-budgets`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity


def _rule(detail: str, summary: str) -> Rule:
    return Rule(f"property.{detail}", summary, Severity.ERROR)


MAX_EXAMPLES = _rule("max_examples_lowered", "A property is tried on fewer examples")
DEADLINE = _rule("deadline_relaxed", "An example of a property may take longer")
HEALTH_CHECK = _rule("health_check_suppressed", "A health check of a property is switched off")
STRATEGY = _rule("strategy_narrowed", "A property is tried on a part of its inputs")
ASSUME = _rule("assume_added", "A property passes over inputs that it was tried on")
PHASES = _rule("phases_reduced", "A phase of a property's run is left out")
GIVEN = _rule("given_removed", "A property has become a test of fixed values")
DERANDOMIZED = _rule("derandomized", "A property is tried on the same examples every time")
EXAMPLE = _rule("example_removed", "An explicit example of a property is gone")
STEPS = _rule("steps_lowered", "A state machine takes fewer steps")
UNSEEN = Rule(
    "property.unseen", "Whether a property is tried as before could not be seen", Severity.WARNING
)

RULES = (
    MAX_EXAMPLES,
    DEADLINE,
    HEALTH_CHECK,
    STRATEGY,
    ASSUME,
    PHASES,
    GIVEN,
    DERANDOMIZED,
    EXAMPLE,
    STEPS,
    UNSEEN,
)
#: The rule that a setting is judged by.
BY_SETTING = {
    "max_examples": MAX_EXAMPLES,
    "deadline": DEADLINE,
    "phases": PHASES,
    "derandomize": DERANDOMIZED,
    "suppress_health_check": HEALTH_CHECK,
    "stateful_step_count": STEPS,
}


@attrs.frozen(kw_only=True)
class BudgetReduced(BaseFinding):
    """A setting allows a property less than it did; ``before`` and ``after`` are its values.

    ``profile`` names the profile that sets it, empty where the property does.
    """

    setting: str
    before: str
    after: str
    profile: str = ""


@attrs.frozen(kw_only=True)
class StrategyNarrowed(BaseFinding):
    """An argument of a property is no longer given all the values that it was."""

    argument: str
    before: str
    after: str


@attrs.frozen(kw_only=True)
class InputsPassedOver(BaseFinding):
    """A property passes over inputs that do not meet ``condition``."""

    condition: str


@attrs.frozen(kw_only=True)
class PropertyRemoved(BaseFinding):
    """A test is no property any more."""


@attrs.frozen(kw_only=True)
class ExampleRemoved(BaseFinding):
    """An explicit example is no longer tried."""

    example: str


@attrs.frozen(kw_only=True)
class CampaignBroken(BaseFinding):
    """A property has less than the trusted campaign owes it, under ``key``."""

    key: str
    setting: str
    owed: str
    after: str


@attrs.frozen(kw_only=True)
class PropertyUnseen(BaseFinding):
    """What a property is tried on could not be told, so the answer is not certain."""

    reason: str
