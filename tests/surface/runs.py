"""Run the real pytest over a tree and say which nodes failed."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping

import attrs

_FAILED = re.compile(r"(?m)^(?:(?:SUB)?FAILED(?:\([^)]*\))?|ERROR)(?: \[[^\]]*\])? (\S+)")
_SECONDS = 60


@attrs.frozen
class Run:
    """How one run ended: its exit status, the nodes that failed, without parameters, its words."""

    status: int
    failed: tuple[str, ...]
    output: str = attrs.field(eq=False)

    @property
    def is_green(self) -> bool:
        """Return whether nothing failed; a run that has no test left is green, too."""
        return self.status in (0, 5)


def run(tree: Mapping[str, str], python: str = sys.executable) -> Run:
    """Run pytest in a fresh directory that holds the tree."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in tree.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return _observed(folder, python)


def _observed(folder: str, python: str) -> Run:
    environ = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environ |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environ.pop("PYTHONPATH", None)
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-rfE", "--tb=line", "-p", "no:cacheprovider"],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    failed = {found.partition("[")[0] for found in _FAILED.findall(done.stdout)}
    return Run(done.returncode, tuple(sorted(failed)), done.stdout + done.stderr)
