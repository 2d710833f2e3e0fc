"""The lines of a diff, gone through once, and the places that its faults are named by."""

from __future__ import annotations

from benchhygiene.errors import InputError


class DiffLines:
    """A cursor on the lines of a diff; they keep their ends, and only a line feed ends one."""

    def __init__(self, diff: bytes) -> None:
        parts = diff.split(b"\n")
        self.lines = [part + b"\n" for part in parts[:-1]]
        if parts[-1]:
            self.lines.append(parts[-1])
        self.at = 0

    @property
    def number(self) -> int:
        """Return the current line's number, from 1."""
        return self.at + 1

    @property
    def is_over(self) -> bool:
        """Return whether there are no more lines."""
        return self.at >= len(self.lines)

    def peek(self, ahead: int = 0) -> bytes:
        """Return a line ahead without going there; empty after the last one."""
        at = self.at + ahead
        return self.lines[at] if at < len(self.lines) else b""

    def next(self) -> bytes:
        """Return the current line and go to the one below; empty after the last one."""
        line = self.peek()
        self.at += 1
        return line

    def fault(self, problem: str, number: int | None = None) -> InputError:
        """Return the error for a fault at a line, by default the current one."""
        heads = (b"diff --git ", b"--- ", b"+++ ")
        is_crlf = any(one.startswith(heads) and one.endswith(b"\r\n") for one in self.lines)
        hint = "; the lines of the diff's own headers end in CRLF" if is_crlf else ""
        return InputError(f"diff, line {number or self.number}: {problem}{hint}")
