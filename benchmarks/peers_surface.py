"""Put the peers beside us on the same changes, with the same scoring.

``python benchmarks/peers_surface.py --peers VENV [--cases DIR] [--every N]`` scores benchhygiene,
checkwash 0.9.0 and prufgate 1.2.0 on the pairs of ``tests/surface/pairs`` or, with ``--cases``, on
a directory of cases (``parent/``, ``patch/``, ``expect.json``). VENV is a virtual environment with
``pip install checkwash==0.9.0 prufgate==1.2.0``; each peer sees a repository of two commits.

The peers' rules have other names than ours, so two things are counted that all can be held to: a
violating change has at least one finding (``any``), or one in a file that holds a violation
(``path``). An innocent change should have none. The gate is what fails a build by default: ERROR
for us, high and critical for checkwash, P0 and P1 for prufgate. A change on which a program fails
counts as one without findings, and is listed.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias, TypedDict, cast

import attrs

ROOT = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchhygiene.core.report import Report  # noqa: E402
from tests.surface import corpus, corpus_findings, judging  # noqa: E402

#: A path, and whether the finding is at the gate.
Seen: TypeAlias = tuple[str, bool]
_IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid")
_SECONDS = 120


@attrs.frozen
class Subject:
    """One change: its two trees, the files that hold a violation, and what we say of it."""

    name: str
    kind: str
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    guilty: frozenset[str]
    ours: Callable[[], Sequence[Seen]]


class Row(TypedDict):
    """One row that a case must find."""

    path: str


class Expectation(TypedDict):
    """What ``expect.json`` of a case says."""

    label: str
    kind: str
    must_find: list[Row]


def from_pairs() -> Iterator[Subject]:
    """Yield the pairs of this checkout."""
    for pair in corpus.pairs():
        yield Subject(
            pair.id,
            pair.kind,
            {path: text.encode() for path, text in pair.parent.items()},
            {path: text.encode() for path, text in pair.candidate.items()},
            frozenset(each.path for each in pair.expected),
            functools.partial(_pair_findings, pair),
        )


def from_cases(directory: pathlib.Path) -> Iterator[Subject]:
    """Yield the cases below a directory."""
    for path in sorted(directory.glob("*/expect.json")):
        said = cast("Expectation", json.loads(path.read_text(encoding="utf-8")))
        yield Subject(
            path.parent.name,
            said["kind"],
            corpus_findings.contents(path.parent / "parent"),
            corpus_findings.contents(path.parent / "patch"),
            frozenset(row["path"] for row in said.get("must_find", ())),
            functools.partial(_case_findings, path.parent),
        )


def _pair_findings(pair: corpus.Pair) -> Sequence[Seen]:
    return _ours(judging.judged(pair))


def _case_findings(case: pathlib.Path) -> Sequence[Seen]:
    return _ours(corpus_findings.judged(case))


def _ours(report: Report) -> Sequence[Seen]:
    return [(each.path, each.is_error) for each in judging.found(report.findings)]


class CheckwashFinding(TypedDict):
    """What is read of a finding of checkwash."""

    path: str
    severity: str


class PrufgateFinding(TypedDict):
    """What is read of a finding of prufgate."""

    file: str
    severity: str


def checkwash(text: str) -> Sequence[Seen]:
    """Read ``checkwash check --format json``."""
    found = cast("dict[str, list[CheckwashFinding]]", json.loads(text))["findings"]
    return [(each["path"], each["severity"] in ("high", "critical")) for each in found]


def prufgate(text: str) -> Sequence[Seen]:
    """Read ``prufgate check --format json``."""
    found = cast("list[PrufgateFinding]", json.loads(text))
    return [(each["file"], each["severity"] in ("P0", "P1")) for each in found]


@attrs.frozen
class Peer:
    """A program: its words, and how its output is read."""

    name: str
    words: tuple[str, ...]
    read: Callable[[str], Sequence[Seen]]


PEERS = (
    Peer("checkwash", ("check", "HEAD~1..HEAD", "--format", "json"), checkwash),
    Peer("prufgate", ("check", "--changed", "--base", "HEAD~1", "--format", "json"), prufgate),
)


def repository(folder: str, subject: Subject) -> None:
    """Make a repository of two commits: the parent, the candidate."""
    _git(folder, "init", "-q")
    for message, tree in (("parent", subject.before), ("candidate", subject.after)):
        _git(folder, "rm", "-rqf", "--ignore-unmatch", ".")
        for path, data in tree.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        _git(folder, "add", "-A", "-f")
        _git(folder, *_IDENTITY, "commit", "-q", "--allow-empty", "-m", message)


def _git(folder: str, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def asked(folder: str, peer: Peer, binaries: pathlib.Path) -> Sequence[Seen] | None:
    """Return what the peer finds in the last commit, None where it fails."""
    environ = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8"}
    command = [str(binaries / peer.name), *peer.words]
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=_SECONDS
    )
    try:
        return peer.read(done.stdout)
    except (json.JSONDecodeError, KeyError, TypeError):
        return None


def answers(subject: Subject, binaries: pathlib.Path | None) -> dict[str, Sequence[Seen] | None]:
    """Return what every program finds in one change."""
    found: dict[str, Sequence[Seen] | None] = {"benchhygiene": subject.ours()}
    if binaries is not None:
        with tempfile.TemporaryDirectory() as folder:
            repository(folder, subject)
            found |= {peer.name: asked(folder, peer, binaries) for peer in PEERS}
    return found


Answers: TypeAlias = "Sequence[tuple[Subject, dict[str, Sequence[Seen] | None]]]"


def table(results: Answers) -> Iterator[str]:
    """Yield recall and false alarms of every program, at the gate and at any severity."""
    violating = sum(bool(subject.guilty) for subject, _ in results)
    yield f"{violating} violating and {len(results) - violating} innocent changes"
    yield f"{'':28} {'any':>8} {'path':>8} {'false':>8} {'failed':>7}"
    for name in results[0][1]:
        for gate in (True, False):
            label = f"{name}, {'gate' if gate else 'any severity'}"
            yield f"{label:28} {_scores(results, name, gate)}"


def _scores(results: Answers, name: str, gate: bool) -> str:
    caught = placed = false = failed = violating = 0
    for subject, found in results:
        seen = found[name]
        failed += seen is None
        paths = {path for path, is_gate in seen or () if is_gate or not gate}
        violating += bool(subject.guilty)
        caught += bool(subject.guilty and paths)
        placed += bool(subject.guilty & paths)
        false += bool(not subject.guilty and paths)
    innocent = (len(results) - violating) or 1
    shares = (caught / (violating or 1), placed / (violating or 1), false / innocent)
    return " ".join(f"{share:8.3f}" for share in shares) + f" {failed:7}"


def by_kind(results: Answers) -> Iterator[str]:
    """Yield how many changes of each kind every program catches in the right file at its gate."""
    names = list(results[0][1])
    yield f"{'kind':24} {'changes':>8} " + " ".join(f"{name:>12}" for name in names)
    for kind in sorted({subject.kind for subject, _ in results if subject.guilty}):
        rows = [row for row in results if row[0].kind == kind and row[0].guilty]
        counts = [
            sum(_is_placed(subject, found[name]) for subject, found in rows) for name in names
        ]
        yield f"{kind:24} {len(rows):8} " + " ".join(f"{count:12}" for count in counts)


def _is_placed(subject: Subject, seen: Sequence[Seen] | None) -> bool:
    return any(is_gate and path in subject.guilty for path, is_gate in seen or ())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peers", type=pathlib.Path, help="a virtual environment with the peers")
    parser.add_argument("--cases", type=pathlib.Path, help="a directory of cases")
    parser.add_argument("--every", type=int, default=1, help="take every Nth change")
    given = parser.parse_args()
    chosen = list(from_cases(given.cases) if given.cases else from_pairs())[:: given.every]
    binaries = given.peers / "bin" if given.peers else None
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda subject: answers(subject, binaries), chosen))
    results = list(zip(chosen, found, strict=True))
    print("\n".join((*table(results), "", *by_kind(results))))


if __name__ == "__main__":
    main()
