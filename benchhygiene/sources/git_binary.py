"""Decode the binary hunks that ``git diff --binary`` writes: whole contents, or deltas."""

from __future__ import annotations

import base64
import zlib

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.diff_lines import DiffLines

BINARY_HEADER = b"GIT binary patch\n"
_COPY = 0x80
_WHOLE = 0x10000  # bytes that a copy of length 0 stands for


@attrs.frozen
class BinaryHunk:
    """The compressed bytes of a file, or of a delta from one; ``size`` is what they inflate to."""

    line: int
    is_delta: bool
    size: int
    compressed: bytes

    def apply(self, before: bytes, limit: int) -> bytes:
        """Return the content after the change; raises InputError over the limit, or if damaged."""
        if self.size > limit:
            raise InputError(f"{self.size} bytes, more than the limit of {limit}")
        inflater = zlib.decompressobj()
        try:
            data = inflater.decompress(self.compressed, self.size + 1)
        except zlib.error as error:
            raise InputError(f"the binary hunk is damaged: {error}") from error
        if len(data) != self.size or not inflater.eof:
            raise InputError(f"the binary hunk is damaged: it does not hold {self.size} bytes")
        return _apply_delta(data, before, limit) if self.is_delta else data


def binary_hunk(lines: DiffLines) -> BinaryHunk:
    """Read the forward hunk, and pass over the reverse one behind it."""
    lines.next()
    forward = _read(lines)
    if forward is None:
        raise lines.fault("expected `literal SIZE` or `delta SIZE`")
    _read(lines)
    return forward


def _read(lines: DiffLines) -> BinaryHunk | None:
    start = lines.number
    kind, _, size = lines.peek().rstrip(b"\n").partition(b" ")
    if kind not in (b"literal", b"delta") or not size.isdigit() or len(size) > 18:
        return None
    lines.next()
    parts: list[bytes] = []
    while lines.peek() not in (b"\n", b""):
        parts.append(_decode(lines))
        lines.next()
    lines.next()
    return BinaryHunk(start, kind == b"delta", int(size), b"".join(parts))


def _decode(lines: DiffLines) -> bytes:
    """Return the bytes of one line: a letter for how many, then base 85 in groups of five."""
    line = lines.peek().rstrip(b"\n")
    letter, text = line[:1], line[1:]
    length = ord(letter) - (ord("A") - 1 if letter.isupper() else ord("a") - 27)
    if not letter.isalpha() or len(text) != (length + 3) // 4 * 5:
        raise lines.fault("the binary hunk is damaged: a line of the wrong length")
    try:
        return base64.b85decode(text)[:length]
    except ValueError as error:
        raise lines.fault("the binary hunk is damaged: not base 85") from error


def _apply_delta(delta: bytes, before: bytes, limit: int) -> bytes:
    """Return what a delta makes of the bytes before, as in git's pack files (gitformat-pack)."""
    try:
        at, source = _number(delta, 0)
        at, target = _number(delta, at)
        if source != len(before) or target > limit:
            raise InputError(f"a delta from {source} to {target} bytes does not fit")
        return _patched(delta, at, before, target)
    except IndexError as error:
        raise InputError("the binary hunk is damaged: its delta ends early") from error


def _patched(delta: bytes, at: int, before: bytes, target: int) -> bytes:
    after = bytearray()
    while at < len(delta):
        code = delta[at]
        at += 1
        if code & _COPY:
            at, offset = _packed(delta, at, code, 4)
            at, size = _packed(delta, at, code >> 4, 3)
            piece = before[offset : offset + (size or _WHOLE)]
            expected = size or _WHOLE
        else:
            piece, expected = delta[at : at + code], code
            at += code
        after += piece
        if not expected or len(piece) != expected or len(after) > target:
            raise InputError("the binary hunk is damaged: its delta leads astray")
    if len(after) != target:
        raise InputError(f"the binary hunk is damaged: it does not make {target} bytes")
    return bytes(after)


def _number(delta: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = delta[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80 or shift > 63:
            return at, value


def _packed(delta: bytes, at: int, present: int, width: int) -> tuple[int, int]:
    value = 0
    for byte in range(width):
        if present >> byte & 1:
            value |= delta[at] << 8 * byte
            at += 1
    return at, value
