"""Tell what a candidate does to the harness that judges it."""

from __future__ import annotations

from benchhygiene_plugins.harness.analyzer import Harness
from benchhygiene_plugins.harness.deeds import Act, Deed, Place, Weight
from benchhygiene_plugins.harness.findings import HarnessTouched, HarnessUnseen
from benchhygiene_plugins.harness.inventory import inventory

__all__ = [
    "Act",
    "Deed",
    "Harness",
    "HarnessTouched",
    "HarnessUnseen",
    "Place",
    "Weight",
    "inventory",
]
