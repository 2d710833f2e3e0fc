"""A real collection is recorded from its report, and whatever it does stays apart from us."""

from __future__ import annotations

import pathlib

import pytest

from benchhygiene import sources
from benchhygiene.errors import InputError
from benchhygiene.evidence import CollectedNodes, CollectionEnd


def _suite(directory: pathlib.Path, text: str) -> pathlib.Path:
    directory.mkdir(exist_ok=True)
    (directory / "test_a.py").write_text(text, encoding="utf-8")
    return directory


def _collected(directory: pathlib.Path, seconds: int = 60) -> CollectedNodes:
    return sources.collect(directory, seconds=seconds, allow_network=True)


def test_ids_failures_and_the_exit_status_are_recorded(tmp_path: pathlib.Path) -> None:
    suite = _suite(
        tmp_path, "import pytest\n@pytest.mark.parametrize('a', [1, 2])\ndef test_a(a): pass\n"
    )
    (tmp_path / "test_b.py").write_text("raise ValueError\n", encoding="utf-8")
    said = _collected(suite)
    assert said.node_ids == ("test_a.py::test_a[1]", "test_a.py::test_a[2]")
    assert said.failed == ("test_b.py",)
    assert said.end is CollectionEnd.REPORTED
    assert said.exit_status
    assert said.pytest == pytest.__version__


def test_what_the_suite_writes_is_written_to_a_copy(tmp_path: pathlib.Path) -> None:
    suite = _suite(tmp_path / "suite", "open('planted', 'w').close()\ndef test_a(): pass\n")
    assert _collected(suite).node_ids == ("test_a.py::test_a",)
    assert sorted(path.name for path in suite.iterdir()) == ["test_a.py"]


def test_a_suite_that_ends_the_process_has_said_nothing(tmp_path: pathlib.Path) -> None:
    said = _collected(_suite(tmp_path, "import os\nos._exit(0)\n"))
    assert (said.end, said.node_ids) == (CollectionEnd.SILENT, ())


def test_a_suite_that_hangs_is_stopped_with_all_it_started(tmp_path: pathlib.Path) -> None:
    text = (
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "time.sleep(600)\n"
    )
    said = _collected(_suite(tmp_path, text), seconds=3)
    assert said.end is CollectionEnd.TIMED_OUT


@pytest.mark.parametrize(
    "report", ["[]", "{}", "not json", '{"ids": [1], "failed": [], "exit": 0}']
)
def test_a_forged_report_of_another_shape_is_none(report: str, tmp_path: pathlib.Path) -> None:
    text = (
        f"import os\nopen(os.environ['BENCHHYGIENE_REPORT'], 'w').write({report!r})\nos._exit(0)\n"
    )
    assert _collected(_suite(tmp_path, text)).end is CollectionEnd.SILENT


def test_our_environment_is_not_handed_on(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    text = "import os\nif 'SECRET_TOKEN' not in os.environ:\n    def test_a(): pass\n"
    assert _collected(_suite(tmp_path, text)).node_ids == ("test_a.py::test_a",)


def test_the_network_is_cut_off_or_the_collection_refused(tmp_path: pathlib.Path) -> None:
    text = (
        "import socket\ndef reaches():\n    try:\n"
        "        socket.create_connection(('192.0.2.1', 9), 1)\n"
        "    except OSError as error:\n        return error.errno not in (101, 100)\n"
        "    return True\nif reaches():\n    def test_reached(): pass\ndef test_a(): pass\n"
    )
    suite = _suite(tmp_path, text)
    refused, said = "", None
    try:
        said = sources.collect(suite, seconds=60)
    except InputError as error:
        refused = str(error)
    assert "allow_network" in refused or said is not None
    assert said is None or said.node_ids == ("test_a.py::test_a",)


def test_both_sides_of_a_change_are_collected(tmp_path: pathlib.Path) -> None:
    parent = _suite(tmp_path / "parent", "def test_a(): pass\n")
    candidate = _suite(tmp_path / "candidate", "def test_b(): pass\n")
    said = sources.collect_change(parent, candidate, allow_network=True)
    assert said.parent.node_ids == ("test_a.py::test_a",)
    assert said.candidate.node_ids == ("test_a.py::test_b",)
