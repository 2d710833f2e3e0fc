"""Servers of one process are asked for their tools; what they do wrong costs only themselves."""

from __future__ import annotations

import pathlib
import sys
import time
import uuid

import attrs
import pytest

from benchhygiene import Orchestrator, Registry
from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd, ToolListing
from benchhygiene.inventory.declarations import listing
from benchhygiene.sources.mcp import ListingLimits, listing_text, stdio_listing
from benchhygiene.sources.mcp.saved import listing_of
from benchhygiene_plugins.mcp_hints import McpHints

SERVER = pathlib.Path(__file__).with_name("odd_server.py")
LIMITS = ListingLimits(start=30, request=30, exit=0.5)


def asked(mode: str, *more: str, limits: ListingLimits = LIMITS) -> ToolListing:
    return stdio_listing((sys.executable, str(SERVER), mode, *more), limits=limits)


def names(given: ToolListing) -> list[list[str]]:
    return [[tool.name for tool in listing(session).tools] for session in given.sessions]


def rules(given: ToolListing) -> set[str]:
    report = Orchestrator(Registry().including(McpHints())).run(given)
    report.raise_for_crashes()
    return {finding.rule.id for finding in report.findings} - {"mcp.undeclared_hints"}


@pytest.mark.parametrize("mode", ["honest", "modern", "asks", "stubborn", "touchy"])
def test_an_honest_server_says_the_same_every_time(mode: str) -> None:
    given = asked(mode)
    assert names(given) == [["look"]] * 3
    assert [session.number for session in given.sessions] == [1, 1, 2]
    assert {session.end for session in given.sessions} == {ListingEnd.COMPLETE}
    assert {session.protocol for session in given.sessions} == {
        "2026-07-28" if mode == "modern" else "2025-11-25"
    }
    assert rules(given) == set()


def test_all_pages_are_asked_for() -> None:
    given = asked("pages")
    assert names(given) == [["look_0", "look_1", "look_2"]] * 3
    assert [page.cursor for page in given.sessions[0].pages] == [None, "1", "2"]


def test_a_banner_costs_nothing_else() -> None:
    given = asked("banner")
    assert names(given) == [["look"]] * 3
    assert given.sessions[0].noise == ("Secure MCP Filesystem Server running on stdio",)
    assert rules(given) == {"mcp.stdout_noise"}


def test_bytes_that_are_no_text_are_kept() -> None:
    given = asked("bytes")
    assert names(given) == [["look"]] * 3
    assert given.sessions[0].noise[-1].encode("utf-8", "surrogateescape") == b"not \xff json"
    assert listing_of(listing_text(given).encode(), "kept") == given


@pytest.mark.parametrize(
    ("mode", "limits", "end"),
    [
        ("crash", LIMITS, ListingEnd.CRASHED),
        ("hang", attrs.evolve(LIMITS, request=0.5), ListingEnd.TIMED_OUT),
        ("loop", LIMITS, ListingEnd.LOOPED),
        ("endless", attrs.evolve(LIMITS, pages=5), ListingEnd.LIMIT),
        ("huge", attrs.evolve(LIMITS, message=100_000), ListingEnd.LIMIT),
        ("huge", attrs.evolve(LIMITS, total=1_000_000), ListingEnd.LIMIT),
    ],
)
def test_a_listing_without_an_end_is_never_a_pass(
    mode: str, limits: ListingLimits, end: ListingEnd
) -> None:
    given = asked(mode, limits=limits)
    assert {session.end for session in given.sessions} == {end}
    assert rules(given) - {"mcp.duplicate_tool"} == {"mcp.unfinished_listing"}


def test_what_changes_within_a_session_is_found() -> None:
    report = Orchestrator(Registry().including(McpHints())).run(asked("rugpull"))
    found = [f for f in report.findings if f.rule.id == "mcp.unstable_listing"]
    assert [finding.message for finding in found] == [
        "within one session: look: readOnlyHint was true and is false"
    ]


def test_what_changes_between_sessions_is_found() -> None:
    report = Orchestrator(Registry().including(McpHints())).run(asked("random"))
    found = [f for f in report.findings if f.rule.id == "mcp.unstable_listing"]
    assert len(found) == 2
    assert all(finding.message.startswith("between sessions: ") for finding in found)


def test_nothing_that_a_server_started_outlives_it() -> None:
    mark = uuid.uuid4().hex
    asked("orphan", mark)
    deadline = time.monotonic() + 20  # the kernel ends them, and takes a moment to say so
    while _running(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(mark)


def _running(mark: str) -> list[pathlib.Path]:
    found = pathlib.Path("/proc").glob("[0-9]*/cmdline")
    return [path for path in found if mark in _read(path)]


def _read(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has just ended
        return ""


def test_secrets_of_our_environment_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "hunter2")
    code = (
        "import os, sys\nsys.stdout.write(repr(sorted(os.environ)) + chr(10))\n"
        "sys.stdout.flush()\nsys.stdin.readline()"
    )
    given = stdio_listing((sys.executable, "-c", code), environment={"OWN": "1"}, limits=LIMITS)
    assert "'OWN'" in given.sessions[0].noise[0]
    assert "API_KEY" not in given.sessions[0].noise[0]


@pytest.mark.parametrize("command", [(), ("/nonexistent/server",), ("bad\0name",)])
def test_what_cannot_be_started_is_refused(command: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        stdio_listing(command)
