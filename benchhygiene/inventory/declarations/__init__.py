"""What an MCP server's ``tools/list`` answers declare, read from their raw text."""

from __future__ import annotations

from benchhygiene.inventory.declarations.hints import (
    Anomaly,
    AnomalyKind,
    BlockState,
    Hint,
    HintValue,
)
from benchhygiene.inventory.declarations.listing import Listing, PageFault, listing
from benchhygiene.inventory.declarations.tools import EntryFault, ToolDeclaration

__all__ = [
    "Anomaly",
    "AnomalyKind",
    "BlockState",
    "EntryFault",
    "Hint",
    "HintValue",
    "Listing",
    "PageFault",
    "ToolDeclaration",
    "listing",
]
