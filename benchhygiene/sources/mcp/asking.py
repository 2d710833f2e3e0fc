"""One session with a server: agree on an era, then ask for every page of its tools."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene.evidence.listing import ListingEnd, ListingPage, ListingSession
from benchhygiene.sources.mcp import wire
from benchhygiene.sources.mcp.channel import Channel, ChannelClosed
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.wire import Era


def ask(
    channel: Channel, number: int, rounds: int, limits: ListingLimits, *, probe: bool = True
) -> list[ListingSession]:
    """Return what the server answered in each round of one session.

    Without ``probe`` it is spoken to as before 2026. How a session ended early is in its last
    round; the rounds after it were never asked.
    """
    found: list[ListingSession] = []
    try:
        era, protocol = negotiate(channel, limits, probe=probe)
    except ChannelClosed as closed:
        return [_round(number, [], "", channel, closed)]
    for _ in range(rounds):
        pages: list[ListingPage] = []
        try:
            for page in _pages(channel, era, limits):
                pages.append(page)
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


def negotiate(channel: Channel, limits: ListingLimits, *, probe: bool = True) -> tuple[Era, str]:
    """Return the era that a server is spoken to in, and the version both agreed on.

    A slow server may let the probe's time pass, and then refuse ``initialize`` as one that knows
    only the newer era: it is probed once more. Raises ChannelClosed where the server goes away or
    answers neither way.
    """
    if probe and _is_modern(channel, limits.probe):
        return Era.MODERN, wire.MODERN
    answer = channel.ask("initialize", wire.hello(), Era.LEGACY, limits.start)
    if answer.result is not None:
        channel.tell(wire.initialized())
        return Era.LEGACY, answer.protocol
    if probe and answer.is_modern and _is_modern(channel, limits.start):
        return Era.MODERN, wire.MODERN
    raise ChannelClosed(ListingEnd.REFUSED, "initialize was answered with an error")


def _is_modern(channel: Channel, seconds: float) -> bool:
    """Return whether the server answers the probe of the newer era; silence says it does not."""
    try:
        return channel.ask("server/discover", {}, Era.MODERN, seconds).is_modern
    except ChannelClosed as closed:
        if closed.end in (ListingEnd.TIMED_OUT, ListingEnd.REFUSED):
            return False
        raise


def _pages(channel: Channel, era: Era, limits: ListingLimits) -> Iterator[ListingPage]:
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
