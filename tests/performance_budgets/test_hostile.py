"""Sources that are made to break whoever reads them."""

from __future__ import annotations

import pytest

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene_plugins.performance_budgets import PerformanceBudgets, inventory

PATH = "tests/test_fast.py"
BASE = """\
import time


def test_fast():
    begin = time.perf_counter()
    work(100)
    assert time.perf_counter() - begin < 1.0
"""


def _report(candidate: dict[str, bytes | str], parent: str = BASE) -> Report:
    registry = Registry().including(PerformanceBudgets())
    report = Orchestrator(registry).run(Change({PATH: parent}, candidate))
    report.raise_for_crashes()
    return report


@pytest.mark.parametrize(
    "source",
    [
        "(" * 5_000,
        "x = " + "1+" * 50_000 + "1\n" + BASE,
        b"\x00" + BASE.encode(),
        b"# coding: no-such\n" + BASE.encode(),
        b"\xff\xfe" + BASE.encode(),
    ],
    ids=["parentheses", "sum", "null", "cookie", "bytes"],
)
def test_what_cannot_be_read_is_inconclusive(source: bytes | str) -> None:
    report = _report({PATH: source})
    assert report.verdict is Verdict.INCONCLUSIVE
    assert {one.rule.id for one in report.findings} == {"perf.unseen"}


def test_a_file_without_bytes_is_inconclusive() -> None:
    tree = SourceTree({PATH: TreeEntry(error="PermissionError")})
    report = Orchestrator(Registry().including(PerformanceBudgets())).run(
        Change({PATH: BASE}, tree)
    )
    assert report.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "limit",
    [
        "a",
        "a\na = a",
        "b\nb = a",
        "f()\ndef f():\n    return f() + f()",
        "lambda: a()",
        "10 ** 10 ** 10",
        "9" * 4_000,
        "1e400",
        "-1e400 * 0",
        "float('nan')",
        "'x' * 10 ** 12",
        "[0] * 10 ** 12",
        "range(10 ** 30)",
        "1 / 0",
        "0x" + "f" * 9_000,
        "\n".join(f"x{n} + x{n}\nx{n - 1} = x{n} + x{n}" for n in range(1, 60)),
    ],
)
@pytest.mark.parametrize("use", ["< a", "* a < 1.0", "+ a < a", "< max(a, 1)"])
def test_limits_of_every_kind_end(limit: str, use: str) -> None:
    _report({PATH: f"a = {limit}\n" + BASE.replace("< 1.0", use)})
    _report({PATH: BASE}, f"a = {limit}\n" + BASE.replace("< 1.0", use))


def test_functions_that_call_one_another_many_times_are_not_all_followed() -> None:
    calls = "\n".join(
        f"def f{n}():\n" + "\n".join(f"    f{n + 1}()" for _ in range(30)) for n in range(12)
    )
    source = f"{calls}\ndef f12():\n    pass\n{BASE.replace('work(100)', 'f0()')}"
    assert _report({PATH: source}).verdict is Verdict.INCONCLUSIVE


def test_deep_expressions_end() -> None:
    deep = "(" * 80 + "1.0" + ")" * 80
    assert _report({PATH: BASE.replace("< 1.0", f"< {deep}")}).verdict is Verdict.PASS
    nested = "".join(f"{'    ' * n}if x{n}:\n" for n in range(1, 90)) + "    " * 90 + "pass\n"
    _report({PATH: BASE + nested})
    _report({PATH: BASE.replace("< 1.0", "< " + "-" * 900 + "1.0")})
    _report({PATH: BASE.replace("< 1.0", "< " + "f(" * 90 + ")" * 90)})


def test_long_texts_and_numbers_in_settings_end() -> None:
    long = (
        "[pytest]\ntimeout = " + "9" * 100_000 + "\naddopts = --benchmark-min-rounds=" + "1" * 400
    )
    registry = Registry().including(PerformanceBudgets())
    for ini in (long, "[pytest\n", "[pytest]\naddopts = 'open\n", "[pytest]\ntimeout = \x00\n"):
        change = Change({"pytest.ini": "[pytest]\ntimeout = 5\n"}, {"pytest.ini": ini})
        report = Orchestrator(registry).run(change)
        report.raise_for_crashes()
        assert report.verdict is not Verdict.PASS


def test_many_files_that_do_not_differ_cost_nothing() -> None:
    files = {f"tests/test_{n}.py": BASE for n in range(10_000)}
    report = Orchestrator(Registry().including(PerformanceBudgets())).run(Change(files, files))
    assert report.verdict is Verdict.PASS


def test_an_inventory_of_what_cannot_be_read_says_so() -> None:
    found = inventory(SourceTree({PATH: "(" * 5_000}))
    assert found.nodes == ()
    assert [path for path, _ in found.unseen] == [PATH]


def test_marks_that_are_not_plainly_assigned_are_no_marks() -> None:
    for marks in (
        "if True:\n    pytestmark = pytest.mark.timeout(5)\n",
        "pytestmark = []\npytestmark += [pytest.mark.timeout(5)]\n",
        "from marks import pytestmark\n",
        "for pytestmark in ():\n    pass\n",
    ):
        source = f"import pytest\n{marks}\n{BASE}"
        assert _report({PATH: source.replace("100", "90")}, source).verdict is Verdict.VIOLATION
