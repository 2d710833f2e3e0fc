"""The commands ``mcp lint``, ``mcp lock`` and ``mcp tools``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import attrs

from benchhygiene.cli import mcp_grammars
from benchhygiene.cli.app import Command, Group
from benchhygiene.cli.output import deliver, has_colour, stream_for, text_width, write_stream
from benchhygiene.cli.parsing import Given
from benchhygiene.core.findings import Verdict
from benchhygiene.core.json import JSON
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import BUNDLE, Registry
from benchhygiene.core.report import Report
from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ToolListing
from benchhygiene.evidence.tool_lock import ToolLock
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.targets import Target, targets

REQUIRED = "mcp-hints"


def lint(given: Given) -> int:
    """Judge every server of the target, write the reports and return the worst exit status."""
    locks = _locks(given.value("--lock"))
    asked = _targets(given)
    registry = _registry()
    reports: list[tuple[ToolListing, Report]] = []
    for target in asked:
        listing = target.listing(_limits(given))
        lock = _lock_for(listing, locks, is_alone=len(asked) == 1)
        evidence = (listing,) if lock is None else (listing, lock)
        orchestrator = Orchestrator(registry, require={REQUIRED})
        reports.append((listing, orchestrator.run(*evidence)))
    deliver(_rendered(reports, given), given.output)
    return Verdict.worst(report.verdict for _, report in reports).exit_status


def lock(given: Given) -> int:
    """Write the lock of every server of the target."""
    from benchhygiene.inventory.declarations.locking import lock as lock_of
    from benchhygiene.sources.mcp.locks import lock_text

    listings = [target.listing(_limits(given)) for target in _targets(given)]
    deliver(lock_text(lock_of(listing) for listing in listings), given.output)
    return 0


def tools(given: Given) -> int:
    """Write the table of declarations, and keep the answers where that is asked for."""
    from benchhygiene.cli import mcp_tables
    from benchhygiene.sources.mcp.saved import listing_text

    listings = [target.listing(_limits(given)) for target in _targets(given)]
    kept = given.value("--save")
    if kept is not None:
        if len(listings) != 1:
            raise InputError(f"--save {kept}: expected one server; name it as FILE#NAME")
        deliver(listing_text(listings[0]), kept)
    if given.format == "json":
        from benchhygiene.formats.json import dump

        write_stream(dump(mcp_tables.document(listings)))
    else:
        write_stream(mcp_tables.text(listings, text_width(sys.stdout, os.environ)))
    return 0


def _targets(given: Given) -> tuple[Target, ...]:
    word = given.arguments[0] if given.arguments else None
    return targets(word, given.pytest_args)


def _limits(given: Given) -> ListingLimits:
    limits = ListingLimits()
    seconds, sessions = given.value("--timeout"), given.value("--sessions")
    if seconds is not None:
        wait = _positive("--timeout", seconds)
        limits = attrs.evolve(limits, start=wait, request=wait, probe=min(wait, limits.probe))
    if sessions is not None:
        limits = attrs.evolve(limits, sessions=int(_positive("--sessions", sessions)))
    return limits


def _positive(option: str, text: str) -> float:
    is_number = text.isascii() and text.replace(".", "", 1).isdigit()
    value = float(text) if is_number else 0.0
    if value <= 0 or (option == "--sessions" and not value.is_integer()):
        raise InputError(f"{option} {text}: expected a number above 0")
    return value


def _locks(path: str | None) -> Mapping[str, ToolLock]:
    from benchhygiene.sources.mcp.locks import read_locks

    return {} if path is None else read_locks(path)


def _lock_for(
    listing: ToolListing, locks: Mapping[str, ToolLock], *, is_alone: bool
) -> ToolLock | None:
    """Return the server's lock: by its name, or the only one there is for the only server."""
    if not locks:
        return None
    if listing.server in locks:
        return locks[listing.server]
    if is_alone and len(locks) == 1:
        return next(iter(locks.values()))
    raise InputError(
        f"--lock: there is no server {listing.server} in it; it has {', '.join(sorted(locks))}"
    )


def _registry() -> Registry:
    """Return strangers' analyzers and our own for declarations."""
    found = Registry.discover()
    named = (each.name for each in found if each.distribution != BUNDLE or each.name == REQUIRED)
    return found.only(*named)


def _rendered(reports: Sequence[tuple[ToolListing, Report]], given: Given) -> str:
    if given.format == "text":
        return "\n".join(_text(listing, report, given) for listing, report in reports)
    if given.format == "sarif":
        if len(reports) != 1:
            raise InputError("--format sarif: expected one server; name it as FILE#NAME")
        from benchhygiene.formats import sarif

        return sarif.render(reports[0][1])
    from benchhygiene.formats import json

    if len(reports) == 1:
        return json.render(reports[0][1])
    servers: dict[str, JSON] = {each.server: json.document(report) for each, report in reports}
    return json.dump({"servers": servers})


def _text(listing: ToolListing, report: Report, given: Given) -> str:
    from benchhygiene.formats import text

    stream = stream_for(given.output)
    return text.render(
        report,
        about=(listing.server, _about(listing)),
        width=text_width(stream, os.environ),
        colour=stream is not None and has_colour(stream, os.environ),
    )


def _about(listing: ToolListing) -> str:
    from benchhygiene.inventory.declarations import listing as read

    count = len(read(listing.sessions[0]).tools) if listing.sessions else 0
    protocols = sorted({each.protocol for each in listing.sessions if each.protocol})
    numbers = {each.number for each in listing.sessions}
    spoken = f", protocol {' and '.join(protocols)}" if protocols else ""
    times = _counted(len(listing.sessions), "listing")
    return (
        f"{_counted(count, 'tool')} over {listing.transport.value}{spoken}, {times} in "
        f"{_counted(len(numbers), 'session')}; no tool was called"
    )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


COMMANDS: Mapping[str, Command | Group] = {
    "lint": Command(mcp_grammars.LINT, lint),
    "lock": Command(mcp_grammars.LOCK, lock),
    "tools": Command(mcp_grammars.TOOLS, tools),
}
