"""Tell which tests of a parent a candidate no longer has, or no longer runs as often."""

from __future__ import annotations

from benchhygiene_plugins.nodes.analyzer import NodeEvidence, Nodes
from benchhygiene_plugins.nodes.findings import (
    Cause,
    CollectionDisagrees,
    NodeHidden,
    NodeLost,
    NodeUnseen,
    ParametersChanged,
)
from benchhygiene_plugins.nodes.inventory import NodeFacts, NodeInventory, inventory

__all__ = [
    "Cause",
    "CollectionDisagrees",
    "NodeEvidence",
    "NodeFacts",
    "NodeHidden",
    "NodeInventory",
    "NodeLost",
    "NodeUnseen",
    "Nodes",
    "ParametersChanged",
    "inventory",
]
