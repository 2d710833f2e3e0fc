"""Environments of their own for the pytest versions that judge."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import venv

#: The versions every prediction is held against.
VERSIONS = ("7.4.4", "8.4.2", "9.2.0")
#: Names environments that exist already, as a path list of interpreters.
VARIABLE = "BENCHHYGIENE_JUDGES"
_COMPANIONS = (
    "iniconfig==2.3.1",
    "pytest-cov==7.1.0",
    "pytest-timeout==2.4.0",
    "pytest-xdist==3.8.0",
)

#: What the environment made of the running one's own parts holds: its plugins are known ones.
_COPIED = ("pytest", "pytest-cov", "coverage", "pluggy", "iniconfig", "packaging", "pygments")


def copied(directory: pathlib.Path) -> pathlib.Path:
    """Return the interpreter of an environment with this one's pytest and pytest-cov only.

    Copies, for coverage looks at real paths to tell a library from what it is to measure.
    """
    venv.create(directory, with_pip=False)
    site = next((directory / "lib").glob("python*")) / "site-packages"
    for name in _COPIED:
        _copy(importlib.metadata.distribution(name), site)
    return directory / "bin" / "python"


def _copy(distribution: importlib.metadata.Distribution, site: pathlib.Path) -> None:
    tops = {
        file.parts[0]
        for file in distribution.files or ()
        if file.parts[0] not in ("..", "__pycache__")
    }
    for top in sorted(tops):
        origin = pathlib.Path(str(distribution.locate_file(top)))
        if origin.is_dir():
            shutil.copytree(origin, site / top)
        else:
            shutil.copy2(origin, site / top)


def interpreters(cache: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return each judge's interpreter by pytest version; the cache keeps what had to be built.

    ``BENCHHYGIENE_JUDGES`` takes the place of the cache. Needs the package index at the first call.
    """
    stated = os.environ.get(VARIABLE)
    if stated:
        paths = [pathlib.Path(name) for name in stated.split(os.pathsep)]
        return {pytest_of(path): path for path in paths}
    return {version: _built(cache / version, version) for version in VERSIONS}


def pytest_of(python: pathlib.Path) -> str:
    """Return the version of the pytest that an interpreter imports."""
    asked = [str(python), "-c", "import pytest; print(pytest.__version__)"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


def _built(directory: pathlib.Path, version: str) -> pathlib.Path:
    python = directory / "bin" / "python"
    complete = directory / "complete"
    if not complete.exists():
        venv.create(directory, with_pip=True, clear=True)
        wanted = [f"pytest=={version}", *_COMPANIONS]
        install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*install, *wanted], timeout=600, check=True)
        complete.touch()
    return python
