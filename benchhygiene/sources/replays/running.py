"""One run of the tests in a workspace: how the process is started, and what came back."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence

import attrs

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.sources.replays.placement import Placement
from benchhygiene.sources.replays.settings import ReplaySettings
from benchhygiene.sources.replays.transcript import Transcript, read
from benchhygiene.sources.sandbox import (
    Command,
    Ended,
    Isolation,
    Mount,
    environment,
    interpreter_mounts,
)

_INSIDE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside")
_START = (
    "import sys; sys.path[:] = [sys.argv.pop(1), *filter(None, sys.path)]; "
    "from benchhygiene.sources.inside.boot import main; main()"
)
_INI = "tests/pytest.ini"  # of the pack: it is trusted, and its own
_KEY = 32


@attrs.frozen
class Workspace:
    """A directory with ``work`` (what is tested), ``own`` (ours) and, unsandboxed, ``home``."""

    scratch: str
    settings: ReplaySettings
    placed: Placement

    @property
    def work(self) -> str:
        """Return where the workspace is written."""
        return os.path.join(self.scratch, "work")

    @property
    def root(self) -> str:
        """Return where the tests find themselves."""
        return "/judged" if self._is_sandboxed else self.work

    @property
    def own(self) -> str:
        """Return where our part is, as the tests' process sees it."""
        return "/bench" if self._is_sandboxed else os.path.join(self.scratch, "own")

    @property
    def _is_sandboxed(self) -> bool:
        return self.settings.isolation is Isolation.NAMESPACES

    def prepare(self, files: SourceTree) -> None:
        """Write our part: the program, and pytest's only configuration."""
        own = os.path.join(self.scratch, "own")
        package = os.path.join(own, "benchhygiene", "sources", "inside")
        os.makedirs(package, 0o755)
        for above in ("benchhygiene", "benchhygiene/sources"):
            _write(os.path.join(own, above, "__init__.py"), b"")
        for name in sorted(os.listdir(_INSIDE)):
            if name.endswith(".py"):
                shutil.copyfile(os.path.join(_INSIDE, name), os.path.join(package, name))
        ini = files.stored(_INI) if files.is_file(_INI) else b"[pytest]\n"
        _write(os.path.join(own, "pytest.ini"), ini)
        os.makedirs(os.path.join(self.scratch, "home"), exist_ok=True)

    def run(self, config: Mapping[str, object]) -> tuple[Transcript, Ended]:
        """Run pytest once; return what it reported and how its process ended."""
        tests = [os.path.join(self.root, path) for path in self.placed.test_paths]
        every = {
            "root": self.root,
            "ini": f"{self.own}/pytest.ini",
            "tests": tests,
            "confcutdir": tests[0] if len(tests) == 1 else self.root,
            "plugins": list(self.settings.plugins),
            "args": tests,
            **config,
        }
        _write(os.path.join(self.scratch, "own", "config.json"), json.dumps(every).encode())
        key = secrets.token_bytes(_KEY)
        ended = self.settings.sandbox.run(self._command(key))
        return read(ended.channel, key), ended

    def _command(self, key: bytes) -> Command:
        argv = (self.settings.executable, "-s", "-B", "-c", _START, self.own)
        return Command(
            argv=(*argv, f"{self.own}/config.json"),
            environ={**self._environ(), **self.settings.environ},
            cwd=self.root,
            mounts=self._mounts() if self._is_sandboxed else (),
            message=key,
            has_channel=True,
        )

    def _mounts(self) -> Sequence[Mount]:
        settings = self.settings
        over = self.placed.taken if settings.writable else ()
        parts = (Mount(os.path.join(self.work, one), f"/judged/{one}") for one in over)
        return (
            *interpreter_mounts(settings.python),
            Mount(os.path.join(self.scratch, "own"), "/bench"),
            Mount(self.work, "/judged", is_copy=settings.writable),
            *(mount for mount in parts if os.path.isdir(mount.source)),
        )

    def _environ(self) -> dict[str, str]:
        home = (
            {} if self._is_sandboxed else dict.fromkeys(("HOME", "TMPDIR"), f"{self.scratch}/home")
        )
        return {
            **environment(),
            "PYTHONSAFEPATH": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis",
            **home,
        }


def _write(place: str, data: bytes) -> None:
    with open(place, "wb") as file:
        file.write(data)
