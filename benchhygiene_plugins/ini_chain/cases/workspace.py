"""A host repository with a workspace inside it: the ground every case stands on."""

from __future__ import annotations

from collections.abc import Mapping

from benchhygiene.evidence import Distribution, PathEntry, PytestInvocation

HOST = "/host"
WORKSPACE = "/host/ws"
TARGET = "tests/test_ok.py"
SUITE = "def test_fast():\n    assert 1 == 1\n\n\ndef test_slow():\n    assert 2 == 2\n"

COV = Distribution("pytest-cov", "7.1.0")
RERUNFAILURES = Distribution("pytest-rerunfailures", "16.7")


def run(
    files: Mapping[str, str | bytes | PathEntry],
    *args: str,
    pytest: str = "9.2.0",
    environ: Mapping[str, str] | None = None,
    installed: tuple[Distribution, ...] = (),
    suite: str = SUITE,
) -> PytestInvocation:
    """Return a run of one passing test file, with these files around it.

    Paths are relative to the host; the working directory is its ``ws``. Without ``args`` the
    command names the test file.
    """
    return PytestInvocation(
        cwd=WORKSPACE,
        args=args or (TARGET,),
        pytest=pytest,
        environ=environ or {},
        distributions=installed,
        files={
            f"{WORKSPACE}/{TARGET}": suite,
            **{f"{HOST}/{path}": content for path, content in files.items()},
        },
    )


def inheriting(
    addopts: str,
    *args: str,
    pytest: str = "9.2.0",
    installed: tuple[Distribution, ...] = (),
    suite: str = SUITE,
) -> PytestInvocation:
    """Return the same run below a ``pytest.ini`` of the host that sets addopts."""
    files = {"pytest.ini": f"[pytest]\naddopts = {addopts}\n"}
    return run(files, *args, pytest=pytest, installed=installed, suite=suite)
