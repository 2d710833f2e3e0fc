"""What both transports offer: send a request, wait for its answer."""

from __future__ import annotations

from typing import Protocol

from benchhygiene.evidence.listing import ListingEnd
from benchhygiene.sources.mcp.wire import Era, Message


class ChannelClosed(Exception):
    """No answer will come: why, in the words of a listing's end."""

    def __init__(self, end: ListingEnd, detail: str = "") -> None:
        super().__init__(detail)
        self.end = end
        self.detail = detail


class Channel(Protocol):
    """A way to one server."""

    def ask(self, method: str, params: dict[str, object], era: Era, seconds: float) -> Message:
        """Return the answer to a request; raises ChannelClosed where none comes in time."""
        ...

    def tell(self, text: str) -> None:
        """Send a notification, to which there is no answer."""
        ...

    @property
    def noise(self) -> tuple[str, ...]:
        """Return what was received that is no message."""
        ...
