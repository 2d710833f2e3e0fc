"""Small suites that pass on their own, and fail once their outcome is turned."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

#: Stands for what a test asserts: a true literal in a passing suite, a false one in a failing one.
OUTCOME = "OUTCOME"


def _entries(value: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(value.items())


@attrs.frozen
class Suite:
    """Files of a suite, and the path that a grader would name."""

    name: str
    files: tuple[tuple[str, str], ...] = attrs.field(converter=_entries)
    target: str = "tests/test_ok.py"


def turned(text: str, *, passing: bool) -> str:
    """Return a file's text with its outcome filled in."""
    return text.replace(OUTCOME, "True" if passing else "False")


PLAIN = "def test_ok():\n    assert OUTCOME\n"

CALC = """\
def add(a, b):
    return a + b


def sub(a, b):
    rest = a - b
    return rest


def mul(a, b):
    product = a * b
    return product
"""

_XPASS = """\
import pytest


@pytest.mark.xfail(reason="flaky upstream")
def test_shaky():
    assert True


def test_ok():
    assert OUTCOME
"""

_WARNS = """\
import warnings


def test_ok():
    warnings.warn("old", DeprecationWarning)
    assert OUTCOME
"""

_UNITTEST = """\
import unittest


class Arithmetic(unittest.TestCase):
    def setUp(self):
        self.two = 2

    def test_ok(self):
        self.assertEqual(self.two, 2)
        self.assertTrue(OUTCOME)
"""

_CLASSES = """\
class TestGroup:
    def test_ok(self):
        assert OUTCOME

    class TestInner:
        def test_inner(self):
            assert OUTCOME


class Other:
    def test_not_collected(self):
        assert False
"""

_PARAMETERS = """\
import pytest


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("letter", ["a", "b"])
def test_ok(number, letter):
    assert OUTCOME
"""

_SAME_IDS = """\
import pytest


@pytest.mark.parametrize("number", [1, 2], ids=["same", "same"])
def test_ok(number):
    assert OUTCOME
"""

_MARKED = """\
import pytest


@pytest.mark.slow
def test_slow():
    assert OUTCOME


def test_ok():
    assert OUTCOME
"""

_DOCTEST = '''\
def shout(text):
    """Raise the voice.

    >>> shout("a")
    'not this'
    """
    return text.upper()


def test_ok():
    assert shout("a") == "A" and OUTCOME
'''

_GOOD_DOCTEST = '''\
def shout(text):
    """
    >>> shout("a")
    'A'
    """
    return text.upper()


def test_ok():
    assert shout("a") == "A" and OUTCOME
'''

_FIXTURE = "import pytest\n\n\n@pytest.fixture\ndef seven():\n    return 7\n"

_SLEEPS = "import time\n\n\ndef test_ok():\n    time.sleep(0.2)\n    assert OUTCOME\n"

_COVERED = "from calc import add\n\n\ndef test_ok():\n    assert add(1, 2) == 3 and OUTCOME\n"

_EMPTY_SET = """\
import pytest


@pytest.mark.parametrize("number", [])
def test_none(number):
    assert number


def test_ok():
    assert OUTCOME
"""

_SEVERAL = """\
def test_ok():
    assert OUTCOME


def test_second():
    assert OUTCOME


def test_smoke():
    assert OUTCOME
"""

SUITES = {
    suite.name: suite
    for suite in (
        Suite("plain", {"tests/test_ok.py": PLAIN}),
        Suite("several", {"tests/test_ok.py": _SEVERAL}),
        Suite("xpass", {"tests/test_ok.py": _XPASS}),
        Suite("warns", {"tests/test_ok.py": _WARNS}),
        Suite("unittest", {"tests/test_ok.py": _UNITTEST}),
        Suite("classes", {"tests/test_ok.py": _CLASSES}),
        Suite("parameters", {"tests/test_ok.py": _PARAMETERS}),
        Suite("same ids", {"tests/test_ok.py": _SAME_IDS}),
        Suite("marked", {"tests/test_ok.py": _MARKED}),
        Suite("bad doctest", {"tests/test_ok.py": _DOCTEST}),
        Suite("good doctest", {"tests/test_ok.py": _GOOD_DOCTEST}),
        Suite("empty set", {"tests/test_ok.py": _EMPTY_SET}),
        Suite("sleeps", {"tests/test_ok.py": _SLEEPS}),
        Suite(
            "fixture",
            {
                "tests/conftest.py": _FIXTURE,
                "tests/test_ok.py": "def test_ok(seven):\n    assert seven == 7 and OUTCOME\n",
            },
        ),
        Suite(
            "outer fixture",
            {
                "conftest.py": _FIXTURE,
                "tests/test_ok.py": "def test_ok(seven):\n    assert seven == 7 and OUTCOME\n",
            },
        ),
        Suite(
            "sibling",
            {
                "tests/aid.py": "def double(x):\n    return 2 * x\n",
                "tests/test_ok.py": "from aid import double\n\n\n"
                "def test_ok():\n    assert double(2) == 4 and OUTCOME\n",
            },
        ),
        Suite(
            "namespace",
            {
                "src/calc.py": CALC,
                "src/deep/aid.py": "from src.calc import add\n",
                "tests/test_ok.py": "import src.deep.aid\nfrom src import calc\n"
                "from src.calc import mul\n\n\n"
                "def test_ok():\n    assert src.deep.aid.add(1, 1) == calc.sub(3, 1) == mul(1, 2)\n"
                "    assert OUTCOME\n",
            },
        ),
        Suite("covered", {"calc.py": CALC, "tests/test_ok.py": _COVERED}),
        Suite(
            "package",
            {
                "calc/__init__.py": CALC,
                "calc/unused.py": "def never():\n    return 1\n",
                "tests/__init__.py": "",
                "tests/test_ok.py": _COVERED,
            },
        ),
        Suite(
            "two files",
            {
                "calc.py": CALC,
                "tests/test_ok.py": _COVERED,
                "tests/test_zz.py": "import calc\n\n\n"
                "def test_all():\n    assert calc.sub(3, 1) == calc.mul(2, 1) and OUTCOME\n",
            },
        ),
        Suite("flat", {"test_ok.py": PLAIN}, target="test_ok.py"),
        Suite("unicode", {"prüfung/test_ök.py": PLAIN}, target="prüfung/test_ök.py"),
        Suite("spaces", {"my tests/test_ok.py": PLAIN}, target="my tests/test_ok.py"),
        Suite("deep", {"tests/unit/core/test_ok.py": PLAIN}, target="tests/unit/core/test_ok.py"),
        Suite(
            "standard",
            {
                "tests/test_ok.py": "import json\nimport pathlib\n\n\ndef test_ok():\n"
                "    assert json.loads('1') == 1 and pathlib.Path('.') and OUTCOME\n"
            },
        ),
        Suite(
            "async",
            {
                "tests/test_ok.py": "import asyncio\n\n\nasync def answer():\n    return 42\n\n\n"
                "def test_ok():\n    assert asyncio.run(answer()) == 42 and OUTCOME\n"
            },
        ),
        Suite(
            "skips",
            {
                "tests/test_ok.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_off():\n"
                "    assert False\n\n\ndef test_ok():\n    assert OUTCOME\n"
            },
        ),
        Suite(
            "strict xfail",
            {
                "tests/test_ok.py": "import pytest\n\n\n@pytest.mark.xfail(strict=True)\n"
                "def test_bad():\n    assert False\n\n\ndef test_ok():\n    assert OUTCOME\n"
            },
        ),
        Suite(
            "tmp path",
            {
                "tests/test_ok.py": "def test_ok(tmp_path):\n"
                "    assert tmp_path.exists() and OUTCOME\n"
            },
        ),
        Suite(
            "module mark",
            {
                "tests/test_ok.py": "import pytest\n\npytestmark = [pytest.mark.unit]\n\n\n"
                "def test_ok():\n    assert OUTCOME\n"
            },
        ),
    )
}
