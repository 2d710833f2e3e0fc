"""Hostile and broken workspaces end as evidence or as one clear error, never as a hang."""

from __future__ import annotations

import os
import pickle
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from benchhygiene import sources
from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence import PathKind, PytestInvocation
from benchhygiene.sources import Limits

Plant = Callable[[Mapping[str, str | bytes]], Path]
Take = Callable[..., PytestInvocation]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file types and modes")


@pytest.fixture
def unprivileged_directory() -> Iterator[Path]:
    """Give up root's power to read everything, where we have it."""
    user = os.geteuid()
    sources.invocation("/", pytest="9.2.0", plugins={}, environ={})  # imports while it still may
    if user == 0:
        os.seteuid(65534)
    try:
        with tempfile.TemporaryDirectory() as directory:
            yield Path(os.path.realpath(directory))
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("name", ["missing", "missing/deeper", "", "nul\0byte", "file", "fifo"])
def test_a_workspace_that_is_no_directory_is_one_clear_error(
    plant: Plant, take: Take, name: str
) -> None:
    root = plant({"file": ""})
    os.mkfifo(root / "fifo")
    workspace = f"{root}/{name}" if name else ""
    with pytest.raises(InputError) as caught:
        take(workspace)
    assert repr(workspace) in str(caught.value)
    assert "expected an existing directory" in str(caught.value)


@pytest.mark.parametrize("workspace", [None, 3, b"."])
def test_a_workspace_that_is_no_path_is_one_clear_error(take: Take, workspace: object) -> None:
    with pytest.raises(InputError, match="not a path; expected an existing directory"):
        take(workspace)


def test_a_hostile_workspace_name_is_escaped(plant: Plant, take: Take) -> None:
    with pytest.raises(InputError) as caught:
        take(plant({}) / "a\x1b[31m\nb\u202e")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("mode", [0o000, 0o100, 0o400])
def test_an_unreadable_workspace_is_one_clear_error(
    unprivileged_directory: Path, take: Take, mode: int
) -> None:
    (unprivileged_directory / "ws").mkdir(mode=mode)
    with pytest.raises(InputError, match="Permission denied; expected an existing directory"):
        take(unprivileged_directory / "ws")


def test_unreadable_files_and_directories_say_why(unprivileged_directory: Path, take: Take) -> None:
    workspace = unprivileged_directory / "ws"
    closed = workspace / "tests" / "closed"
    closed.mkdir(parents=True)
    for name in ("pytest.ini", "tests/test_a.py"):
        (workspace / name).write_text("[pytest]")
        (workspace / name).chmod(0)
    closed.chmod(0)
    invocation = take(workspace, ["tests", "tests/closed"])
    with pytest.raises(EvidenceUnavailable, match="PermissionError: Permission denied"):
        invocation.files.read(str(workspace / "pytest.ini"))
    assert invocation.files.entries[str(workspace / "tests/test_a.py")].data is None
    assert "tests/closed: not all seen: PermissionError" in invocation.notes
    assert invocation.files.entries[str(closed / "pytest.ini")].error is not None


@pytest.mark.parametrize("args", [["words", 3], "tests", [b"tests"], None, 3])
def test_arguments_are_a_sequence_of_words(plant: Plant, take: Take, args: object) -> None:
    with pytest.raises(InputError, match="expected a sequence of words"):
        take(plant({}), args)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf[pytest]\r\naddopts = -x\r\n",
        b"[pytest]\raddopts = -x\r",
        bytes(range(256)) * 16,
        "[pytest]\naddopts = tests\n".encode("utf-16"),
        "[pytest]\naddopts = té\n".encode("latin-1"),
        b"",
        b"\0",
        b"x" * 900_000,
    ],
    ids=["bom-crlf", "cr", "binary", "utf-16", "latin-1", "empty", "nul", "one-long-word"],
)
@pytest.mark.parametrize("name", ["pytest.ini", "pyproject.toml", "conftest.py"])
def test_bytes_are_kept_as_they_are(plant: Plant, take: Take, name: str, content: bytes) -> None:
    root = plant({f"ws/{name}": content})
    assert take(root / "ws", ["tests"]).files.read(f"{root}/ws/{name}") == content


def test_a_huge_file_is_left_out_and_says_so(plant: Plant, take: Take) -> None:
    root = plant({"pytest.ini": b"[pytest]\n" + b"#" * (1 << 20), "ws/tox.ini": b"#" * (1 << 20)})
    files = take(root / "ws").files
    with pytest.raises(EvidenceUnavailable, match="1048585 bytes, more than the limit of 1048576"):
        files.read(f"{root}/pytest.ini")
    assert len(files.read(f"{root}/ws/tox.ini")) == 1 << 20


def test_all_files_together_are_bounded(plant: Plant, take: Take) -> None:
    levels = "a/b/c/d/e/f"
    files: dict[str, str | bytes] = {
        f"{levels[: 2 * depth]}pytest.ini": b"#" * 100 for depth in range(6)
    }
    root = plant(files | {f"{levels}/x": ""})
    invocation = take(root / levels, limits=Limits(file_bytes=100, total_bytes=350))
    read = [path for path, entry in invocation.files.entries.items() if entry.data]
    assert len(read) == 3
    assert invocation.unseen == ("stopped reading files at 350 bytes in all",)
    with pytest.raises(EvidenceUnavailable, match="over the limit of bytes in all"):
        invocation.files.read(f"{root}/pytest.ini")


def test_a_fifo_is_never_opened(plant: Plant, take: Take) -> None:
    root = plant({"ws/sub/x": ""})
    for name in ("ws/pytest.ini", "ws/conftest.py", "ws/sub/test_pipe.py", "ws/args", "tox.ini"):
        os.mkfifo(root / name)  # with no writer, opening one would wait for ever
    invocation = take(root / "ws", ["sub", "-c", "args", "@args"])
    for name in ("ws/pytest.ini", "ws/conftest.py", "ws/sub/test_pipe.py", "ws/args", "tox.ini"):
        assert invocation.files.kind(f"{root}/{name}") is PathKind.OTHER


def test_a_file_that_becomes_a_fifo_before_it_is_opened_does_not_hang(
    plant: Plant,
) -> None:
    from benchhygiene.sources.reading import read_regular

    root = plant({})
    os.mkfifo(root / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(f"{root}/pipe", 10)


def test_sockets_and_devices_exist_and_are_not_read(
    plant: Plant, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = plant({"ws/x": ""})
    monkeypatch.chdir(root / "ws")  # a socket's path has to be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("tox.ini")
        files = take(root / "ws", ["-c", "/dev/null"]).files
    assert files.kind(f"{root}/ws/tox.ini") is PathKind.OTHER
    assert files.kind("/dev/null") is PathKind.OTHER


def test_link_loops_and_directories_named_like_configs_are_no_files(
    plant: Plant, take: Take
) -> None:
    root = plant({"ws/setup.cfg/x": "", "ws/conftest.py/x": ""})
    (root / "ws/pytest.ini").symlink_to("pytest.ini")
    (root / "ws/a").symlink_to("b")
    (root / "ws/b").symlink_to("a")
    invocation = take(root / "ws", ["a", "pytest.ini"])
    for name in ("pytest.ini", "a", "b"):
        assert not invocation.files.exists(f"{root}/ws/{name}")
    for name in ("setup.cfg", "conftest.py"):
        assert invocation.files.kind(f"{root}/ws/{name}") is PathKind.DIRECTORY


def test_the_root_directory_is_a_workspace_too(take: Take) -> None:
    invocation = take("/", limits=Limits(entries=200))
    assert invocation.cwd == "/"
    assert invocation.files.is_dir("/")


@pytest.fixture
def thousand(plant: Plant) -> Iterator[Path]:
    """Make directories a thousand deep, and remove them without recursion."""
    root = plant({"pytest.ini": "[pytest]\n"})
    levels = [f"{root}/" + "/".join("d" * depth) for depth in range(1, 1_001)]
    for level in levels:
        os.mkdir(level)
    yield root
    for level in reversed(levels):
        os.rmdir(level)


def test_a_thousand_nested_directories(thousand: Path, take: Take) -> None:
    invocation = take(f"{thousand}/" + "/".join("d" * 1_000))
    assert invocation.files.read(f"{thousand}/pytest.ini") == b"[pytest]\n"
    assert invocation.files.is_dir(f"{thousand}/d/d/d")
    assert invocation.notes == ()


def test_a_walk_down_a_thousand_directories_stops(thousand: Path, take: Take) -> None:
    deepest_seen = "/".join("d" * 12)
    expected = f"{deepest_seen}: not all seen: more than 12 directories deep"
    assert take(thousand).notes == (expected,)


def test_names_too_long_for_the_system_do_not_exist(plant: Plant, take: Take) -> None:
    root = plant({"ws/pytest.ini": "[pytest]\nx = " + "y" * 300 + " " + "z/" * 3_000})
    invocation = take(root / "ws", ["n" * 300, "m/" * 5_000, "nul\0", "\ud800"])
    assert set(invocation.files.below(f"{root}/ws")) == {f"{root}/ws/pytest.ini"}


@pytest.mark.parametrize(
    "name",
    ["\x1b[2J.py", "new\nline.py", "\u202egnp.py", " ", "-c", "$HOME", "@x", "a::b.py", "[x]"],
)
def test_hostile_names_survive(plant: Plant, take: Take, name: str) -> None:
    root = plant({f"ws/sub/{name}/conftest.py": "", f"ws/{name}": "x"})
    invocation = take(root / "ws", ["sub", f"sub/{name}", name])
    assert invocation.files.exists(f"{root}/ws/{name}")
    assert invocation.files.read(f"{root}/ws/sub/{name}/conftest.py") == b""


def test_names_that_are_not_utf_8_survive_and_pickle(plant: Plant, take: Take) -> None:
    root = os.fsencode(plant({"ws/a": ""}))
    os.mkdir(root + b"/ws/te\xff")
    for name in (b"/ws/te\xff/test_\xfe.py", b"/ws/te\xff/pytest.ini"):
        Path(os.fsdecode(root + name)).write_bytes(b"te\xff")
    invocation = take(os.fsdecode(root + b"/ws/te\xff"), limits=Limits(walked_bytes=0))
    assert invocation.files.read(os.fsdecode(root + b"/ws/te\xff/pytest.ini")) == b"te\xff"
    assert pickle.loads(pickle.dumps(invocation)) == invocation
    above = take(os.fsdecode(root + b"/ws"), limits=Limits(walked_bytes=0))
    assert any("te\\udcff" in note for note in above.notes)
    assert all(note.isprintable() for note in above.notes)
