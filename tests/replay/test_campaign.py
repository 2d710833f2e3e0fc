"""Property tests run as the pack says, whatever the code says, and are counted."""

from __future__ import annotations

import pathlib

from benchhygiene import NodeEnd, Replay, Verdict, sources
from benchhygiene.sources import ReplaySettings
from tests.replay.shop import SHOP, SMALL, judged, replayed, rules, write

TESTS = """
    import shop
    from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st

    @seed(1)
    @settings(max_examples=3, derandomize=False)
    @given(st.lists(st.integers()))
    def test_sum(prices):
        assert shop.total(prices) == sum(prices)

    @settings(max_examples=7)
    @given(st.booleans())
    def test_few(value):
        assert shop.total([value]) == value

    class TestInClass:
        @settings(max_examples=3)
        @given(st.integers())
        def test_one(self, price):
            assert shop.total([price]) == price
    """
CAMPAIGN = """
    [sum]
    max_examples = 60
    deadline_ms = 4000
    seed_source = "pack"

    [few]
    max_examples = 60

    [inner]
    node_id = "tests/test_p.py::TestInClass::test_one"
    max_examples = 40
    """


def _replayed(root: pathlib.Path, source: str, campaign: str = CAMPAIGN) -> Replay:
    files = {"tests/test_p.py": TESTS, "properties/campaign.toml": campaign}
    given = sources.pack(write(root / "own", files), require_manifest=False)
    return replayed(root, {"shop.py": source}, {"shop.py": SHOP}, given)


def test_the_packs_budget_is_what_runs(tmp_path: pathlib.Path) -> None:
    found = _replayed(tmp_path, SHOP)
    counted = {run.node_id.rpartition("::")[2]: run.examples for run in found.suite.nodes}
    assert counted["test_sum"] == 60
    assert counted["test_one"] == 40
    assert counted["test_few"] == 2
    assert [(each.key, each.is_exhausted) for each in found.budgets] == [
        ("few", True),
        ("inner", False),
        ("sum", False),
    ]
    assert judged(found).verdict is Verdict.PASS


def test_without_a_budget_the_tests_own_holds(tmp_path: pathlib.Path) -> None:
    found = _replayed(tmp_path, SHOP, "[few]\nmax_examples = 5\n")
    counted = {run.node_id.rpartition("::")[2]: run.examples for run in found.suite.nodes}
    assert (counted["test_sum"], counted["test_one"]) == (3, 3)


def test_what_needs_many_examples_is_found_under_the_packs_budget(tmp_path: pathlib.Path) -> None:
    found = _replayed(tmp_path, "def total(prices):\n    return sum(prices) - (len(prices) > 3)\n")
    (run,) = found.suite.by_node["tests/test_p.py::test_sum"]
    assert run.end is NodeEnd.FAILED


def test_rejecting_examples_from_the_source_is_seen(tmp_path: pathlib.Path) -> None:
    lowering = """
        import hypothesis

        def total(prices):
            hypothesis.reject() if len(prices) > 2 else None
            return sum(prices)
        """
    report = judged(_replayed(tmp_path, lowering))
    assert report.verdict is Verdict.VIOLATION
    assert rules(report) == {"run.tampered"}


def test_the_seed_is_the_packs(tmp_path: pathlib.Path) -> None:
    writing = """
        def total(prices):
            raise ValueError(repr(prices)) if len(prices) == 2 else None
            return sum(prices)
        """
    failures = [
        _replayed(tmp_path / name, writing).suite.by_node["tests/test_p.py::test_sum"][0].failure
        for name in ("a", "b")
    ]
    assert failures[0] is not None
    assert failures[0] == failures[1]


def test_a_budget_for_no_property_is_unmet(tmp_path: pathlib.Path) -> None:
    files = {
        "tests/test_p.py": "import shop\n\ndef test_plain():\n    assert shop.total([]) == 0\n",
        "properties/campaign.toml": "[plain]\nmax_examples = 5\n",
    }
    given = sources.pack(write(tmp_path / "own", files), require_manifest=False)
    report = judged(replayed(tmp_path, {"shop.py": SHOP}, given=given))
    assert rules(report) == {"run.budget_unmet"}
    assert report.verdict is Verdict.VIOLATION


def test_changed_lines_that_nobody_executed_are_named(tmp_path: pathlib.Path) -> None:
    files = {
        "tests/test_p.py": "import shop\n\ndef test_plain():\n    assert shop.total([]) == 0\n",
    }
    given = sources.pack(write(tmp_path / "own", files), require_manifest=False)
    changed = (
        "def total(prices):\n    if len(prices) > 5:\n        x = 1\n        return x\n"
        "    return sum(prices)\n"
    )
    settings = ReplaySettings(limits=SMALL, reach=True)
    found = replayed(tmp_path, {"shop.py": changed}, {"shop.py": SHOP}, given, settings)
    assert found.unwitnessed is not None
    assert [(each.path, each.lines) for each in found.unwitnessed] == [("shop.py", (3, 4))]
    report = judged(found)
    assert (report.verdict, rules(report)) == (Verdict.PASS, {"surface.unwitnessed"})
