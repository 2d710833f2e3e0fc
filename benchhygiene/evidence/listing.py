"""What a server answers when it is asked for its tools, byte for byte."""

from __future__ import annotations

import enum

import attrs


class Transport(enum.Enum):
    """How the server was reached."""

    FILE = "file"
    STDIO = "stdio"
    HTTP = "streamable-http"


class ListingEnd(enum.Enum):
    """How one session's listing ended; only a COMPLETE one says what tools there are."""

    COMPLETE = "complete"
    CRASHED = "crashed"  # the server went away before it had answered
    TIMED_OUT = "timed out"
    LIMIT = "limit"  # too many pages, or too many bytes
    REFUSED = "refused"  # the server answered with an error
    LOOPED = "looped"  # a cursor came a second time


@attrs.frozen
class ListingPage:
    """The response to one ``tools/list`` request, verbatim.

    ``text`` is the JSON text as it was received; bytes that are not UTF-8 are kept as lone
    surrogates (PEP 383). ``cursor`` is what was asked for, None for the first page.
    """

    text: str
    cursor: str | None = None


@attrs.frozen(kw_only=True)
class ListingSession:
    """All pages of one session, in order, and what else was seen on the way.

    ``protocol`` is the version that both sides agreed on, such as ``2025-11-25``, empty where
    nobody said. ``noise`` are lines of standard output that are no JSON-RPC message. A second round
    of requests in one session is a ListingSession of its own with the same ``number``.
    """

    number: int = 1
    pages: tuple[ListingPage, ...] = attrs.field(default=(), converter=tuple[ListingPage, ...])
    protocol: str = ""
    noise: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    end: ListingEnd = ListingEnd.COMPLETE
    detail: str = ""


@attrs.frozen(kw_only=True)
class ToolListing:
    """What one server said about its tools, in every session that asked.

    ``server`` names it for people: the command, the URL or the file; it never holds a secret.
    """

    server: str
    transport: Transport = Transport.FILE
    sessions: tuple[ListingSession, ...] = attrs.field(
        default=(), converter=tuple[ListingSession, ...]
    )
