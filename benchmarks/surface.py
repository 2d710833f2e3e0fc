"""Measure how fast trees, inventories and patches are judged, as ratios within one run.

The directories given hold Python test suites, a million lines of them for figures worth quoting:

    python benchmarks/surface.py SUITE [SUITE ...] --repository DIR
    python benchmarks/surface.py --repository DIR --only batches --patches 50 --each

A repository is built out of them, with patches of one to five test files each; the second line uses
the one that the first has built. Times are CPU seconds of whole processes unless they are called
wall. ``ast.parse`` of the same files is measured in turns with everything (see ``floor``). Figures
are printed when they are known, progress goes to stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import attrs

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from benchhygiene import Change, Orchestrator, Registry, SourceTree, sources  # noqa: E402
from benchmarks import patched_repository, processes  # noqa: E402
from benchmarks.floor import Floor, Span, in_turns, say, started  # noqa: E402

ANALYZERS = ("nodes", "assertions", "skip-markers")
SECTIONS = ("index", "inventory", "single", "batches")
_EVERY = 10  # patches between two lines of progress


@attrs.frozen
class Setting:
    """All that a measurement needs to know."""

    repository: Path
    names: tuple[str, ...]
    spans: Mapping[str, Sequence[Span]]
    floor: Floor
    scratch: Path
    repeat: int

    def child(self, work: str, *arguments: str) -> tuple[processes.Took, dict[str, float]]:
        """Run a piece of this program in a process of its own."""
        pipes = (self.floor.asking, self.floor.answers)
        command = [sys.executable, __file__, "--work", work, "--repository", str(self.repository)]
        told = ["--scratch", str(self.scratch), "--pipes", ",".join(map(str, pipes))]
        took, said = processes.run([*command, *told, *arguments], self.scratch, pass_fds=pipes)
        return took, cast("dict[str, float]", json.loads(said))


# What the measured processes do ------------------------------------------------------------------


def index_tree(tree: SourceTree) -> int:
    """Take the index of every Python file: functions with their spans and hashes, and counts."""
    from benchhygiene.inventory.index import index

    return sum(len(index(tree.read(path)).functions) for path in tree.files(".py"))


def full_inventory(tree: SourceTree) -> int:
    """Take the whole inventory: nodes, parameters, checks and exemptions."""
    from benchhygiene.cli.inventories import take

    return len(take(tree).nodes)


def over_the_tree(
    chosen: argparse.Namespace, take: Callable[[SourceTree], int]
) -> dict[str, float]:
    """Take facts from the whole tree, and parse its files in turns with that."""
    floor = Floor(*map(int, chosen.pipes.split(",")))
    spans = cast("dict[str, list[Span]]", json.loads((chosen.scratch / "spans.json").read_bytes()))
    with sources.Repository(chosen.repository) as opened:
        tree = opened.tree("base")
        reader = in_turns(tree, floor, spans)
        found = take(attrs.evolve(tree, reader=reader))
        read = floor.seconds
        reader.finish()
    return {"found": found, "read": reader.asked, "floor_read": read, "floor": floor.seconds}


def over_the_patches(chosen: argparse.Namespace) -> dict[str, float]:
    """Judge every patch, and parse the parent's side of its files in turns with that."""
    floor = Floor(*map(int, chosen.pipes.split(",")))
    spans = cast("dict[str, list[Span]]", json.loads((chosen.scratch / "spans.json").read_bytes()))
    names = patched_repository.branches(chosen.repository)[: chosen.patches]
    judge = judging(chosen.analyzers) if chosen.analyzers else None
    each: list[float] = []
    found = 0
    with sources.Repository(chosen.repository) as opened:
        changes = opening(opened, names, chosen.scratch if chosen.diffs else None)
        for number, name in enumerate(names, 1):
            began = time.process_time()
            change = next(changes)
            files = change.differing()
            found += len(files) if judge is None else judge(change)
            each.append(time.process_time() - began)
            floor.parse(of_parent(change, files, spans))
            if number % _EVERY == 0:
                say(f"{number} of {len(names)} patches, {number / sum(each):.1f} a second ({name})")
    later = each[len(each) // 2 :]
    return {"found": found, "later": len(later) / sum(later), "floor": floor.seconds} | {
        "slowest": max(each),
        "bytes": floor.bytes,
    }


def judging(analyzers: str) -> Callable[[Change], int]:
    """Return what judges a change by these analyzers and counts the findings."""
    names = analyzers.split(",")
    orchestrator = Orchestrator(Registry.discover().only(*names), require=names)

    def judge(change: Change) -> int:
        report = orchestrator.run(change)
        report.raise_for_crashes()
        return len(report.findings)

    return judge


def opening(
    opened: sources.Repository, names: Iterable[str], diffs: Path | None
) -> Iterator[Change]:
    """Yield the change of each patch, read from its branch or from a diff that was made before."""
    for name in names:
        if diffs is None:
            yield opened.change("base", name)
        else:
            text = (diffs / f"{name}.diff").read_bytes()
            yield sources.patch_change(opened, text, revision="base")


def of_parent(
    change: Change, files: Iterable[str], spans: Mapping[str, Sequence[Span]]
) -> list[Span]:
    """Return where the bytes are that the parent holds for these files."""
    entries = (change.parent.entries.get(path) for path in files)
    found = (spans.get(entry.identity, ()) for entry in entries if entry is not None)
    return [(places[0][0], places[0][1]) for places in found if places]


# The sections, each of which prints what it finds ------------------------------------------------


def print_tree(setting: Setting, work: str, title: str, noun: str) -> None:
    """Print the time of taking facts from the whole tree."""
    took, said = setting.child(work)
    ratio = took.cpu / said["floor"]
    print(
        f"{title:23} {took.cpu:.2f} s, {ratio:.2f} x ast.parse ({said['floor']:.2f} s);"
        f" {said['found']:.0f} {noun}, {took.memory}"
    )
    total = sum(map(len, setting.spans.values()))
    if said["read"] < total:
        print(
            f"{'':23} only {said['read']:.0f} of {total} files were read:"
            f" {took.cpu / said['floor_read']:.2f} x ast.parse of these"
        )


def print_single(setting: Setting) -> None:
    """Print the time of one whole ``benchhygiene diff``, in turns with importing LibCST."""
    name, files = largest(setting)
    script = str(Path(sys.executable).with_name("benchhygiene"))
    commands = {
        "import libcst": [sys.executable, "-c", "import libcst"],
        "benchhygiene diff": [script, "diff", "base", name, "--git", str(setting.repository)],
    }
    turns: dict[str, list[processes.Took]] = {title: [] for title in commands}
    parsed: list[float] = []
    for turn in range(setting.repeat + 1):
        for title, command in commands.items():
            took, _ = processes.run(command, setting.scratch, expected=(0, 1))
            turns[title] += [took] if turn else []  # the first turn fills the caches
        parsed.append(setting.floor.parse(files))
    libcst, judged = map(processes.middle, turns.values())
    print(f"{'import libcst':23} {libcst.wall:.2f} s wall, {libcst.cpu:.2f} s, {libcst.memory}")
    print(
        f"{f'diff of {len(files)} files':23} {judged.wall:.2f} s wall, {judged.cpu:.2f} s,"
        f" {judged.memory}; {judged.cpu / libcst.cpu:.2f} x import libcst;"
        f" ast.parse of their parents {min(parsed):.2f} s ({name})"
    )


def largest(setting: Setting) -> tuple[str, list[Span]]:
    """Return the first of the patches that change most files, and where these are."""
    with sources.Repository(setting.repository) as opened:
        changes = ((name, opened.change("base", name)) for name in setting.names[:50])
        name, change = max(changes, key=lambda one: len(one[1].differing()))
        return name, of_parent(change, change.differing(), setting.spans)


def print_batches(setting: Setting, each: bool, analyzers: Sequence[str]) -> None:
    """Print how many patches a process gets through."""
    for name in setting.names:
        diff = patched_repository.git(setting.repository, "diff", "--binary", "base", name)
        (setting.scratch / f"{name}.diff").write_bytes(diff)
    print_batch(setting, "changes only, git", "")
    print_batch(setting, "changes only, diffs", "", "--diffs")
    for name in analyzers if each else ():
        print_batch(setting, name, name)
    print_batch(setting, "+".join(analyzers), ",".join(analyzers))


def print_batch(setting: Setting, title: str, analyzers: str, *more: str) -> None:
    """Print how fast patches are judged by these analyzers; by none, how fast they are read."""
    say(title)
    count = len(setting.names)
    took, said = setting.child("patches", "--patches", str(count), "--analyzers", analyzers, *more)
    speed = said["bytes"] / said["floor"] / 1e6 if said["floor"] else 0.0
    print(
        f"{title:23} {count / took.cpu:.1f} patches a second, {said['later']:.1f} in the later"
        f" half, slowest {said['slowest'] * 1e3:.0f} ms; {said['found']:.0f}"
        f" {'findings' if analyzers else 'files'}, {took.memory};"
        f" ast.parse of the parents' side {count / said['floor']:.0f} a second ({speed:.1f} MB/s)"
    )


# The whole ---------------------------------------------------------------------------------------


def measure(chosen: argparse.Namespace, repository: Path, scratch: Path) -> None:
    """Measure the sections asked for, one after the other."""
    spans = write_corpus(repository, scratch)
    names = tuple(patched_repository.branches(repository)[: chosen.patches])
    analyzers = (chosen.analyzers or ",".join(ANALYZERS)).split(",")
    with started(scratch / "corpus") as floor:
        setting = Setting(repository, names, spans, floor, scratch, chosen.repeat)
        sections: dict[str, Callable[[], None]] = {
            "index": lambda: print_tree(setting, "index", "cold index", "functions"),
            "inventory": lambda: print_tree(setting, "inventory", "full inventory", "nodes"),
            "single": lambda: print_single(setting),
            "batches": lambda: print_batches(setting, chosen.each, analyzers),
        }
        for name in chosen.only:
            say(f"measuring: {name}")
            sections[name]()
            sys.stdout.flush()


def write_corpus(repository: Path, scratch: Path) -> dict[str, list[Span]]:
    """Write the bytes of all Python files into one; return where they are, by their identity."""
    spans: dict[str, list[Span]] = {}
    at = lines = 0
    with sources.Repository(repository) as opened, (scratch / "corpus").open("wb") as file:
        tree = opened.tree("base")
        for path in tree.files(".py"):
            data = tree.read(path)
            spans.setdefault(tree.entries[path].identity, []).append((at, len(data)))
            at += file.write(data)
            lines += data.count(b"\n")
    (scratch / "spans.json").write_text(json.dumps(spans))
    count = sum(map(len, spans.values()))
    print(
        f"Python {sys.version.split()[0]}; {count} files, {lines} lines, {at >> 20} MB", flush=True
    )
    return spans


def made(chosen: argparse.Namespace, repository: Path) -> None:
    """Build the repository out of the suites unless it is there already."""
    if repository.exists():
        say(f"using the repository that is there: {repository}")
    elif not chosen.suites:
        raise SystemExit(f"{repository} is not there, and no suites are given to build it of")
    else:
        say("building the repository, which takes a minute or two for a million lines")
        files = dict(patched_repository.suite_files(chosen.suites))
        patched_repository.build(repository, files, chosen.patches)


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    found = argparse.ArgumentParser(description=__doc__, formatter_class=_Raw)
    found.add_argument("suites", nargs="*", type=Path, help="directories with Python test suites")
    found.add_argument(
        "--only", type=_sections, default=SECTIONS, help=f"some of {','.join(SECTIONS)}"
    )
    found.add_argument("--patches", type=int, default=1000, help="how many patches to judge")
    found.add_argument("--analyzers", help=f"for the batches, by default {','.join(ANALYZERS)}")
    found.add_argument("--each", action="store_true", help="each analyzer alone, too")
    found.add_argument("--repeat", type=int, default=5, help="runs of the single patch")
    found.add_argument("--repository", type=Path, help="kept here, and used again if it is there")
    for hidden in ("--work", "--pipes"):
        found.add_argument(hidden, help=argparse.SUPPRESS)
    found.add_argument("--scratch", type=Path, help=argparse.SUPPRESS)
    found.add_argument("--diffs", action="store_true", help=argparse.SUPPRESS)
    return found


_Raw = argparse.RawDescriptionHelpFormatter


def _sections(text: str) -> tuple[str, ...]:
    wanted = tuple(text.split(","))
    if unknown := set(wanted) - set(SECTIONS):
        raise argparse.ArgumentTypeError(f"no such section: {', '.join(sorted(unknown))}")
    return wanted


def main() -> None:
    """Print the figures, or do the one piece of work that is asked for."""
    chosen = parser().parse_args()
    works: dict[str, Callable[[], dict[str, float]]] = {
        "index": lambda: over_the_tree(chosen, index_tree),
        "inventory": lambda: over_the_tree(chosen, full_inventory),
        "patches": lambda: over_the_patches(chosen),
    }
    if chosen.work:
        json.dump(works[chosen.work](), sys.stdout)
        return
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        repository = chosen.repository or scratch / "repository"
        made(chosen, repository)
        measure(chosen, repository, scratch)


if __name__ == "__main__":
    main()
