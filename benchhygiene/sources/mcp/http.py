"""A server behind a URL: streamable HTTP, with answers as JSON or as server-sent events.

Specification, basic/transports#streamable-http: every message is a POST, whose answer is one JSON
object or a stream of events that holds it. No redirect is followed: it could lead anywhere.
"""

from __future__ import annotations

import contextlib
import http.client
import ssl
import time
import urllib.parse
from collections.abc import Generator, Iterable, Iterator
from types import TracebackType

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd
from benchhygiene.sources.mcp import wire
from benchhygiene.sources.mcp.channel import ChannelClosed
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.wire import Era, Message

_CHUNK = 65536
_SESSION = "Mcp-Session-Id"
_NOISE_SHOWN = 1_000
_OK, _ACCEPTED = 200, 202


class HttpChannel:
    """A way to one server over HTTP; ``authorization`` is the value of that header.

    Raises InputError for what is no http or https URL.
    """

    def __init__(self, url: str, authorization: str | None, limits: ListingLimits) -> None:
        parts = _split(url)
        self._host, self._port, self._is_secure = parts.hostname or "", parts.port, _secure(parts)
        query = f"?{parts.query}" if parts.query else ""
        self._path = f"{parts.path or '/'}{query}"
        self._authorization = authorization
        self._limits = limits
        self._session: str | None = None
        self._number = 0
        self._received = 0
        self._noise: list[str] = []

    @property
    def noise(self) -> tuple[str, ...]:
        """Return the events that were no message, the first of them."""
        return tuple(self._noise)

    def __enter__(self) -> HttpChannel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = self._connection(self._limits.exit)
                connection.request("DELETE", self._path, headers=self._headers({}))
                connection.getresponse().read(_CHUNK)
                connection.close()

    def ask(self, method: str, params: dict[str, object], era: Era, seconds: float) -> Message:
        """Return the answer to a request."""
        self._number += 1
        text = wire.request(self._number, method, params, era)
        deadline = time.monotonic() + seconds
        with self._posted(text, wire.headers(method, era), deadline) as (connection, response):
            self._session = response.getheader(_SESSION) or self._session
            for received in self._texts(connection, response, deadline):
                answer = wire.message(received)
                if answer is not None and answer.answers(self._number):
                    return answer
                if answer is None and response.status == _OK:
                    self._keep_noise(received)
        _refuse(response)
        raise ChannelClosed(ListingEnd.CRASHED, "the answer ended without a response")

    def tell(self, text: str) -> None:
        """Send a notification."""
        deadline = time.monotonic() + self._limits.request
        with self._posted(text, wire.headers("notifications", Era.LEGACY), deadline):
            pass

    def _keep_noise(self, text: str) -> None:
        if text.strip() and len(self._noise) < self._limits.noise:
            self._noise.append(text[:_NOISE_SHOWN])

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        if self._is_secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=seconds, context=context
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=seconds)

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        found = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            **more,
        }
        if self._session is not None:
            found[_SESSION] = self._session
        if self._authorization is not None:
            found["Authorization"] = self._authorization
        return found

    @contextlib.contextmanager
    def _posted(
        self, text: str, headers: dict[str, str], deadline: float
    ) -> Generator[tuple[http.client.HTTPConnection, http.client.HTTPResponse]]:
        """Post a message, and say of every failure what it means for the listing."""
        connection = self._connection(_left(deadline))
        try:
            connection.request("POST", self._path, text.encode(), self._headers(headers))
            yield connection, connection.getresponse()
        except TimeoutError as error:
            raise ChannelClosed(ListingEnd.TIMED_OUT, "no answer came in time") from error
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise ChannelClosed(ListingEnd.CRASHED, reason[:200]) from error
        finally:
            connection.close()

    def _texts(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        deadline: float,
    ) -> Iterator[str]:
        """Yield the messages of an answer as text, whatever form it has."""
        chunks = self._chunks(connection, response, deadline)
        kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            yield from events(chunks, self._limits.message)
        else:
            yield b"".join(chunks).decode("utf-8", "surrogateescape")

    def _chunks(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        deadline: float,
    ) -> Iterator[bytes]:
        own = 0
        while True:
            if connection.sock is not None:
                connection.sock.settimeout(max(0.001, _left(deadline)))
            if _left(deadline) <= 0:
                raise ChannelClosed(ListingEnd.TIMED_OUT, "no answer came in time")
            chunk = response.read1(_CHUNK)
            if not chunk:
                return
            own += len(chunk)
            self._received += len(chunk)
            if own > self._limits.message or self._received > self._limits.total:
                raise ChannelClosed(ListingEnd.LIMIT, f"more than {self._received} bytes came")
            yield chunk


def _refuse(response: http.client.HTTPResponse) -> None:
    """Raise for a status that says no: what its body held was no response."""
    if response.status not in (_OK, _ACCEPTED):
        raise ChannelClosed(ListingEnd.REFUSED, f"the server answered HTTP {response.status}")


def events(chunks: Iterable[bytes], most: int) -> Iterator[str]:
    """Yield the data of each server-sent event (HTML standard, 9.2.6); the last may be cut off.

    Lines end with CR, LF or both. Raises ChannelClosed for an event of more than ``most`` bytes.
    """
    data: list[str] = []
    for line in _lines(chunks, most):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
            if sum(map(len, data)) > most:
                raise ChannelClosed(ListingEnd.LIMIT, f"an event has more than {most} bytes")


def _lines(chunks: Iterable[bytes], most: int) -> Iterator[str]:
    rest = b""
    for chunk in chunks:
        # A CR at the end may be half of a line's end: it waits for the next chunk.
        held = rest + chunk
        keep = held.endswith(b"\r")
        body = held[:-1] if keep else held
        *whole, rest = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest += b"\r" if keep else b""
        if len(rest) > most:
            raise ChannelClosed(ListingEnd.LIMIT, f"a line has more than {most} bytes")
        yield from (line.decode("utf-8", "surrogateescape") for line in whole)
    if rest.strip(b"\r"):
        yield rest.rstrip(b"\r").decode("utf-8", "surrogateescape")
    yield ""


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _split(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"{shown_url(url)}: is no URL: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{shown_url(url)}: expected a URL such as http://127.0.0.1:8137/mcp")
    if parts.username or parts.password:
        raise InputError(
            f"{shown_url(url)}: holds a password; give the header by an environment variable"
        )
    return parts


def _secure(parts: urllib.parse.SplitResult) -> bool:
    return parts.scheme == "https"


def shown_url(url: str) -> str:
    """Return a URL without what may be secret in it: user, password, query and fragment."""
    scheme, _, rest = url.partition("://")
    address = rest.partition("?")[0].partition("#")[0]
    host, slash, path = address.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}" if rest else url.partition("?")[0]
