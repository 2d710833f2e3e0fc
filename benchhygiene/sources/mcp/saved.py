"""Listings in files: what ``mcp tools --save`` wrote, or a bare answer to ``tools/list``."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Callable, Mapping
from typing import cast

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import (
    ListingEnd,
    ListingPage,
    ListingSession,
    ToolListing,
    Transport,
)
from benchhygiene.sources.documents import json_of, structured
from benchhygiene.sources.mcp.leaves import any_text, one_of
from benchhygiene.sources.reading import read_regular, reason_of

SCHEMA = "benchhygiene.listing/1"
_LARGEST = 256 * 2**20


class _Schema(enum.Enum):
    """The forms of a saved listing that can be read."""

    ONE = SCHEMA


@attrs.frozen(kw_only=True)
class _Page:
    text: str
    cursor: str | None = None


@attrs.frozen(kw_only=True)
class _Session:
    number: int
    pages: tuple[_Page, ...]
    protocol: str
    noise: tuple[str, ...]
    end: ListingEnd
    detail: str


@attrs.frozen(kw_only=True)
class _File:
    schema: _Schema
    server: str
    transport: Transport
    sessions: tuple[_Session, ...]


_HOOKS: dict[type, Callable[[object], object]] = {
    str: any_text,
    _Schema: one_of(_Schema),
    ListingEnd: one_of(ListingEnd),
    Transport: one_of(Transport),
}


def read_listing(path: str) -> ToolListing:
    """Return the listing in a file.

    A file that has no ``schema`` of ours is one page: a JSON-RPC response, or its result. Raises
    InputError where it cannot be read, or is a saved listing with something wrong in it.
    """
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return listing_of(data, path)


def listing_of(data: bytes, name: str) -> ToolListing:
    """Return the listing that the bytes of a file hold; raises InputError as above."""
    if SCHEMA.encode() in data[:1_000]:
        return _saved(data, name)
    page = ListingPage(data.decode("utf-8", "surrogateescape"))
    return ToolListing(server=os.path.basename(name), sessions=(ListingSession(pages=(page,)),))


def _saved(data: bytes, name: str) -> ToolListing:
    read = structured(json_of(data, name), _File, name, _HOOKS)
    sessions = tuple(
        ListingSession(
            number=each.number,
            pages=tuple(ListingPage(page.text, page.cursor) for page in each.pages),
            protocol=each.protocol,
            noise=each.noise,
            end=each.end,
            detail=each.detail,
        )
        for each in read.sessions
    )
    return ToolListing(server=read.server, transport=read.transport, sessions=sessions)


def listing_text(given: ToolListing) -> str:
    """Return the file of a listing; read again it gives an equal one."""
    whole = {
        "schema": SCHEMA,
        "server": given.server,
        "transport": given.transport.value,
        "sessions": [_session(session) for session in given.sessions],
    }
    return json.dumps(whole, indent=2) + "\n"


def _session(session: ListingSession) -> Mapping[str, object]:
    return {
        "number": session.number,
        "protocol": session.protocol,
        "end": session.end.value,
        "detail": session.detail,
        "noise": list(session.noise),
        "pages": [cast("dict[str, object]", attrs.asdict(page)) for page in session.pages],
    }
