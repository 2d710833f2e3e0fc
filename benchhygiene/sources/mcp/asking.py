"""One session with a server: agree on an era, then ask for every page of its tools."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene.evidence.listing import ListingEnd, ListingPage, ListingSession
from benchhygiene.sources.mcp import wire
from benchhygiene.sources.mcp.channel import Channel, ChannelClosed
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.wire import Era


def ask(channel: Channel, number: int, rounds: int, limits: ListingLimits) -> list[ListingSession]:
    """Return what the server answered in each round of one session.

    How a session ended early is in its last round; the rounds after it were never asked.
    """
    found: list[ListingSession] = []
    try:
        era, protocol = negotiate(channel, limits)
    except ChannelClosed as closed:
        return [_round(number, [], "", channel, closed)]
    for _ in range(rounds):
        pages: list[ListingPage] = []
        try:
            pages.extend(_pages(channel, era, limits, pages))
        except ChannelClosed as closed:
            return [*found, _round(number, pages, protocol, channel, closed)]
        found.append(_round(number, pages, protocol, channel, None))
    return found


def _round(
    number: int,
    pages: list[ListingPage],
    protocol: str,
    channel: Channel,
    closed: ChannelClosed | None,
) -> ListingSession:
    return ListingSession(
        number=number,
        pages=tuple(pages),
        protocol=protocol,
        noise=channel.noise,
        end=ListingEnd.COMPLETE if closed is None else closed.end,
        detail="" if closed is None else closed.detail,
    )


def negotiate(channel: Channel, limits: ListingLimits) -> tuple[Era, str]:
    """Return the era that a server is spoken to in, and the version both agreed on.

    Raises ChannelClosed where the server goes away or answers neither way.
    """
    if _is_modern(channel, limits):
        return Era.MODERN, wire.MODERN
    answer = channel.ask("initialize", wire.hello(), Era.LEGACY, limits.start)
    if answer.result is None:
        raise ChannelClosed(ListingEnd.REFUSED, "initialize was answered with an error")
    channel.tell(wire.initialized())
    return Era.LEGACY, answer.protocol


def _is_modern(channel: Channel, limits: ListingLimits) -> bool:
    """Return whether the server answers the probe of the newer era; silence says it does not."""
    try:
        return channel.ask("server/discover", {}, Era.MODERN, limits.start).is_modern
    except ChannelClosed as closed:
        if closed.end in (ListingEnd.TIMED_OUT, ListingEnd.REFUSED):
            return False
        raise


def _pages(
    channel: Channel, era: Era, limits: ListingLimits, pages: list[ListingPage]
) -> Iterator[ListingPage]:
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(limits.pages):
        params: dict[str, object] = {} if cursor is None else {"cursor": cursor}
        answer = channel.ask("tools/list", params, era, limits.request)
        yield ListingPage(answer.text, cursor)
        cursor = answer.next_cursor
        if cursor is None:
            return
        if cursor in seen:
            raise ChannelClosed(ListingEnd.LOOPED, f"the cursor {cursor[:100]!r} came twice")
        seen.add(cursor)
    raise ChannelClosed(ListingEnd.LIMIT, f"there are more than {limits.pages} pages")
