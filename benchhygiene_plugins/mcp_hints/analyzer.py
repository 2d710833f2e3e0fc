"""The analyzer ``mcp-hints``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle
from benchhygiene.evidence.listing import ListingEnd, ToolListing
from benchhygiene.evidence.tool_lock import ToolLock
from benchhygiene.inventory.declarations import listing
from benchhygiene_plugins.mcp_hints import declaring, drifting, findings

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class LockedListing(Bundle):
    """What a server declares, and what it had declared when people agreed to it."""

    listing: ToolListing
    lock: ToolLock | None


@attrs.frozen
class McpHints:
    """Report declarations that clients read differently, that contradict themselves or drift."""

    name = "mcp-hints"
    rules = findings.RULES
    consumes = LockedListing

    def analyze(self, given: LockedListing, /) -> Iterator[BaseFinding]:
        """Yield the faults of every session's pages, of the first one's tools, and all drift."""
        server, sessions = given.listing.server, given.listing.sessions
        read = [(session, listing(session)) for session in sessions]
        yield from declaring.of_noise(given.listing)
        for session, found in read:
            yield from declaring.of_session(server, session, found)
        if not read:
            yield findings.fault(
                findings.UNFINISHED, "there is no session", server=server, is_doubt=True
            )
            return
        first, declared = read[0]
        yield from declaring.of_entries(server, declared)
        for tool in declared.tools:
            yield from declaring.of_tool(server, tool)
        yield from declaring.of_silence(server, declared)
        if given.lock is not None:
            is_whole = first.end is ListingEnd.COMPLETE and not declared.pages
            yield from drifting.against_lock(server, given.lock, declared, is_whole)
        yield from drifting.between_sessions(server, read)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.mcp_hints.cases import CASES

        return CASES
