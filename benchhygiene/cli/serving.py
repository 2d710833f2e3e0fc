"""The command ``serve``: the analyzers as tools of an MCP server."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from benchhygiene.cli.parsing import Given
from benchhygiene.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from benchhygiene.server.protocol import Service

_TOKEN = "BENCHHYGIENE_TOKEN"
_SECRETS = (_TOKEN, "BENCHHYGIENE_MCP_AUTHORIZATION")
_WEB = ("--host", "--port", "--allow-host")
_NEEDED = ("mcp", "uvicorn", "jsonschema")


def run(given: Given) -> int:
    """Serve until the client leaves or the process is interrupted."""
    _require_extra()
    _require_fitting(given)
    token = os.environ.get(_TOKEN) or None
    for name in _SECRETS:  # no worker needs them
        os.environ.pop(name, None)
    # Workers are started by module name: none may come from the directory we were started in.
    os.environ["PYTHONSAFEPATH"] = "1"
    if given.has("--http"):
        _serve_web(given, token)
    else:
        from benchhygiene.server import stdio

        stdio.run(_service(given, with_private=True))
    return 0


def _serve_web(given: Given, token: str | None) -> None:
    from benchhygiene.server import web

    address = web.Address(
        host=given.value("--host") or "127.0.0.1",
        port=_number(given, "--port", 8137, least=0, most=65_535),
        allowed=web.names(given.values("--allow-host")),
        token=token,
    )
    web.run(_service(given, with_private=address.is_loopback), address)


def _service(given: Given, *, with_private: bool) -> Service:
    from benchhygiene.server.jobs import Policy
    from benchhygiene.server.protocol import Service
    from benchhygiene.server.roots import Root

    root = Root.of(given.value("--root") or os.getcwd())
    policy = Policy(root, with_urls=not given.has("--offline"), with_private=with_private)
    return Service(
        policy,
        seconds=_number(given, "--timeout", 120, least=1, most=86_400),
        workers=_number(given, "--workers", os.cpu_count() or 2, least=1, most=256),
    )


def _require_extra() -> None:
    try:
        for name in _NEEDED:
            importlib.import_module(name)
        importlib.import_module("mcp.server.lowlevel")
    except ImportError as error:
        raise MissingExtra("mcp", "benchhygiene serve") from error


def _require_fitting(given: Given) -> None:
    if given.has("--http"):
        return
    for name in _WEB:
        if given.value(name) is not None or given.values(name):
            raise InputError(f"{name}: expected together with --http")


def _number(given: Given, option: str, default: int, *, least: int, most: int) -> int:
    text = given.value(option)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or not least <= int(text[:9]) <= most:
        raise InputError(f"{option} {text}: expected a number from {least} to {most}")
    return int(text)
