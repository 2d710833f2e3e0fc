"""The lock of a listing: what its tools declare, in the form that people keep."""

from __future__ import annotations

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd, ToolListing
from benchhygiene.evidence.tool_lock import LockedTool, ToolLock
from benchhygiene.inventory.declarations.listing import listing
from benchhygiene.inventory.declarations.tools import ToolDeclaration


def locked(tool: ToolDeclaration) -> LockedTool:
    """Return one declaration as it is kept in a lock."""
    return LockedTool(
        name=tool.name,
        sha256=tool.digest,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        hints={hint.name: hint.value.value for hint in tool.hints},
    )


def lock(given: ToolListing) -> ToolLock:
    """Return the lock of a listing's first session.

    Raises InputError where that session did not come to its end, where a page or an entry could not
    be read, or where a name stands twice: what nobody can read, nobody can agree on.
    """
    if not given.sessions:
        raise InputError(f"{given.server}: there is no session to lock")
    session = given.sessions[0]
    if session.end is not ListingEnd.COMPLETE:
        raise InputError(f"{given.server}: the listing ended early: {session.end.value}")
    read = listing(session)
    for fault in read.pages:
        raise InputError(f"{given.server}: page {fault.page + 1} {fault.reason}")
    for entry in read.faults:
        raise InputError(f"{given.server}: tools[{entry.index}] {entry.reason}")
    for name, tools in read.by_name().items():
        if len(tools) > 1:
            raise InputError(f"{given.server}: the tool {name} is declared {len(tools)} times")
    return ToolLock(server=given.server, tools=tuple(map(locked, read.tools)))
