"""The gates of the reference's README, and answers that are right where its text search is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.server.jobs import Job, Policy, perform
from benchhygiene.server.roots import Root
from benchhygiene.server.workspaces import ABORT_GATES, COVERAGE_GATES, gates
from tests.server.conftest import STATED

WORDS = st.sampled_from((*COVERAGE_GATES, *ABORT_GATES, "-q", "-v", "--cov=x", "-k", "a-x", "-ra"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--cov=harness", "--cov-fail-under=80"), (["--cov", "--cov-fail-under"], [])),
        (("--cov-report", "term", "--cov-config=x"), (["--cov-report", "--cov-config"], [])),
        (("-x",), ([], ["-x"])),
        (("-vx",), ([], ["-x"])),
        (("--exitfirst", "--failed-first"), ([], ["-x", "--ff"])),
        (
            ("--maxfail=1", "--strict-markers", "--pdb"),
            ([], ["--maxfail", "--strict-markers", "--pdb"]),
        ),
        (("--strict",), ([], ["--strict"])),
        # Its text search takes these for gates.
        (("-kx", "-q"), ([], [])),
        (("--no-cov",), ([], [])),
        (("--ignore=a-x", "-ra"), ([], [])),
        ((), ([], [])),
    ],
)
def test_the_gates_of_the_readme(
    words: tuple[str, ...], found: tuple[list[str], list[str]]
) -> None:
    assert gates(words) == found


@given(st.lists(WORDS), st.lists(WORDS))
def test_more_words_never_hide_a_gate(words: list[str], more: list[str]) -> None:
    for fewer, all_of_them in zip(gates(words), gates(words + more), strict=True):
        assert set(fewer) <= set(all_of_them)


@pytest.mark.parametrize(
    ("ini", "verdict", "fails"),
    [
        ("addopts = --cov=a --cov-fail-under=99\n", "CORRUPTED", True),
        ("addopts = -x\n", "CORRUPTED", False),
        ("addopts = --cov-report=term\n", "CORRUPTED", False),
        ("addopts = -q\n", "CLEAN", False),
        ("", "CLEAN", False),
        ("minversion = 99\n", "CORRUPTED", True),
        ("addopts = --no-such-option\n", "CORRUPTED", True),
    ],
)
def test_the_verdict_and_what_would_really_happen(
    ini: str, verdict: str, fails: bool, root: Path
) -> None:
    (root / "clean/pytest.ini").write_text(f"[pytest]\n{ini}")
    arguments = {"path": "clean", "tests": ["tests"], **STATED}
    found = perform(Job("inspect_workspace", arguments, Policy(Root.of(str(root)))))
    assert found["ok"] is True
    assert (found["verdict"], found["fails_passing_suite"]) == (verdict, fails), found["reasons"]
    assert (found["fixed_command"] is None) == (verdict == "CLEAN")
    assert found["reasons"]


def test_the_servers_own_variables_never_count(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x --my-secret")
    policy = Policy(Root.of(str(root)))
    found = perform(Job("inspect_workspace", {"path": "clean", **STATED}, policy))
    assert found["verdict"] == "CLEAN"
    stated = {"path": "clean", **STATED, "environ": {"PYTEST_ADDOPTS": "-x"}}
    assert perform(Job("inspect_workspace", stated, policy))["verdict"] == "CORRUPTED"


def test_without_the_extra_the_command_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['mcp'] = None; from benchhygiene.cli import main; "
        "sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'benchhygiene[mcp]'" in done.stderr
    light = "import benchhygiene, benchhygiene.cli.app, sys; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", light]).returncode == 0
