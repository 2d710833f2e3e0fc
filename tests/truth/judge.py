"""The real pytest as a judge: run a command in an environment and see what pytest made of it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Mapping, Sequence

import attrs

OBSERVER = pathlib.Path(__file__).with_name("observer.py").read_text(encoding="utf-8")
#: A run that takes longer hangs.
SECONDS = 60.0
#: Variables that act on Python before pytest is imported; a forked child would be too late.
_EARLY = ("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONWARNINGS", "PYTHONOPTIMIZE")


@attrs.frozen
class Observation:
    """What one run did.

    ``rootdir`` and ``addopts`` are None where pytest stopped before it had decided them; ``parsed``
    says that it came through its start-up; ``ran`` lists the tests whose bodies ran in the main
    process, as ``path::name``. A ``status`` of None means that the run hung. A run that is not
    ``watched`` tells only its status and output.
    """

    status: int | None
    output: str
    watched: bool = False
    rootdir: str | None = None
    inifile: str | None = None
    addopts: tuple[str, ...] | None = None
    parsed: bool = False
    ran: tuple[str, ...] = ()
    error: str = ""


@attrs.define
class Judge:
    """One environment's pytest, kept warm in a process that forks for every run."""

    python: pathlib.Path
    scratch: pathlib.Path
    version: str = ""
    modules: frozenset[str] = frozenset()
    _process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Judge:
        """Start the process and learn which pytest it holds."""
        self._process = subprocess.Popen(
            [str(self.python), "-c", OBSERVER],
            cwd="/",
            env=bare_environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        hello = self._read()
        self.version = str(hello["pytest"])
        self.modules = frozenset(str(name) for name in _items(hello["modules"]))
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        process = self._process
        if process is not None and process.stdin is not None and process.stdout is not None:
            process.stdin.close()
            process.wait(timeout=SECONDS)
            process.stdout.close()

    def run(
        self, cwd: pathlib.Path, args: Sequence[str], environ: Mapping[str, str]
    ) -> Observation:
        """Run ``python -m pytest ARGS`` in a directory, watched where that changes nothing."""
        if any(environ.get(name) for name in _EARLY) or self._is_shadowed(cwd):
            return self.run_plain([str(self.python), "-m", "pytest", *args], cwd, environ)
        output = self.scratch / "output"
        request = {"cwd": str(cwd), "args": list(args), "environ": dict(environ)}
        answer = self._ask({**request, "output": str(output), "seconds": SECONDS})
        addopts, status = answer.get("addopts"), answer["status"]
        return Observation(
            status=status if isinstance(status, int) else None,
            output=_tail(output.read_bytes()),
            watched=True,
            rootdir=_text(answer.get("rootdir")),
            inifile=_text(answer.get("inifile")),
            addopts=None if addopts is None else tuple(str(word) for word in _items(addopts)),
            parsed=bool(answer.get("parsed")),
            ran=tuple(str(name) for name in _items(answer.get("ran", ()))),
            error=str(answer.get("error", "")),
        )

    def run_plain(
        self, command: Sequence[str], cwd: pathlib.Path, environ: Mapping[str, str]
    ) -> Observation:
        """Run a command with nothing of ours in its process; ``python`` means this one."""
        path = f"{self.python.parent}{os.pathsep}{environ.get('PATH', os.defpath)}"
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**environ, "PATH": path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as expired:
            return Observation(None, _tail(expired.stdout or b""))
        return Observation(done.returncode, _tail(done.stdout))

    def _is_shadowed(self, cwd: pathlib.Path) -> bool:
        """Return whether the directory offers a module that the warm process already has."""
        return any(entry.name.partition(".")[0] in self.modules for entry in cwd.iterdir())

    def _ask(self, request: Mapping[str, object]) -> dict[str, object]:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the judge is not started")
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, object]:
        if self._process is None or self._process.stdout is None:
            raise RuntimeError("the judge is not started")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.python} died")
        answer: dict[str, object] = json.loads(line)
        return answer


def bare_environ() -> dict[str, str]:
    """Return the few variables a judged run needs, none of which acts on pytest."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8"}


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _tail(output: bytes) -> str:
    return output.decode("utf-8", "replace")[-3000:]
