"""Expand ``testpaths`` patterns over a file snapshot as ``glob.iglob(recursive=True)`` would."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Sequence

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.search import lexical

_MAGIC = frozenset("*?[")


def expand(files: FileSnapshot, cwd: str, pattern: str) -> tuple[str, ...]:
    """Return the existing paths a pattern stands for, sorted, as written relative to the cwd."""
    if not _MAGIC & set(pattern):
        return (pattern,) if files.exists(lexical(cwd, pattern)) else ()
    wanted = pattern.strip("/").split("/")
    found = [
        relative
        for path in files.below(cwd)
        if _matches((relative := posixpath.relpath(path, cwd)).split("/"), wanted)
    ]
    return tuple(sorted(found))


def _matches(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Match path parts against pattern parts; ``**`` spans any number of visible parts."""
    reachable = {0}
    for pattern in wanted:
        if pattern == "**":
            reachable = {end for start in reachable for end in _spans(parts, start)}
        else:
            reachable = {
                start + 1
                for start in reachable
                if start < len(parts) and _part_matches(parts[start], pattern)
            }
    return len(parts) in reachable


def _spans(parts: Sequence[str], start: int) -> list[int]:
    ends = [start]
    while ends[-1] < len(parts) and not parts[ends[-1]].startswith("."):
        ends.append(ends[-1] + 1)
    return ends


def _part_matches(part: str, pattern: str) -> bool:
    hidden = part.startswith(".") and not pattern.startswith(".")
    return not hidden and fnmatch.fnmatchcase(part, pattern)
