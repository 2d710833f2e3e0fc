"""A small project and a pack for it, and replays of what candidates make of it."""

from __future__ import annotations

import functools
import pathlib
import textwrap
from collections.abc import Mapping

from benchhygiene import Orchestrator, Registry, Replay, Report, WitnessPack, sources
from benchhygiene.sources import ReplaySettings, SandboxLimits
from benchhygiene_plugins.replay import ReplayRun

SHOP = "def total(prices):\n    return sum(prices)\n"
BROKEN = "def total(prices):\n    return 0\n"
TESTS = {
    "tests/conftest.py": """
        import pathlib
        import pytest

        @pytest.fixture
        def rows():
            text = pathlib.Path("fixtures/rows.txt").read_text()
            return [int(line) for line in text.split()]
        """,
    "tests/test_first.py": """
        from shop import total

        def test_none():
            assert total([]) == 0

        def test_two():
            assert total([1, 2]) == 3
        """,
    "tests/test_second.py": """
        import unittest

        import pytest
        import shop

        @pytest.mark.parametrize(("prices", "expected"), [([4], 4), ([1, 2, 3], 6)])
        def test_each(prices, expected):
            assert shop.total(prices) == expected

        def test_rows(rows):
            assert shop.total(rows) == 42

        class TestShop(unittest.TestCase):
            def test_equal(self):
                self.assertEqual(shop.total([5, 5]), 10)
        """,
    "fixtures/rows.txt": "40\n2\n",
}
NODES = (
    "tests/test_first.py::test_none",
    "tests/test_first.py::test_two",
    "tests/test_second.py::test_each[prices0-4]",
    "tests/test_second.py::test_each[prices1-6]",
    "tests/test_second.py::test_rows",
    "tests/test_second.py::TestShop::test_equal",
)
SMALL = SandboxLimits(
    wall_seconds=20,
    cpu_seconds=30,
    memory_bytes=1 << 30,
    processes=32,
    disk_bytes=32 << 20,
    file_bytes=16 << 20,
    output_bytes=1 << 16,
    channel_bytes=8 << 20,
)


def write(root: pathlib.Path, files: Mapping[str, str]) -> pathlib.Path:
    """Write a tree of texts, dedented."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return root


def pack(root: pathlib.Path, **more: str) -> WitnessPack:
    """Return the shop's pack, with further files whose ``/`` is spelled ``__`` in their names."""
    return sources.pack(write(root / "pack", {**TESTS, **more}), require_manifest=False)


def replayed(
    root: pathlib.Path,
    candidate: Mapping[str, str],
    parent: Mapping[str, str] | None = None,
    given: WitnessPack | None = None,
    settings: ReplaySettings | None = None,
) -> Replay:
    """Return the replay of a candidate, and of a parent where there is one."""
    before = None if parent is None else write(root / "parent", parent)
    return sources.replay(
        given or pack(root),
        write(root / "candidate", candidate),
        before,
        settings or ReplaySettings(limits=SMALL),
    )


def judged(found: Replay, *evidence: object) -> Report:
    """Return what the analyzer makes of a replay."""
    report = Orchestrator(_registry()).run(found, *evidence)
    report.raise_for_crashes()
    return report


@functools.cache
def _registry() -> Registry:
    return Registry().including(ReplayRun())


def rules(report: Report) -> set[str]:
    """Return the ids of what was found, notes left out."""
    return {each.rule.id for each in report.findings if each.severity.value != "note"}
