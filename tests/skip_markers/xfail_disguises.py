"""Ways to expect a failure, and to skip an example."""

# ruff: noqa: E501 -- edits read best as the lines they put in

from __future__ import annotations

from tests.skip_markers.edits import SHOP, Disguise, bottom, disguise, inside, on, swap, top

X = "xfail.added"
D = "skip.doctest"
CONFTEST = "tests/conftest.py"
HELPER = "tests/marking.py"

# What had to pass may fail: over these the checks pass all the same, so they are reported XPASS.
XFAILS: tuple[Disguise, ...] = (
    disguise("plain", X, "one", on("test_one", '@pytest.mark.xfail(reason="x")')),
    disguise("bare", X, "one", on("test_one", "@pytest.mark.xfail")),
    disguise("not run", X, "one", on("test_one", '@pytest.mark.xfail(run=False, reason="x")')),
    disguise("strict", X, "one", on("test_one", "@pytest.mark.xfail(strict=True)")),
    disguise("raises", X, "one", on("test_one", "@pytest.mark.xfail(raises=AssertionError)")),
    disguise(
        "condition", X, "one", on("test_one", '@pytest.mark.xfail(os.sep == "/", reason="x")')
    ),
    disguise("text condition", X, "one", on("test_one", '@pytest.mark.xfail("True", reason="x")')),
    disguise("alias", X, "one", top("from pytest import mark as m"), on("test_one", "@m.xfail")),
    disguise(
        "named", X, "one", top("later = pytest.mark.xfail(reason='x')"), on("test_one", "@later")
    ),
    disguise("getattr", X, "one", on("test_one", '@getattr(pytest.mark, "x" + "fail")')),
    disguise(
        "partial",
        X,
        "one",
        top("import functools\nlater = functools.partial(pytest.mark.xfail, reason='x')"),
        on("test_one", "@later(strict=False)"),
    ),
    disguise(
        "elsewhere",
        X,
        "one",
        top("from marking import later"),
        on("test_one", "@later"),
        files={HELPER: "import pytest\n\nlater = pytest.mark.xfail\n"},
    ),
    disguise("class", X, "three four", on("TestGroup", "@pytest.mark.xfail")),
    disguise(
        "class pytestmark", X, "three four", inside("TestGroup", "pytestmark = [pytest.mark.xfail]")
    ),
    disguise("module", X, "all", top("pytestmark = pytest.mark.xfail")),
    disguise(
        "parameter", X, "seven", swap("[1, 2]", "[1, pytest.param(2, marks=pytest.mark.xfail)]")
    ),
    disguise("call", X, "one", inside("test_one", 'pytest.xfail("x")')),
    disguise(
        "call by alias",
        X,
        "one",
        top("from pytest import xfail as x"),
        inside("test_one", 'x("x")'),
    ),
    disguise("exception", X, "one", inside("test_one", 'raise pytest.xfail.Exception("x")')),
    disguise(
        "fixture",
        X,
        "one",
        top('@pytest.fixture\ndef later():\n    pytest.xfail("x")'),
        swap("def test_one()", "def test_one(later)"),
    ),
    disguise(
        "request",
        X,
        "one",
        swap(
            "def test_one():",
            "def test_one(request):\n    request.node.add_marker(pytest.mark.xfail)",
        ),
    ),
    disguise(
        "applymarker",
        X,
        "one",
        swap(
            "def test_one():", "def test_one(request):\n    request.applymarker(pytest.mark.xfail)"
        ),
    ),
    disguise(
        "autouse",
        X,
        "all",
        top(
            "@pytest.fixture(autouse=True)\ndef later(request):\n    request.node.add_marker(pytest.mark.xfail)"
        ),
    ),
    disguise(
        "hook",
        X,
        "all",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n"
            "    for item in items:\n        item.add_marker(pytest.mark.xfail(strict=False))\n"
        },
    ),
    disguise("unittest", X, "five", on("test_five", "@unittest.expectedFailure")),
    disguise(
        "unittest alias",
        X,
        "five",
        top("from unittest import expectedFailure as later"),
        on("test_five", "@later"),
    ),
    disguise("afterwards", X, "one", bottom("test_one = pytest.mark.xfail(test_one)")),
    disguise(
        "custom decorator",
        X,
        "one",
        top("def later(function):\n    return pytest.mark.xfail(reason='x')(function)"),
        on("test_one", "@later"),
    ),
    disguise(
        "strict dropped",
        X,
        "one",
        on("test_one", '@pytest.mark.xfail(reason="x")'),
        parent=(on("test_one", '@pytest.mark.xfail(reason="x", strict=True)'),),
    ),
    disguise(
        "raises dropped",
        X,
        "one",
        on("test_one", '@pytest.mark.xfail(reason="x")'),
        parent=(on("test_one", '@pytest.mark.xfail(reason="x", raises=KeyError)'),),
    ),
    disguise(
        "raises widened",
        X,
        "one",
        on("test_one", "@pytest.mark.xfail(raises=Exception)"),
        parent=(on("test_one", "@pytest.mark.xfail(raises=KeyError)"),),
    ),
    disguise(
        "raises another",
        X,
        "one",
        on("test_one", "@pytest.mark.xfail(raises=(KeyError, AssertionError))"),
        parent=(on("test_one", "@pytest.mark.xfail(raises=KeyError)"),),
    ),
    disguise(
        "no longer run",
        X,
        "one",
        on("test_one", "@pytest.mark.xfail(run=False)"),
        parent=(on("test_one", "@pytest.mark.xfail"),),
    ),
    disguise(
        "condition dropped",
        X,
        "one",
        on("test_one", "@pytest.mark.xfail"),
        parent=(on("test_one", "@pytest.mark.xfail(sys.platform == 'win32', reason='x')"),),
    ),
)

# The tests are those of shop.py, whose names are shop.shop and shop.shop.double.
EXAMPLES: tuple[tuple[str, str, frozenset[str]], ...] = (
    (
        "plain",
        SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +SKIP"),
        frozenset(("shop.double",)),
    ),
    (
        "second",
        SHOP.replace(">>> double(3)", ">>> double(3)  # doctest: +SKIP"),
        frozenset(("shop.double",)),
    ),
    (
        "narrow",
        SHOP.replace(">>> double(2)", ">>> double(2) #doctest:+SKIP"),
        frozenset(("shop.double",)),
    ),
    (
        "among others",
        SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +ELLIPSIS, +SKIP"),
        frozenset(("shop.double",)),
    ),
    (
        "before others",
        SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +SKIP, +NORMALIZE_WHITESPACE"),
        frozenset(("shop.double",)),
    ),
    ("module", SHOP.replace(">>> 1 + 1", ">>> 1 + 1  # doctest: +SKIP"), frozenset(("shop",))),
    (
        "everywhere",
        SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +SKIP")
        .replace(">>> double(3)", ">>> double(3)  # doctest: +SKIP")
        .replace(">>> 1 + 1", ">>> 1 + 1  # doctest: +SKIP"),
        frozenset(("shop", "shop.double")),
    ),
    (
        "with another expectation",
        SHOP.replace(">>> double(2)\n    4", ">>> double(2)  # doctest: +SKIP\n    5"),
        frozenset(("shop.double",)),
    ),
    (
        "reworded as well",
        SHOP.replace(">>> double(2)", ">>> double(1 + 1)  # doctest: +SKIP"),
        frozenset(("shop.double",)),
    ),
    (
        "moved down",
        SHOP.replace(
            "    >>> double(2)\n    4\n    >>> double(3)\n    6\n",
            "    >>> double(3)\n    6\n    >>> double(2)  # doctest: +SKIP\n    4\n",
        ),
        frozenset(("shop.double",)),
    ),
    (
        "call",
        SHOP.replace(
            "    >>> double(2)", "    >>> import pytest; pytest.skip('x')\n    >>> double(2)"
        ),
        frozenset(("shop.double",)),
    ),
    (
        "imported call",
        SHOP.replace(
            "    >>> double(2)",
            "    >>> from pytest import skip\n    >>> skip('x')\n    >>> double(2)",
        ),
        frozenset(("shop.double",)),
    ),
    (
        "importorskip",
        SHOP.replace(
            "    >>> double(2)",
            "    >>> import pytest\n    >>> _ = pytest.importorskip('no_such')\n    >>> double(2)",
        ),
        frozenset(("shop.double",)),
    ),
    (
        "exception",
        SHOP.replace(
            "    >>> double(2)",
            "    >>> import unittest\n    >>> raise unittest.SkipTest\n    >>> double(2)",
        ),
        frozenset(("shop.double",)),
    ),
    (
        "block",
        SHOP.replace("    >>> double(2)", "    .. doctest-skip::\n\n        >>> double(2)").replace(
            "    4\n", "        4\n"
        ),
        frozenset(("shop.double",)),
    ),
)
