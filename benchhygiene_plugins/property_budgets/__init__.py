"""Tell which properties a candidate tries on less than its parent did."""

from __future__ import annotations

from benchhygiene_plugins.property_budgets.analyzer import PropertyBudgets, PropertyEvidence
from benchhygiene_plugins.property_budgets.budgets import Setting
from benchhygiene_plugins.property_budgets.drawing import Assumption
from benchhygiene_plugins.property_budgets.findings import (
    BudgetReduced,
    CampaignBroken,
    ExampleRemoved,
    InputsPassedOver,
    PropertyRemoved,
    PropertyUnseen,
    StrategyNarrowed,
)
from benchhygiene_plugins.property_budgets.inventory import inventory
from benchhygiene_plugins.property_budgets.properties import Example, Property
from benchhygiene_plugins.property_budgets.strategies import Strategy

__all__ = [
    "Assumption",
    "BudgetReduced",
    "CampaignBroken",
    "Example",
    "ExampleRemoved",
    "InputsPassedOver",
    "Property",
    "PropertyBudgets",
    "PropertyEvidence",
    "PropertyRemoved",
    "PropertyUnseen",
    "Setting",
    "Strategy",
    "StrategyNarrowed",
    "inventory",
]
