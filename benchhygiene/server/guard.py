"""What stands before the protocol over HTTP: who may ask, from where, and how much."""

from __future__ import annotations

import hmac
import json
import urllib.parse
from typing import TYPE_CHECKING

import anyio
import attrs

from benchhygiene.server.limits import Limits

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATHS = ("/mcp", "/mcp/")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Refused(Exception):
    """Say with which status of HTTP, and why, a request is not let in."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@attrs.frozen(eq=False)
class Guard:
    """Let a request through to the protocol, whole, or refuse it.

    ``hosts`` are the names that it may be asked by, without ports; ``token`` is what a client must
    bear, None where it need not.
    """

    app: ASGIApp
    hosts: frozenset[str]
    token: str | None = attrs.field(default=None, repr=False)
    limits: Limits = attrs.field(factory=Limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Do so for one request of ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            self._require_welcome(scope)
            body = await self._body(scope, receive)
        except Refused as refused:
            await _refuse(refused, send)
            return
        await self.app(
            {**scope, "path": PATHS[0], "raw_path": b"/mcp"}, _replay(body, receive), send
        )

    def _require_welcome(self, scope: Scope) -> None:
        headers = _headers(scope)
        hosts, origins = headers.get(b"host", ()), headers.get(b"origin", ())
        if len(hosts) != 1 or _host(hosts[0]) not in self.hosts:
            raise Refused(421, "the Host is none that this server is asked by; see --allow-host")
        if any(_origin(one) not in self.hosts for one in origins):
            raise Refused(403, "the Origin is not allowed; see --allow-host")
        if scope["path"] not in PATHS:
            raise Refused(404, "expected /mcp")
        if self.token is not None and not self._bears_token(headers.get(b"authorization", ())):
            raise Refused(401, "expected Authorization: Bearer and the server's token")
        if scope["method"] != "POST":
            raise Refused(405, "expected POST: there are no sessions here to listen to or to end")

    def _bears_token(self, values: tuple[bytes, ...]) -> bool:
        expected = f"Bearer {self.token}".encode()
        return len(values) == 1 and hmac.compare_digest(values[0], expected)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the whole body; Refused where it is too large or too slow."""
        most = self.limits.request_bytes
        for length in _headers(scope).get(b"content-length", ()):
            if not length.isdigit() or int(length[:20]) > most:
                raise Refused(413, f"expected at most {most} bytes")
        try:
            with anyio.fail_after(self.limits.body):
                return await _read(receive, most)
        except TimeoutError as error:
            raise Refused(408, f"the body took longer than {self.limits.body:g} s") from error


async def _read(receive: Receive, most: int) -> bytes:
    found = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "the request broke off")
        found += message.get("body", b"")
        if len(found) > most:
            raise Refused(413, f"expected at most {most} bytes")
        if not message.get("more_body", False):
            return bytes(found)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return what hands the body out once and then listens on, for the client to leave."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _headers(scope: Scope) -> dict[bytes, tuple[bytes, ...]]:
    found: dict[bytes, tuple[bytes, ...]] = {}
    for name, value in scope["headers"]:
        found[name.lower()] = (*found.get(name.lower(), ()), value)
    return found


def _host(value: bytes) -> str | None:
    """Return the name in a Host header, without its port."""
    return _name(f"//{value.decode('latin-1')}", "")


def _origin(value: bytes) -> str | None:
    text = value.decode("latin-1")
    return (
        _name(text, text.partition("://")[0]) if text.startswith(("http://", "https://")) else None
    )


def _name(url: str, scheme: str) -> str | None:
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    plain = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    is_odd = parts.scheme != scheme or port == 0
    return parts.hostname if plain and not is_odd else None


async def _refuse(refused: Refused, send: Send) -> None:
    error = {"code": -32600, "message": refused.reason}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    headers += [(b"www-authenticate", b"Bearer")] if refused.status == 401 else []
    headers += [(b"allow", b"POST")] if refused.status == 405 else []
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
