"""Listings of live servers, over as many sessions as are asked for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd, ListingSession, ToolListing, Transport
from benchhygiene.sources.mcp import stdio
from benchhygiene.sources.mcp.asking import ask
from benchhygiene.sources.mcp.http import HttpChannel, shown_url
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.stdio import Launch, StdioChannel

AUTHORIZATION = "BENCHHYGIENE_MCP_AUTHORIZATION"
_PASSED_ON = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "USER")
_MOST_SHOWN = 200


def stdio_listing(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    limits: ListingLimits | None = None,
    launch: Launch = stdio.launch,
    name: str | None = None,
) -> ToolListing:
    """Return what a server that is started with a command declares.

    The server sees PATH, HOME and the like, and what ``environment`` adds; nothing else of ours.
    Raises InputError where it cannot be started; everything that goes wrong later is in the
    listing.
    """
    if not command:
        raise InputError("expected a command that starts the server")
    bounds = limits or ListingLimits()
    passed = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
    full = {**passed, **(environment or {})}
    sessions: list[ListingSession] = []
    probe = True
    for number in range(1, bounds.sessions + 1):
        with StdioChannel(launch(command, full), bounds) as channel:
            found = ask(channel, number, _rounds(number, bounds), bounds, probe=probe)
        if probe and _fell_over(found):
            # Some older servers end on a question they do not know: ask one without it.
            probe = False
            with StdioChannel(launch(command, full), bounds) as channel:
                found = ask(channel, number, _rounds(number, bounds), bounds, probe=probe)
        sessions += found
    shown = name or shlex.join(command)[:_MOST_SHOWN]
    return ToolListing(server=shown, transport=Transport.STDIO, sessions=tuple(sessions))


def http_listing(
    url: str,
    *,
    limits: ListingLimits | None = None,
    environment: Mapping[str, str] = os.environ,
    name: str | None = None,
) -> ToolListing:
    """Return what a server behind a URL declares.

    The header ``Authorization`` is the value of ``BENCHHYGIENE_MCP_AUTHORIZATION`` in the
    environment; it is sent and kept nowhere. Raises InputError for what is no URL; a server that
    cannot be reached is in the listing.
    """
    bounds = limits or ListingLimits()
    sessions: list[ListingSession] = []
    for number in range(1, bounds.sessions + 1):
        with HttpChannel(url, environment.get(AUTHORIZATION), bounds) as channel:
            sessions += ask(channel, number, _rounds(number, bounds), bounds)
    shown = name or shown_url(url)
    return ToolListing(server=shown, transport=Transport.HTTP, sessions=tuple(sessions))


def _rounds(number: int, limits: ListingLimits) -> int:
    return limits.rounds if number == 1 else 1


def _fell_over(found: Sequence[ListingSession]) -> bool:
    """Return whether the server went away before it had answered anything."""
    return found[0].end is ListingEnd.CRASHED and not found[0].protocol
