"""Take a unified diff apart: git's own format with all its headers, and the plain one.

What a header means follows ``git apply``, which graders apply patches with; the tests hold the two
against each other. Nothing is looked up in a tree here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchhygiene.errors import InputError
from benchhygiene.sources.diff_headers import (
    GIT_HEADER,
    FilePatch,
    git_header,
    is_flat,
    is_plain_header,
    plain_header,
)
from benchhygiene.sources.diff_hunks import Hunk, hunks, is_hunk
from benchhygiene.sources.diff_lines import DiffLines
from benchhygiene.sources.git_binary import BINARY_HEADER, binary_hunk

__all__ = ["FilePatch", "Hunk", "parse_diff"]

_DIFFERS = re.compile(rb"(?:Binary files|Files) .* differ\r?\n?$", re.DOTALL)


def parse_diff(diff: bytes, *, strip: int = 1) -> tuple[FilePatch, ...]:
    """Return what the diff does, file by file; ``strip`` path components are dropped (``-p``).

    Text between the files is passed over. Raises InputError, with the line, for what is damaged,
    and for a text without any diff in it. An empty text changes nothing.
    """
    found = tuple(_files(DiffLines(diff), strip))
    if not found and diff.strip():
        raise InputError("diff: holds no change; expected the output of git diff or diff -u")
    return found


def _files(lines: DiffLines, strip: int) -> Iterator[FilePatch]:
    plain_strip: int | None = None
    while not lines.is_over:
        line = lines.peek()
        if line.startswith(GIT_HEADER):
            patch = git_header(lines, strip)
            if patch is not None:
                yield _with_content(patch, lines)
        elif is_plain_header(lines):
            if plain_strip is None and is_flat(lines):
                plain_strip = 0  # `diff -u a.py b.py`: there is nothing to drop, here and below
            patch = plain_header(lines, strip if plain_strip is None else plain_strip)
            yield _with_content(patch, lines)
        elif is_hunk(line):
            raise lines.fault("a hunk without the name of a file above it")
        else:
            lines.next()


def _with_content(patch: FilePatch, lines: DiffLines) -> FilePatch:
    patch.hunks = hunks(lines)
    if patch.hunks:
        _settle(patch, lines)
    elif lines.peek() == BINARY_HEADER:
        patch.binary = binary_hunk(lines)
    elif _DIFFERS.match(lines.peek()):
        patch.lacks_data = True
        lines.next()
    if not patch.has_change:
        raise lines.fault(f"{patch.path}: a header with no change below it", patch.line)
    return patch


def _settle(patch: FilePatch, lines: DiffLines) -> None:
    """Decide by the hunks whether a plain diff can create or delete, and see that all agree."""
    has_old = any(hunk.old for hunk in patch.hunks)
    has_new = any(hunk.new for hunk in patch.hunks)
    if patch.is_new is None and (has_old or len(patch.hunks) > 1):
        patch.is_new = False
    if patch.is_deleted is None and (has_new or len(patch.hunks) > 1):
        patch.is_deleted = False
    if patch.is_new and has_old:
        raise lines.fault(f"{patch.path}: a new file, but the diff has lines of an old one")
    if patch.is_deleted and has_new:
        raise lines.fault(f"{patch.path}: a deleted file, but the diff has lines of a new one")
