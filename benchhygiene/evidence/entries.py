"""The paths of a tree one by one: what stands at each, and which spellings are allowed."""

from __future__ import annotations

import enum
import hashlib
import re

import attrs

from benchhygiene.errors import InputError

_NOT_PLAIN = re.compile(r"(?:\A|/)\.{0,2}(?:/|\Z)|\0")  # an empty part, ".", "..", an outer "/"


class EntryKind(enum.Enum):
    """What one path of a tree is; links are not followed."""

    FILE = "file"
    SYMLINK = "symlink"  # its bytes are the target's name
    SUBMODULE = "submodule"  # a commit of another repository: has no bytes here
    OTHER = "other"  # FIFO, socket, device: exists, is never read


@attrs.frozen
class TreeEntry:
    """One path: its kind, and the bytes or the name that its bytes go by.

    Two entries whose ``identity`` (``sha256:…``, ``git:…``) has the same scheme hold the same
    bytes exactly where it is equal. ``error`` says why a path has no bytes that can be had.
    ``size`` is in bytes, None where the source did not learn it.
    """

    kind: EntryKind = EntryKind.FILE
    identity: str = ""
    is_executable: bool = False
    error: str | None = None
    size: int | None = attrs.field(default=None, eq=False)
    data: bytes | None = attrs.field(default=None, eq=False, repr=False)


def entry(content: bytes | str, *, is_executable: bool = False) -> TreeEntry:
    """Return a regular file's entry that carries its bytes."""
    data = content.encode() if isinstance(content, str) else content
    identity = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return TreeEntry(EntryKind.FILE, identity, is_executable, size=len(data), data=data)


def is_plain(path: str) -> bool:
    """Return whether a path stays below the root it starts from, spelled in the only way."""
    return _NOT_PLAIN.search(path) is None


def require_plain(path: str) -> None:
    """Raise InputError for a path that could leave the root, or is spelled in a second way."""
    if not is_plain(path):
        raise InputError(f"tree path {path!r}: expected a plain path below the tree's root")
