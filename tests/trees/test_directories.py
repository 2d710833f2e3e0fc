"""Trees of real directories."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchhygiene import EvidenceUnavailable, InputError, sources
from benchhygiene.evidence import EntryKind
from benchhygiene.sources import TreeLimits
from tests.trees.repositories import Link, Program, content, write


def test_a_directory_holds_its_files_and_their_modes(tmp_path: Path) -> None:
    files = {"a.py": "x = 1\r\n", "d/run": Program(b"#!"), "d/e/l": Link("../run"), "empty": ""}
    tree = sources.tree(write(tmp_path, files))
    assert content(tree) == {
        "a.py": ("file", False, b"x = 1\r\n"),
        "d/e/l": ("symlink", False, b"../run"),
        "d/run": ("file", True, b"#!"),
        "empty": ("file", False, b""),
    }
    assert tree.unseen == ()
    assert tree.roots == (os.path.realpath(tmp_path),)


def test_no_link_leads_out(tmp_path: Path) -> None:
    write(tmp_path / "outside", {"secret.py": "key = 1"})
    inside = write(
        tmp_path / "in", {"dir": Link("../outside"), "file.py": Link("../outside/secret.py")}
    )
    tree = sources.tree(inside)
    assert list(tree.entries) == ["dir", "file.py"]
    assert tree.stored("file.py") == b"../outside/secret.py"
    assert tree.resolve("file.py") is None
    assert not tree.is_file("file.py")


def test_a_file_changed_or_swapped_afterwards_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "outside", {"secret": "key"})
    root = write(tmp_path / "in", {"a": "1", "b": "1", "c": "1", "d/e": "1"})
    tree = sources.tree(root)
    (root / "a").write_text("2")
    (root / "b").unlink()
    (root / "b").symlink_to("../outside/secret")
    (root / "c").unlink()
    for name in ("a", "b"):
        with pytest.raises(EvidenceUnavailable, match=f"^{name}: was changed after the evidence"):
            tree.read(name)
    with pytest.raises(EvidenceUnavailable, match=r"^c: FileNotFoundError"):
        tree.read("c")
    assert tree.read("d/e") == b"1"


def test_what_tools_keep_is_left_out_and_said(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".git/config": "x",
            "sub/.git": "gitdir: elsewhere",
            "node_modules/a.py": "x",
            "a/__pycache__/b.pyc": "x",
            "env/pyvenv.cfg": "home = /usr",
            "env/lib/test_a.py": "x",
            "env2/pyvenv.cfg/a.py": "x",
            "venv/test_a.py": "only its name is that of an environment",
            ".github/workflows/ci.yml": "x",
        },
    )
    tree = sources.tree(tmp_path)
    assert list(tree.entries) == [
        ".github/workflows/ci.yml",
        "env2/pyvenv.cfg/a.py",
        "venv/test_a.py",
    ]
    assert tree.left_out == (".git", "a/__pycache__", "env", "node_modules", "sub/.git")
    assert tree.unseen == ()
    everything = sources.tree(tmp_path, leave_out=())
    assert "node_modules/a.py" in everything.entries
    assert everything.left_out == (".git", "env", "sub/.git")


def test_the_root_itself_may_be_an_environment(tmp_path: Path) -> None:
    assert list(sources.tree(write(tmp_path, {"pyvenv.cfg": "", "a": ""})).entries) == [
        "a",
        "pyvenv.cfg",
    ]


def test_a_fifo_is_there_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    tree = sources.tree(tmp_path)
    assert tree.entries["pipe.py"].kind is EntryKind.OTHER
    with pytest.raises(EvidenceUnavailable, match="not a regular file"):
        tree.read("pipe.py")


def test_names_that_are_no_unicode_survive(tmp_path: Path) -> None:
    name = os.fsdecode(b"test_\xff\n\x1b.py")
    tree = sources.tree(write(tmp_path, {name: b"\xff\xfe"}))
    assert list(tree.entries) == [name]
    assert tree.read(name) == b"\xff\xfe"


def test_a_rename_of_case_only_is_a_change(tmp_path: Path) -> None:
    before = write(tmp_path / "a", {"Test_a.py": "x"})
    after = write(tmp_path / "b", {"test_a.py": "x"})
    change = sources.change(before, after)
    assert change.differing() == ("Test_a.py", "test_a.py")
    assert change.parent.memo is change.candidate.memo


def test_a_large_file_is_known_and_not_read(tmp_path: Path) -> None:
    limits = TreeLimits(file_bytes=10)
    before = write(tmp_path / "a", {"big": "x" * 11, "same": "y" * 11, "small": "z" * 10})
    after = write(tmp_path / "b", {"big": "w" * 11, "same": "y" * 11, "small": "z" * 10})
    change = sources.change(before, after, limits=limits)
    assert change.differing() == ("big",)
    assert change.parent.read("small") == b"z" * 10
    assert change.parent.entries["big"].size == 11
    with pytest.raises(EvidenceUnavailable, match="big: 11 bytes, more than the limit of 10"):
        change.candidate.read("big")


def test_beyond_the_total_a_file_is_listed_without_identity(tmp_path: Path) -> None:
    root = write(tmp_path, {"a": "x" * 6, "b": "y" * 6, "c": "z" * 4})
    tree = sources.tree(root, limits=TreeLimits(total_bytes=10))
    assert [found.error for found in tree.entries.values()] == [
        None,
        "not read: the tree holds more than 10 bytes",
        None,
    ]
    assert sources.change(root, root, limits=TreeLimits(total_bytes=10)).differing() == ("b",)


def test_too_many_entries_are_said(tmp_path: Path) -> None:
    root = write(tmp_path, {"a/1": "", "b/1": "", "b/2": "", "b/3": "", "c/1": "", "d": ""})
    tree = sources.tree(root, limits=TreeLimits(entries=5))
    assert tree.unseen == ("b, d: the tree has more than 5 entries",)
    assert list(tree.entries) == ["a/1", "c/1"]
    assert sources.tree(root, limits=TreeLimits(entries=9)).unseen == ()


def test_a_deep_tree_is_cut_and_that_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/c/d": "", "a/b/e": ""})
    tree = sources.tree(tmp_path, limits=TreeLimits(depth=2))
    assert list(tree.entries) == ["a/b/e"]
    assert tree.unseen == ("a/b/c: more than 2 directories deep",)


def test_a_very_deep_tree_is_no_crash(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    (said,) = sources.tree(tmp_path).unseen
    assert said.endswith(": more than 100 directories deep")
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


_AS_NOBODY = """
import os, sys
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
from benchhygiene import sources
tree = sources.tree(sys.argv[1])
print(tree.unseen, [(path, found.error) for path, found in tree.entries.items()])
"""


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    root = write(tmp_path / "t", {"a": "1", "shut/b": "1", "z": "1"})
    for path in (tmp_path, *tmp_path.parents):
        if (
            path.stat().st_uid == os.geteuid()
            and path.is_relative_to("/tmp")
            and path != Path("/tmp")
        ):
            path.chmod(0o755)
    (root / "a").chmod(0)
    (root / "shut").chmod(0)
    program = "import benchhygiene.sources.changes\n" + _AS_NOBODY
    done = subprocess.run(
        [sys.executable, "-c", program, root], capture_output=True, text=True, check=False
    )
    (root / "shut").chmod(0o755)
    assert done.stdout == (
        "('shut: PermissionError: Permission denied',) "
        "[('a', 'PermissionError: Permission denied'), ('z', None)]\n"
    ), done.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing", "No such file or directory"),
        ("file", "Not a directory"),
        ("", "No such file"),
        ("a\0b", "not a path"),
    ],
)
def test_what_is_no_directory_is_bad_input(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=f"{says}.*expected a directory"):
        sources.tree(name and f"{tmp_path}/{name}")
