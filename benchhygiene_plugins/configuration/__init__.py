"""Tell which tests configuration and hooks take away, and what they no longer demand."""

from __future__ import annotations

from benchhygiene_plugins.configuration.analyzer import Configuration, ConfigurationEvidence
from benchhygiene_plugins.configuration.findings import (
    ConfigurationChanged,
    ConfigurationUnseen,
    CoverageLowered,
    NodesDeselected,
    RerunAdded,
)
from benchhygiene_plugins.configuration.inventory import ConfiguredOption, inventory

__all__ = [
    "Configuration",
    "ConfigurationChanged",
    "ConfigurationEvidence",
    "ConfigurationUnseen",
    "ConfiguredOption",
    "CoverageLowered",
    "NodesDeselected",
    "RerunAdded",
    "inventory",
]
