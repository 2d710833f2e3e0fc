"""A workspace to judge: a suite whose tests pass on their own, and all that surrounds it."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping

import attrs

from tests.truth.judge import bare_environ
from tests.truth.suites import Suite, turned

#: What stands for the directory that holds everything, in arguments and environment values.
ROOT = "{ROOT}"


@attrs.frozen
class Link:
    """A symbolic link and the text it holds."""

    target: str


@attrs.frozen
class Directory:
    """An empty directory."""


Content = str | bytes | Link | Directory
Files = dict[str, Content]


def _pairs(value: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(value.items()))


def _entries(value: Mapping[str, Content]) -> tuple[tuple[str, Content], ...]:
    return tuple(value.items())


@attrs.frozen
class Workspace:
    """A pytest command, where it is given, and every file around.

    ``cwd`` and the paths of ``files`` are relative to the root; ``suite`` is planted in ``home``.
    """

    name: str
    suite: Suite
    files: tuple[tuple[str, Content], ...] = attrs.field(default=(), converter=_entries)
    args: tuple[str, ...] = ()
    environ: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_pairs)
    cwd: str = "host/ws"
    home: str = "host/ws"

    def plant(self, root: pathlib.Path, *, passing: bool = True) -> pathlib.Path:
        """Write everything below the root and return the directory to run pytest in."""
        for name, text in self.suite.files:
            _write(root / self.home / name, turned(text, passing=passing))
        for name, content in self.files:
            if isinstance(content, str):
                content = turned(content, passing=passing)
            _write(root / name, content)
        cwd = root / self.cwd
        cwd.mkdir(parents=True, exist_ok=True)
        return cwd

    def words(self, root: pathlib.Path) -> tuple[str, ...]:
        """Return the arguments, with the root's real path filled in."""
        return tuple(word.replace(ROOT, str(root)) for word in self.args)

    def variables(self, root: pathlib.Path) -> dict[str, str]:
        """Return the environment that pytest runs in."""
        given = {name: value.replace(ROOT, str(root)) for name, value in self.environ}
        return {**bare_environ(), **given}


def _write(path: pathlib.Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Directory):
        path.mkdir(exist_ok=True)
    elif isinstance(content, Link):
        path.symlink_to(content.target)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
