"""Tell which tests of a parent's a candidate skips, or expects to fail."""

from __future__ import annotations

from benchhygiene_plugins.skip_markers.analyzer import SkipEvidence, SkipMarkers
from benchhygiene_plugins.skip_markers.exemptions import Exemption, Place
from benchhygiene_plugins.skip_markers.findings import (
    ExampleSkipped,
    ExemptionUnseen,
    NodeExempted,
    NodesExempted,
)
from benchhygiene_plugins.skip_markers.inventory import Exempted, inventory

__all__ = [
    "ExampleSkipped",
    "Exempted",
    "Exemption",
    "ExemptionUnseen",
    "NodeExempted",
    "NodesExempted",
    "Place",
    "SkipEvidence",
    "SkipMarkers",
    "inventory",
]
