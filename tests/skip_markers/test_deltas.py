"""What little differs in a test is told from what exempts it, without reading the rest."""

from __future__ import annotations

import pytest

from benchhygiene.evidence import Change
from benchhygiene.inventory.pairing import of_change
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.skip_markers import SkipEvidence, SkipMarkers
from benchhygiene_plugins.skip_markers.deltas import Deltas
from benchhygiene_plugins.skip_markers.inventory import Reader
from benchhygiene_plugins.skip_markers.reach import Reach
from tests.skip_markers.edits import ALL, BASE, NODES, PATH, Disguise, Edit, inside, swap, top
from tests.skip_markers.near_misses import INNOCENT, MISSED

#: What has to be read to see that it takes nothing away.
READ = ("exit added",)


def _asked(change: Change) -> set[str]:
    """Return the tests that have to be read."""
    old, new = Reader.of(change.parent), Reader.of(change.candidate)
    deltas = Deltas(Reach(change, rules_of(change), old, new), old, new)
    return {one.old.node_id for one in of_change(change).pairs if deltas.may_exempt(one)}


@pytest.mark.parametrize("given", INNOCENT, ids=lambda one: one.name)
def test_what_takes_nothing_away_is_not_read(given: Disguise) -> None:
    change = Change(given.parent, given.candidate)
    assert list(SkipMarkers().analyze(SkipEvidence(change))) == []
    assert bool(_asked(change)) is (given.name in READ)


@pytest.mark.parametrize("given", MISSED, ids=lambda one: one.name)
def test_what_may_take_something_away_is_read(given: Disguise) -> None:
    assert _asked(Change(given.parent, given.candidate)) >= given.node_ids


@pytest.mark.parametrize(
    "files",
    [
        {"tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef fresh():\n    return 1\n"},
        {"tests/__init__.py": "x = 1\n"},
    ],
    ids=["conftest", "package"],
)
def test_what_differs_around_a_test_has_it_read(files: dict[str, str]) -> None:
    edited = inside("test_two", "assert os.sep")(BASE)
    assert _asked(Change({PATH: BASE}, {PATH: edited})) == set()
    assert f"{PATH}::test_two" in _asked(Change({PATH: BASE}, {PATH: edited, **files}))


def test_what_a_test_imports_and_differs_has_it_read() -> None:
    parent = swap("import pytest\n", "import pytest\nimport shop\n")(BASE)
    parent = inside("test_two", "assert shop.a()")(parent)
    edited = inside("test_two", "assert os.sep")(parent)
    before, after = {"shop.py": "def a():\n    return 1\n"}, {"shop.py": "def a():\n    return 2\n"}
    assert _asked(Change({PATH: parent, **before}, {PATH: edited, **before})) == set()
    assert f"{PATH}::test_two" in _asked(Change({PATH: parent, **before}, {PATH: edited, **after}))


ASKS = """\
def is_slow(n):
    return n > 5


def check(n):
    if is_slow(n):
        pytest.skip("slow")
"""


@pytest.mark.parametrize(
    ("use", "names"),
    [
        (inside("test_two", "check(2)"), "two"),
        (inside("TestGroup", "def setup_method(self):\n    check(2)"), "three four"),
        (
            inside("TestGroup", "@pytest.fixture(autouse=True)\ndef part(self):\n    check(2)"),
            "three four",
        ),
        (inside("TestGroup", "def __init_subclass__(cls):\n    check(2)"), "three four"),
        (inside("Cases", "def setUp(self):\n    check(2)"), "five six"),
        (top("def setup_function():\n    check(2)"), " ".join(ALL)),
        (top("@pytest.fixture(autouse=True)\ndef ready():\n    check(2)"), " ".join(ALL)),
        (top("if sys.platform:\n    check(2)"), " ".join(ALL)),
        (inside("test_two", "getattr(sys.modules[__name__], 'che' + 'ck')(2)"), "two"),
    ],
)
def test_only_tests_that_may_use_what_differs_are_read(use: Edit, names: str) -> None:
    """What differs is asked for by a condition, so that it counts what it gives back."""
    parent = use(top(ASKS)(BASE))
    change = Change({PATH: parent}, {PATH: swap("n > 5", "n > 1")(parent)})
    asked = {f"{PATH}::{NODES[name]}" for name in names.split()}
    assert _asked(change) == asked
    found = SkipMarkers().analyze(SkipEvidence(change))
    assert {one.locations[0].node_id for one in found} <= asked


def test_a_class_that_another_file_may_call_is_read_whole() -> None:
    base = "class Base:\n    def run_part(self):\n        self.part()\n"
    parent = top(ASKS)(BASE).replace("class TestGroup:", "class TestGroup(Base):")
    parent = swap("import pytest\n", "import pytest\nfrom base import Base\n")(parent)
    parent = inside("TestGroup", "def part(self):\n    check(2)")(parent)
    parent = inside("test_three", "self.run_part()")(parent)
    candidate = swap("n > 5", "n > 1")(parent)
    change = Change({PATH: parent, "tests/base.py": base}, {PATH: candidate, "tests/base.py": base})
    assert _asked(change) == {f"{PATH}::{NODES[name]}" for name in ("three", "four")}


def test_what_is_too_deeply_nested_to_compare_is_read() -> None:
    deep = "assert " + ".".join(["os"] * 2_000) + "()"
    edited = inside("test_two", deep)(BASE)
    assert _asked(Change({PATH: BASE}, {PATH: edited})) == {f"{PATH}::test_two"}


def test_many_early_exits_are_compared_in_no_time() -> None:
    exits = "\n".join(f"    if os.sep == '{n}':\n        return" for n in range(4_000))
    parent = BASE.replace("def test_two():\n", f"def test_two():\n{exits}\n")
    edited = parent.replace("2 + 2 == 4", "2 + 2 >= 4")
    assert _asked(Change({PATH: parent}, {PATH: edited})) == set()


_CHAIN = {
    f"tests/h{n}.py": f"from h{n + 1} import f{n + 1}\n\n\ndef f{n}():\n    f{n + 1}()\n"
    for n in range(1, 5)
}


@pytest.mark.parametrize(
    ("imports", "call", "files", "home"),
    [
        ("from h1 import f1", "f1()", _CHAIN, "tests/h5.py"),
        ("import kit", "kit.h5.f5()", {"tests/kit/__init__.py": "from . import h5\n"}, "kit"),
        ("import h5", "getattr(h5, 'f' + '5')()", {}, "tests/h5.py"),
    ],
    ids=["through many files", "a module handed on", "a name not spelt"],
)
def test_a_helper_that_came_to_skip_is_found_where_its_caller_is_edited(
    imports: str, call: str, files: dict[str, str], home: str
) -> None:
    home = "tests/kit/h5.py" if home == "kit" else home
    parent = inside("test_two", call)(swap("import pytest\n", f"import pytest\n{imports}\n")(BASE))
    edited = inside("test_two", "assert os.sep")(parent)
    before = {**files, home: "import pytest\n\n\ndef f5():\n    assert 1\n"}
    after = {home: before[home].replace("assert 1", "pytest.skip('x')")}
    assert _asked(Change({PATH: parent, **before}, {PATH: edited, **before})) == set()
    change = Change({PATH: parent, **before}, {PATH: edited, **before, **after})
    assert f"{PATH}::test_two" in _asked(change)


def test_a_fixture_of_a_plugin_that_came_to_skip_has_edited_tests_read() -> None:
    plugin = "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef ready():\n    assert 1\n"
    around = {"conftest.py": "pytest_plugins = ['tests.ready']\n", "tests/ready.py": plugin}
    after = {**around, "tests/ready.py": plugin.replace("assert 1", "pytest.skip('x')")}
    edited = inside("test_two", "assert os.sep")(BASE)
    assert _asked(Change({PATH: BASE, **around}, {PATH: edited, **around})) == set()
    assert f"{PATH}::test_two" in _asked(Change({PATH: BASE, **around}, {PATH: edited, **after}))
