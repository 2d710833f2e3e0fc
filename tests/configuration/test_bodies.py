"""What is left out of a conftest makes no difference, and what does make one is played."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest

from benchhygiene import Orchestrator, Registry, Severity
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.python import parse
from benchhygiene_plugins.configuration import Configuration, NodesDeselected
from benchhygiene_plugins.configuration.effects import is_apart
from benchhygiene_plugins.configuration.session.bodies import bodies
from benchhygiene_plugins.configuration.side import Side

HOOK = """\
def pytest_collection_modifyitems(items):
    items[:] = [one for one in items if not any(m.name in DROPPED for m in one.iter_markers())]
"""
#: What a conftest does beside the hook so that it drops the tests that are marked as slow.
DROPPING = {
    "assigned": 'DROPPED = ["slow"]\n',
    "appended": 'DROPPED = []\nDROPPED.append("slow")\n',
    "in_a_branch": 'DROPPED = []\nif True:\n    DROPPED.append("slow")\n',
    "by_another_name": 'DROPPED = []\nother = DROPPED\nresult = other.append("slow")\n',
    "by_a_function": 'DROPPED = []\ndef add():\n    DROPPED.append("slow")\nresult = add()\n',
    "by_a_decorator": (
        "import pytest\nDROPPED = []\n"
        'def params():\n    DROPPED.append("slow")\n    return [1]\n'
        "@pytest.fixture(params=params())\ndef number(request):\n    return request.param\n"
    ),
    "by_a_global": (
        'DROPPED = []\ndef put():\n    global DROPPED\n    DROPPED = ["slow"]\nresult = put()\n'
    ),
    "in_a_class": 'DROPPED = []\nclass A:\n    result = DROPPED.append("slow")\n',
    "by_a_method_in_a_class": (
        'DROPPED = []\nclass A:\n    def add():\n        DROPPED.append("slow")\n'
        "    result = add()\n"
    ),
}
HELPERS = 'DROPPED = []\n\ndef add():\n    DROPPED.append("slow")\n'
#: What takes nothing away.
KEEPING = {
    "nothing": "DROPPED = []\n",
    "another_list": 'DROPPED = []\nOTHER = []\nOTHER.append("slow")\n',
    "not_called": 'DROPPED = []\ndef add():\n    DROPPED.append("slow")\n',
    "a_fixture": (
        "import pytest, helpers\nDROPPED = []\n"
        "@pytest.fixture(params=[helpers.add()])\ndef number(request):\n    return request.param\n"
    ),
}
TEST = "import pytest\n\n\n{}def test_render():\n    assert str(5) == '5'\n"


def change(conftest: str, more: Mapping[str, str] | None = None) -> Change:
    """Return an edit that marks a test and touches nothing that steers the session."""
    shared = {
        "pytest.ini": "[pytest]\nmarkers =\n    slow: s\n",
        "conftest.py": conftest + HOOK,
        "helpers.py": HELPERS,
        **(more or {}),
    }
    old = {**shared, "tests/test_a.py": TEST.format("")}
    return Change(old, {**shared, "tests/test_a.py": TEST.format("@pytest.mark.slow\n")})


def errors(found: Change) -> list[NodesDeselected]:
    report = Orchestrator(Registry().including(Configuration())).run(found)
    report.raise_for_crashes()
    return [one for one in report.of(NodesDeselected) if one.severity is Severity.ERROR]


@pytest.mark.parametrize("name", DROPPING)
def test_what_makes_a_hook_drop_a_test_is_played(name: str) -> None:
    assert errors(change(DROPPING[name]))


@pytest.mark.parametrize("name", KEEPING)
def test_what_is_left_alone_is_no_finding(name: str) -> None:
    assert not errors(change(KEEPING[name]))


@pytest.mark.parametrize(
    ("text", "is_seen"),
    [
        ('import sys\nDROPPED = []\nresult = sys.argv.append("-mnot slow")\n', True),
        ('import sys\nDROPPED = []\nresult = sys.path.append("-mnot slow")\n', False),
    ],
)
def test_the_command_line(text: str, is_seen: bool) -> None:
    assert bool(errors(change(text))) is is_seen


def left(text: str, kind: str = "lean") -> list[str]:
    found = parse(text.encode()).derived(bodies)
    kept = found.lean if kind == "lean" else found.strict
    return [ast.unparse(one) for one in kept]


def test_fixtures_and_their_data_are_left_out() -> None:
    text = (
        "import pytest\nimport lib\n\nDATA = lib.make()\nDATA.extend(lib.more())\n\n\n"
        "@pytest.fixture(params=DATA)\ndef one(request):\n    return request.param\n\n\n"
        "def pytest_configure(config):\n    pass\n"
    )
    assert left(text) == ["def pytest_configure(config):\n    pass"]
    assert "DATA = lib.make()" in left(text, "strict")


def test_names_that_are_not_spelled_out_keep_everything() -> None:
    text = "DATA = 1\n\n\ndef pytest_configure(config):\n    globals()['DA' + 'TA']\n"
    assert "DATA = 1" in left(text)
    assert "DATA = 1" not in left(text.replace("globals()", "dict()"))


@pytest.mark.parametrize(
    ("conftest", "more", "expected"),
    [
        ("import helpers\nDROPPED = []\n", {}, True),
        ("from helpers import DROPPED\n", {}, False),
        ("from helpers import *\n", {}, False),
        ("pytest_plugins = ['helpers']\nDROPPED = []\n", {}, False),
        ("import helpers\nDROPPED = []\n", {"helpers.py": "import sys\nsys.argv\n"}, False),
        ("DROPPED = []\n", {"pytest.ini": "[pytest]\naddopts = -p helpers\n"}, False),
    ],
)
def test_effects_of_other_files(conftest: str, more: dict[str, str], expected: bool) -> None:
    found = change(conftest, more)
    sides = (Side.of(found.parent), Side.of(found.candidate))
    assert is_apart(found, *sides) is expected


@pytest.mark.parametrize(
    ("library", "expected"), [("import sys\nsys.argv.clear()\n", False), ("x = 1\n", True)]
)
def test_a_library_that_differs(library: str, expected: bool) -> None:
    found = change("DROPPED = []\n")
    files = {path: one.data or b"" for path, one in found.candidate.entries.items()}
    other = Change(found.parent, {**files, "lib.py": library})
    tree: SourceTree = other.candidate
    assert is_apart(other, Side.of(other.parent), Side.of(tree)) is expected
