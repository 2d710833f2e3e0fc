"""Candidates that take nothing away: each is the twin of something that does."""

from __future__ import annotations

from tests.skip_markers.edits import (
    SHOP,
    Disguise,
    bottom,
    disguise,
    inside,
    on,
    swap,
    top,
)

CONFTEST = "tests/conftest.py"
HELPER = "tests/marking.py"
WINDOWS = '@pytest.mark.skipif(sys.platform == "win32", reason="x")'
SLOW = """\
import pytest


def pytest_addoption(parser):
    parser.addoption("--runslow", action="store_true")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--runslow"):
        return
    skip_slow = pytest.mark.skip(reason="need --runslow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip_slow)
"""


def same(name: str, before: tuple[object, ...], after: tuple[object, ...]) -> Disguise:
    """Return a change of edits that means nothing."""
    edits = tuple(one for one in after if callable(one))
    parent = tuple(one for one in before if callable(one))
    return disguise(name, "", "", *edits, parent=parent)


INNOCENTS: tuple[Disguise, ...] = (
    same("nothing", (), ()),
    same("skip removed", (on("test_one", "@pytest.mark.skip"),), ()),
    same(
        "reason reworded",
        (on("test_one", '@pytest.mark.skip(reason="x")'),),
        (on("test_one", '@pytest.mark.skip(reason="because of this")'),),
    ),
    same(
        "reason moved to a constant",
        (on("test_one", '@pytest.mark.skip(reason="x")'),),
        (top('WHY = "x"'), on("test_one", "@pytest.mark.skip(reason=WHY)")),
    ),
    same(
        "called", (on("test_one", "@pytest.mark.skip"),), (on("test_one", "@pytest.mark.skip()"),)
    ),
    same(
        "marker named",
        (on("test_one", '@pytest.mark.skip(reason="x")'),),
        (top('later = pytest.mark.skip(reason="x")'), on("test_one", "@later")),
    ),
    same(
        "alias of the module",
        (on("test_one", "@pytest.mark.skip"),),
        (top("from pytest import mark"), on("test_one", "@mark.skip")),
    ),
    same(
        "moved to the class",
        (on("test_three", "@pytest.mark.skip"), on("test_four", "@pytest.mark.skip")),
        (on("TestGroup", "@pytest.mark.skip"),),
    ),
    same(
        "moved from the class",
        (on("TestGroup", "@pytest.mark.skip"),),
        (on("test_three", "@pytest.mark.skip"), on("test_four", "@pytest.mark.skip")),
    ),
    same(
        "unittest to pytest",
        (on("test_five", '@unittest.skip("x")'),),
        (on("test_five", '@pytest.mark.skip(reason="x")'),),
    ),
    same(
        "marker to call",
        (on("test_one", WINDOWS),),
        (inside("test_one", 'if sys.platform == "win32":\n    pytest.skip("x")'),),
    ),
    same(
        "call to marker",
        (inside("test_one", 'if sys.platform == "win32":\n    pytest.skip("x")'),),
        (on("test_one", WINDOWS),),
    ),
    same(
        "condition in a constant",
        (on("test_one", WINDOWS),),
        (
            top('WINDOWS = sys.platform == "win32"'),
            on("test_one", '@pytest.mark.skipif(WINDOWS, reason="x")'),
        ),
    ),
    same(
        "condition in a text",
        (on("test_one", WINDOWS),),
        (on("test_one", "@pytest.mark.skipif(\"sys.platform == 'win32'\", reason='x')"),),
    ),
    same(
        "condition by another module",
        (on("test_one", '@pytest.mark.skipif(os.name == "nt", reason="x")'),),
        (on("test_one", WINDOWS),),
    ),
    same(
        "condition turned round",
        (on("test_one", '@pytest.mark.skipif("win32" == sys.platform, reason="x")'),),
        (on("test_one", WINDOWS),),
    ),
    same(
        "condition narrowed by and",
        (on("test_one", WINDOWS),),
        (
            on(
                "test_one",
                '@pytest.mark.skipif(sys.platform == "win32" and os.sep == "?", reason="x")',
            ),
        ),
    ),
    same(
        "condition narrowed to one of two",
        (on("test_one", '@pytest.mark.skipif(sys.platform in ("win32", "cygwin"), reason="x")'),),
        (on("test_one", WINDOWS),),
    ),
    same(
        "version lowered",
        (on("test_one", '@pytest.mark.skipif(sys.version_info < (3, 10), reason="x")'),),
        (on("test_one", '@pytest.mark.skipif(sys.version_info < (3, 9), reason="x")'),),
    ),
    same(
        "always to sometimes",
        (on("test_one", "@pytest.mark.skip"),),
        (on("test_one", WINDOWS),),
    ),
    same(
        "two markers to one",
        (on("test_one", f'{WINDOWS}\n@pytest.mark.skipif(os.sep == "?", reason="x")'),),
        (
            on(
                "test_one",
                '@pytest.mark.skipif(sys.platform == "win32" or os.sep == "?", reason="x")',
            ),
        ),
    ),
    same(
        "skipUnless to skipIf",
        (on("test_five", '@unittest.skipUnless(sys.platform == "linux", "x")'),),
        (on("test_five", '@unittest.skipIf(sys.platform != "linux", "x")'),),
    ),
    same("never", (), (on("test_one", '@pytest.mark.skipif(False, reason="x")'),)),
    same(
        "never by version",
        (),
        (on("test_one", "@pytest.mark.skipif(sys.version_info < (3,), reason='x')"),),
    ),
    same("never called", (), (top('def later():\n    pytest.skip("x")'),)),
    same("never got to", (), (inside("test_one", 'if False:\n    pytest.skip("x")'),)),
    same("other markers", (), (on("test_one", "@pytest.mark.slow"),)),
    same("marker defined and not used", (), (top('later = pytest.mark.skip(reason="x")'),)),
    same(
        "fixture that nobody uses",
        (),
        (top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),),
    ),
    same(
        "new test born skipped", (), (bottom("@pytest.mark.skip\ndef test_new():\n    assert 1"),)
    ),
    same(
        "new class born skipped",
        (),
        (bottom("@pytest.mark.skip\nclass TestNew:\n    def test_new(self):\n        assert 1"),),
    ),
    same(
        "new parameter born skipped",
        (),
        (swap("[1, 2]", "[1, 2, pytest.param(3, marks=pytest.mark.skip)]"),),
    ),
    same(
        "parameter's skip kept",
        (swap("[1, 2]", "[1, pytest.param(2, marks=pytest.mark.skip)]"),),
        (swap("[1, 2]", "[1, 3, pytest.param(2, marks=pytest.mark.skip(reason='x'))]"),),
    ),
    same(
        "xfail made strict",
        (on("test_one", "@pytest.mark.xfail"),),
        (on("test_one", "@pytest.mark.xfail(strict=True)"),),
    ),
    same(
        "xfail narrowed",
        (on("test_one", "@pytest.mark.xfail(raises=(KeyError, ValueError))"),),
        (on("test_one", "@pytest.mark.xfail(raises=KeyError)"),),
    ),
    same(
        "xfail narrowed to a kind",
        (on("test_one", "@pytest.mark.xfail(raises=Exception)"),),
        (on("test_one", "@pytest.mark.xfail(raises=KeyError)"),),
    ),
    same(
        "xfail run again",
        (on("test_one", "@pytest.mark.xfail(run=False)"),),
        (on("test_one", "@pytest.mark.xfail"),),
    ),
    same(
        "skip to xfail",
        (on("test_one", "@pytest.mark.skip"),),
        (on("test_one", "@pytest.mark.xfail"),),
    ),
    same(
        "importorskip moved down",
        (top('pytest.importorskip("no_such")'),),
        (inside("test_one", 'pytest.importorskip("no_such")'),),
    ),
    same(
        "importorskip with a lower version",
        (top('pytest.importorskip("pytest", minversion="9")'),),
        (top('pytest.importorskip("pytest", "9")'),),
    ),
    same(
        "local renamed",
        (inside("test_one", 'cpu = os.cpu_count()\nif cpu == 0:\n    pytest.skip("x")'),),
        (inside("test_one", 'count = os.cpu_count()\nif count == 0:\n    pytest.skip("x")'),),
    ),
    same(
        "helper extracted",
        (inside("test_one", 'if os.cpu_count() == 0:\n    pytest.skip("x")'),),
        (
            top('def need_cpu():\n    if os.cpu_count() == 0:\n        pytest.skip("x")'),
            inside("test_one", "need_cpu()"),
        ),
    ),
    same(
        "a test of skipping",
        (),
        (
            bottom(
                "def test_new():\n    with pytest.raises(pytest.skip.Exception):\n"
                '        pytest.skip("x")'
            ),
            inside("test_one", 'with pytest.raises(pytest.skip.Exception):\n    pytest.skip("x")'),
        ),
    ),
    same(
        "caught", (), (inside("test_one", "try:\n    pass\nexcept unittest.SkipTest:\n    raise"),)
    ),
    same("the word alone", (), (inside("test_one", 'skip = "pytest.skip"\nassert skip'),)),
    same(
        "a function of the same name",
        (),
        (top("def skip(text):\n    return text"), inside("test_one", 'skip("x")')),
    ),
    disguise("slow hook that meets nobody", "", "", files={CONFTEST: SLOW}),
    disguise(
        "slow hook that the parent had",
        "",
        "",
        on("test_one", "@pytest.mark.slow"),
        on("test_two", "@pytest.mark.fast"),
        files={CONFTEST: SLOW},
        parent=(on("test_one", "@pytest.mark.slow"),),
        parent_files={CONFTEST: SLOW},
    ),
    disguise(
        "helper file moved",
        "",
        "",
        top("from marked import later"),
        on("test_one", "@later"),
        files={"tests/marked.py": "import pytest\n\nlater = pytest.mark.skip\n"},
        parent=(top("from marking import later"), on("test_one", "@later")),
        parent_files={HELPER: "import pytest\n\nlater = pytest.mark.skip\n"},
    ),
    disguise(
        "fixture moved to a conftest",
        "",
        "",
        swap("def test_one()", "def test_one(ready)"),
        files={
            CONFTEST: "import pytest\n\n\n@pytest.fixture\ndef ready():\n    pytest.skip('x')\n"
        },
        parent=(
            top("@pytest.fixture\ndef ready():\n    pytest.skip('x')"),
            swap("def test_one()", "def test_one(ready)"),
        ),
    ),
    disguise(
        "conftest with ordinary hooks",
        "",
        "",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n"
            "    for item in items:\n        item.add_marker(pytest.mark.unit)\n"
        },
    ),
    disguise(
        "skips elsewhere",
        "",
        "",
        files={"tests/test_b.py": "import pytest\n\npytest.skip('x', allow_module_level=True)\n"},
    ),
)

SAME_EXAMPLES = {
    "skip removed": (SHOP.replace("(2)", "(2)  # doctest: +SKIP"), SHOP),
    "other option": (SHOP, SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +ELLIPSIS")),
    "skip off": (SHOP, SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: -SKIP")),
    "new example": (
        SHOP,
        SHOP.replace(
            "    >>> double(2)", "    >>> double(9)  # doctest: +SKIP\n    18\n    >>> double(2)"
        ),
    ),
    "skip kept": (
        SHOP.replace(">>> double(2)", ">>> double(2)  # doctest: +SKIP"),
        SHOP.replace(">>> double(2)", ">>> double(2)   # doctest:  +SKIP").replace(
            "(3)\n    6", "(3)  # six\n    6"
        ),
    ),
    "new function": (
        SHOP,
        SHOP
        + '\n\ndef half(n):\n    """Half.\n\n    >>> half(2)  # doctest: +SKIP\n    1\n    """\n',
    ),
    "the word": (SHOP, SHOP.replace("Double a number.", "Double a number; use +SKIP to skip.")),
}
