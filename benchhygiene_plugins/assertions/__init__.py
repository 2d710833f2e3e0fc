"""Tell which checks a test makes, and what a patch took from them."""

from __future__ import annotations

from benchhygiene_plugins.assertions.analyzer import Assertions
from benchhygiene_plugins.assertions.findings import CheckEdited, ChecksUnseen
from benchhygiene_plugins.assertions.inventory import (
    InventoriedCheck,
    Inventory,
    NodeChecks,
    inventory,
)
from benchhygiene_plugins.assertions.strength import Strength

__all__ = [
    "Assertions",
    "CheckEdited",
    "ChecksUnseen",
    "InventoriedCheck",
    "Inventory",
    "NodeChecks",
    "Strength",
    "inventory",
]
