from __future__ import annotations

from pathlib import Path

import pytest

from tests.trees.repositories import Git


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """An empty repository."""
    return Git.init(tmp_path / "repo")
