"""Whatever a candidate holds, it is judged or said not to be, in bounded time."""

from __future__ import annotations

import time

import pytest

from benchhygiene.core.findings import Verdict
from benchhygiene.evidence import Change
from benchhygiene_plugins.subjects import Subjects, inventory

SOURCE = "def area(a, b):\n    return a * b\n"
TESTS = "from shapes import area\n\n\ndef test_area():\n    assert area(3, 17) == 51\n"
TREE = {"src/shapes.py": SOURCE.encode(), "tests/test_shapes.py": TESTS.encode()}
DEEP = "(" * 90 + "1" + ")" * 90
HOSTILE = {
    "syntax error": b"def area(a, b:\n",
    "null bytes": b"def area(a, b):\n    return 1\0\n",
    "binary": bytes(range(256)) * 40,
    "undecodable": b"# coding: utf-8\nx = '\xff\xfe'\n",
    "unknown coding": b"# coding: klingon\nx = 1\n",
    "deep brackets": b"x = " + b"[" * 3000 + b"]" * 3000,
    "long sum": b"x = " + b"+".join([b"'pytest'"] * 6000),
    "deep calls": b"import sys\nx = " + b"f(" * 150 + b"sys.modules" + b")" * 150,
    "deep attributes": b"import sys\nx = sys" + b".modules" * 3000,
}


@pytest.mark.parametrize("path", ["src/shapes.py", "tests/test_shapes.py", "tests/conftest.py"])
@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_no_file_makes_it_fail(name: str, path: str) -> None:
    began = time.perf_counter()
    found = [*Subjects().analyze(Change(TREE, {**TREE, path: HOSTILE[name]}))]
    assert time.perf_counter() - began < 20
    if name in ("syntax error", "null bytes", "binary", "undecodable", "deep brackets"):
        assert Verdict.INCONCLUSIVE in {one.verdict for one in found}


def test_many_files_cost_little() -> None:
    many = {f"src/pkg/module_{n}.py": SOURCE.encode() for n in range(5_000)}
    tests = {f"tests/test_{n}.py": TESTS.encode() for n in range(5_000)}
    before = {**TREE, **many, **tests}
    after = {**before, "src/shapes.py": SOURCE.replace("a * b", "b * a").encode()}
    began = time.perf_counter()
    assert [*Subjects().analyze(Change(before, after))] == []
    assert time.perf_counter() - began < 5


def test_a_huge_table_is_gone_through_once() -> None:
    rows = ", ".join(f"({n}, {n + 17}): {n * (n + 17)}" for n in range(20_000))
    source = f"TABLE = {{{rows}}}\n\n\ndef area(a, b):\n    return TABLE.get((a, b), a * b)\n"
    began = time.perf_counter()
    [*Subjects().analyze(Change(TREE, {**TREE, "src/shapes.py": source.encode()}))]
    assert time.perf_counter() - began < 20


def test_many_units_are_no_square() -> None:
    functions = "".join(
        f"\n\ndef area_{n}(a, b):\n    if a == {n}:\n        return {n}\n    return helper(a)\n"
        for n in range(1_500)
    )
    source = f"import sys\n{functions}"
    began = time.perf_counter()
    [*Subjects().analyze(Change(TREE, {**TREE, "src/shapes.py": source.encode()}))]
    assert time.perf_counter() - began < 30


def test_the_inventory_tells_of_one_tree() -> None:
    source = SOURCE + "\n\nclass Same:\n    def __eq__(self, other):\n        return True\n"
    tree = Change(TREE, {**TREE, "src/shapes.py": source.encode()}).candidate
    assert [one.rule for one in inventory(tree)] == ["source.eq_override"]
