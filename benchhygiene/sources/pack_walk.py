"""What lies in a pack's directory: regular files and directories, and nothing else."""

from __future__ import annotations

import os
import stat
from itertools import islice

import attrs

from benchhygiene.evidence.pack import PackFault, PackFaultKind
from benchhygiene.sources.manifest import collisions
from benchhygiene.sources.reading import reason_of

_SPECIAL = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX


@attrs.frozen
class PackLimits:
    """How much a pack may hold; one that holds more is refused.

    Bytes are per file, of all files together, and per file that is parsed (the manifest and the
    ledger among them). ``entries`` counts files and directories, ``depth`` directories below the
    pack.
    """

    file_bytes: int = 1 << 30
    total_bytes: int = 16 << 30
    parsed_bytes: int = 4 << 20
    manifest_bytes: int = 64 << 20
    entries: int = 200_000
    depth: int = 64


@attrs.frozen
class Walked:
    """The regular files by their path below the pack, sorted, and what must not be there."""

    files: tuple[str, ...]
    faults: tuple[PackFault, ...]


def walk(root: str, limits: PackLimits) -> Walked:
    """Return what lies below the directory; no link is followed."""
    files: list[str] = []
    faults: list[PackFault] = []
    queue = [""]
    budget = limits.entries
    while queue:
        directory = queue.pop()
        if directory.count("/") >= limits.depth:
            faults.append(_limit(directory, f"more than {limits.depth} directories deep"))
            continue
        try:
            found = _entries(os.path.join(root, directory), budget)
        except OSError as error:
            faults.append(PackFault(PackFaultKind.UNREADABLE, directory, reason_of(error)))
            continue
        budget -= len(found)
        if budget < 0:
            faults.append(_limit("", f"holds more than {limits.entries} files and directories"))
            break
        for entry in found:
            _sort_in(entry, os.path.join(directory, entry.name), files, queue, faults)
    return Walked(tuple(sorted(files)), (*faults, *collisions(files)))


def _entries(directory: str, budget: int) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as found:
        return sorted(islice(found, budget + 1), key=lambda entry: entry.name)


def _sort_in(
    entry: os.DirEntry[str],
    path: str,
    files: list[str],
    directories: list[str],
    faults: list[PackFault],
) -> None:
    if not _is_text(entry.name):
        faults.append(PackFault(PackFaultKind.NAME, path, "its name is not UTF-8"))
    elif entry.is_symlink():
        faults.append(PackFault(PackFaultKind.TYPE, path, "is a link; a pack holds bytes"))
    elif entry.is_dir(follow_symlinks=False):
        directories.append(path)
    elif entry.is_file(follow_symlinks=False):
        files.append(path)
        if entry.stat(follow_symlinks=False).st_mode & _SPECIAL:
            message = "has the mode set-user-id, set-group-id or sticky; a pack holds plain files"
            faults.append(PackFault(PackFaultKind.MODE, path, message))
    else:
        faults.append(PackFault(PackFaultKind.TYPE, path, "is no regular file"))


def _is_text(name: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _limit(path: str, message: str) -> PackFault:
    return PackFault(PackFaultKind.LIMIT, path, message)
