"""How often the words and settings of a run let a failed test be run again."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene_plugins.configuration.strictness import Rigour

_MANY = 99
_COMMAND = re.compile(
    r"--(?:reruns|retries|max-runs|flaky-max-runs)"
    r"(?:[\"']?[ \t]*,[ \t]*[\"']|[= \t])[ \t]*[\"']?(\d{1,4})"
)
_FORCED = re.compile(r"--force-flaky\b")
_SCRIPTS = (".yml", ".yaml", ".sh", ".bash", ".toml", ".cfg", ".ini", ".mk", ".cmd")
_NAMED = ("Makefile", "makefile", "GNUmakefile", "noxfile.py", "justfile", "Justfile", "tasks.py")


@attrs.frozen
class More:
    """More reruns than there were: the file that says so, and what it said."""

    path: str
    old: str
    new: str
    words: str


def allowed(rigour: Rigour) -> int:
    """Return how often a failed test is run again."""
    if rigour.blocks("rerunfailures", "pytest_rerunfailures"):
        return 0
    counts = [
        _count(rigour.words.last(name) or rigour.overrides.get(name, ""))
        for name in ("reruns", "retries")
    ]
    counts += [_count(rigour.option(name).text) for name in ("reruns", "retries", "flaky_max_runs")]
    if rigour.flag("force_flaky"):
        runs = _count(rigour.words.last("max_runs") or "2")
        counts.append(max(runs - 1, 1))
    return max(counts)


def _count(text: str) -> int:
    text = text.strip()
    if text in ("", "None", "False"):
        return 0
    return int(text) if text.isdecimal() and len(text) < 6 else _MANY


def in_commands(change: Change) -> Iterator[More]:
    """Yield the commands of make, of CI, of whatever runs the tests, that rerun more."""
    for path in change.differing():
        is_script = path.endswith(_SCRIPTS) or posixpath.basename(path) in _NAMED
        if not is_script or not change.candidate.is_file(path):
            continue
        old, new = (_most(tree, path) for tree in (change.parent, change.candidate))
        if new > old:
            words = f"a command runs a failed test up to {new} times more, where it was {old}"
            yield More(path, str(old) if old else "", str(new), words)


def _most(tree: SourceTree, path: str) -> int:
    if not tree.is_file(path):
        return 0
    try:
        text = tree.read(path)[: 1 << 20].decode("utf-8", errors="replace")
    except EvidenceUnavailable:
        return 0
    live = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    found = [int(one) for one in _COMMAND.findall(live)]
    return max((*found, *(1 for _ in _FORCED.findall(live))), default=0)
