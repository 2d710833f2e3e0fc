"""Of what is collected where a change has touched nothing but tests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.pairing import of_change, of_whole_files
from benchhygiene.inventory.touched import Touched, changed_exports, collected

HEAD = """
import pytest
from other import *

ROWS = [1, 2]

@pytest.fixture(params=ROWS)
def row(request):
    return request.param

def helper():
    return 1

def test_plain():
    assert helper() == 1

@pytest.mark.parametrize("x", ROWS)
def test_rows(x, row):
    for y in ROWS:
        assert x <= y

class TestBoth:
    def test_inner(self):
        assert helper() == 1

class TestBase:
    def test_inner(self):
        assert helper() == 1

class TestDerived(TestBase):
    pass

def test_caller():
    test_called()

def test_called():
    assert helper() == 1

def test_double():
    assert helper() == 1

def test_double():
    assert helper() == 2

def test_short(): assert helper() == 1

@unknown
def test_unknown():
    assert helper() == 1
"""
PATH = "tests/test_a.py"


def change(old: str, new: str, further: Mapping[str, tuple[str, str]] | None = None) -> Change:
    assert old in HEAD
    parent, candidate = {PATH: HEAD}, {PATH: HEAD.replace(old, new, 1)}
    for path, (before, after) in (further or {}).items():
        parent[path], candidate[path] = before, after
    return Change(parent, candidate)


def short(made: Change) -> list[str]:
    touched = made.surveyed(Touched.by)
    return sorted(node.qualname for node in touched.candidate.nodes) if touched.edited else []


INNOCENT = [
    ("def test_plain():\n    assert helper() == 1", "def test_plain():\n    pass", "test_plain"),
    ("        assert x <= y", "        assert x <= y\n        assert x", "test_rows"),
    (
        "TestBoth:\n    def test_inner(self):\n        assert",
        "TestBoth:\n    def test_inner(self):\n        1\n        assert",
        "TestBoth.test_inner",
    ),
    ("def test_caller", "def test_new():\n    assert 1\n\ndef test_caller", "test_new"),
    ("class TestBase", "    def test_new(self): assert 1\n\nclass TestBase", "TestBoth.test_new"),
    ("def test_unknown():\n    assert", "def test_unknown():\n    1\n    assert", "test_unknown"),
]


@pytest.mark.parametrize(("old", "new", "name"), INNOCENT)
def test_of_new_bodies_nothing_else_is_collected(old: str, new: str, name: str) -> None:
    made = change(old, new)
    assert short(made) == [name]
    assert changed_exports(made, PATH) == frozenset()


@pytest.mark.parametrize(("old", "new", "name"), INNOCENT)
def test_what_is_left_out_is_the_same_on_both_sides(old: str, new: str, name: str) -> None:
    made = change(old, new)
    touched, whole = made.surveyed(Touched.by), made.surveyed(Touched.whole)
    assert (touched.paths, touched.parent.unseen) == (whole.paths, whole.parent.unseen)
    assert touched.candidate.unseen == whole.candidate.unseen
    before, after = whole.parent.by_id(), whole.candidate.by_id()
    for node_id in before.keys() - {f"{PATH}::{name.replace('.', '::')}"}:
        old_node, new_node = before[node_id], after[node_id]
        assert old_node.parameters.ids == new_node.parameters.ids
        assert old_node.definition.name == new_node.definition.name
    assert len(made.surveyed(of_whole_files).pairs) > len(made.surveyed(of_change).pairs)


NEAR_MISSES = {
    "a signature": ("test_plain():", "test_plain(row):"),
    "a decorator": ('"x", ROWS)', '"x", ROWS[:1])'),
    "rows": ("ROWS = [1, 2]", "ROWS = [1]"),
    "a helper": ("    return 1", "    return 2"),
    "a fixture": ("    return request.param", "    return 3"),
    "a test that another one calls": (
        "test_called():\n    assert",
        "test_called():\n    1\n    assert",
    ),
    "a test that another class inherits": (
        "TestBase:\n    def test_inner(self):\n",
        "TestBase:\n    def test_inner(self):\n        1\n",
    ),
    "a new test that another class inherits": (
        "TestBase:\n",
        "TestBase:\n    def test_new(self): pass\n",
    ),
    "a test that another one shadows": ("assert helper() == 2", "assert helper() == 3"),
    "a body in the line of its head": ("test_short(): assert", "test_short(): 1; assert"),
    "an import": ("test_plain():\n", "test_plain():\n    from os import helper\n"),
    "a call of another new test": (
        "test_plain():\n",
        "test_plain():\n    test_new()\n\ndef test_new():\n",
    ),
    "a test that is gone": ("def test_plain():\n    assert helper() == 1\n", ""),
    "a new name": ("def test_plain", "def test_plan"),
    "a new helper": ("def test_plain", "def more():\n    pass\n\ndef test_plain"),
    "a new fixture": (
        "def test_plain",
        "@pytest.fixture\ndef test_new():\n    pass\n\ndef test_plain",
    ),
    "a syntax error": ("def test_plain():\n    assert", "def test_plain():\n    assert (("),
    "bodies that change places": (
        "def test_plain():\n    assert helper() == 1\n",
        "def test_plain():\n    assert 1\n\ndef test_new():\n    assert helper() == 1\n",
    ),
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_of_anything_else_all_is_collected(name: str) -> None:
    made = change(*NEAR_MISSES[name])
    assert short(made) == []
    touched, whole = made.surveyed(Touched.by), made.surveyed(Touched.whole)
    assert touched.parent.by_id().keys() == whole.parent.by_id().keys()


BODY = ("def test_plain():\n    assert", "def test_plain():\n    1\n    assert")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/conftest.py", "x = 1\n", "x = 2\n"),
        ("tests/__init__.py", "def test_a():\n    1\n", "def test_a():\n    2\n"),
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = -p x\n"),
        ("src/a.py", "x = 1\n", "x = 2\n"),
    ],
)
def test_beside_a_file_that_matters_to_many_all_is_collected(path: str, old: str, new: str) -> None:
    made = change(*BODY, {path: (old, new)})
    assert short(change(*BODY, {path: (old, old)})) == ["test_plain"]
    assert short(made) == []


def test_where_docstrings_are_tests_all_is_collected() -> None:
    settings = "[pytest]\naddopts = --doctest-modules\n"
    assert short(change(*BODY, {"pytest.ini": (settings, settings)})) == []


def test_a_new_test_that_others_may_import_counts_for_them() -> None:
    new = ("def test_caller", "def test_new():\n    assert 1\n\ndef test_caller")
    assert short(change(*new, {"tests/test_b.py": ("import os\n", "import os\n")})) != []
    starred = "from test_a import *\n"
    made = change(*new, {"tests/test_b.py": (starred, starred)})
    assert short(made) == []
    assert "tests/test_b.py" in made.surveyed(Touched.by).paths


def test_further_files_are_collected_whole() -> None:
    other = "def test_a(): pass\ndef test_b(): pass\n"
    made = change(*BODY, {"tests/test_b.py": (other, other)})
    parent, candidate = collected(made, [PATH, "tests/test_b.py"])
    assert [node.qualname for node in parent.nodes] == ["test_plain", "test_a", "test_b"]
    assert parent.by_id().keys() == candidate.by_id().keys()


@pytest.mark.parametrize(
    ("imports", "is_short"),
    [
        ("import os\n", True),
        ("import test_a\n", True),
        ("import test_a\nX = test_a.test_plain\n", False),
        ("from test_a import test_plain\n", False),
    ],
)
def test_tests_that_another_differing_file_may_use_count_for_it(
    imports: str, is_short: bool
) -> None:
    other = f"{imports}def test_other():\n    pass\n"
    made = change(*BODY, {"tests/test_b.py": (other, other.replace("pass", "1"))})
    assert bool(short(made)) is is_short
    assert bool(changed_exports(made, PATH)) is not is_short


def test_what_runs_for_all_is_no_test_of_its_own_whatever_settings_say() -> None:
    settings = "[pytest]\npython_functions = *\n"
    ini = {"pytest.ini": (settings, settings)}
    for name, is_short in (("check_it", True), ("setup_function", False), ("pytestmark", False)):
        new = ("def test_caller", f"def {name}():\n    pass\n\ndef test_caller")
        made = change(*new, ini)
        assert bool(short(made)) is is_short
        assert bool(changed_exports(made, PATH)) is not is_short
