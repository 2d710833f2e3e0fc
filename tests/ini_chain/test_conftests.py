"""What a conftest declares is read off its source, and which ones load is known."""

from __future__ import annotations

import attrs
import pytest

from benchhygiene.evidence import FileSnapshot, PathEntry, PathKind
from benchhygiene_plugins.ini_chain.starting.conftests import (
    ConftestFacts,
    conftest_facts,
    initial_conftests,
)

TREE = FileSnapshot(
    {
        "/conftest.py": "",
        "/host/conftest.py": "",
        "/host/ws/conftest.py": "",
        "/host/ws/tests/conftest.py": "",
        "/host/ws/tests/test_a.py": "",
        "/host/ws/tests/deep/conftest.py": "",
        "/host/ws/tests/deep/test_b.py": "",
        "/host/ws/testing/conftest.py": "",
        "/host/ws/other/conftest.py": "",
        "/host/ws/other/x.py": "",
        "/host/ws/test_dir/conftest.py/x": "",
    }
)
ALL = ["/conftest.py", "/host/conftest.py", "/host/ws/conftest.py"]

#: path words, confcutdir, the conftests that load.
LOADED: list[tuple[list[str], str | None, list[str]]] = [
    (["tests/test_a.py"], "/host/ws", ["/host/ws/conftest.py", "/host/ws/tests/conftest.py"]),
    (["tests/test_a.py"], "/host/ws/tests", ["/host/ws/tests/conftest.py"]),
    (["tests/test_a.py"], "/elsewhere", [*ALL[1:], "/host/ws/tests/conftest.py"]),
    (["tests/test_a.py"], "/host/ws/other", ["/host/ws/tests/conftest.py"]),
    (["tests/test_a.py"], None, [*ALL, "/host/ws/tests/conftest.py"]),
    (["tests/test_a.py::test_x[a/b]"], "/host/ws/tests", ["/host/ws/tests/conftest.py"]),
    (["."], "/host/ws", [f"/host/ws/{d}conftest.py" for d in ("", "testing/", "tests/")]),
    ([], "/host/ws", [f"/host/ws/{d}conftest.py" for d in ("", "testing/", "tests/")]),
    (["nosuch"], "/host/ws", [f"/host/ws/{d}conftest.py" for d in ("", "testing/", "tests/")]),
    (["other/x.py", "tests"], "/host/ws/other", ["/host/ws/other/conftest.py"]),
    (["tests/deep"], "/host/ws/tests", [f"/host/ws/tests/{d}conftest.py" for d in ("", "deep/")]),
]


@pytest.mark.parametrize(("words", "confcutdir", "expected"), LOADED)
def test_initial_conftests(words: list[str], confcutdir: str | None, expected: list[str]) -> None:
    found = initial_conftests(TREE, "/host/ws", words, confcutdir)
    if words == ["other/x.py", "tests"]:
        expected = [*expected, "/host/ws/tests/conftest.py"]
    assert sorted(found) == sorted(expected)
    assert len(set(found)) == len(found)


def _facts(source: str | bytes) -> ConftestFacts:
    return conftest_facts(FileSnapshot({"/c/conftest.py": source}), "/c/conftest.py")


INNOCENT = {
    "nothing": "",
    "a docstring and imports": '"""Doc."""\nimport os\nfrom os import path\n',
    "fixtures": "import pytest\n\n@pytest.fixture\ndef f():\n    yield 1\n",
    "a header": "def pytest_report_header():\n    return 'x'\n",
    "an idle hook": "def pytest_configure(config):\n    '''Doc.'''\n    pass\n",
    "the path": "import sys\nsys.path.insert(0, 'x')\n",
}


@pytest.mark.parametrize("name", INNOCENT)
def test_a_harmless_conftest_raises_no_doubt(name: str) -> None:
    facts = _facts(INNOCENT[name])
    assert (facts.problem, facts.doubt, facts.exit_status, facts.empties) == (
        None,
        None,
        None,
        False,
    )


PROBLEMS: dict[str, tuple[str | bytes, int | None]] = {
    "raise": ("import os\nraise RuntimeError\n", 2),
    "syntax": ("def (\n", None),
    "null byte": ("a = 1\0\n", None),
    "encoding": (b"# -*- coding: nosuch -*-\n", None),
    "not utf-8": (b"a = '\xff'\n", None),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_conftest_that_cannot_be_imported_is_a_problem(name: str) -> None:
    source, line = PROBLEMS[name]
    facts = _facts(source)
    assert facts.problem is not None
    assert line is None or facts.line == line


DOUBTS = {
    "a call at import": "import os\nos.system('true')\n",
    "a condition at import": "import os\nif os.environ:\n    raise RuntimeError\n",
    "an assertion": "import os\nassert os.environ\n",
    "a hook that does something": "def pytest_runtest_setup(item):\n    item.stop()\n",
    "a wrapped hook": "import pytest\n@pytest.hookimpl(wrapper=True)\n"
    "def pytest_runtest_call(item):\n    return (yield)\n",
    "an exit status nobody can tell": "def pytest_sessionfinish(session):\n"
    "    session.exitstatus = compute()\n",
    "too deeply nested": f"x = {'-' * 100_000}1\n",
}


@pytest.mark.parametrize("name", DOUBTS)
def test_what_cannot_be_told_is_a_doubt(name: str) -> None:
    facts = _facts(DOUBTS[name])
    assert facts.doubt is not None or facts.problem is not None
    assert (facts.exit_status, facts.empties) == (None, False)


@pytest.mark.parametrize("status", [0, 1, 3])
@pytest.mark.parametrize("hook", ["pytest_sessionfinish", "pytest_unconfigure"])
def test_a_forced_exit_status_is_read(hook: str, status: int) -> None:
    facts = _facts(f"def {hook}(session):\n    session.exitstatus = {status}\n")
    assert facts.exit_status == status


@pytest.mark.parametrize("statement", ["items[:] = []", "items.clear()"])
def test_a_conftest_that_empties_the_run_is_read(statement: str) -> None:
    facts = _facts(f"def pytest_collection_modifyitems(items):\n    {statement}\n")
    assert facts.empties
    other = statement.replace("items", "others")
    assert not _facts(f"def pytest_collection_modifyitems(items, others):\n    {other}\n").empties


OPTIONS = """\
def pytest_addoption(parser):
    group = parser.getgroup("host")
    group.addoption("--level", "-L", action="store", default="1", dest="lvl")
    parser.addoption("--flag", action="store_true")
    parser.addoption("--maybe", nargs="?")
    parser.addini("host_key", "help")
"""


def test_options_and_keys_are_read() -> None:
    facts = _facts(OPTIONS)
    assert [(option.names, option.dest, option.nargs) for option in facts.options] == [
        (("--level", "-L"), "lvl", None),
        (("--flag",), "flag", 0),
        (("--maybe",), "maybe", "?"),
    ]
    assert facts.ini_keys == ("host_key",)
    assert facts.doubt is None


def test_markers_fixtures_imports_and_ignored_paths_are_read() -> None:
    facts = _facts(
        "import pytest\nimport acme.parts\nfrom acme import more\n"
        "collect_ignore = ['setup.py']\ncollect_ignore_glob = ['*_skip.py']\n"
        "pytest_plugins = ['acme.plugin']\n"
        "@pytest.fixture(name='given')\ndef _given():\n    return 1\n"
        "def pytest_configure(config):\n"
        "    config.addinivalue_line('markers', 'slow(reason): takes long')\n"
    )
    assert facts.markers == ("slow",)
    assert facts.fixtures == ("given",)
    assert ("acme.parts", 2) in facts.modules
    assert ("acme", 3) in facts.modules
    assert facts.ignored == ("setup.py",)
    assert facts.ignored_globs == ("*_skip.py",)
    assert facts.plugins == ("acme.plugin",)
    assert facts.doubt is None


def test_an_unread_conftest_is_a_doubt_and_no_problem() -> None:
    unread = PathEntry(PathKind.FILE, error="larger than the limit")
    facts = conftest_facts(FileSnapshot({"/c/conftest.py": unread}), "/c/conftest.py")
    assert facts.problem is None
    assert facts.doubt is not None
    empty = attrs.asdict(ConftestFacts("/c/conftest.py"))
    assert attrs.asdict(attrs.evolve(facts, doubt=None)) == empty
