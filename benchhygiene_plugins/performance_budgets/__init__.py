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
from benchhygiene_plugins.performance_budgets.inventory import (
    Fact,
    Inventory,
    NodeBudgets,
    inventory,
)

__all__ = [
    "BudgetLowered",
    "BudgetUnseen",
    "CampaignBroken",
    "Fact",
    "Inventory",
    "NodeBudgets",
    "PerformanceBudgets",
    "PerformanceEvidence",
    "inventory",
]
