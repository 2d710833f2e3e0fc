"""The messages of the two eras of the protocol, and what is read out of an answer.

2025-11-25 begins with ``initialize``; 2026-07-28 has no session, and says version and capabilities
in ``_meta`` of every request. A client that speaks both asks ``server/discover`` first; whatever
is neither a DiscoverResult nor error -32022 means the older one.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping

import attrs

from benchhygiene import __version__
from benchhygiene.inventory.declarations.raw import Members, Number, Raw, parse

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
_UNSUPPORTED_VERSION = "-32022"
_META = "io.modelcontextprotocol"
_CLIENT = {"name": "benchhygiene", "version": __version__}


class Era(enum.Enum):
    """How a server is spoken to."""

    LEGACY = LEGACY
    MODERN = MODERN


def request(number: int, method: str, params: Mapping[str, object], era: Era) -> str:
    """Return one request as JSON text, with what its era wants in it."""
    full: dict[str, object] = dict(params)
    if era is Era.MODERN:
        full["_meta"] = {
            f"{_META}/protocolVersion": MODERN,
            f"{_META}/clientCapabilities": {},
            f"{_META}/clientInfo": _CLIENT,
        }
    return _text({"jsonrpc": "2.0", "id": number, "method": method, "params": full})


def hello() -> dict[str, object]:
    """Return the parameters of ``initialize``."""
    return {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _CLIENT}


def initialized() -> str:
    """Return the notification that ends the handshake of 2025-11-25."""
    return _text({"jsonrpc": "2.0", "method": "notifications/initialized"})


def headers(method: str, era: Era) -> dict[str, str]:
    """Return the headers that a request carries over HTTP, those of a session apart."""
    if era is Era.MODERN:
        return {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    return {} if method == "initialize" else {"MCP-Protocol-Version": LEGACY}


def _text(message: Mapping[str, object]) -> str:
    return json.dumps(message, separators=(",", ":"))


@attrs.frozen
class Message:
    """One message from the other side: its text, and its value where it is a JSON object."""

    text: str
    value: Members

    def answers(self, number: int) -> bool:
        """Return whether it is the response to this request."""
        own = self.value.one("id")
        is_response = self.value.has("result") or self.value.has("error")
        return is_response and isinstance(own, Number) and own.text == str(number)

    @property
    def reply(self) -> str | None:
        """Return what a request of the server's is answered with, None for all else.

        A ping is answered, anything else is a method that is not found.
        """
        if not (self.value.has("method") and self.value.has("id")):
            return None
        own = _id(self.value.one("id"))
        if self.value.one("method") == "ping":
            return _text({"jsonrpc": "2.0", "id": own, "result": {}})
        error = {"code": -32601, "message": "Method not found"}
        return _text({"jsonrpc": "2.0", "id": own, "error": error})

    @property
    def result(self) -> Members | None:
        """Return the result object, None where the answer has none."""
        value = self.value.one("result")
        return value if isinstance(value, Members) else None

    @property
    def is_modern(self) -> bool:
        """Return whether it answers ``server/discover`` as a server of the newer era does."""
        if self.result is not None:
            versions = self.result.one("supportedVersions")
            return isinstance(versions, list) and MODERN in versions
        error = self.value.one("error")
        code = error.one("code") if isinstance(error, Members) else None
        return isinstance(code, Number) and code.text == _UNSUPPORTED_VERSION

    @property
    def next_cursor(self) -> str | None:
        """Return the cursor of the next page, None on the last one."""
        value = None if self.result is None else self.result.one("nextCursor")
        return value if isinstance(value, str) else None

    @property
    def protocol(self) -> str:
        """Return the version that an answer to ``initialize`` names, empty where it names none."""
        value = None if self.result is None else self.result.one("protocolVersion")
        return value if isinstance(value, str) else ""


def _id(value: Raw) -> str | int | None:
    if isinstance(value, Number):
        return int(value.text) if value.text.lstrip("-").isdigit() else None
    return value if isinstance(value, str) else None


def message(text: str) -> Message | None:
    """Return the message that a text is, None where it is no JSON object."""
    try:
        value = parse(text)
    except (ValueError, RecursionError):
        return None
    return Message(text, value) if isinstance(value, Members) else None
