"""``testpaths`` patterns find what the real glob finds."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from benchhygiene.evidence import FileSnapshot, PathEntry, PathKind
from benchhygiene_plugins.ini_chain.suite.globbing import expand

FILES = [
    "a/b/test_x.py",
    "a/b/c/test_y.py",
    "a/.hidden/test_h.py",
    "a/[b]/t.py",
    "b/test_z.py",
    ".top/t.py",
    "test_top.py",
    "é/ü.py",
    "A/b.py",
]
_PARTS = ["*", "**", "a", "b", "?", "[ab]", "[!a]", "*.py", ".*", ".", "", "[", "[[]b]", "t*", "é"]
patterns = st.tuples(
    st.sampled_from(["", "", "./", "../", "../ws/", "*/../"]),
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=4).map("/".join),
).map("".join)

Tree = tuple[str, FileSnapshot]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    """Return a directory that is the working directory, and a snapshot of it."""
    root = tmp_path_factory.mktemp("host") / "ws"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (root / "empty").mkdir()
    cwd = os.path.realpath(root)
    snapshot = FileSnapshot({path: _entry(Path(path)) for path in _all(cwd)})
    before = os.getcwd()
    os.chdir(cwd)
    yield cwd, snapshot
    os.chdir(before)


def _all(cwd: str) -> Iterator[str]:
    for parent, directories, names in os.walk(cwd):
        yield parent
        yield from (os.path.join(parent, name) for name in (*directories, *names))


def _entry(path: Path) -> PathEntry:
    kind = PathKind.DIRECTORY if path.is_dir() else PathKind.FILE
    return PathEntry(kind, b"" if kind is PathKind.FILE else None)


def _real(pattern: str) -> set[str]:
    """Ask glob as pytest does; a pattern such as ``missing/**`` finds what does not exist."""
    found = glob.iglob(pattern, recursive=True)
    return {os.path.abspath(path) for path in found if os.path.exists(path)}


@settings(max_examples=200)
@given(pattern=patterns)
@example(pattern="")
@example(pattern="tests/*/")
@example(pattern="./*")
@example(pattern="../*/a")
@example(pattern="*/**")
@example(pattern="**/")
def test_a_pattern_finds_what_glob_finds(tree: Tree, pattern: str) -> None:
    cwd, files = tree
    assume(not pattern.startswith("/"))
    found = expand(files, cwd, pattern)
    assert list(found) == sorted(found)
    assert {os.path.normpath(os.path.join(cwd, path)) for path in found} == _real(pattern)


def test_an_absolute_pattern_finds_what_glob_finds(tree: Tree) -> None:
    cwd, files = tree
    pattern = f"{cwd}/[ab]/*"
    found = expand(files, cwd, pattern)
    assert {os.path.normpath(os.path.join(cwd, path)) for path in found} == _real(pattern)
    assert len(found) == 3


def test_stars_without_end_are_expanded(tree: Tree) -> None:
    cwd, files = tree
    assert set(expand(files, cwd, "**/" * 200 + "*.py")) == set(expand(files, cwd, "**/*.py"))
