"""MCP tool declarations: read from raw bytes, held against a lock and against one another."""

from __future__ import annotations

from benchhygiene_plugins.mcp_hints.analyzer import LockedListing, McpHints
from benchhygiene_plugins.mcp_hints.drift import Difference, Drift, differences
from benchhygiene_plugins.mcp_hints.findings import DeclarationDrift, DeclarationFault
from benchhygiene_plugins.mcp_hints.sdk import Sdk, SdkView, views

__all__ = [
    "DeclarationDrift",
    "DeclarationFault",
    "Difference",
    "Drift",
    "LockedListing",
    "McpHints",
    "Sdk",
    "SdkView",
    "differences",
    "views",
]
