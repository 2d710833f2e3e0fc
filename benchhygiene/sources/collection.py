"""Let a real pytest collect a copy of a tree, apart from us, and record what it found."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import cast

from benchhygiene.errors import InputError
from benchhygiene.evidence.collected import CollectedChange, CollectedNodes, CollectionEnd
from benchhygiene.sources.reading import read_regular

_REPORT_BYTES = 200_000_000
_MEMORY = 8 << 30
#: The plugin that writes the report. It runs in the interpreter under test, whatever its version.
_RECORDER = """\
import json
import os

import pytest

_ids, _failed = [], []


def pytest_itemcollected(item):
    _ids.append(item.nodeid)


def pytest_collectreport(report):
    if not report.passed:
        _failed.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus):
    said = {"ids": _ids, "failed": _failed, "exit": int(exitstatus), "pytest": pytest.__version__}
    with open(os.environ["BENCHHYGIENE_REPORT"], "w", encoding="utf-8") as file:
        json.dump(said, file)
"""
#: Takes away what a runaway collection could use up, and then becomes it.
_LIMITER = """\
import os, resource, sys
seconds, memory = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execv(sys.argv[3], sys.argv[3:])
"""


def collect(
    directory: str | os.PathLike[str],
    args: Sequence[str] = (),
    *,
    python: str = sys.executable,
    seconds: int = 300,
    pythonpath: Sequence[str] = (),
    allow_network: bool = False,
) -> CollectedNodes:
    """Return what ``pytest --collect-only`` finds in a copy of the directory.

    It runs in a process of its own, with an empty environment and home, for so many seconds at
    most, and without a network: InputError where the system offers no way to cut it off.
    ``pythonpath`` are directories, relative to the copy, that imports search.
    """
    prefix = [] if allow_network else _without_network()
    with tempfile.TemporaryDirectory(prefix="benchhygiene-") as scratch:
        copy, own = os.path.join(scratch, "tree"), os.path.join(scratch, "own")
        shutil.copytree(directory, copy, symlinks=True)
        os.makedirs(own)
        with open(os.path.join(own, "benchhygiene_recorder.py"), "w", encoding="utf-8") as file:
            file.write(_RECORDER)
        report = os.path.join(own, "report.json")
        environ = _environ(scratch, own, report, [os.path.join(copy, one) for one in pythonpath])
        command = [*prefix, *_command(python, seconds), *args]
        ended = _run(command, copy, environ, seconds)
        return _recorded(report) if ended else CollectedNodes(end=CollectionEnd.TIMED_OUT)


def collect_change(
    parent: str | os.PathLike[str],
    candidate: str | os.PathLike[str],
    args: Sequence[str] = (),
    *,
    python: str = sys.executable,
    seconds: int = 300,
    pythonpath: Sequence[str] = (),
    allow_network: bool = False,
) -> CollectedChange:
    """Return what ``collect`` finds in each of two directories."""
    before, after = (
        collect(
            directory,
            args,
            python=python,
            seconds=seconds,
            pythonpath=pythonpath,
            allow_network=allow_network,
        )
        for directory in (parent, candidate)
    )
    return CollectedChange(before, after)


def _command(python: str, seconds: int) -> list[str]:
    limiter = [sys.executable, "-I", "-c", _LIMITER, str(seconds), str(_MEMORY)]
    options = ["--collect-only", "-q", "-p", "benchhygiene_recorder", "-p", "no:cacheprovider"]
    kept_going = "--continue-on-collection-errors"
    return [*limiter, os.path.abspath(python), "-m", "pytest", *options, kept_going]


def _environ(scratch: str, own: str, report: str, paths: Sequence[str]) -> Mapping[str, str]:
    return {
        "PATH": os.defpath,
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join([own, *paths]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "BENCHHYGIENE_REPORT": report,
    }


def _without_network() -> list[str]:
    """Return the command that starts another one in a network of its own, with nothing in it."""
    unshare = shutil.which("unshare")
    command = [unshare or "", "--user", "--map-root-user", "--net", "--"]
    if unshare is not None:
        tried = subprocess.run([*command, "true"], capture_output=True, check=False)
        if tried.returncode == 0:
            return command
    raise InputError("collect: the network cannot be cut off here; allow_network=True allows it")


def _run(command: Sequence[str], cwd: str, environ: Mapping[str, str], seconds: int) -> bool:
    """Run to the end or to the deadline; return which. Nothing it started is left behind."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return True


def _recorded(path: str) -> CollectedNodes:
    """Return what the report says; whatever is no report of ours says nothing."""
    silent = CollectedNodes(end=CollectionEnd.SILENT)
    try:
        said = json.loads(read_regular(path, _REPORT_BYTES))
    except (OSError, ValueError, RecursionError):
        return silent
    if not isinstance(said, dict):
        return silent
    found = cast("Mapping[str, object]", said)
    ids, failed = _texts(found.get("ids")), _texts(found.get("failed"))
    status, version = found.get("exit"), found.get("pytest")
    if ids is None or failed is None or not isinstance(status, int):
        return silent
    return CollectedNodes(ids, failed, CollectionEnd.REPORTED, status, str(version))


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    texts = tuple(one for one in items if isinstance(one, str))
    return texts if len(texts) == len(items) else None
