"""Ways to hide a skip marker. Each turns tests that passed into skipped ones."""

# ruff: noqa: E501 -- edits read best as the lines they put in

from __future__ import annotations

from tests.skip_markers.edits import Disguise, bottom, disguise, inside, on, swap, top

M = "skip.marker"
CONFTEST = "tests/conftest.py"
HELPER = "tests/marking.py"

MARKERS: tuple[Disguise, ...] = (
    disguise("plain", M, "one", on("test_one", '@pytest.mark.skip(reason="x")')),
    disguise("bare", M, "one", on("test_one", "@pytest.mark.skip")),
    disguise("skipif true", M, "one", on("test_one", '@pytest.mark.skipif(True, reason="x")')),
    disguise("skipif text", M, "one", on("test_one", '@pytest.mark.skipif("1 == 1", reason="x")')),
    disguise(
        "keyword condition",
        M,
        "one",
        on("test_one", '@pytest.mark.skipif(condition=1, reason="x")'),
    ),
    disguise("module alias", M, "one", top("import pytest as p"), on("test_one", "@p.mark.skip")),
    disguise(
        "mark alias", M, "one", top("from pytest import mark as m"), on("test_one", "@m.skip")
    ),
    disguise("named", M, "one", top("later = pytest.mark.skip"), on("test_one", "@later")),
    disguise(
        "named call",
        M,
        "one",
        top('later = pytest.mark.skip(reason="x")'),
        on("test_one", "@later"),
    ),
    disguise(
        "chain of names",
        M,
        "one",
        top("m = pytest.mark\nk = m\nlater = k.skip"),
        on("test_one", "@later"),
    ),
    disguise("getattr", M, "one", on("test_one", '@getattr(pytest.mark, "skip")')),
    disguise("getattr of parts", M, "one", on("test_one", '@getattr(pytest.mark, "sk" + "ip")')),
    disguise("getattr reversed", M, "one", on("test_one", '@getattr(pytest.mark, "piks"[::-1])')),
    disguise(
        "getattr of a constant",
        M,
        "one",
        top('WHAT = "skip"'),
        on("test_one", "@getattr(pytest.mark, WHAT)"),
    ),
    disguise(
        "partial",
        M,
        "one",
        top('import functools\nlater = functools.partial(pytest.mark.skipif, True, reason="x")'),
        on("test_one", "@later()"),
    ),
    disguise(
        "function that makes a marker",
        M,
        "one",
        top("def later(why):\n    return pytest.mark.skip(reason=why)"),
        on("test_one", '@later("x")'),
    ),
    disguise(
        "lambda",
        M,
        "one",
        top("later = lambda why: pytest.mark.skip(reason=why)"),
        on("test_one", '@later("x")'),
    ),
    disguise(
        "another file",
        M,
        "one",
        top("from marking import later"),
        on("test_one", "@later"),
        files={HELPER: "import pytest\n\nlater = pytest.mark.skip(reason='x')\n"},
    ),
    disguise(
        "attribute of another file",
        M,
        "one",
        top("import marking"),
        on("test_one", "@marking.Marks.later"),
        files={HELPER: "import pytest\n\nclass Marks:\n    later = pytest.mark.skip\n"},
    ),
    disguise(
        "two files away",
        M,
        "one",
        top("from marking import later"),
        on("test_one", "@later"),
        files={
            HELPER: "from deeper import *\n",
            "tests/deeper.py": "import pytest\n\nlater = pytest.mark.skip(reason='x')\n",
        },
    ),
    disguise(
        "dict of markers",
        M,
        "one",
        top('MARKS = {"x": pytest.mark.skip}'),
        on("test_one", '@MARKS["x"]'),
    ),
    disguise("walrus", M, "one", on("test_one", "@(later := pytest.mark.skip)")),
    disguise("import call", M, "one", on("test_one", '@__import__("pytest").mark.skip')),
    disguise(
        "custom decorator",
        M,
        "one",
        top("def slow(function):\n    return pytest.mark.skip(reason='x')(function)"),
        on("test_one", "@slow"),
    ),
    disguise(
        "custom decorator of unittest",
        M,
        "five",
        top("def slow(function):\n    return unittest.skip('x')(function)"),
        on("test_five", "@slow"),
    ),
    disguise("class", M, "three four", on("TestGroup", "@pytest.mark.skip")),
    disguise(
        "class pytestmark", M, "three four", inside("TestGroup", "pytestmark = pytest.mark.skip")
    ),
    disguise(
        "class pytestmark list",
        M,
        "three four",
        inside("TestGroup", "pytestmark = [pytest.mark.skip(reason='x')]"),
    ),
    disguise(
        "base class",
        M,
        "three four",
        top("@pytest.mark.skip\nclass Base:\n    pass"),
        swap("class TestGroup:", "class TestGroup(Base):"),
    ),
    disguise(
        "base class elsewhere",
        M,
        "three four",
        top("from marking import Base"),
        swap("class TestGroup:", "class TestGroup(Base):"),
        files={HELPER: "import pytest\n\nclass Base:\n    pytestmark = pytest.mark.skip\n"},
    ),
    disguise("module pytestmark", M, "all", top("pytestmark = pytest.mark.skip")),
    disguise(
        "module pytestmark list", M, "all", top("pytestmark = [pytest.mark.skip(reason='x')]")
    ),
    disguise("module pytestmark at the end", M, "all", bottom("pytestmark = pytest.mark.skip")),
    disguise(
        "module pytestmark augmented",
        M,
        "all",
        top("pytestmark = []"),
        bottom("pytestmark += [pytest.mark.skip]"),
    ),
    disguise("module pytestmark sum", M, "all", top("pytestmark = [] + [pytest.mark.skip]")),
    disguise(
        "module pytestmark appended",
        M,
        "all",
        top("pytestmark = []\npytestmark.append(pytest.mark.skip)"),
    ),
    disguise(
        "module pytestmark in globals",
        M,
        "all",
        bottom('globals()["pytestmark"] = pytest.mark.skip'),
    ),
    disguise(
        "module pytestmark under if", M, "all", top("if True:\n    pytestmark = pytest.mark.skip")
    ),
    disguise(
        "module pytestmark imported",
        M,
        "all",
        top("from marking import pytestmark"),
        files={HELPER: "import pytest\n\npytestmark = pytest.mark.skip\n"},
    ),
    disguise("applied afterwards", M, "one", bottom("test_one = pytest.mark.skip(test_one)")),
    disguise("applied without keeping", M, "one", bottom("pytest.mark.skip(test_one)")),
    disguise(
        "applied in a loop",
        M,
        "one two",
        bottom("for function in (test_one, test_two):\n    pytest.mark.skip(function)"),
    ),
    disguise(
        "applied to a method",
        M,
        "three",
        bottom("TestGroup.test_three = pytest.mark.skip(TestGroup.test_three)"),
    ),
    disguise("marks set", M, "one", bottom("test_one.pytestmark = [pytest.mark.skip.mark]")),
    disguise(
        "marks set by name",
        M,
        "one",
        bottom('setattr(test_one, "pytestmark", [pytest.mark.skip.mark])'),
    ),
    disguise("unittest", M, "five", on("test_five", '@unittest.skip("x")')),
    disguise("unittest skipIf", M, "five", on("test_five", '@unittest.skipIf(True, "x")')),
    disguise("unittest skipUnless", M, "five", on("test_five", '@unittest.skipUnless(False, "x")')),
    disguise("unittest class", M, "five six", on("Cases", '@unittest.skip("x")')),
    disguise("unittest attribute", M, "five six", inside("Cases", "__unittest_skip__ = True")),
    disguise(
        "unittest alias",
        M,
        "five",
        top("from unittest import skip as later"),
        on("test_five", '@later("x")'),
    ),
    disguise("unittest on a function", M, "one", on("test_one", '@unittest.skip("x")')),
    disguise(
        "every parameter",
        M,
        "seven",
        swap(
            "[1, 2]",
            "[pytest.param(1, marks=pytest.mark.skip), pytest.param(2, marks=pytest.mark.skip)]",
        ),
    ),
    disguise(
        "one parameter",
        M,
        "seven",
        swap("[1, 2]", "[1, pytest.param(2, marks=pytest.mark.skip)]"),
    ),
    disguise(
        "one parameter, many marks",
        M,
        "seven",
        swap("[1, 2]", "[1, pytest.param(2, marks=[pytest.mark.skipif(True, reason='x')])]"),
    ),
    disguise(
        "parameters in a constant",
        M,
        "seven",
        top("ROWS = [1, pytest.param(2, marks=pytest.mark.skip)]"),
        swap("[1, 2]", "ROWS"),
    ),
    disguise(
        "parameters in a comprehension",
        M,
        "seven",
        swap("[1, 2]", "[pytest.param(n, marks=pytest.mark.skip) for n in (1, 2)]"),
    ),
    disguise(
        "hook",
        M,
        "one",
        files={
            CONFTEST: """\
import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "test_one":
            item.add_marker(pytest.mark.skip(reason="x"))
"""
        },
    ),
    disguise(
        "hook for all",
        M,
        "all",
        files={
            CONFTEST: """\
import pytest

later = pytest.mark.skip(reason="x")


def pytest_itemcollected(item):
    item.add_marker(later)
"""
        },
    ),
    disguise(
        "hook by text",
        M,
        "all",
        files={
            CONFTEST: """\
def pytest_itemcollected(item):
    item.add_marker("skip")
"""
        },
    ),
    disguise(
        "hook by node id",
        M,
        "three four",
        files={
            CONFTEST: """\
import pytest


def pytest_collection_modifyitems(config, items):
    for item in items:
        if "TestGroup" in item.nodeid:
            item.add_marker(pytest.mark.skip)
"""
        },
    ),
    disguise(
        "hook for a marker",
        M,
        "two",
        on("test_two", "@pytest.mark.slow"),
        files={
            CONFTEST: """\
import pytest


def pytest_collection_modifyitems(config, items):
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow"))
"""
        },
    ),
    disguise(
        "hook in a function",
        M,
        "all",
        files={
            CONFTEST: """\
import pytest


def quiet(item):
    item.add_marker(pytest.mark.skip(reason="x"))


def pytest_collection_modifyitems(items):
    for item in items:
        quiet(item)
"""
        },
    ),
    disguise(
        "hook by own_markers",
        M,
        "one",
        files={
            CONFTEST: """\
import pytest


def pytest_itemcollected(item):
    if item.originalname == "test_one":
        item.own_markers.append(pytest.mark.skip(reason="x").mark)
"""
        },
    ),
    disguise(
        "hook in the root",
        M,
        "all",
        files={
            "conftest.py": """\
import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    item.add_marker(pytest.mark.skip(reason="x"))
"""
        },
    ),
    disguise(
        "widened to always",
        M,
        "one",
        on("test_one", '@pytest.mark.skipif(True, reason="x")'),
        parent=(on("test_one", '@pytest.mark.skipif(sys.platform == "win32", reason="x")'),),
    ),
    disguise(
        "widened by or",
        M,
        "one",
        on("test_one", '@pytest.mark.skipif(sys.platform == "win32" or os.sep == "/", reason="x")'),
        parent=(on("test_one", '@pytest.mark.skipif(sys.platform == "win32", reason="x")'),),
    ),
    disguise(
        "negated",
        M,
        "one",
        on("test_one", '@pytest.mark.skipif(sys.platform != "win32", reason="x")'),
        parent=(on("test_one", '@pytest.mark.skipif(sys.platform == "win32", reason="x")'),),
    ),
    disguise(
        "constant changed",
        M,
        "one",
        top("OLD = sys.version_info >= (3, 6)"),
        on("test_one", "@pytest.mark.skipif(OLD, reason='x')"),
        parent=(
            top("OLD = sys.version_info < (3, 6)"),
            on("test_one", "@pytest.mark.skipif(OLD, reason='x')"),
        ),
    ),
    disguise(
        "constant changed elsewhere",
        M,
        "one",
        top("from marking import OLD"),
        on("test_one", "@pytest.mark.skipif(OLD, reason='x')"),
        files={HELPER: "OLD = True\n"},
        parent=(
            top("from marking import OLD"),
            on("test_one", "@pytest.mark.skipif(OLD, reason='x')"),
        ),
        parent_files={HELPER: "OLD = False\n"},
    ),
    disguise(
        "alias changed elsewhere",
        M,
        "one",
        top("from marking import later"),
        on("test_one", "@later"),
        files={HELPER: "import pytest\n\nlater = pytest.mark.skip\n"},
        parent=(top("from marking import later"), on("test_one", "@later")),
        parent_files={HELPER: "import pytest\n\nlater = pytest.mark.slow\n"},
    ),
    disguise(
        "one added beside another",
        M,
        "one",
        on(
            "test_one",
            '@pytest.mark.skipif(sys.platform == "win32", reason="x")\n@pytest.mark.skip',
        ),
        parent=(on("test_one", '@pytest.mark.skipif(sys.platform == "win32", reason="x")'),),
    ),
)

NOTHING = '@pytest.mark.parametrize("n", [1, 2])'
LATE: tuple[Disguise, ...] = (
    disguise("annotated pytestmark", M, "all", top("pytestmark: list = [pytest.mark.skip]")),
    disguise(
        "pytestmark with a star",
        M,
        "all",
        top("COMMON = [pytest.mark.slow]\npytestmark = [*COMMON, pytest.mark.skip]"),
    ),
    disguise(
        "class marks set late", M, "three four", bottom("TestGroup.pytestmark = [pytest.mark.skip]")
    ),
    disguise(
        "unittest attribute set late",
        M,
        "five six",
        bottom('setattr(Cases, "__unittest_skip__", True)'),
    ),
    disguise(
        "unittest attribute of a method",
        M,
        "five",
        bottom("Cases.test_five.__unittest_skip__ = True"),
    ),
    disguise(
        "conditional parameter",
        M,
        "seven",
        swap(
            "[1, 2]", "[pytest.param(n, marks=pytest.mark.skip) if n == 2 else n for n in [1, 2]]"
        ),
    ),
    disguise(
        "generated parameters",
        M,
        "seven",
        top("def rows():\n    yield 1\n    yield pytest.param(2, marks=pytest.mark.skip)"),
        swap("[1, 2]", "rows()"),
    ),
    disguise(
        "mapped parameters",
        M,
        "seven",
        swap("[1, 2]", "map(lambda n: pytest.param(n, marks=pytest.mark.skip), [1, 2])"),
    ),
    disguise(
        "appended parameters",
        M,
        "seven",
        top("ROWS = [1]\nROWS += [pytest.param(2, marks=pytest.mark.skip)]"),
        swap("[1, 2]", "ROWS"),
    ),
    disguise(
        "parameters by keyword",
        M,
        "seven",
        swap("[1, 2]", "argvalues=[1, pytest.param(2, marks=pytest.mark.skip)]"),
    ),
    disguise(
        "generate_tests",
        M,
        "seven",
        swap(f"{NOTHING}\n", ""),
        bottom(
            "def pytest_generate_tests(metafunc):\n    if 'n' in metafunc.fixturenames:\n"
            "        metafunc.parametrize('n', [1, pytest.param(2, marks=pytest.mark.skip)])"
        ),
    ),
    disguise(
        "class decorator over its methods",
        M,
        "three four",
        top(
            "def quiet(cls):\n    for name in list(vars(cls)):\n        if name.startswith('test'):\n"
            "            setattr(cls, name, pytest.mark.skip(getattr(cls, name)))\n    return cls"
        ),
        on("TestGroup", "@quiet"),
    ),
    disguise(
        "hook by attribute",
        M,
        "one",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_itemcollected(item):\n"
            "    if item.name == 'test_one':\n"
            "        item.obj = pytest.mark.skip(item.obj)\n"
            "        item.add_marker(pytest.mark.skip)\n"
        },
    ),
    disguise(
        "plugin object",
        M,
        "all",
        files={
            CONFTEST: "import pytest\n\n\nclass Plugin:\n    def pytest_itemcollected(self, item):\n"
            "        item.add_marker(pytest.mark.skip(reason='x'))\n\n\n"
            "def pytest_configure(config):\n    config.pluginmanager.register(Plugin())\n"
        },
    ),
    disguise(
        "alias renamed twice",
        M,
        "one",
        top("x = pytest.mark.skip\nx = x(reason='x')"),
        on("test_one", "@x"),
    ),
    disguise(
        "alias bound again below",
        M,
        "one",
        top("x = pytest.mark.skip"),
        on("test_one", "@x"),
        bottom("x = pytest.mark.slow"),
    ),
    disguise(
        "missing module",
        M,
        "one",
        top("import importlib.util"),
        on(
            "test_one",
            '@pytest.mark.skipif(importlib.util.find_spec("no_such") is None, reason="x")',
        ),
    ),
    disguise(
        "flag set on import",
        M,
        "one",
        top("try:\n    import no_such\n    HAS = True\nexcept ImportError:\n    HAS = False"),
        on("test_one", '@pytest.mark.skipif(not HAS, reason="x")'),
    ),
    disguise(
        "probe function changed",
        M,
        "one",
        top("def ready():\n    for _ in range(2):\n        pass\n    return False"),
        on("test_one", "@pytest.mark.skipif(not ready(), reason='x')"),
        parent=(
            top("def ready():\n    for _ in range(2):\n        pass\n    return True"),
            on("test_one", "@pytest.mark.skipif(not ready(), reason='x')"),
        ),
    ),
    disguise("vars", M, "one", on("test_one", '@vars(pytest)["mark"].skip')),
    disguise(
        "attrgetter",
        M,
        "one",
        top("import operator"),
        on("test_one", '@operator.attrgetter("mark.skip")(pytest)'),
    ),
    disguise("joined", M, "one", on("test_one", '@getattr(pytest.mark, "".join(["s", "kip"]))')),
    disguise("f-string", M, "one", on("test_one", "@getattr(pytest.mark, f\"{'sk'}ip\")")),
    disguise(
        "internal names",
        M,
        "one",
        top("from _pytest.mark import MARK_GEN"),
        on("test_one", "@MARK_GEN.skip"),
    ),
    disguise(
        "with_args", M, "one", on("test_one", '@pytest.mark.skipif.with_args(True, reason="x")')
    ),
    disguise(
        "conditional expression",
        M,
        "one",
        on("test_one", "@(pytest.mark.skip if os.sep else pytest.mark.slow)"),
    ),
    disguise(
        "names in a circle",
        M,
        "one",
        top("x = pytest.mark.skip\ny = x\nx = y"),
        on("test_one", "@x"),
        on("test_two", "@pytest.mark.slow"),
    ),
    disguise(
        "names in a circle, the second",
        M,
        "one two",
        top("x = pytest.mark.skip\ny = x\nx = y"),
        on("test_one", "@x"),
        on("test_two", "@y"),
    ),
)
