"""Ask MCP servers for their tools, and keep the answers byte for byte."""

from __future__ import annotations

from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.listings import http_listing, stdio_listing
from benchhygiene.sources.mcp.locks import lock_text, read_locks
from benchhygiene.sources.mcp.saved import listing_text, read_listing

__all__ = [
    "ListingLimits",
    "http_listing",
    "listing_text",
    "lock_text",
    "read_listing",
    "read_locks",
    "stdio_listing",
]
