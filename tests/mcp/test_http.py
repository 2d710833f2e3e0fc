"""Servers behind a URL are asked over real HTTP on loopback."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd, ToolListing
from benchhygiene.inventory.declarations import listing
from benchhygiene.sources.mcp import ListingLimits, http_listing
from benchhygiene.sources.mcp.http import events, shown_url
from benchhygiene.sources.mcp.listings import AUTHORIZATION

TOOLS = '{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}'
LIMITS = ListingLimits(start=20, request=20, exit=1)


class Server(http.server.ThreadingHTTPServer):
    """A server that answers as its path says, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], str]] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has hung up is no news."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def asked(self) -> list[tuple[str, dict[str, str], str]]:
        """Return where the server keeps what it was asked."""
        assert isinstance(self.server, Server)
        return self.server.asked

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""

    def do_DELETE(self) -> None:
        self.asked.append(("DELETE", dict(self.headers), ""))
        self.reply(200, "text/plain", "")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        question = json.loads(body)
        method, number = question["method"], question.get("id")
        self.asked.append((method, dict(self.headers), body))
        if self.path == "/denied" and self.headers["Authorization"] != "Bearer sesame":
            self.reply(401, "text/plain", "no")
        elif self.path == "/moved":
            self.reply(307, "text/plain", "", ("Location", "http://127.0.0.1:1/"))
        elif number is None:
            self.reply(202, "text/plain", "")
        elif method == "server/discover" and self.path != "/modern":
            self.reply(
                400, "application/json", '{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}'
            )
        else:
            self.answer(method, number)

    def answer(self, method: str, number: int) -> None:
        results = {
            "server/discover": '{"supportedVersions":["2026-07-28"]}',
            "initialize": '{"protocolVersion":"2025-11-25","capabilities":{}}',
            "tools/list": TOOLS,
        }
        text = f'{{"jsonrpc":"2.0","id":{number},"result":{results[method]}}}'
        if self.path == "/events":
            note = 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'
            cut = text.index("result")
            data = f"data: {text[: cut - 1]}\ndata: {text[cut - 1 :]}\n\n"
            self.reply(200, "text/event-stream; charset=utf-8", f": hello\n\nid: 1\n{note}{data}")
        elif self.path == "/slow" and method == "tools/list":
            time.sleep(3)
            self.reply(200, "application/json", text)
        elif self.path == "/flood" and method == "tools/list":
            self.reply(200, "application/json", "x" * 500_000)
        else:
            more = (("Mcp-Session-Id", "s-1"),) if self.path == "/session" else ()
            self.reply(200, "application/json", text, *more)

    def reply(self, status: int, kind: str, text: str, *headers: tuple[str, str]) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on loopback."""
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def asked(server: Server, path: str, limits: ListingLimits = LIMITS) -> ToolListing:
    url = f"http://127.0.0.1:{server.server_port}{path}"
    return http_listing(url, limits=limits, environment={})


@pytest.mark.parametrize("path", ["/json", "/events", "/session", "/modern"])
def test_answers_are_read_in_every_form(server: Server, path: str) -> None:
    given_listing = asked(server, path)
    assert [session.end for session in given_listing.sessions] == [ListingEnd.COMPLETE] * 3
    for session in given_listing.sessions:
        assert [tool.name for tool in listing(session).tools] == ["look"]
        assert session.noise == ()


def test_a_session_is_named_in_every_request_and_ended(server: Server) -> None:
    asked(server, "/session", attrs.evolve(LIMITS, sessions=1, rounds=1))
    methods = [method for method, _, _ in server.asked]
    assert methods == [
        "server/discover",
        "initialize",
        "notifications/initialized",
        "tools/list",
        "DELETE",
    ]
    for method, headers, _ in server.asked[2:]:
        assert headers["Mcp-Session-Id"] == "s-1", method
        if method != "DELETE":
            assert headers["MCP-Protocol-Version"] == "2025-11-25"


def test_the_newer_era_says_version_and_method_in_headers(server: Server) -> None:
    asked(server, "/modern", attrs.evolve(LIMITS, sessions=1, rounds=1))
    assert [method for method, _, _ in server.asked] == ["server/discover", "tools/list"]
    for method, headers, body in server.asked:
        assert headers["MCP-Protocol-Version"] == "2026-07-28"
        assert headers["Mcp-Method"] == method
        meta = json.loads(body)["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"


@pytest.mark.parametrize(
    ("path", "limits", "end"),
    [
        ("/denied", LIMITS, ListingEnd.REFUSED),
        ("/moved", LIMITS, ListingEnd.REFUSED),
        ("/slow", attrs.evolve(LIMITS, request=0.5), ListingEnd.TIMED_OUT),
        ("/flood", attrs.evolve(LIMITS, message=100_000), ListingEnd.LIMIT),
    ],
)
def test_an_end_that_came_early_is_said(
    server: Server, path: str, limits: ListingLimits, end: ListingEnd
) -> None:
    given_listing = asked(server, path, limits)
    assert {session.end for session in given_listing.sessions} == {end}


def test_authorization_comes_from_the_environment_and_is_kept_nowhere(server: Server) -> None:
    url = f"http://127.0.0.1:{server.server_port}/denied"
    found = http_listing(url, limits=LIMITS, environment={AUTHORIZATION: "Bearer sesame"})
    assert found.sessions[0].end is ListingEnd.COMPLETE
    assert "sesame" not in repr(found)


def test_nobody_there_is_an_end_of_the_listing() -> None:
    found = http_listing("http://127.0.0.1:1/mcp", limits=LIMITS, environment={})
    assert {session.end for session in found.sessions} == {ListingEnd.CRASHED}


@pytest.mark.parametrize(
    "url", ["ftp://x/", "http://", "http://a:b@x/mcp", "http://x:99999/", "file:///etc/passwd"]
)
def test_what_is_no_url_is_refused_without_its_secrets(url: str) -> None:
    with pytest.raises(InputError) as refused:
        http_listing(url, environment={})
    assert "a:b" not in str(refused.value)


def test_a_url_is_shown_without_what_may_be_secret() -> None:
    assert shown_url("https://u:p@h.org:8/mcp?key=1#f") == "https://h.org:8/mcp"


LINES = st.lists(
    st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])),
    min_size=1,
    max_size=3,
)


@given(
    messages=st.lists(LINES, max_size=4),
    end=st.sampled_from(("\n", "\r", "\r\n")),
    cuts=st.lists(st.integers(1, 7), min_size=1),
)
def test_events_are_the_same_however_they_are_cut(
    messages: list[list[str]], end: str, cuts: list[int]
) -> None:
    text = "".join("".join(f"data: {line}{end}" for line in each) + end for each in messages)
    data, chunks = text.encode(), list[bytes]()
    while data:
        size = cuts[len(chunks) % len(cuts)]
        chunks.append(data[:size])
        data = data[size:]
    assert list(events(chunks, 10_000)) == ["\n".join(each) for each in messages]
