from __future__ import annotations

import io
import os
import pathlib
import pty
import stat
import sys

import pytest

from benchhygiene import InputError
from benchhygiene.cli.output import (
    deliver,
    has_colour,
    stream_for,
    text_width,
    write_file,
    write_stream,
)


def names(directory: pathlib.Path) -> list[str]:
    return sorted(os.listdir(directory))


@pytest.fixture
def terminal() -> io.TextIOWrapper:
    primary, replica = pty.openpty()
    stream = io.TextIOWrapper(io.FileIO(replica, "w"), encoding="utf-8")
    yield stream
    stream.close()
    os.close(primary)


def test_a_new_file_holds_the_text_and_nothing_else_stays(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "report.json"
    write_file(str(target), "ünï\n")
    assert target.read_bytes() == "ünï\n".encode()
    assert names(tmp_path) == ["report.json"]


def test_a_new_file_has_the_permissions_the_umask_leaves(tmp_path: pathlib.Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(str(tmp_path / "r"), "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "r").stat().st_mode) == 0o640


def test_an_old_file_is_replaced_and_its_permissions_stay(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "r"
    target.write_text("old and much longer")
    target.chmod(0o600)
    with target.open() as reader:
        write_file(str(target), "new")
        assert reader.read() == "old and much longer"
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.parametrize("exists", [True, False])
def test_a_planted_link_is_replaced_not_followed(tmp_path: pathlib.Path, exists: bool) -> None:
    victim = tmp_path / "victim"
    if exists:
        victim.write_text("precious")
    link = tmp_path / "report"
    link.symlink_to(victim)
    write_file(str(link), "new")
    assert not link.is_symlink()
    assert link.read_text() == "new"
    assert (victim.read_text() == "precious") if exists else not victim.exists()


def test_a_name_relative_to_the_current_directory_works(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_file("r", "x")
    assert names(tmp_path) == ["r"]


def test_a_fifo_is_refused_at_once(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: not a regular file"):
        write_file(str(tmp_path / "pipe"), "x")


def test_a_link_to_a_device_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "out").symlink_to(os.devnull)
    with pytest.raises(InputError, match="out: not a regular file"):
        write_file(str(tmp_path / "out"), "x")
    assert (tmp_path / "out").is_symlink()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "expected the name of a file"),
        ("new/", "expected the name of a file"),
        (".", "not a regular file"),
        ("missing/r", "cannot be written: No such file"),
        ("file/r", "cannot be written: Not a directory"),
        ("loop", "cannot be written: Too many levels"),
        ("n" * 300, "cannot be written: File name too long"),
    ],
)
def test_an_impossible_target_is_named(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match=f"^--output {name}: {says}"):
        write_file(name, "x")
    assert names(tmp_path) == ["file", "loop"]


def test_a_failure_midway_leaves_the_old_file_and_no_other(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "r"
    target.write_text("old")

    def refuse(_source: str, _target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InputError, match="No space left on device"):
        write_file(str(target), "new")
    assert target.read_text() == "old"
    assert names(tmp_path) == ["r"]


@pytest.mark.parametrize(
    ("environ", "in_terminal", "in_pipe"),
    [
        ({}, True, False),
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
    ],
)
def test_colour_is_for_terminals_unless_told_otherwise(
    terminal: io.TextIOWrapper, environ: dict[str, str], in_terminal: bool, in_pipe: bool
) -> None:
    assert has_colour(terminal, environ) is in_terminal
    assert has_colour(io.StringIO(), environ) is in_pipe
    assert has_colour(None, environ) is in_pipe


@pytest.mark.parametrize(
    ("columns", "width"), [("100", 100), ("3", 40), ("0", 80), ("", 80), ("x", 80), ("²", 80)]
)
def test_the_width_is_the_terminals(terminal: io.TextIOWrapper, columns: str, width: int) -> None:
    assert text_width(terminal, {"COLUMNS": columns}) == width
    assert text_width(io.StringIO(), {"COLUMNS": columns}) is None
    assert text_width(None, {}) is None


def test_what_an_encoding_lacks_is_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write_stream("ü 日\n")
    assert raw.getvalue() == b"\\xfc \\u65e5\n"


def test_a_closed_standard_output_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(InputError, match="standard output: closed"):
        write_stream("x")


@pytest.mark.parametrize("output", [None, "-"])
def test_standard_output_is_what_a_dash_or_nothing_stands_for(
    output: str | None,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert stream_for(output) is sys.stdout
    deliver("text\n", output)
    assert capsys.readouterr() == ("text\n", "")
    assert names(tmp_path) == []


def test_anything_else_is_a_file(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert stream_for("-r") is None
    deliver("text\n", "-r")
    assert capsys.readouterr() == ("", "")
    assert (tmp_path / "-r").read_text() == "text\n"
    assert stream_for("") is None
    with pytest.raises(InputError, match="expected the name of a file"):
        deliver("text\n", "")
