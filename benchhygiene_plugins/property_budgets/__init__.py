"""Tell which properties a candidate tries on less than its parent did."""

from __future__ import annotations

from benchhygiene_plugins.property_budgets.analyzer import PropertyBudgets, PropertyEvidence

__all__ = ["PropertyBudgets", "PropertyEvidence"]
