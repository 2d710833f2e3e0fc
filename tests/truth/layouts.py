"""Say briefly where a config file lies around a suite and what is run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from tests.truth.suites import SUITES
from tests.truth.workspaces import Content, Workspace


def workspace(
    name: str,
    files: Mapping[str, Content] | None = None,
    args: Sequence[str] | None = None,
    *,
    suite: str = "plain",
    environ: Mapping[str, str] | None = None,
    cwd: str = "host/ws",
    home: str = "host/ws",
) -> Workspace:
    """Return a workspace; without args its suite's own target is named."""
    chosen = SUITES[suite]
    words = (chosen.target,) if args is None else tuple(args)
    return Workspace(name, chosen, files or {}, words, environ or {}, cwd, home)


def ini(words: Iterable[str] | None = None, *lines: str, section: str = "pytest") -> str:
    """Return an ini file that sets addopts and some lines more."""
    head = [] if words is None else [f"addopts = {shlex.join(words)}"]
    return "\n".join([f"[{section}]", *head, *lines, ""])


def pyproject(*lines: str) -> str:
    """Return a pyproject.toml with these lines in pytest's classic table."""
    return "\n".join(["[tool.pytest.ini_options]", *lines, ""])
