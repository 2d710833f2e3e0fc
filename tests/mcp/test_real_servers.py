"""Real servers, pinned and installed here, declare what is known of them."""

from __future__ import annotations

import collections
import pathlib
import shutil
import subprocess
import sys

import attrs
import pytest

from benchhygiene.evidence.listing import ListingEnd
from benchhygiene.inventory.declarations import HintValue, listing
from benchhygiene.inventory.declarations.hints import HINTS
from benchhygiene.sources.mcp import stdio_listing

pytestmark = [pytest.mark.full, pytest.mark.install]
NPM = (
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
    "@itseasy21/mcp-knowledge-graph@1.0.7",
    "@agent-infra/mcp-server-filesystem@1.2.29",
)
PYPI = ("mcp-server-git==2026.10.19", "mcp-server-time==2026.10.19")
OLD_PYPI = ("mcp-server-sqlite==2025.4.25", "mcp==1.30.0")


@attrs.frozen
class Server:
    """A command, and how many tools say true, false and nothing for each hint, in order.

    ``{npm}``, ``{pypi}``, ``{old}`` and ``{work}`` are the directories of the installations and an
    empty one.
    """

    name: str
    command: tuple[str, ...]
    tools: int
    counts: tuple[str, str, str, str]
    has_banner: bool = False


_OFFICIAL = "{npm}/@modelcontextprotocol"
SERVERS = (
    Server(
        "memory",
        ("node", f"{_OFFICIAL}/server-memory/dist/index.js"),
        9,
        ("3/6/0", "3/6/0", "6/3/0", "0/9/0"),
    ),
    Server(
        "filesystem",
        ("node", f"{_OFFICIAL}/server-filesystem/dist/index.js", "{work}"),
        14,
        ("10/4/0", "3/1/10", "2/2/10", "0/14/0"),
    ),
    Server(
        "everything",
        ("node", f"{_OFFICIAL}/server-everything/dist/index.js"),
        13,
        ("9/4/0", "0/13/0", "10/3/0", "1/12/0"),
    ),
    Server(
        "sequential-thinking",
        ("node", f"{_OFFICIAL}/server-sequential-thinking/dist/index.js"),
        1,
        ("1/0/0", "0/1/0", "1/0/0", "0/1/0"),
    ),
    Server(
        "knowledge-graph",
        ("node", "{npm}/@itseasy21/mcp-knowledge-graph/dist/index.js", "--memory-path", "{work}/m"),
        11,
        ("0/0/11", "0/0/11", "0/0/11", "0/0/11"),
    ),
    Server(
        "agent-infra filesystem",
        (
            "node",
            "{npm}/@agent-infra/mcp-server-filesystem/dist/index.cjs",
            "--allowed-directories",
            "{work}",
        ),
        11,
        ("0/0/11", "0/0/11", "0/0/11", "0/0/11"),
        has_banner=True,
    ),
    Server(
        "git",
        ("{pypi}/bin/mcp-server-git", "--repository", "{work}"),
        12,
        ("7/5/0", "1/11/0", "9/3/0", "0/12/0"),
    ),
    Server(
        "time",
        ("{pypi}/bin/mcp-server-time", "--local-timezone", "UTC"),
        2,
        ("2/0/0", "0/2/0", "2/0/0", "0/2/0"),
    ),
    Server(
        "sqlite",
        ("{old}/bin/mcp-server-sqlite", "--db-path", "{work}/db"),
        6,
        ("0/0/6", "0/0/6", "0/0/6", "0/0/6"),
    ),
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install every server once."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed here")
    root = tmp_path_factory.mktemp("servers")
    quiet = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    subprocess.run([npm, "install", *quiet, *NPM], cwd=root, check=True)
    for name, packages in (("pypi", PYPI), ("old", OLD_PYPI)):
        subprocess.run([sys.executable, "-m", "venv", str(root / name)], check=True)
        pip = (str(root / name / "bin" / "python"), "-m", "pip", "install", "-q")
        subprocess.run([*pip, *packages], check=True)
    return {
        "npm": str(root / "node_modules"),
        "pypi": str(root / "pypi"),
        "old": str(root / "old"),
    }


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_a_real_server_declares_what_is_known(
    server: Server, places: dict[str, str], tmp_path: pathlib.Path
) -> None:
    if server.name == "git":
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    words = [word.format(**places, work=tmp_path) for word in server.command]
    given = stdio_listing(words)
    assert {session.end for session in given.sessions} == {ListingEnd.COMPLETE}
    assert any(session.noise for session in given.sessions) == server.has_banner
    for session in given.sessions:
        tools = listing(session).tools
        assert len(tools) == server.tools
        for hint, expected in zip(HINTS, server.counts, strict=True):
            found = collections.Counter(tool.hint(hint) for tool in tools)
            shown = "/".join(
                str(found[value]) for value in (HintValue.TRUE, HintValue.FALSE, HintValue.ABSENT)
            )
            assert shown == expected, hint
