"""The server over standard input and output."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, BinaryIO, cast

import anyio
from mcp.server.stdio import stdio_server

from benchhygiene.server.limits import Limits
from benchhygiene.server.protocol import Service

_SHOWN = 80


class BoundedLines:
    """Lines of text, of which one that is too long is passed over but for its beginning."""

    def __init__(self, wire: BinaryIO, most: int) -> None:
        self._lines = io.TextIOWrapper(wire, encoding="utf-8", errors="replace")
        self._most = most

    def readline(self, size: int = -1, /) -> str:
        """Return the next line, an empty one at the end."""
        line = rest = self._lines.readline(self._most)
        while rest and not rest.endswith("\n"):
            rest = self._lines.readline(self._most)
        return line if line.endswith("\n") or not line else f"{line[:_SHOWN]}\n"


def run(service: Service) -> None:
    """Serve one client until it closes our input."""
    anyio.run(_serve, service)


async def _serve(service: Service) -> None:
    # What anything else reads or prints must not meet the protocol's stream.
    wire = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    lines = BoundedLines(wire[0], Limits().request_bytes)
    answers = io.TextIOWrapper(wire[1], encoding="utf-8")
    server = service.server()
    async with stdio_server(anyio.wrap_file(cast("IO[str]", lines)), anyio.wrap_file(answers)) as (
        read,
        write,
    ):
        await server.run(read, write, server.create_initialization_options())
    sys.stderr.flush()
