"""The globs of path filters.

Source: GitHub's "Workflow syntax", "Filter pattern cheat sheet".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONGEST_GLOB = 200  # characters


def matches(path: str, glob: str) -> bool:
    """Return whether a filter's glob matches, in time linear in path times glob."""
    parts = [part for part in re.split(r"(\*\*/?|\*|\?|.)", glob[:_LONGEST_GLOB]) if part]
    reached = {0}
    for part in parts:
        reached = set(_stepped(path, reached, part))
    return len(path) in reached


def _stepped(path: str, reached: set[int], part: str) -> Iterator[int]:
    """Yield where one part of a glob can end that starts at one of the places."""
    first = min(reached, default=len(path) + 1)
    if part == "**":
        yield from range(first, len(path) + 1)
    elif part == "**/":
        yield from reached
        yield from (at + 1 for at in range(first, len(path)) if path[at] == "/")
    elif part == "*":
        for at in range(first, len(path) + 1):
            start = path.rfind("/", 0, at) + 1
            if any(begin <= at and begin >= start for begin in reached):
                yield at
    else:
        yield from (
            at + 1
            for at in reached
            if path[at : at + 1] == part or (part == "?" and path[at : at + 1] not in ("", "/"))
        )
