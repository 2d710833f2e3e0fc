"""Records that real programs make of one suite, and what that suite does."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from benchhygiene import NodeEnd

SUITE = r"""
import unittest
import pytest

def test_pass(): pass
def test_fail():
    x = [1, 2, 3]
    assert len(x) == 4
def test_raise(): raise ValueError("bad 17\nsecond line")
@pytest.mark.skip(reason="no time")
def test_skip(): pass
def test_skip_call(): pytest.skip("called")
@pytest.mark.xfail(reason="known")
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): pass
@pytest.mark.xfail(strict=True, reason="strictly")
def test_xpass_strict(): pass
@pytest.fixture
def broken(): raise RuntimeError("setup")
@pytest.fixture
def late():
    yield
    raise RuntimeError("teardown")
def test_setup_error(broken): pass
def test_teardown_error(late): pass
def test_fail_and_teardown(late): assert 0
@pytest.mark.parametrize("v", ["a", "b c", "x::y[z]", "\xe9", "a.b/c"])
def test_param(v): assert v
class TestK:
    def test_in(self): assert "a" == "b"
    class TestInner:
        def test_deep(self): pass
class U(unittest.TestCase):
    def test_u(self): self.assertEqual(1, 2)
    @unittest.skip("u")
    def test_us(self): pass
    @unittest.expectedFailure
    def test_ux(self): self.fail("x")
def test_weird_message(): raise AssertionError("\x1b[31m <&> \x00 \ud800")
"""
FLAKY = r"""
import pytest
_n = []
@pytest.mark.flaky(reruns=2)
def test_flaky():
    _n.append(1)
    assert len(_n) > 2
"""
FILES = {
    "tests/test_a.py": SUITE,
    "tests/sub/test_q.py": "def test_q(): pass\n",
    "tests/test_broken.py": "import nothere\n",
    "tests/test_whole.py": "import pytest\npytest.skip('whole', allow_module_level=True)\n",
    "pytest.ini": "[pytest]\naddopts = -p no:cacheprovider --continue-on-collection-errors\n",
}
_A = "tests/test_a.py::"
P, F, E, S, X = NodeEnd.PASSED, NodeEnd.FAILED, NodeEnd.ERROR, NodeEnd.SKIPPED, NodeEnd.XFAILED
ENDS: dict[str, tuple[NodeEnd, ...]] = {
    "tests/sub/test_q.py::test_q": (P,),
    f"{_A}test_pass": (P,),
    f"{_A}test_fail": (F,),
    f"{_A}test_raise": (F,),
    f"{_A}test_skip": (S,),
    f"{_A}test_skip_call": (S,),
    f"{_A}test_xfail": (X,),
    f"{_A}test_xpass": (NodeEnd.XPASSED,),
    f"{_A}test_xpass_strict": (F,),
    f"{_A}test_setup_error": (E,),
    f"{_A}test_teardown_error": (E,),
    f"{_A}test_fail_and_teardown": (F, E),
    **{f"{_A}test_param[{v}]": (P,) for v in ("a", "b c", "x::y[z]", "\\xe9", "a.b/c")},
    f"{_A}TestK::test_in": (F,),
    f"{_A}TestK::TestInner::test_deep": (P,),
    f"{_A}U::test_u": (F,),
    f"{_A}U::test_us": (S,),
    f"{_A}U::test_ux": (X,),
    f"{_A}test_weird_message": (F,),
    "tests/test_whole.py": (S,),
}
SHAPES = {
    f"{_A}test_fail": "AssertionError: assert <n> == <n> + where <n> = len([<n>])",
    f"{_A}test_raise": "ValueError: bad <n>",
    f"{_A}test_setup_error": "RuntimeError: setup",
    f"{_A}test_teardown_error": "RuntimeError: teardown",
    f"{_A}TestK::test_in": "AssertionError: assert 'a' == 'b'",
    f"{_A}U::test_u": "AssertionError: <n> != <n>",
}
BROKEN = ("tests/test_broken.py",)
UNITTEST = r'''
import sys
import unittest

class Pass(unittest.TestCase):
    def test_ok(self): pass
    def test_doc(self):
        """A first line of doc.

        more"""
    def test_fail(self): self.assertEqual(1, 2, "cents 17")
    def test_err(self): raise ValueError("bad\nline")
    @unittest.skip("no time")
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_xf(self): self.fail()
    @unittest.expectedFailure
    def test_xp(self): pass
    def test_sub(self):
        for i in range(3):
            with self.subTest("m", i=i): self.assertNotEqual(i, 1)
    def test_subok(self):
        with self.subTest(i=1): pass
    def test_doc_fail(self):
        "Doc that ... fails"
        self.fail("x")
    def test_skipcall(self): self.skipTest("called: why ... ok")
class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("class")
    def test_n(self): pass
'''
_U = "test_u.py::Pass::"
UNITTEST_ENDS: dict[str, tuple[NodeEnd, ...]] = {
    f"{_U}test_ok": (P,),
    f"{_U}test_doc": (P,),
    f"{_U}test_fail": (F,),
    f"{_U}test_err": (E,),
    f"{_U}test_skip": (S,),
    f"{_U}test_xf": (X,),
    f"{_U}test_xp": (F,),
    f"{_U}test_sub": (F,),
    f"{_U}test_subok": (P,),
    f"{_U}test_doc_fail": (F,),
    f"{_U}test_skipcall": (S,),
}


def write(directory: pathlib.Path, files: dict[str, str]) -> pathlib.Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


def run(directory: pathlib.Path, *words: str, python: str = sys.executable) -> str:
    """Run a module in the directory and return all that it prints."""
    done = subprocess.run(
        [python, "-m", *words],
        cwd=directory,
        env={
            **{name: value for name, value in os.environ.items() if "PYTEST" not in name},
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": "",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode()
