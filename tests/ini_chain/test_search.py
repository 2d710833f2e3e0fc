"""Rootdir, config file and keys are what the installed pytest decides, and what older ones do."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest
from _pytest.config.exceptions import UsageError
from _pytest.config.findpaths import determine_setup
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene.evidence import FileSnapshot, PathEntry, PathKind
from benchhygiene_plugins.ini_chain.configuration.search import Search, SearchAbort, lexical
from benchhygiene_plugins.ini_chain.starting.versions import Dialect, release

Decided = tuple[str, str | None, dict[str, str]]

CONTENTS = {
    "pytest.ini": ["", "[pytest]\na = 1\n", "[other]\n", "broken\n", "\ufeff[pytest]\n"],
    ".pytest.ini": ["", "[pytest]\na = 2\n"],
    "pytest.toml": ["", "[pytest]\na = 3\n", "a = 3\n", "[tool.pytest]\na = 3\n", "pytest = 'x'\n"],
    ".pytest.toml": ["", "[pytest]\na = [4]\n"],
    "pyproject.toml": [
        "",
        "[project]\nname = 'x'\n",
        "[tool.pytest.ini_options]\n",
        "[tool.pytest.ini_options]\na = 5\nb = [1]\n",
        "[tool.pytest]\n",
        "[tool.pytest]\na = 5\n",
        "[tool.pytest]\na = 5\n[tool.pytest.ini_options]\nb = 5\n",
        "[tool.pytest]\na = 5\n[tool.pytest.ini_options]\n",
        "[pytest]\na = 5\n",
        "tool = 3\n",
        "tool.pytest = 3\n",
        "[tool.pytest]\nini_options = 3\n",
        "a = {\n}\n",
        "\ufeff",
        "[",
    ],
    "tox.ini": ["", "[pytest]\na = 6\n", "[tool:pytest]\na = 6\n", "[flake8]\na = 1\na = 2\n"],
    "setup.cfg": ["", "[tool:pytest]\na = 7\n", "[pytest]\na = 7\n", "[pytest]\n[tool:pytest]\n"],
    "setup.py": [""],
    "my.ini": ["", "[pytest]\na = 8\n", "[tool:pytest]\n"],
    "my.toml": ["", "[pytest]\na = 9\n", "a = 9\n", "[tool.pytest]\na = 9\n"],
    "my.cfg": ["[tool:pytest]\na = 10\n", "[pytest]\n"],
    "my.txt": [""],
}
DIRECTORIES = ["", "a/", "a/b/", "a/c/", "d/"]
TESTS = ["a/b/test_x.py", "a/c/test_y.py", "d/test_z.py", "test_top.py"]

files = st.dictionaries(
    st.sampled_from(DIRECTORIES).flatmap(
        lambda directory: st.sampled_from(sorted(CONTENTS)).map(lambda name: directory + name)
    ),
    st.integers(0, 99),
    max_size=5,
).map(
    lambda chosen: {
        path: (options := CONTENTS[path.rpartition("/")[2]])[number % len(options)]
        for path, number in chosen.items()
    }
)
paths = st.lists(
    st.sampled_from(
        [*TESTS, "a/b", "a", "d", ".", "nosuch", "a/b/test_x.py::test_a", "a/../d", "./a//b", "-x"]
    ),
    max_size=3,
)
named = st.none() | st.sampled_from(["my.ini", "a/my.toml", "my.cfg", "my.txt", "a", "no.ini", ""])
roots = st.none() | st.sampled_from([".", "a", "d/..", "nosuch", "test_top.py"])
cwds = st.sampled_from([".", "a", "a/b"])


@attrs.frozen
class _Given:
    """One question to both."""

    cwd: str
    paths: list[str]
    inifile: str | None
    rootdir: str | None


def _ours(root: str, asked: _Given) -> Decided | int:
    dialect = Dialect(release(pytest.__version__), (3, 11, 7))
    search = Search(_snapshot(root), dialect, lexical(root, asked.cwd))
    try:
        setup = search.setup(asked.paths, asked.inifile, asked.rootdir)
    except SearchAbort as error:
        return error.exit_status
    values = {key: repr(value.value) for key, value in setup.values.items()}
    return setup.rootdir, setup.inifile, values


def _real(root: str, asked: _Given) -> Decided | int:
    invocation_dir = Path(lexical(root, asked.cwd))
    os.chdir(invocation_dir)
    try:
        rootdir, inifile, values, _ = determine_setup(
            inifile=asked.inifile,
            override_ini=None,
            args=asked.paths,
            rootdir_cmd_arg=asked.rootdir,
            invocation_dir=invocation_dir,
        )
    except UsageError:
        return 4
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever it is, pytest exits with 1
        return 1
    kept = {key: repr(value.value) for key, value in values.items()}
    return str(rootdir), None if inifile is None else str(inifile), kept


def _snapshot(root: str) -> FileSnapshot:
    entries: dict[str, PathEntry] = {}
    for parent, directories, names in os.walk(root):
        for name in directories:
            entries[os.path.join(parent, name)] = PathEntry(PathKind.DIRECTORY)
        for name in names:
            path = os.path.join(parent, name)
            entries[path] = PathEntry(PathKind.FILE, Path(path).read_bytes())
    return FileSnapshot(entries)


def _plant(root: str, tree: Mapping[str, str]) -> None:
    for name, text in {**dict.fromkeys(TESTS, ""), **tree}.items():
        path = Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.fixture(autouse=True)
def _stay() -> object:
    before = os.getcwd()
    yield
    os.chdir(before)


@settings(max_examples=200)
@given(tree=files, cwd=cwds, words=paths, inifile=named, rootdir=roots)
def test_the_setup_is_what_the_installed_pytest_decides(
    tree: dict[str, str], cwd: str, words: list[str], inifile: str | None, rootdir: str | None
) -> None:
    asked = _Given(cwd, words, inifile, rootdir)
    with tempfile.TemporaryDirectory() as directory:
        root = os.path.realpath(directory)
        _plant(root, tree)
        ours, real = _ours(root, asked), _real(root, asked)
        os.chdir("/")
    assert ours == real


INI = "[pytest]\n"
HOST = {
    "/host/ws/tests/test_a.py": "",
    "/host/ws/tests/test_b.py": "",
    "/host/ws/other/test_c.py": "",
}

#: files, path words, (pytest, rootdir, inifile) for the versions that differ.
DECISIONS: dict[str, tuple[dict[str, str], list[str], list[tuple[str, str, str | None]]]] = {
    "a hidden ini counts from 7.2, and without a section from 9.0": (
        {"/host/ws/.pytest.ini": "", "/host/pytest.ini": ""},
        ["tests"],
        [
            ("6.2.5", "/host", "/host/pytest.ini"),
            ("8.4.2", "/host", "/host/pytest.ini"),
            ("9.0.2", "/host/ws", "/host/ws/.pytest.ini"),
        ],
    ),
    "pytest.toml is a config file from 9.0": (
        {"/host/ws/pytest.toml": "", "/host/ws/tox.ini": INI},
        ["tests"],
        [
            ("8.4.2", "/host/ws", "/host/ws/tox.ini"),
            ("9.0.2", "/host/ws", "/host/ws/pytest.toml"),
        ],
    ),
    "native tables count from 9.0": (
        {"/host/ws/pyproject.toml": "[tool.pytest]\naddopts = []\n", "/host/tox.ini": INI},
        ["tests"],
        [
            ("8.4.2", "/host", "/host/tox.ini"),
            ("9.0.2", "/host/ws", "/host/ws/pyproject.toml"),
        ],
    ),
    "a pyproject.toml without a section roots the run from 8.1, before any setup.py": (
        {"/host/pyproject.toml": "", "/host/ws/setup.py": ""},
        ["tests"],
        [
            ("7.4.4", "/host/ws", None),
            ("8.0.2", "/host/ws", None),
            ("8.1.1", "/host", "/host/pyproject.toml"),
            ("9.2.0", "/host", "/host/pyproject.toml"),
        ],
    ),
    "the nearest directory wins, not the better name": (
        {"/host/ws/tests/setup.cfg": "[tool:pytest]\n", "/host/ws/pytest.ini": INI},
        ["tests/test_a.py"],
        [
            ("6.2.5", "/host/ws/tests", "/host/ws/tests/setup.cfg"),
            ("9.2.0", "/host/ws/tests", "/host/ws/tests/setup.cfg"),
        ],
    ),
    "two arguments are searched one by one where their ancestor has nothing": (
        {"/host/ws/other/pytest.ini": ""},
        ["tests/test_a.py", "other/test_c.py"],
        [
            ("7.4.4", "/host/ws/other", "/host/ws/other/pytest.ini"),
            ("9.2.0", "/host/ws/other", "/host/ws/other/pytest.ini"),
        ],
    ),
    "words that lead nowhere do not count": (
        {"/host/ws/pytest.ini": ""},
        ["nosuch", "/host/ws/tests/test_a.py::test_b", "\0"],
        [("9.2.0", "/host/ws", "/host/ws/pytest.ini")],
    ),
    "nothing at all": ({}, [], [("6.2.5", "/host/ws", None), ("9.2.0", "/host/ws", None)]),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_versions_decide_differently(name: str) -> None:
    tree, words, expected = DECISIONS[name]
    for version, rootdir, inifile in expected:
        search = Search(
            FileSnapshot(HOST | tree), Dialect(release(version), (3, 11, 7)), "/host/ws"
        )
        setup = search.setup(words, None, None)
        assert (version, setup.rootdir, setup.inifile) == (version, rootdir, inifile)


NAMED: list[tuple[str, str, str, tuple[str, str | None] | int]] = [
    ("6.2.5", "my.ini", INI, ("/host/ws/tests", "/host/ws/etc/my.ini")),
    ("7.4.4", "my.ini", INI, ("/host/ws/etc", "/host/ws/etc/my.ini")),
    ("9.2.0", "my.ini", INI, ("/host/ws/etc", "/host/ws/etc/my.ini")),
    ("9.1.0", "my.txt", "", ("/host/ws/etc", "/host/ws/etc/my.txt")),
    ("9.2.0", "my.txt", "", 4),
    ("9.1.0", "no.ini", "", 1),
    ("9.2.0", "no.ini", "", 4),
]


@pytest.mark.parametrize(("version", "name", "text", "expected"), NAMED)
def test_a_named_file_is_taken_or_refused(
    version: str, name: str, text: str, expected: tuple[str, str | None] | int
) -> None:
    there = {} if name.startswith("no") else {f"/host/ws/etc/{name}": text}
    dialect = Dialect(release(version), (3, 11, 7))
    search = Search(FileSnapshot(HOST | there), dialect, "/host/ws")
    if isinstance(expected, int):
        with pytest.raises(SearchAbort) as caught:
            search.setup(["tests"], f"etc/{name}", None)
        assert caught.value.exit_status == expected
    else:
        setup = search.setup(["tests"], f"etc/{name}", None)
        assert (setup.rootdir, setup.inifile) == expected


def test_every_candidate_is_written_down_with_its_outcome() -> None:
    tree = {
        "/host/ws/pyproject.toml": "",
        "/host/ws/tox.ini": "",
        "/host/pytest.ini": "",
        "/host/setup.cfg": "",
        "/pytest.ini": "",
    }
    search = Search(FileSnapshot(HOST | tree), Dialect((9, 2, 0), (3, 11, 7)), "/host/ws")
    search.setup(["tests"], None, None)
    assert [(link.path, link.outcome.value) for link in search.chain] == [
        ("/host/ws/pyproject.toml", "lost"),
        ("/host/ws/tox.ini", "lost"),
        ("/host/pytest.ini", "won"),
        ("/host/setup.cfg", "lost"),
    ]
    assert all(link.reason for link in search.chain)


def test_a_broken_file_ends_the_chain() -> None:
    tree = {"/host/ws/pytest.ini": "[pytest]\nx\n", "/host/pytest.ini": ""}
    search = Search(FileSnapshot(HOST | tree), Dialect((9, 2, 0), (3, 11, 7)), "/host/ws")
    with pytest.raises(SearchAbort):
        search.setup(["tests"], None, None)
    assert [(link.path, link.outcome.value, link.line) for link in search.chain] == [
        ("/host/ws/pytest.ini", "broke", 2)
    ]


@settings(max_examples=300)
@given(base=st.sampled_from(["/", "/a", "/a/b", "//a"]), path=st.text("a./é", max_size=8))
def test_paths_are_made_absolute_as_text(base: str, path: str) -> None:
    expected = os.path.abspath(os.path.join(base, path))
    assert lexical(base, path) == "/" + expected.lstrip("/")
