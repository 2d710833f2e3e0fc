"""Real test suites out of source distributions, downloaded once and never executed."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tarfile

from benchhygiene.evidence.tree import SourceTree

#: name==version: suites of plain functions, of unittest classes, and of both.
SUITES = (
    "attrs==26.1.0",
    "click==8.1.8",
    "itsdangerous==2.2.0",
    "jinja2==3.1.6",
    "more-itertools==11.2.1",
    "packaging==26.4",
    "pluggy==1.7.0",
    "python-dateutil==4.0.0",
    "sortedcontainers==2.4.0",
    "werkzeug==3.1.9",
)
CACHE = "BENCHHYGIENE_SUITES"


def directory() -> pathlib.Path:
    """Return where the archives are kept: what the variable names, or a cache directory."""
    named = os.environ.get(CACHE)
    return pathlib.Path(named) if named else pathlib.Path.home() / ".cache" / "benchhygiene-suites"


def trees() -> dict[str, SourceTree]:
    """Return the tree of every suite that can be had, its Python files only."""
    found: dict[str, SourceTree] = {}
    for requirement in SUITES:
        archive = _archive(requirement)
        if archive is not None:
            found[requirement] = _unpacked(archive)
    return found


def _archive(requirement: str) -> pathlib.Path | None:
    name, _, version = requirement.partition("==")
    spellings = {name, name.replace("-", "_"), name.replace("-", ".")}
    for spelling in sorted(spellings):
        path = directory() / f"{spelling}-{version}.tar.gz"
        if path.is_file():
            return path
    directory().mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", ":all:", "--dest", str(directory()), requirement]
    ran = subprocess.run(command, capture_output=True, timeout=600, check=False)
    return _archive(requirement) if ran.returncode == 0 else None


def _unpacked(archive: pathlib.Path) -> SourceTree:
    files: dict[str, bytes] = {}
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            path = member.name.partition("/")[2]
            if member.isfile() and path.endswith((".py", ".ini", ".toml", ".cfg")):
                reader = packed.extractfile(member)
                files[path] = reader.read() if reader is not None else b""
    return SourceTree(files)
