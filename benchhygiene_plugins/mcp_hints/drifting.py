"""What differs from the lock, and between the sessions of one listing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchhygiene import BaseFinding, Rule
from benchhygiene.evidence.listing import ListingEnd, ListingSession
from benchhygiene.evidence.tool_lock import LockedTool, ToolLock
from benchhygiene.inventory.declarations import Listing
from benchhygiene.inventory.declarations.locking import locked
from benchhygiene_plugins.mcp_hints import findings
from benchhygiene_plugins.mcp_hints.drift import Difference, Drift, differences
from benchhygiene_plugins.mcp_hints.findings import DeclarationDrift

_RULES: dict[Drift, tuple[Rule, str]] = {
    Drift.ADDED: (findings.TOOL_ADDED, "{tool} is new"),
    Drift.REMOVED: (findings.TOOL_REMOVED, "{tool} is gone"),
    Drift.HINT_LOOSENED: (
        findings.HINT_LOOSENED,
        "{tool}: {member} was {before} and is {after}, which claims more",
    ),
    Drift.HINT_CHANGED: (findings.HINT_CHANGED, "{tool}: {member} was {before} and is {after}"),
    Drift.DESCRIPTION: (findings.DESCRIPTION_CHANGED, "{tool}: its {member} is another"),
    Drift.SCHEMA: (findings.TOOL_CHANGED, "{tool}: its {member} is another"),
    Drift.OTHER: (findings.TOOL_CHANGED, "{tool} is declared otherwise"),
}


def against_lock(
    server: str, lock: ToolLock, read: Listing, is_whole: bool
) -> Iterator[BaseFinding]:
    """Yield how the first session differs from the lock.

    A tool that is not there counts as removed only where the whole listing was seen.
    """
    before = {tool.name: tool for tool in lock.tools}
    for difference in differences(before, _first(read)):
        if difference.drift is Drift.REMOVED and not is_whole:
            continue
        rule, says = _RULES[difference.drift]
        yield _drifted(server, rule, f"{_said(says, difference)}, against the lock", difference)


def between_sessions(
    server: str, sessions: Sequence[tuple[ListingSession, Listing]]
) -> Iterator[BaseFinding]:
    """Yield how later answers differ from the first whole one, and tools that pages disagree on."""
    whole = [each for each in sessions if each[0].end is ListingEnd.COMPLETE]
    for session, read in whole[1:]:
        first, expected = whole[0]
        when = "within one session" if session.number == first.number else "between sessions"
        for difference in differences(_first(expected), _first(read)):
            _, says = _RULES[difference.drift]
            message = f"{when}: {_said(says, difference)}"
            yield _drifted(server, findings.UNSTABLE, message, difference)


def _first(read: Listing) -> dict[str, LockedTool]:
    """Return every tool as it is declared first."""
    return {name: locked(tools[0]) for name, tools in read.by_name().items()}


def _said(text: str, difference: Difference) -> str:
    return text.format(
        tool=difference.tool,
        member=difference.member,
        before=difference.before,
        after=difference.after,
    )


def _drifted(server: str, rule: Rule, message: str, difference: Difference) -> BaseFinding:
    return DeclarationDrift(
        rule=rule,
        message=message,
        locations=(findings.at(server, difference.tool),),
        old_text=difference.before,
        new_text=difference.after,
        tool=difference.tool,
        member=difference.member,
    )
