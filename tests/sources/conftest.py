"""Workspaces made of literals, and the invocation evidence taken from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from benchhygiene import sources
from benchhygiene.evidence import PytestInvocation


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Write files below a fresh directory and return it, its path physical."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        root = Path(os.path.realpath(tmp_path))
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


@pytest.fixture
def take() -> Callable[..., PytestInvocation]:
    """Take the evidence for a stated pytest, without looking at what is installed here."""

    def invocation(
        workspace: str | os.PathLike[str],
        args: Sequence[str] = (),
        *,
        environ: Mapping[str, str] | None = None,
        limits: sources.Limits | None = None,
    ) -> PytestInvocation:
        return sources.invocation(
            workspace, args, environ=environ or {}, pytest="9.2.0", plugins={}, limits=limits
        )

    return invocation
