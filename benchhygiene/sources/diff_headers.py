"""Read what the headers of a diff say about one file: its names, its modes, its ids."""

from __future__ import annotations

import re

import attrs

from benchhygiene.sources.diff_hunks import Hunk, is_hunk
from benchhygiene.sources.diff_lines import DiffLines
from benchhygiene.sources.diff_names import (
    NOWHERE,
    header_name,
    is_epoch,
    is_nowhere,
    stated_name,
    stripped,
    unquoted,
)
from benchhygiene.sources.git_binary import BinaryHunk

GIT_HEADER = b"diff --git "
_INDEX = re.compile(rb"([0-9a-f]{1,64})\.\.([0-9a-f]{1,64})(?: (.*))?$", re.DOTALL)
_MODE = re.compile(rb"([0-7]{1,6})\s")
_EXTENDED = re.compile(
    rb"(old mode|new mode|deleted file mode|new file mode|copy from|copy to"
    rb"|rename from|rename to|rename old|rename new|similarity index|dissimilarity index"
    rb"|index|---|\+\+\+) "
)


@attrs.define
class FilePatch:
    """What a diff does to one file; ``old`` is None for a new file and ``new`` for a deleted one.

    ``is_new`` and ``is_deleted`` are None where a plain diff leaves it to what is there. Modes are
    None where the diff does not state them, ids empty. ``lacks_data`` marks a binary file that the
    diff only mentions.
    """

    line: int
    old: str | None = None
    new: str | None = None
    old_mode: int | None = None
    new_mode: int | None = None
    is_new: bool | None = False
    is_deleted: bool | None = False
    is_rename: bool = False
    is_copy: bool = False
    old_id: str = ""
    new_id: str = ""
    hunks: tuple[Hunk, ...] = ()
    binary: BinaryHunk | None = None
    lacks_data: bool = False

    @property
    def path(self) -> str:
        """Return the name to call it by."""
        return self.new or self.old or "?"

    @property
    def has_change(self) -> bool:
        """Return whether it does anything at all."""
        modes = self.old_mode is not None and self.new_mode not in (None, self.old_mode)
        flags = self.is_new or self.is_deleted or self.is_rename or self.is_copy
        return bool(modes or flags or self.hunks or self.binary or self.lacks_data)


def is_plain_header(lines: DiffLines) -> bool:
    """Return whether the two lines of a plain header, and a hunk, stand here."""
    heads = lines.peek().startswith(b"--- ") and lines.peek(1).startswith(b"+++ ")
    return heads and is_hunk(lines.peek(2))


def plain_header(lines: DiffLines, strip: int) -> FilePatch:
    """Read the header of a plain diff: two names, perhaps with timestamps."""
    patch = FilePatch(lines.number, is_new=None, is_deleted=None)
    first, second = lines.next()[4:], lines.next()[4:]
    old = None if is_nowhere(first) else stripped(stated_name(first, has_timestamp=True), strip)
    new = None if is_nowhere(second) else stripped(stated_name(second, has_timestamp=True), strip)
    if not is_nowhere(first) and not is_nowhere(second):
        old = new = old if new is None or (old and new.startswith(old)) else new
    if is_nowhere(first) or (is_epoch(first) and not is_nowhere(second)):
        patch.is_new, patch.is_deleted, old = True, False, None
    elif is_nowhere(second) or is_epoch(second):
        patch.is_new, patch.is_deleted, new = False, True, None
    if old is None and new is None:
        raise lines.fault(f"no name is left of the file ({strip} components dropped)", patch.line)
    patch.old, patch.new = old, new
    return patch


def is_flat(lines: DiffLines) -> bool | None:
    """Return whether no name here has a directory in it, None where there is no name at all."""
    texts = [text for text in (lines.peek()[4:], lines.peek(1)[4:]) if not is_nowhere(text)]
    names = [stated_name(text, has_timestamp=True) for text in texts]
    return all(b"/" not in name for name in names) if names else None


def git_header(lines: DiffLines, strip: int) -> FilePatch | None:
    """Read a header of git's; None where the line stands alone and says nothing."""
    start = lines.number
    default = header_name(lines.next()[len(GIT_HEADER) :].rstrip(b"\n"), strip)
    patch = FilePatch(start)
    while found := _EXTENDED.match(lines.peek()):
        _extend(patch, found[1].decode(), lines, found.end(), default, strip)
        lines.at += 1
    if lines.number == start + 1:
        return None
    _complete(patch, lines, default)
    return patch


def _extend(
    patch: FilePatch, key: str, lines: DiffLines, start: int, default: str | None, strip: int
) -> None:
    text = lines.peek()[start:]
    match key:
        case "---":
            patch.old = _name(lines, text, strip, patch.old, is_absent=patch.is_new is True)
        case "+++":
            patch.new = _name(lines, text, strip, patch.new, is_absent=patch.is_deleted is True)
        case "old mode":
            patch.old_mode = _mode(lines, text)
        case "new mode":
            patch.new_mode = _mode(lines, text)
        case "deleted file mode":
            patch.is_deleted, patch.old, patch.old_mode = True, default, _mode(lines, text)
        case "new file mode":
            patch.is_new, patch.new, patch.new_mode = True, default, _mode(lines, text)
        case "index":
            _take_ids(patch, lines, text)
        case _:
            _take_move(patch, key, text, max(strip - 1, 0))


def _take_move(patch: FilePatch, key: str, text: bytes, strip: int) -> None:
    verb, _, end = key.partition(" ")
    if verb not in ("rename", "copy"):  # how similar they are changes nothing
        return
    patch.is_rename |= verb == "rename"
    patch.is_copy |= verb == "copy"
    name = stripped(unquoted(text.rstrip(b"\n")), strip)
    if end in ("from", "old"):
        patch.old = name
    else:
        patch.new = name


def _take_ids(patch: FilePatch, lines: DiffLines, text: bytes) -> None:
    found = _INDEX.match(text)
    if found is not None:
        patch.old_id, patch.new_id = found[1].decode(), found[2].decode()
        patch.old_mode = _mode(lines, found[3]) if found[3] else patch.old_mode


def _mode(lines: DiffLines, text: bytes) -> int:
    found = _MODE.match(text)
    if found is None:
        raise lines.fault("expected a mode such as 100644")
    return int(found[1], 8)


def _name(
    lines: DiffLines, text: bytes, strip: int, known: str | None, *, is_absent: bool
) -> str | None:
    """Return the name a line states, which must be the one that is known already."""
    if is_absent:
        if not is_nowhere(text):
            raise lines.fault(f"expected {NOWHERE.decode()}, as the header says there is no file")
        return known
    if is_nowhere(text):
        raise lines.fault("/dev/null, but no `new file mode` or `deleted file mode` above it")
    name = stripped(stated_name(text, has_timestamp=False), strip)
    if known not in (None, name):
        raise lines.fault(f"names {name!r} after {known!r}")
    return name


def _complete(patch: FilePatch, lines: DiffLines, default: str | None) -> None:
    """See that the header names what it must; the first line's name stands in for both."""
    if patch.old is None and patch.new is None:
        patch.old = patch.new = default
    patch.old = None if patch.is_new else patch.old
    patch.new = None if patch.is_deleted else patch.new
    lacks_old = patch.old is None and not patch.is_new
    lacks_new = patch.new is None and not patch.is_deleted
    if lacks_old or lacks_new:
        raise lines.fault("the header does not name the file", patch.line)
    if sum((patch.is_new is True, patch.is_deleted is True, patch.is_rename, patch.is_copy)) > 1:
        raise lines.fault("the header says two things at once", patch.line)
