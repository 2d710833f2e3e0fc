"""The syntax tree of a text that is another text with some of its lines changed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

_FLUFL = "barry_as_FLUFL"  # the one future import that changes how what follows is read
_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError)


def revised(
    before: ast.Module | None, old: str, new: str, parse: Callable[[str], ast.Module]
) -> ast.Module | None:
    """Return the tree of ``new``, which shares statements with that of ``old``; None to parse all.

    A statement at the top is read as it was where all is the same up to the line on which another
    one begins: no word that begins a statement goes on with the one before. Behind the change
    statements stand where they stood if no line was added or taken. What lies between must be
    statements by itself.
    """
    if before is None or _FLUFL in new or "\f" in new:
        return None
    lines = new.split("\n")
    starts = [*_starts(before.body, lines)]
    first, last = _differing(old, new)
    kept = max((k for k, line in enumerate(starts) if 0 < line < first), default=0)
    end = len(starts)
    if len(lines) == old.count("\n") + 1:
        end = min((k for k, line in enumerate(starts) if line > last), default=end)
    if not kept and end == len(starts):
        return None
    above = starts[kept] - 1 if kept else 0
    below = starts[end] - 1 if end < len(starts) else len(lines)
    between = "\n".join(lines[above:below]) + ("\n" if end < len(starts) else "")
    try:
        body = parse("\n" * above + between).body
    except _REFUSALS:
        return None
    return ast.Module([*before.body[:kept], *body, *before.body[end:]], [])


def _differing(old: str, new: str) -> tuple[int, int]:
    """Return the first and the last line of the new text that may differ."""
    alike = _alike(old, new)
    behind = min(_alike(old[::-1], new[::-1]), min(len(old), len(new)) - alike)
    return new.count("\n", 0, alike) + 1, new.count("\n", 0, len(new) - behind) + 1


def _alike(old: str, new: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _starts(body: Sequence[ast.stmt], lines: Sequence[str]) -> Iterator[int]:
    """Yield the line each statement begins on, 0 where it may not begin the line.

    Lines are the new text's: they say nothing of the old one's where the two differ, and there
    no statement is kept.
    """
    for one in body:
        decorators = getattr(one, "decorator_list", None)
        line = decorators[0].lineno if decorators else one.lineno
        known = line <= len(lines) and not (line > 1 and lines[line - 2].endswith("\\"))
        begins = known and (lines[line - 1][:1] == "@" if decorators else one.col_offset == 0)
        yield line if begins else 0
