"""Hostile clients: other paths, hosts and origins, no token, and requests too large or too slow."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import threading
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from benchhygiene.core.json import JSON
from benchhygiene.errors import InputError
from benchhygiene.server.jobs import Job, Policy, perform
from benchhygiene.server.roots import Root
from tests.server.conftest import SERVE, TOKEN

Served = Callable[..., str]
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
}


def call(tool: str, arguments: dict[str, JSON]) -> bytes:
    params: JSON = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(message).encode()


def post(
    url: str, body: bytes, method: str = "POST", path: str = "/mcp", **headers: str
) -> tuple[int, str]:
    """Return the status and the text of the answer; a header's _ stands for -."""
    parts = urllib.parse.urlsplit(url)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request(method, path, body, {**HEADERS, **named})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


LOOK = call("inspect_workspace", {"path": "clean"})


def test_only_the_names_of_the_server_are_answered(served: Served) -> None:
    url = served("--allow-host", "gateway.example")
    good = ("localhost", "127.0.0.1:1", "[::1]:80", "GATEWAY.example", "gateway.example:443")
    bad = ("evil.example", "localhost.evil.example", "127.0.0.1@evil.example", "", "evil.example#")
    assert [post(url, LOOK, Host=name)[0] for name in good] == [200] * len(good)
    assert [post(url, LOOK, Host=name)[0] for name in bad] == [421] * len(bad)
    fine = ("http://localhost:3000", "https://gateway.example")
    odd = ("null", "http://evil.example", "file://localhost", "http://localhost@evil.example")
    assert [post(url, LOOK, Origin=name)[0] for name in fine] == [200] * len(fine)
    assert [post(url, LOOK, Origin=name)[0] for name in odd] == [403] * len(odd)
    assert post(url, LOOK, path="/")[0] == 404
    assert post(url, b"", "GET")[0] == 405
    assert post(url, b"", "DELETE")[0] == 405


def test_who_may_ask_bears_the_token(served: Served) -> None:
    url = served("--host", "0.0.0.0", token=TOKEN)
    assert post(url, LOOK)[0] == 401
    wrong = ("Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN[:-1]}")
    assert [post(url, LOOK, Authorization=each)[0] for each in wrong] == [401] * len(wrong)
    assert post(url, LOOK, Authorization=f"Bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize(
    ("words", "token", "says"),
    [
        (("--host", "0.0.0.0"), None, "put a secret into BENCHHYGIENE_TOKEN"),
        (("--host", "192.0.2.1"), None, "put a secret into BENCHHYGIENE_TOKEN"),
        ((), "short", "expected at least 16 ASCII characters"),
        (("--port", "70000"), None, "expected a number from 0 to 65535"),
        (("--allow-host", "*"), None, "expected a host's name"),
        (("--root", "no/such"), None, "expected an existing directory"),
    ],
)
def test_an_open_door_is_refused(
    words: tuple[str, ...], token: str | None, says: str, environment: dict[str, str]
) -> None:
    extra = {} if token is None else {"BENCHHYGIENE_TOKEN": token}
    done = subprocess.run(
        [*SERVE, "--http", *words], capture_output=True, text=True, env={**environment, **extra}
    )
    assert done.returncode == 2
    assert says in done.stderr
    assert "short" not in done.stderr


def test_what_is_too_large_or_malformed_is_refused_and_the_server_stays(served: Served) -> None:
    url = served()
    parts = urllib.parse.urlsplit(url)
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    endless = (
        head + "Transfer-Encoding: chunked\r\n\r\n" + ("FFFF\r\n" + "x" * 0xFFFF + "\r\n") * 80
    )
    announced = head + f"Content-Length: {100 * 2**20}\r\n\r\n"
    long_head = head + "X: " + "x" * 200_000
    for request, status in ((endless, b"413"), (announced, b"413"), (long_head, b"400")):
        with socket.create_connection((parts.hostname or "", parts.port or 0), 60) as wire:
            threading.Thread(target=_send, args=(wire, request.encode()), daemon=True).start()
            assert status in wire.recv(4096).partition(b"\r\n")[0]
    for body in (b"", b"{", b"[" * 1_000_000, b"\xff\xfe", b'{"jsonrpc":"2.0"}', b"[]"):
        status, text = post(url, body)
        assert status == 400
        assert "Traceback" not in text
    assert post(url, LOOK)[0] == 200


def _send(wire: socket.socket, data: bytes) -> None:
    try:
        wire.sendall(data)
    except OSError:
        """The server has hung up: that is what it should do."""


@pytest.mark.full
def test_slow_requests_are_ended(served: Served) -> None:
    parts = urllib.parse.urlsplit(served())
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for start in (b"", b"POST /m", head, head + b"Content-Length: 100\r\n\r\n{"):
        with socket.create_connection((parts.hostname or "", parts.port or 0), 60) as wire:
            wire.sendall(start)
            begun = time.monotonic()
            told = wire.recv(4096)
            assert told == b"" or b" 408 " in told
            assert time.monotonic() - begun < 50


def refused(root: Path, tool: str, arguments: dict[str, JSON], **policy: bool) -> str:
    """Return why a call was refused."""
    found = perform(Job(tool, arguments, Policy(Root.of(str(root)), **policy)))
    assert found["ok"] is False
    assert "secret-word" not in json.dumps(found)
    return str(found["error"])


ESCAPES: list[tuple[str, dict[str, JSON]]] = [
    ("inspect_workspace", {"path": ".."}),
    ("inspect_workspace", {"path": "/"}),
    ("inspect_workspace", {"path": "/etc"}),
    ("inspect_workspace", {"path": "clean/../../root/../.."}),
    ("inspect_workspace", {"path": "out"}),
    ("inspect_workspace", {"path": "out/none"}),
    ("inspect_workspace", {"path": "clean", "tests": ["-c", "../../secret.ini"]}),
    ("inspect_workspace", {"path": "clean", "tests": ["-c../../secret.ini"]}),
    ("inspect_workspace", {"path": "clean", "tests": ["--rootdir=/etc"]}),
    ("inspect_workspace", {"path": "clean", "tests": ["@/etc/passwd"]}),
    ("inspect_workspace", {"path": "clean", "tests": ["-o", "pythonpath=/etc"]}),
    ("inspect_workspace", {"path": "clean", "environ": {"PYTEST_ADDOPTS": "-c ../../secret.ini"}}),
    ("inspect_workspace", {"path": "clean", "tests": ["-c", "linked.ini"]}),
    ("inspect_workspace", {"path": "linked"}),
    ("check_addopts", {"path": ".."}),
    ("summarize", {"path": ".."}),
    ("diff_surface", {"parent": "clean", "candidate": "out"}),
    ("diff_surface", {"parent": "..", "patch": ""}),
    ("diff_surface", {"parent": "clean", "candidate": "weak", "pack": "/etc"}),
    ("check_ledger", {"path": "../secret.ini"}),
    ("check_ledger", {"path": "pack/flakes/ledger.json", "tree": ".."}),
    ("check_ledger", {"path": "pack/flakes/ledger.json", "parent": "clean/linked.ini"}),
    ("verify_pack", {"path": "out"}),
    ("lint_tools", {"listing": "../secret.ini"}),
    ("lint_tools", {"listing": "clean/linked.ini"}),
]


@pytest.mark.parametrize(("tool", "arguments"), ESCAPES)
def test_no_path_leads_out_of_the_root(tool: str, arguments: dict[str, JSON], root: Path) -> None:
    (root / "out").symlink_to("/")
    (root / "linked").mkdir()
    for place in ("clean/linked.ini", "linked/pytest.ini"):
        (root / place).symlink_to(root.parent / "secret.ini")
    why = refused(root, tool, arguments)
    assert "outside the root of this server" in why


def swap_while_held(held: Root, path: str, *renames: tuple[str, str]) -> None:
    """Hold a path, and move things about meanwhile; what is moved to nowhere becomes a link."""
    with held.held(path):
        for old, new in renames:
            os.rename(os.path.join(held.path, old), os.path.join(held.path, new))
        if not os.path.exists(os.path.join(held.path, path)):
            os.symlink("/", os.path.join(held.path, path))


def test_a_directory_that_is_swapped_while_it_is_read_is_noticed(root: Path) -> None:
    held = Root.of(str(root))
    with pytest.raises(InputError, match="was moved"):
        swap_while_held(held, "clean", ("clean", "was"), ("weak", "clean"))
    with pytest.raises(InputError, match="outside the root"):
        swap_while_held(held, "was", ("was", "gone"))
    with held.held("clean/tests") as real:
        assert real == str(root / "clean/tests")


@pytest.mark.parametrize(
    "path", ["", "\0", "clean\0", "x" * 5_000, "git+/@" + "0" * 40, "s3://b/k", "https://h/p"]
)
def test_what_is_no_path_is_refused(path: str, root: Path) -> None:
    assert "expected the path" in refused(root, "verify_pack", {"path": path})


def test_clients_cannot_make_the_server_reach_its_own_network(root: Path) -> None:
    for url in (
        "http://127.0.0.1:1/mcp",
        "http://[::1]/mcp",
        "http://169.254.169.254/",
        "http://10.0.0.1/",
    ):
        assert "not a public address" in refused(
            root, "lint_tools", {"url": url}, with_private=False
        )
    url = "http://127.0.0.1:1/mcp"
    assert "--offline" in refused(root, "lint_tools", {"url": url}, with_urls=False)
    (root / "mcp.json").write_text('{"mcpServers": {"x": {"command": "touch", "args": ["ran"]}}}')
    found = perform(Job("lint_tools", {"listing": "mcp.json"}, Policy(Root.of(str(root)))))
    assert found.get("verdict") != "pass"
    assert not os.path.exists("ran")


def test_nothing_in_the_workspace_is_run(
    root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    marks = tmp_path / "ran"
    plant = f"open({str(marks)!r}, 'a').write(__file__)\n"
    names = ("anyio", "mcp", "conftest", "sitecustomize", "usercustomize", "pickle", "benchhygiene")
    for name in names:
        (root / "clean" / f"{name}.py").write_text(plant)
        (root / f"{name}.py").write_text(plant)
    start = {"jsonrpc": "2.0", "id": 0, "method": "initialize"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
    params["clientInfo"] = {"name": "t", "version": "1"}
    lines = json.dumps({**start, "params": params}).encode() + b"\n"
    lines += b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n' + LOOK + b"\n"
    with subprocess.Popen(
        SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "x": "' + b"x" * (9 * 2**20) + b'"}\n' + lines)
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline())]
        while answers[-1].get("id") != 1:
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
    assert answers[-1]["result"]["structuredContent"]["ok"] is True
    assert not marks.exists()


def test_a_call_without_end_is_ended(served: Served) -> None:
    url = served("--timeout", "1")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asked = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        for _ in range(2):
            status, text = post(url, call("lint_tools", {"url": asked}))
            assert status == 200
            assert "took longer than 1 seconds" in text
    assert post(url, call("explain_rule", {"name": "no.rule"}))[0] == 200
