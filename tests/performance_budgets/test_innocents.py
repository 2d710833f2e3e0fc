"""Honest edits of tests that measure are left alone by this analyzer."""

# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.performance_budgets.edits import CONFTEST, FILES, TESTS, edited, found

HONEST: dict[str, tuple[tuple[str, str, str], ...]] = {
    "same_unit": (
        (
            TESTS,
            "        samples.append((time.perf_counter() - begin) * 1000)\n    assert percentile(samples, 99) < P99_MS",
            "        samples.append(time.perf_counter() - begin)\n    assert percentile(samples, 99) < P99_MS / 1000",
        ),
    ),
    "twice_as_much": (
        (
            TESTS,
            "    for n in range(1500):\n        assert table.get(n) == n * n\n    elapsed = time.perf_counter() - begin\n    assert elapsed < TOTAL_S",
            "    for n in range(3000):\n        assert table.get(n % 2000) == (n % 2000) ** 2\n    elapsed = time.perf_counter() - begin\n    assert elapsed < 2 * TOTAL_S",
        ),
    ),
    "nanoseconds": (
        (
            TESTS,
            "    assert time.perf_counter_ns() - begin < 20_000_000_000",
            "    assert (time.perf_counter_ns() - begin) / 1e9 < 20",
        ),
    ),
    "more": ((TESTS, "SAMPLES = 200", "SAMPLES = 400"),),
    "comprehension": (
        (
            TESTS,
            "    samples = []\n    for n in range(SAMPLES):\n        begin = time.perf_counter()\n        table.get(n % 1000)\n        samples.append((time.perf_counter() - begin) * 1000)",
            "    samples = [timing.timed(table.get, n % 1000) for n in range(SAMPLES)]",
        ),
    ),
    "more_rounds": (
        (
            TESTS,
            "    result = benchmark.pedantic(table.get, args=(1999,), rounds=30, iterations=4, warmup_rounds=2)",
            '    options = {"rounds": 60, "iterations": 4, "warmup_rounds": 2}\n    result = benchmark.pedantic(table.get, args=(1999,), **options)',
        ),
    ),
    "accumulated": (
        (
            TESTS,
            "            total = 0.0\n            for _ in range(25):\n                total += timing.timed(table.get, 5)\n            assert total / 25 < 500.0",
            "            count = 25\n            assert sum(timing.timed(table.get, 5) for _ in range(count)) / count < 500.0",
        ),
    ),
    "more_rows": ((CONFTEST, "ROWS = 2000", "ROWS = 4000"),),
    "more_users": (
        (
            TESTS,
            'USERS = int(os.environ.get("USERS", "50"))',
            'USERS = int(os.environ.get("USERS", "80"))',
        ),
    ),
    "method_to_function": (
        (
            TESTS,
            "        times = [self.measure(table) for _ in range(self.rounds)]",
            "        times = [self.measure(table, size=40) for _ in range(self.rounds)]",
        ),
    ),
    "quantiles_for_helper": (
        (
            TESTS,
            "    assert percentile(samples, 99) < P99_MS",
            '    assert statistics.quantiles(samples, n=100, method="inclusive")[98] < P99_MS',
        ),
    ),
    "higher": (
        (
            TESTS,
            "    assert percentile(samples, 99) < P99_MS",
            "    assert percentile(samples, 99.9) < P99_MS",
        ),
    ),
    "last_for_max": (
        (
            TESTS,
            "    assert max(samples) < timing.LIMIT_MS",
            "    assert sorted(samples)[-1] < timing.LIMIT_MS",
        ),
    ),
    "all_for_max": (
        (
            TESTS,
            "    assert max(samples) < timing.LIMIT_MS",
            "    assert all(one < timing.LIMIT_MS for one in samples)",
        ),
    ),
    "max_for_mean": (
        (
            TESTS,
            '    assert benchmark.stats["mean"] < 5.0',
            '    assert benchmark.stats["max"] < 5.0',
        ),
    ),
    "better_clock": (
        (
            TESTS,
            "    async def many():\n        begin = time.monotonic()",
            "    async def many():\n        begin = time.perf_counter()",
        ),
        (
            TESTS,
            "        assert time.monotonic() - begin < 10",
            "        assert time.perf_counter() - begin < 10",
        ),
    ),
    "helper_for_clock": (
        (
            TESTS,
            "    begin = time.perf_counter()\n    pages(table, 1000)\n    rate = 1000 / (time.perf_counter() - begin)",
            "    took = timing.timed(pages, table, 1000) / 1000\n    rate = 1000 / took",
        ),
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_edit(name: str) -> None:
    assert found(FILES, edited(*HONEST[name])) == ()
