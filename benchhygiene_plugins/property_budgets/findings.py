"""The rules of ``property-budgets`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity


def _rule(detail: str, summary: str, edit: str, seen: str, unseen: str = "") -> Rule:
    rule_id = f"property.{detail}"
    return Rule(rule_id, summary, Severity.ERROR, edit=edit, seen=seen, unseen=unseen)


MAX_EXAMPLES = _rule(
    "max_examples_lowered",
    "A property is tried on fewer examples",
    "lowers max_examples, on the test, in a profile, by a default",
    "settings through objects, profiles, decorators and the campaign",
    "profiles that only a command line outside the tree names",
)
DEADLINE = _rule(
    "deadline_relaxed",
    "An example of a property may take longer",
    "raises the deadline or takes it away",
    "the deadline in milliseconds, the default included",
    "how long an example really takes",
)
HEALTH_CHECK = _rule(
    "health_check_suppressed",
    "A health check of a property is switched off",
    "suppresses a health check",
    "the checks that a setting names",
    "checks that a plugin switches off",
)
STRATEGY = _rule(
    "strategy_narrowed",
    "A property is tried on a part of its inputs",
    "tightens bounds, sizes or alphabets, drops alternatives, adds a filter",
    "bounds and parts of strategies, composites and helpers followed",
    "strategies of other libraries, and those inferred from types",
)
ASSUME = _rule(
    "assume_added",
    "A property passes over inputs that it was tried on",
    "adds `assume` or `reject`",
    "calls in the test, its helpers and its strategies",
    "how many inputs it passes over",
)
PHASES = _rule(
    "phases_reduced",
    "A phase of a property's run is left out",
    "leaves out generate, reuse, shrink or explicit",
    "the phases that a setting names",
)
GIVEN = _rule(
    "given_removed",
    "A property has become a test of fixed values",
    "replaces the property by fixed values",
    "whether the test still draws its arguments",
)
DERANDOMIZED = _rule(
    "derandomized",
    "A property is tried on the same examples every time",
    "fixes the seed or sets `derandomize`",
    "settings, `@seed` and `--hypothesis-seed`",
    "seeds that the environment sets",
)
EXAMPLE = _rule(
    "example_removed",
    "An explicit example of a property is gone",
    "drops an `@example`",
    "the explicit examples of each property",
)
STEPS = _rule(
    "steps_lowered",
    "A state machine takes fewer steps",
    "lowers `stateful_step_count`",
    "settings of state machines",
)
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
