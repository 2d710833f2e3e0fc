"""Real directories and real git repositories, written from literals."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import attrs

from benchhygiene import SourceTree
from benchhygiene.evidence import EntryKind

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.devnull,
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


@attrs.frozen
class Link:
    """A symbolic link to write."""

    target: str


@attrs.frozen
class Program:
    """An executable file to write."""

    content: bytes = b""


Written: TypeAlias = bytes | str | Link | Program
Content: TypeAlias = dict[str, tuple[str, bool, bytes]]


def write(root: Path, files: Mapping[str, Written]) -> Path:
    """Write the files below a directory and return it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, Program):
            path.write_bytes(content.content)
            path.chmod(0o755)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


@attrs.frozen
class Git:
    """A repository driven by the real git."""

    path: Path

    @classmethod
    def init(cls, path: Path, *options: str) -> Git:
        path.mkdir(parents=True, exist_ok=True)
        repository = cls(path)
        repository.run("init", "-q", *options)
        return repository

    def run(self, *words: str | os.PathLike[str], given: bytes | None = None) -> bytes:
        done = subprocess.run(
            ["git", "-C", self.path, *words],
            input=given,
            capture_output=True,
            check=False,
            env=ENVIRONMENT,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def accepts(self, *words: str, given: bytes) -> bool:
        done = subprocess.run(
            ["git", "-C", self.path, *words],
            input=given,
            capture_output=True,
            check=False,
            env=ENVIRONMENT,
        )
        return done.returncode == 0

    def commit(self, files: Mapping[str, Written]) -> str:
        """Commit exactly these files and return the commit's id."""
        for child in self.path.iterdir():
            if child.name == ".git":
                continue
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            else:
                child.unlink()
        write(self.path, files)
        self.run("add", "-A", "-f")
        return self.commit_index()

    def commit_index(self) -> str:
        self.run("commit", "-q", "--allow-empty", "-m", "x")
        return self.run("rev-parse", "HEAD").decode().strip()

    def diff(self, *words: str) -> bytes:
        return self.run("diff", "--binary", *words)


def content(tree: SourceTree) -> Content:
    """Return all that a tree holds, whatever it was taken from."""
    return {
        path: (
            found.kind.value,
            found.is_executable,
            found.identity.encode()
            if found.kind is EntryKind.SUBMODULE
            else (found.error or "").encode() or tree.stored(path),
        )
        for path, found in tree.entries.items()
    }
