"""Sources that are made to break whoever reads them."""

from __future__ import annotations

import time

import pytest

from benchhygiene import Verdict
from benchhygiene.evidence import SourceTree
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene_plugins.property_budgets import inventory
from tests.property_budgets.edits import BASE, CONFTEST, HEAD, PATH, report, rules


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
    found = report({PATH: BASE}, {PATH: source})
    assert found.verdict is Verdict.INCONCLUSIVE
    assert rules(found) == {"unseen"}


def test_a_file_without_bytes_is_inconclusive() -> None:
    tree = SourceTree({PATH: TreeEntry(error="PermissionError")})
    assert report({PATH: BASE}, tree).verdict is Verdict.INCONCLUSIVE


def test_a_conftest_that_does_not_parse_is_inconclusive() -> None:
    found = report(
        {PATH: BASE, CONFTEST: "x = 1\n"}, {PATH: BASE, CONFTEST: "settings.load_profile("}
    )
    assert found.verdict is Verdict.INCONCLUSIVE


LINES = [
    "a = b\nb = c\nc = a",
    "a = a",
    "a = a | a",
    "def a():\n    return a()",
    "def a():\n    return b() | b()\ndef b():\n    return a() | a()",
    "a = st.deferred(lambda: a | a)",
    "a = st.lists(a)",
    "a = st.recursive(st.none(), lambda one: st.lists(one | a))",
    "@st.composite\ndef draws(draw):\n    return draw(draws())\na = draws()",
    "from test_x import *\nfrom test_x import a",
    "class a(a):\n    pass",
    "a = " + " | ".join(["st.none()"] * 300),
    "a = " + "st.lists(" * 60 + "st.none()" + ")" * 60,
    "a = st.integers()" + ".map(lambda n: n)" * 60,
    "\n".join(f"def f{n}():\n    return f{n + 1}() | f{n + 1}()" for n in range(60))
    + "\nf60 = st.none\na = f0()",
    "\n".join(f"def f{n}():\n    return f{n + 1}() or f{n + 1}()" for n in range(60))
    + "\nf60 = st.none\na = f0()",
    "a = st.sampled_from(range(10 ** 12))",
    "a = st.integers(9 ** 9 ** 9, 2)",
    "a = st.sampled_from([0] * 10 ** 9)",
    "a = st.integers(int('9' * 10000), float('nan'))",
    "a = st.text('x' * 10 ** 8)",
    "a = " + ".".join(["x"] * 800),
    "a = st.sampled_from([" + "1, " * 50_000 + "])",
    "a = st.dates(__import__('datetime').date(99999, 1, 1))",
    "a = st.integers(*[1, 2, 3])",
    "a = st.integers().filter(*[])",
    "a = st.lists()",
    "a = st.just()",
    "a = st.builds()",
]


@pytest.mark.parametrize("lines", LINES, ids=range(len(LINES)))
def test_nothing_is_followed_for_ever(lines: str) -> None:
    used = "\n\n@settings(max_examples=a)\n@given(a)\ndef test_b(n):\n    assume(a)\n    assert n\n"
    before = f"{HEAD}a = st.integers()\n{used}"
    start = time.process_time()
    report({PATH: before}, {PATH: f"{HEAD}{lines}\n{used}"})
    assert time.process_time() - start < 10


def test_many_files_are_left_alone() -> None:
    many: dict[str, bytes | str] = {f"tests/test_{k}.py": f"x = {k}\n" for k in range(10_000)}
    start = time.process_time()
    found = report({**many, PATH: BASE}, {**many, PATH: BASE.replace("200", "2")})
    assert rules(found) == {"max_examples_lowered"}
    assert time.process_time() - start < 20


def test_many_properties_take_time_for_each() -> None:
    tests = "".join(
        f"@settings(max_examples=N)\n@given(st.integers(0, {k}))\ndef test_{k}(n):\n    assert n\n"
        for k in range(1_500)
    )
    start = time.process_time()
    found = report(f"{HEAD}N = 20\n{tests}", f"{HEAD}N = 2\n{tests}")
    assert len(found.findings) == 1_500
    assert time.process_time() - start < 30


def test_the_inventory_of_anything_is_no_crash() -> None:
    tree = SourceTree({PATH: BASE, "tests/test_y.py": b"\x00", "tests/test_z.py": "("})
    assert [one.node_id for one in inventory(tree)] == [f"{PATH}::test_a"]
