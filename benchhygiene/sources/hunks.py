"""Put the hunks of a diff into a file, where ``git apply`` would put them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from benchhygiene.errors import InputError
from benchhygiene.sources.diff_hunks import Hunk

# A line that a hunk has put in is no longer matched by another: it stands in a tuple by then.
_Line: TypeAlias = bytes | tuple[bytes]

_MOST_WORK = 500_000_000  # lines looked at for hunks that are not where they claim to be
_SHOWN = 120  # characters of a line that an error quotes


def split_lines(data: bytes) -> list[bytes]:
    """Return the lines with their ends; only a line feed ends one, and the last may lack it."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


class Patcher:
    """Apply hunks; keeps count of the work, which a diff can be made to blow up."""

    def __init__(self) -> None:
        self._work = 0

    def apply(self, path: str, data: bytes, hunks: Sequence[Hunk]) -> bytes:
        """Return the file's bytes after the hunks.

        Raises InputError that names file, hunk and what was expected where one does not apply.
        """
        image: list[_Line] = list(split_lines(data))
        for number, hunk in enumerate(hunks, 1):
            at = self._find(image, hunk)
            if at is None:
                raise InputError(_mismatch(path, number, hunk, image))
            image[at : at + len(hunk.old)] = [(line,) for line in hunk.new]
            self._count(len(image) // 64)
        return b"".join(line if isinstance(line, bytes) else line[0] for line in image)

    def _find(self, image: list[_Line], hunk: Hunk) -> int | None:
        """Return where the lines before stand: at the place the hunk says, or the nearest.

        A hunk at the first line holds for the beginning of the file, one without context behind it
        for the end, as ``git apply`` has it.
        """
        old = list[_Line](hunk.old)
        last = len(image) - len(old)
        at_end = not hunk.trailing
        if hunk.old_start <= 1:
            places = [0] if not at_end or last == 0 else []
            return _first(image, old, places)
        if at_end:  # lines to add without any context belong to the end or nowhere
            is_placed = old or not image or hunk.old_start == last
            return _first(image, old, [last] if is_placed else [])
        at = min(max(hunk.new_start - 1, 0), len(image))
        if image[at : at + len(old)] == old:
            return at
        return self._nearest(image, old, at)

    def _nearest(self, image: list[_Line], old: list[_Line], at: int) -> int | None:
        """Search forward and backward from a place; of two as near, the one below wins."""
        self._count(2 * len(image))
        names = {line: chr(number) for number, line in enumerate(dict.fromkeys(old), 1)}
        text = "".join([names.get(line, "\0") for line in image])
        pattern = "".join([names[line] for line in old])
        below = text.find(pattern, at)
        # Found from the other end: str.rfind may take quadratic time, str.find does not.
        backwards = text[: max(at - 1, 0) + len(pattern)][::-1]
        above = backwards.find(pattern[::-1])
        above = -1 if above < 0 else len(backwards) - above - len(pattern)
        if below < 0 or (above >= 0 and at - above < below - at):
            return above if above >= 0 else None
        return below

    def _count(self, lines: int) -> None:
        self._work += lines
        if self._work > _MOST_WORK:
            raise InputError("diff: too many hunks that are not where they claim to be")


def _first(image: list[_Line], old: list[_Line], places: Iterable[int]) -> int | None:
    for at in places:
        if at >= 0 and image[at : at + len(old)] == old:
            return at
    return None


def _mismatch(path: str, number: int, hunk: Hunk, image: Sequence[_Line]) -> str:
    """Say what the hunk expected, at the first line where the file has something else."""
    start = max(hunk.old_start - 1, 0)
    there = [line if isinstance(line, bytes) else line[0] for line in image[start:]]
    expected = next((i for i, line in enumerate(hunk.old) if there[i : i + 1] != [line]), None)
    where = f"{path}: hunk {number} ({hunk.header}, line {hunk.line} of the diff) does not apply"
    if not hunk.old:
        return f"{where}: it has no context to be placed by; make the diff with context lines"
    if expected is None:
        edge = "beginning" if hunk.old_start <= 1 else "end"
        return f"{where}: expected it at the {edge} of the file"
    found = _quoted(there[expected]) if expected < len(there) else "the end of the file"
    line = start + expected + 1
    return f"{where}: expected line {line} to be {_quoted(hunk.old[expected])}, found {found}"


def _quoted(line: bytes) -> str:
    text = line.decode(errors="backslashreplace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
