"""Every file that the real pytest opens around a workspace is evidence, bytes and all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchhygiene import sources

Plant = Callable[[Mapping[str, str | bytes]], Path]
Files = dict[str, str | bytes]

OPENED = Path(__file__).with_name("opened.py")
PASSES = "def test_passes():\n    pass\n"

CASES: dict[str, tuple[Files, list[str], dict[str, str]]] = {
    "host config and conftests": (
        {
            "host/pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
            "host/conftest.py": "import aid\n",
            "host/aid.py": "",
            "host/tox.ini": "[pytest]\n",
            "ws/tests/conftest.py": "",
            "ws/tests/test_a.py": PASSES,
            "ws/setup.cfg": "[metadata]\n",
        },
        ["tests"],
        {},
    ),
    "packages, neighbours and doctests": (
        {
            "ws/pkg/__init__.py": "",
            "ws/pkg/tests/__init__.py": "",
            "ws/pkg/tests/near.py": "",
            "ws/pkg/tests/test_a.py": "from pkg.tests import near\nimport top\n" + PASSES,
            "ws/top.py": "",
            "ws/pkg/tests/test_text.txt": ">>> 1\n1\n",
            "ws/setup.py": "import setuptools\n",
        },
        ["pkg/tests", "--doctest-modules"],
        {},
    ),
    "options that name files": (
        {
            "etc/ci.ini": "[pytest]\naddopts = --cov-config=cov.toml --cov=. \n",
            "ws/cov.toml": "[tool.coverage.run]\nbranch = true\n",
            "ws/plug/in.py": "",
            "ws/a/test_a.py": PASSES,
            "ws/b/test_b.py": PASSES,
            "ws/words": "-v\na/test_a.py\n",
        },
        ["-c../etc/ci.ini", "-pplug.in", "--rootdir=$WHERE", "@words", "b/test_b.py::test_passes"],
        {"WHERE": "../etc"},
    ),
    "no arguments, testpaths and pythonpath": (
        {
            "ws/pytest.ini": "[pytest]\ntestpaths = check other\npythonpath = lib\n",
            "ws/check/deep/test_a.py": "import below\n" + PASSES,
            "ws/other/test_b.py": PASSES,
            "ws/lib/below.py": "",
            "ws/.coveragerc": "[run]\nbranch = true\n",
        },
        ["--cov"],
        {},
    ),
    "words of the environment": (
        {
            "ws/pytest.ini": "[pytest]\n",
            "ws/ci.ini": "[pytest]\n",
            "ws/mine.py": "",
            "ws/rc": "[run]\n",
            "ws/test_a.py": "import elsewhere\n" + PASSES,
            "lib/elsewhere.py": "",
        },
        ["test_a.py", "--cov"],
        {
            "PYTEST_ADDOPTS": "-c 'ci.ini'",
            "PYTEST_PLUGINS": "mine",
            "COVERAGE_RCFILE": "rc",
            "PYTHONPATH": "../lib",
        },
    ),
    "a broken file on the way": (
        {"ws/pyproject.toml": "[tool.pytest", "ws/tox.ini": "[pytest]\n", "ws/test_a.py": PASSES},
        ["test_a.py"],
        {},
    ),
}


def _opened_by_pytest(cwd: Path, args: list[str], environ: dict[str, str]) -> list[str]:
    output = cwd.parent / "opened.json"
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    subprocess.run(
        [sys.executable, "-B", str(OPENED), str(output), *args],
        cwd=cwd,
        env=kept | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    found: list[str] = json.loads(output.read_text(encoding="utf-8"))
    root = os.path.realpath(cwd.parent)
    caches = (".pytest_cache", ".coverage", "opened.json")
    inside = [path for path in found if path.startswith(root + os.sep)]
    return [path for path in inside if not os.path.basename(path).startswith(caches)]


@pytest.mark.parametrize("name", CASES)
def test_what_pytest_opens_is_evidence(plant: Plant, name: str) -> None:
    files, args, environ = CASES[name]
    host = {path.replace("host/", ""): content for path, content in files.items()}
    cwd = plant(host) / "ws"
    invocation = sources.invocation(cwd, args, environ=environ)
    opened = _opened_by_pytest(cwd, args, environ)
    entries = invocation.files.entries
    missing = [path for path in opened if path not in entries or entries[path].data is None]
    assert missing == []
    assert len(opened) >= 1
