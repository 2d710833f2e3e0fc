"""The server over streamable HTTP."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterable

import attrs
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from benchhygiene.errors import InputError
from benchhygiene.server.guard import LOOPBACK, Guard
from benchhygiene.server.limits import Limits
from benchhygiene.server.protocol import Service

TOKEN = "BENCHHYGIENE_TOKEN"
_SHORTEST = 16
_EVERY = ("0.0.0.0", "::", "")


@attrs.frozen(kw_only=True)
class Address:
    """Where to listen and by which further names to be asked; ``token`` is the clients' secret.

    Raises InputError for an address beyond loopback without a token, and for a token too short.
    """

    host: str = LOOPBACK[0]
    port: int = 8137
    allowed: tuple[str, ...] = ()
    token: str | None = attrs.field(default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.token is not None and (len(self.token) < _SHORTEST or not self.token.isascii()):
            raise InputError(f"{TOKEN}: expected at least {_SHORTEST} ASCII characters")
        if self.token is None and not self.is_loopback:
            raise InputError(f"--host {self.host}: is beyond loopback; put a secret into {TOKEN}")

    @property
    def is_loopback(self) -> bool:
        """Return whether only this machine can connect."""
        return self.host in LOOPBACK

    @property
    def hosts(self) -> frozenset[str]:
        """Return the names that clients may call the server by."""
        own = () if self.host in _EVERY else (self.host,)
        return frozenset(name.lower().strip("[]") for name in (*LOOPBACK, *own, *self.allowed))


class _Patient(H11Protocol):
    """Close a connection whose request is not there, headers and all, in time."""

    patience = Limits().head
    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: object = getattr(self, "cycle", None)  # there is none before the first request
        if isinstance(cycle, RequestResponseCycle) and not cycle.response_complete:
            self._stop()
        elif self._alarm is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._alarm = self.loop.call_later(self.patience, self.transport.close)

    def _stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def app(service: Service, address: Address, limits: Limits) -> Guard:
    """Return the application of ASGI: the protocol behind its guard."""
    inner = service.server().streamable_http_app(
        streamable_http_path="/mcp",
        stateless_http=True,  # nothing is remembered, so there is no session to steal
        max_request_body_size=limits.request_bytes,
        # The guard has looked at Host and Origin, more closely.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Guard(inner, address.hosts, address.token, limits)


def run(service: Service, address: Address, limits: Limits | None = None) -> None:
    """Serve until interrupted; raises InputError where the address cannot be listened on."""
    bounds = limits or Limits()
    listener = _listen(address)
    port = listener.getsockname()[1]
    shown = f"[{address.host}]" if ":" in address.host else address.host
    sys.stderr.write(f"benchhygiene: serving http://{shown}:{port}/mcp\n")
    sys.stderr.flush()
    _uvicorn(app(service, address, bounds), bounds).run([listener])


def _uvicorn(guard: Guard, limits: Limits) -> uvicorn.Server:
    config = uvicorn.Config(
        guard,
        http=_Patient,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        raise InputError(f"--host {address.host} --port {address.port}: {error}") from error


def names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names of ``--allow-host``; raises InputError for what is more than a name."""
    for word in words:
        if not word or any(letter in word for letter in "/@*?# "):
            raise InputError(f"--allow-host {word}: expected a host's name, without port or path")
    return tuple(words)
