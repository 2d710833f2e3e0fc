"""Real clients drive the server over stdio and HTTP, in both eras of the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
import jsonschema
import pytest

from benchhygiene.core.findings import Verdict
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import Registry
from benchhygiene.inventory.declarations import listing
from benchhygiene.sources.mcp import ListingLimits, http_listing
from benchhygiene_plugins.mcp_hints import McpHints

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from benchhygiene.server.schemas import DECLARATIONS
from tests.server.conftest import STATED

SERVE = ("-P", "-m", "benchhygiene", "serve")
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
KEYS = {
    "ok",
    "workspace",
    "ini_chain",
    "effective_addopts",
    "will_corrupt_grading",
    "verdict",
    "fixed_command",
    "reasons",
}
CALLS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "inspect_workspace": ({"path": "clean", **STATED}, {"verdict": "CLEAN", "fixed_command": None}),
    "check_addopts": ({"path": "host/workspace/task-1", **STATED}, {"corrupted": True}),
    "summarize": ({"path": "clean", **STATED}, {"verdict": "CLEAN"}),
    "diff_surface": ({"parent": "clean", "candidate": "weak"}, {"verdict": "violation"}),
    "check_ledger": ({"path": "pack/flakes/ledger.json"}, {"verdict": "pass"}),
    "verify_pack": ({"path": "pack"}, {"verdict": "violation"}),
    "lint_tools": ({"listing": "listing.json"}, {"verdict": "pass"}),
    "explain_rule": ({"name": "ini.coverage_gate"}, {"ok": True}),
}


def client(transport: str, mode: str, root: Path, environment: dict[str, str], url: str) -> Client:
    if transport == "http":
        return Client(url, mode=mode)
    words = [*SERVE, "--root", str(root)]
    return Client(
        StdioServerParameters(command=sys.executable, args=words, env=environment), mode=mode
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", ["stdio", "http", "http/"])
def test_every_tool_answers_as_its_schema_says(
    transport: str, mode: str, root: Path, environment: dict[str, str], request: object
) -> None:
    assert isinstance(request, pytest.FixtureRequest)
    url = request.getfixturevalue("served")() if transport != "stdio" else ""
    url = f"{url}/" if transport.endswith("/") else url
    asked = CALLS if transport == "stdio" else dict(list(CALLS.items())[:2])

    async def drive() -> None:
        kind = transport.strip("/")
        async with client(kind, mode, root, environment, url) as session:
            assert session.protocol_version == MODES[mode]
            tools = {each.name: each for each in (await session.list_tools()).tools}
            assert set(tools) == set(CALLS)
            for name, (arguments, expected) in asked.items():
                answer = await session.call_tool(name, arguments)
                found = answer.structured_content
                assert not answer.is_error, found
                jsonschema.validate(found, tools[name].output_schema or {})
                assert {key: found[key] for key in expected} == expected

    anyio.run(drive)


@pytest.mark.parametrize("mode", MODES)
def test_the_references_users_change_one_line(
    mode: str, root: Path, environment: dict[str, str]
) -> None:
    async def drive() -> None:
        async with client("stdio", mode, root, environment, "") as session:
            path = str(root / "host/workspace/task-1")
            seen: list[float] = []

            async def progress(at: float, total: float | None, message: str | None) -> None:
                seen.append(at)

            answer = await session.call_tool(
                "inspect_workspace", {"path": path, **STATED}, progress_callback=progress
            )
            found = answer.structured_content
            assert set(found) >= KEYS
            assert found["verdict"] == "CORRUPTED"
            assert found["will_corrupt_grading"] is True
            assert found["fails_passing_suite"] is True
            assert found["workspace"] == path
            assert found["ini_chain"][0]["file"] == str(root / "host/pyproject.toml")
            assert "--cov-fail-under=80" in found["effective_addopts"]
            assert found["fixed_command"] == [
                *("python3", "-m", "pytest", "-o", "addopts=", "<tests>")
            ]
            gates = ["--cov", "--cov-fail-under", "--cov-report"]
            assert f"coverage gate(s) present: {gates}" in found["reasons"]
            assert seen == sorted(set(seen))
            assert len(seen) >= 2
            assert json.loads(answer.content[0].text) == found
            told = await session.call_tool("summarize", {"analysis": found})
            assert told.content[0].text.startswith(f"[DANGER] {path} will corrupt")

    anyio.run(drive)


def test_rules_are_resources(root: Path, environment: dict[str, str]) -> None:
    async def drive() -> None:
        async with client("stdio", "auto", root, environment, "") as session:
            uris = [str(each.uri) for each in (await session.list_resources()).resources]
            assert uris == sorted(uris)
            assert "benchhygiene://rules/assert.weakened" in uris
            read = await session.read_resource("benchhygiene://rules/assert.weakened")
            assert read.contents[0].text.startswith("# assert.weakened\n")
            for uri in ("benchhygiene://rules/no.rule", "file:///etc/passwd"):
                with pytest.raises(Exception, match="there is no resource"):
                    await session.read_resource(uri)

    anyio.run(drive)


def test_what_does_not_fit_is_an_error_and_never_a_pass(
    root: Path, environment: dict[str, str]
) -> None:
    wrong: list[tuple[str, dict[str, object], str]] = [
        ("inspect_workspace", {}, "'path' is a required property"),
        ("inspect_workspace", {"path": 1}, "is not of type 'string'"),
        ("inspect_workspace", {"path": "clean", "shell": "x"}, "shell"),
        ("inspect_workspace", {"path": "clean", "python": "./bin/python"}, "does not match"),
        ("inspect_workspace", {"path": "none"}, "No such file"),
        ("diff_surface", {"parent": "clean"}, "one of candidate and patch"),
        ("check_ledger", {"path": "clean/pytest.ini"}, "pytest.ini"),
        ("verify_pack", {"path": "s3://bucket/pack"}, "expected the path"),
        ("lint_tools", {}, "one of listing and url"),
        ("explain_rule", {"name": "assert.weakend"}, "did you mean assert.weakened"),
    ]

    async def drive() -> None:
        async with client("stdio", "auto", root, environment, "") as session:
            for name, arguments, says in wrong:
                answer = await session.call_tool(name, arguments)
                assert answer.is_error
                assert answer.structured_content["ok"] is False
                assert answer.structured_content.get("verdict") in (None, "UNKNOWN", "inconclusive")
                assert says in answer.structured_content["error"]
            with pytest.raises(Exception, match="there is no tool"):
                await session.call_tool("shell", {})

    anyio.run(drive)


def test_our_own_declarations_pass_our_own_rules(served: object) -> None:
    assert callable(served)
    found = http_listing(served(), limits=ListingLimits(sessions=2), environment={})
    report = Orchestrator(Registry().including(McpHints()), {"mcp-hints"}).run(found)
    assert report.verdict is Verdict.PASS
    assert report.findings == ()
    tools = listing(found.sessions[0]).tools
    assert [tool.name for tool in tools] == [each.name for each in DECLARATIONS]


def test_our_own_command_lints_our_own_server(root: Path, environment: dict[str, str]) -> None:
    ours = [sys.executable, *SERVE, "--root", str(root)]
    lint = [sys.executable, "-P", "-m", "benchhygiene", "mcp", "lint", "--format", "json", "--"]
    done = subprocess.run([*lint, *ours], capture_output=True, text=True, env=environment)
    if "no sandbox" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["findings"] == []
