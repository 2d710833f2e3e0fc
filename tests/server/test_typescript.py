"""The official TypeScript SDK's client, pinned and installed here, drives the server."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from tests.server.conftest import SERVE, STATED, TOKEN

pytestmark = [pytest.mark.full, pytest.mark.install]
SDK = "@modelcontextprotocol/sdk@1.32.2"
PROGRAM = """\
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const asked = JSON.parse(process.argv[2]);
const transport = asked.url
  ? new StreamableHTTPClientTransport(new URL(asked.url), {
      requestInit: { headers: asked.headers },
    })
  : new StdioClientTransport({ command: asked.command[0], args: asked.command.slice(1) });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const found = [];
for (const path of asked.paths) {
  let beats = 0;
  const call = { name: "inspect_workspace", arguments: { path, ...asked.stated } };
  const answer = await client.callTool(call, undefined, { onprogress: () => { beats += 1; } });
  found.push({ verdict: answer.structuredContent.verdict, error: !!answer.isError, beats });
}
const { resources } = await client.listResources();
await client.close();
console.log(JSON.stringify({ tools: tools.length, found, resources: resources.length }));
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's program, beside its SDK."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed here")
    folder = tmp_path_factory.mktemp("typescript")
    quiet = ("--no-audit", "--no-fund", "--silent", "--ignore-scripts", "--prefix", str(folder))
    subprocess.run([npm, "install", *quiet, SDK], cwd=folder, check=True)
    path = folder / "client.mjs"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_it_gets_the_same_answers(
    transport: str, program: Path, root: Path, served: Callable[..., str]
) -> None:
    asked: dict[str, object] = {
        "paths": ["clean", "host/workspace/task-1", ".."],
        "stated": STATED,
    }
    if transport == "http":
        asked |= {"url": served(token=TOKEN), "headers": {"Authorization": f"Bearer {TOKEN}"}}
    else:
        asked |= {"command": [*SERVE, "--root", str(root)]}
    done = subprocess.run(
        ["node", str(program), json.dumps(asked)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["tools"] == 8
    assert said["resources"] > 100
    assert [each["verdict"] for each in said["found"]] == ["CLEAN", "CORRUPTED", "UNKNOWN"]
    assert [each["error"] for each in said["found"]] == [False, False, True]
    assert all(each["beats"] >= 1 for each in said["found"])
