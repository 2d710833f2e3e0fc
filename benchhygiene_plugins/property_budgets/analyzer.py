"""The analyzer ``property-budgets``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle
from benchhygiene.evidence import Campaign, Change
from benchhygiene_plugins.property_budgets.findings import RULES
from benchhygiene_plugins.property_budgets.judging import Judging

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class PropertyEvidence(Bundle):
    """A change, and where there is a trusted pack the budgets that it owes the properties."""

    change: Change
    campaign: Campaign | None = None


@attrs.frozen
class PropertyBudgets:
    """Report which properties a candidate tries on less, or allows more, than the parent did."""

    name = "property-budgets"
    rules = RULES
    consumes = PropertyEvidence

    def analyze(self, evidence: PropertyEvidence, /) -> Iterator[BaseFinding]:
        """Yield what each property and profile has lost, and what the campaign is still owed."""
        judging = Judging.of(evidence.change)
        yield from judging.findings()
        if evidence.campaign is not None:
            yield from judging.campaign(evidence.campaign)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.property_budgets.cases import CASES

        return CASES
