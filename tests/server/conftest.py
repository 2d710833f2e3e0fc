"""A root with workspaces in it, and real servers of it over stdio and HTTP on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchhygiene.core.json import JSON

STATED: dict[str, JSON] = {
    "pytest": "9.0.2",
    "python": "3.11",
    "plugins": {"pytest-cov": "7.0.0"},
}
TOKEN = "a-secret-of-many-letters"
SERVE = (sys.executable, "-P", "-m", "benchhygiene", "serve")
GATES = "--cov=harness --cov-report=term-missing:skip-covered --cov-fail-under=80"
TEST = """\
def test_a(tmp_path):
    assert tmp_path.is_dir()
    assert len(tmp_path.parts) > 1
"""

Served = Callable[..., str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with a corrupted workspace, a clean one, and a secret outside of it."""
    files = {
        "secret.ini": "[pytest]\naddopts = --secret-word\n",
        "root/host/pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{GATES}"\n',
        "root/host/workspace/task-1/tests/test_a.py": TEST,
        "root/clean/pytest.ini": "[pytest]\naddopts = -q\n",
        "root/clean/tests/test_a.py": TEST,
        "root/weak/pytest.ini": "[pytest]\naddopts = -q\n",
        "root/weak/tests/test_a.py": TEST.replace("    assert len(tmp_path.parts) > 1\n", ""),
        "root/pack/flakes/ledger.json": '{"version": 1, "entries": []}\n',
        "root/listing.json": '{"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "root"


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a server, without secrets."""
    names = ("PATH", "HOME", "PYTHONPATH", "LANG")
    return {name: os.environ[name] for name in names if name in os.environ}


@pytest.fixture
def served(root: Path, environment: dict[str, str]) -> Iterator[Served]:
    """A function that starts a server over HTTP with these words and returns its URL."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, token: str | None = None) -> str:
        extra = {} if token is None else {"BENCHHYGIENE_TOKEN": token}
        process = subprocess.Popen(
            [*SERVE, "--http", "--port", "0", "--root", str(root), *words],
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, **extra},
        )
        started.append(process)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("benchhygiene: serving http://"), line
        return line.split()[-1].replace("0.0.0.0", "127.0.0.1")

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=30)
