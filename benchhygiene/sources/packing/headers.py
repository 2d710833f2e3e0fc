"""The headers of a pack's archive: POSIX ustar, each file's in the only spelling there is.

We write them ourselves, as what a library writes changes with its version, and read by writing
again: a header that is not byte for byte ours is refused, whatever trick makes it another.
"""

from __future__ import annotations

import re

import attrs

from benchhygiene.evidence.tree import is_plain

BLOCK = 512
END = bytes(2 * BLOCK)
_TIME = 315_532_800  # 1980-01-01: some programs mistrust 1970
_NAME, _PREFIX = 100, 155  # bytes of a name in its two parts
LONGEST_PATH = 4_096  # bytes
_REGULAR, _EXTENDED = b"0", b"x"
_EXTENSION = "PaxHeader"
_OCTAL = re.compile(rb"[0-7]{11}\0")
_RECORD = re.compile(rb"[0-9]{1,5} path=(?P<path>[^\0]+)\n")
_KINDS = {
    b"\0": "an entry of an old tar",
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a character device",
    b"4": "a block device",
    b"5": "a directory",
    b"6": "a FIFO",
    b"7": "a contiguous file",
    b"g": "a global header",
    b"K": "a long link of GNU tar",
    b"L": "a long name of GNU tar",
    b"S": "a sparse file",
}


@attrs.frozen
class Header:
    """What is said of one file: its path in the pack, its size in bytes, whether it can be run."""

    path: str
    size: int
    is_executable: bool = False


class HeaderRefused(ValueError):
    """Say what is wrong with a header."""


def header(found: Header) -> bytes:
    """Return the blocks that stand before a file: one, or three where its path is long."""
    parts = _parts(found.path.encode())
    mode = 0o755 if found.is_executable else 0o644
    if parts is not None:
        return _block(*parts, mode, found.size, _REGULAR)
    record = _record(found.path)
    name = _EXTENSION.encode()
    extension = _block(name, b"", 0o644, len(record), _EXTENDED) + padded(record)
    return extension + _block(name, b"", mode, found.size, _REGULAR)


def padded(data: bytes) -> bytes:
    """Return the bytes up to a whole number of blocks."""
    return data + bytes(-len(data) % BLOCK)


def extension_size(block: bytes) -> int:
    """Return how many bytes of an extended header follow on this block: 0 for a file's own."""
    if block[156:157] != _EXTENDED:
        return 0
    size = _size(block)
    if not 0 < size <= LONGEST_PATH + 16:
        raise HeaderRefused(f"an extended header of {size} bytes")
    return size


def parse(blocks: bytes) -> Header:
    """Return what a file's blocks say; raises HeaderRefused for any but those of ``header``."""
    own = blocks[-BLOCK:]
    kind = own[156:157]
    if kind != _REGULAR:
        raise HeaderRefused(f"{_KINDS.get(kind, 'of an unknown kind')}; a pack holds files alone")
    try:
        path = (_name(own) if len(blocks) == BLOCK else _long_name(blocks)).decode()
    except UnicodeDecodeError as error:
        raise HeaderRefused("its name is not UTF-8") from error
    found = Header(path, _size(own), own[100:108] == b"0000755\0")
    if not is_plain(path):
        raise HeaderRefused(f"{path!r} is no plain path below the pack")
    if header(found) != blocks:
        raise HeaderRefused(
            f"{path!r}: its header is not as an archive of a pack has it (mode 0644 or 0755, no "
            "owner, no time, nothing extended but a long path)"
        )
    return found


def _block(name: bytes, prefix: bytes, mode: int, size: int, kind: bytes) -> bytes:
    start = b"".join(
        (
            name.ljust(_NAME, b"\0"),
            b"%07o\0" % mode,
            b"%07o\0" % 0,
            b"%07o\0" % 0,
            b"%011o\0" % size,
            b"%011o\0" % _TIME,
        )
    )
    rest = kind + bytes(100) + b"ustar\x0000" + bytes(80) + prefix.ljust(_PREFIX, b"\0") + bytes(12)
    checksum = sum(start) + sum(rest) + 8 * ord(" ")
    return start + b"%06o\0 " % checksum + rest


def _parts(path: bytes) -> tuple[bytes, bytes] | None:
    """Return a path's name and prefix, None where it does not fit: the prefix is the shortest."""
    if len(path) <= _NAME:
        return path, b""
    cut = path.find(b"/", len(path) - _NAME - 1)
    return (path[cut + 1 :], path[:cut]) if 0 < cut <= _PREFIX else None


def _record(path: str) -> bytes:
    """Return the extended header's record of a path; its length counts its own digits."""
    rest = b" path=" + path.encode() + b"\n"
    length = len(rest)
    while len(b"%d" % length) + len(rest) != length:
        length = len(b"%d" % length) + len(rest)
    return b"%d" % length + rest


def _name(block: bytes) -> bytes:
    name, prefix = block[:_NAME].rstrip(b"\0"), block[345 : 345 + _PREFIX].rstrip(b"\0")
    return prefix + b"/" + name if prefix else name


def _long_name(blocks: bytes) -> bytes:
    record = _RECORD.fullmatch(blocks[BLOCK:-BLOCK].rstrip(b"\0"))
    if record is None:
        raise HeaderRefused("an extended header with something else than a path")
    return record["path"]


def _size(block: bytes) -> int:
    field = block[124:136]
    if not _OCTAL.fullmatch(field):
        raise HeaderRefused("a size that is not written as in a POSIX archive")
    return int(field[:11], 8)
