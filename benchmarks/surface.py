"""Measure how fast trees, inventories and patches are judged, as ratios within one run.

The directories given hold Python test suites, a million lines of them for figures worth quoting:

    python benchmarks/surface.py SUITE [SUITE ...]

Times are CPU seconds of this process and its children unless they are called wall. The floor is
``ast.parse`` of the same files, measured before and after. The patches are commits and diffs that
this program makes, one to five files each, in a repository that it builds out of the suites.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from benchhygiene import Change, Orchestrator, Registry, SourceTree, sources

ANALYZERS = ("assertions", "nodes", "skip-markers")
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


def cpu() -> float:
    """Return the CPU seconds that this process and its finished children have used."""
    own, children = (resource.getrusage(who) for who in _WHO)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def timed(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    gc.collect()
    began = cpu()
    work()
    return cpu() - began


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
    repository.mkdir()
    git(repository, "init", "-q")
    names = [f"p{number}" for number in range(count)]
    stream = b"".join(_commits(files, names))
    git(repository, "fast-import", "--quiet", given=stream)
    return names


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


def registry() -> Registry:
    """Return the analyzers of ``benchhygiene diff``."""
    return Registry.discover().only(*ANALYZERS)


def in_child(work: str, *arguments: str) -> tuple[float, float, int]:
    """Run a piece of this program in a process: CPU seconds, wall seconds, peak kilobytes."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, __file__, "--work", work, *arguments], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return took, time.perf_counter() - began, after.ru_maxrss


def wall(words: Sequence[str], repeat: int) -> float:
    """Return the median of wall seconds of a whole process."""
    took: list[float] = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        done = subprocess.run(words, capture_output=True, check=False)
        took.append(time.perf_counter() - began)
        if done.returncode not in (0, 1, 3):
            raise SystemExit(done.stderr.decode())
    return statistics.median(took[1:])


def index_tree(tree: SourceTree) -> int:
    """Take the index of every Python file: functions with their spans and hashes, and counts."""
    from benchhygiene.inventory.index import index

    return sum(len(index(tree.read(path)).functions) for path in tree.files(".py"))


def full_inventory(tree: SourceTree) -> int:
    """Take the whole inventory: nodes, parameters, checks and exemptions."""
    from benchhygiene.cli.inventories import take

    return len(take(tree).nodes)


def judge_all(changes: Iterable[Change]) -> int:
    """Judge every change and return how many findings there were."""
    orchestrator = Orchestrator(registry(), require=ANALYZERS)
    found = 0
    for change in changes:
        report = orchestrator.run(change)
        report.raise_for_crashes()
        found += len(report.findings)
    return found


def revisions(repository: Path, names: Sequence[str]) -> Iterator[Change]:
    """Yield the change from the base to each branch."""
    with sources.Repository(repository) as opened:
        for name in names:
            yield opened.change("base", name)


def diffs(repository: Path, texts: Sequence[bytes]) -> Iterator[Change]:
    """Yield the change that each diff makes of the base."""
    with sources.Repository(repository) as opened:
        for text in texts:
            yield sources.patch_change(opened, text, revision="base")


def work(name: str, repository: Path, count: int) -> None:
    """Do one piece of work in a process of its own, for its peak memory."""
    names = [f"p{number}" for number in range(count)]
    if name == "index":
        print("functions:", index_tree(sources.tree(repository, revision="base")))
    elif name == "inventory":
        print("nodes:", full_inventory(sources.tree(repository, revision="base")))
    elif name == "patches":
        print("findings:", judge_all(revisions(repository, names)))


def floor(files: dict[str, bytes]) -> float:
    """Return the CPU seconds of ``ast.parse`` over all the files."""

    def parse_all() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for data in files.values():
                ast.parse(data)

    return timed(parse_all)


def measure(suites: Sequence[Path], patches: int, folder: Path) -> None:
    """Build the repository, measure, and print the figures."""
    files = dict(suite_files(suites))
    lines = sum(data.count(b"\n") for data in files.values())
    print(f"Python {sys.version.split()[0]}; {len(files)} files, {lines} lines, {patches} patches")
    repository = folder / "repository"
    names = build(repository, files, patches)
    git(repository, "gc", "-q")
    before = floor(files)
    indexed = in_child("index", str(repository))
    inventoried = in_child("inventory", str(repository))
    after = floor(files)
    base = statistics.mean((before, after))
    print(f"ast.parse              {before:.2f} s before, {after:.2f} s after")
    print(_row("cold index", indexed, base))
    print(_row("full inventory", inventoried, base))
    _print_single(repository, names)
    _print_batches(repository, names)


def _row(name: str, took: tuple[float, float, int], base: float) -> str:
    return f"{name:22} {took[0]:.2f} s, {took[0] / base:.2f} x ast.parse, peak {took[2] >> 10} MB"


def _print_single(repository: Path, names: Sequence[str]) -> None:
    script = str(Path(sys.executable).with_name("benchhygiene"))
    one = [script, "diff", "base", names[0], "--git", str(repository)]
    libcst = wall([sys.executable, "-c", "import libcst"], 5)
    judged = wall(one, 5)
    print(f"import libcst          {libcst:.2f} s wall, whole process")
    print(f"one patch              {judged:.2f} s wall, {judged / libcst:.2f} x import libcst")


def _print_batches(repository: Path, names: Sequence[str]) -> None:
    texts = [git(repository, "diff", "--binary", "base", name) for name in names]
    taken = timed(lambda: [change.differing() for change in revisions(repository, names)])
    print(f"changes only, git      {len(names) / taken:.0f} a CPU second")
    taken = timed(lambda: [change.differing() for change in diffs(repository, texts)])
    print(f"changes only, diffs    {len(names) / taken:.0f} a CPU second")
    took, _, peak = in_child("patches", str(repository), "--patches", str(len(names)))
    print(f"patches, whole process {len(names) / took:.1f} a CPU second, peak {peak >> 10} MB")


def main() -> None:
    """Print the figures, or do the one piece of work that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("suites", nargs="+", type=Path, help="directories with Python test suites")
    parser.add_argument("--patches", type=int, default=1000, help="how many patches to judge")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        work(chosen.work, chosen.suites[0], chosen.patches)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(chosen.suites, chosen.patches, Path(folder))


if __name__ == "__main__":
    main()
