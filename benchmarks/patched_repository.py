"""A git repository made out of test suites, with branches that each patch some of its tests."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def parses(data: bytes) -> bool:
    """Return whether this Python accepts the source."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def suite_files(suites: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the suites that parses, by its name in the repository."""
    for number, suite in enumerate(suites):
        for path in sorted(suite.rglob("*.py")):
            if path.is_file() and "__pycache__" not in path.parts:
                data = path.read_bytes()
                if parses(data):
                    yield f"s{number}/{path.relative_to(suite).as_posix()}", data


def git(repository: Path, *words: str, given: bytes | None = None) -> bytes:
    """Run git in the repository and return what it prints."""
    return subprocess.run(
        ["git", "-C", repository, *words],
        input=given,
        stdout=subprocess.PIPE,
        check=True,
        env=ENVIRONMENT,
    ).stdout


def build(repository: Path, files: dict[str, bytes], count: int) -> list[str]:
    """Make a repository of the files, with a branch per patch; return the branches."""
    repository.mkdir(parents=True)
    git(repository, "init", "-q")
    names = [f"p{number}" for number in range(count)]
    stream = b"".join(_commits(files, names))
    git(repository, "fast-import", "--quiet", given=stream)
    git(repository, "gc", "-q")
    return names


def branches(repository: Path) -> list[str]:
    """Return the branches with patches, in the order they were made."""
    said = git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads")
    names = [name for name in said.decode().split() if name[1:].isdigit()]
    return sorted(names, key=lambda name: int(name[1:]))


def _commits(files: dict[str, bytes], names: Sequence[str]) -> Iterator[bytes]:
    chance = random.Random(20261130)
    tests = sorted(path for path in files if path.rpartition("/")[2].startswith("test_"))
    yield _head("base", None)
    yield from (_file(path, data) for path, data in files.items())
    for name in names:
        yield _head(name, "base")
        for path in chance.sample(tests, chance.randint(1, 5)):
            yield _file(path, edited(files[path], chance))


def _head(branch: str, parent: str | None) -> bytes:
    above = f"from refs/heads/{parent}\n" if parent else ""
    who = "a <a@example.org> 1700000000 +0000"
    return f"commit refs/heads/{branch}\ncommitter {who}\ndata 1\nx\n{above}".encode()


def _file(path: str, data: bytes) -> bytes:
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def edited(data: bytes, chance: random.Random) -> bytes:
    """Return the source with an assertion dropped, doubled or loosened, or with another test."""
    lines = data.split(b"\n")
    asserts = [at for at, line in enumerate(lines) if line.lstrip().startswith(b"assert ")]
    for _ in range(5 if asserts else 0):
        at = chance.choice(asserts)
        changed = [*lines]
        deed = chance.choice(("drop", "double", "loosen"))
        changed[at : at + 1] = {
            "drop": [],
            "double": [lines[at], lines[at]],
            "loosen": [lines[at].replace(b" == ", b" >= ")],
        }[deed]
        if changed != lines and parses(b"\n".join(changed)):
            return b"\n".join(changed)
    return data + b"\n\ndef test_added():\n    assert 1 + 1 == 2\n"
