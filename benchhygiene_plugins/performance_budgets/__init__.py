"""Tell which performance tests measure less, or allow more, than they did."""

from __future__ import annotations

from benchhygiene_plugins.performance_budgets.analyzer import (
    PerformanceBudgets,
    PerformanceEvidence,
)
from benchhygiene_plugins.performance_budgets.findings import (
    BudgetLowered,
    BudgetUnseen,
    CampaignBroken,
)

__all__ = [
    "BudgetLowered",
    "BudgetUnseen",
    "CampaignBroken",
    "PerformanceBudgets",
    "PerformanceEvidence",
]
