"""Many clients at once: nothing is lost."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("mcp")

from tests.server.conftest import STATED
from tests.server.test_hostile import call, post

Served = Callable[..., str]


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.full)])
def test_nothing_is_lost_of_calls_at_once(count: int, served: Served) -> None:
    url = served("--timeout", "600")
    asked = [("clean", "CLEAN"), ("host/workspace/task-1", "CORRUPTED")]

    def ask(number: int) -> tuple[str, str, float]:
        path, expected = asked[number % 2]
        begun = time.perf_counter()
        body = call("inspect_workspace", {"path": path, **STATED}).replace(
            b'"id": 1', b'"id": %d' % number
        )
        status, text = post(url, body)
        assert status == 200, text
        lines = [line for line in text.splitlines() if line.startswith("data: {")]
        answer = json.loads(lines[-1].removeprefix("data: "))
        assert answer["id"] == number
        found = answer["result"]["structuredContent"]
        return found["verdict"], expected, time.perf_counter() - begun

    with ThreadPoolExecutor(count) as clients:
        found = list(clients.map(ask, range(count)))
    assert [verdict for verdict, _, _ in found] == [expected for _, expected, _ in found]
    if "SHOW_LATENCY" in os.environ:
        times = sorted(seconds for _, _, seconds in found)
        print(f"p50 {times[count // 2]:.2f} s, p99 {times[count * 99 // 100]:.2f} s")
