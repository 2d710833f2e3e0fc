"""Expand ``testpaths`` patterns over a file snapshot as ``glob.iglob(recursive=True)`` would."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.configuration.search import lexical

_MAGIC = frozenset("*?[")


def expand(files: FileSnapshot, cwd: str, pattern: str) -> tuple[str, ...]:
    """Return the existing paths a pattern stands for, sorted, relative to the cwd.

    ``..`` is taken as text: a symbolic link before it is not followed.
    """
    if not _MAGIC & set(pattern):
        return (pattern,) if pattern and files.exists(lexical(cwd, pattern)) else ()
    children = _children(files)
    found = {"/" if pattern.startswith("/") else cwd}
    parts = pattern.lstrip("/").split("/")
    for index, part in enumerate(parts):
        steps = _visible(children, found) if part == "**" else _step(children, files, found, part)
        only_directories = index < len(parts) - 1
        found = {path for path in steps if files.is_dir(path) or not only_directories}
    if set(parts) <= {"**", ""}:
        found.discard(cwd)  # a pattern that begins with "**" leaves out where it began
    return tuple(sorted(posixpath.relpath(path, cwd) for path in found))


def _children(files: FileSnapshot) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for path in files.entries:
        parent, name = posixpath.split(path)
        if name:
            found.setdefault(parent, []).append(path)
    return found


def _step(
    children: Mapping[str, Sequence[str]], files: FileSnapshot, starts: Iterable[str], part: str
) -> Iterator[str]:
    """Yield what one part of the pattern leads to."""
    for start in starts:
        if not _MAGIC & set(part):
            if files.is_dir(start) and files.exists(path := lexical(start, part)):
                yield path
            continue
        for path in children.get(start, ()):
            name = posixpath.basename(path)
            if name.startswith(".") == part.startswith(".") and fnmatch.fnmatchcase(name, part):
                yield path


def _visible(children: Mapping[str, Sequence[str]], starts: Iterable[str]) -> set[str]:
    """Return the paths and everything below them that no hidden name leads to."""
    seen: set[str] = set()
    pending = list(starts)
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        for child in children.get(path, ()):
            if not posixpath.basename(child).startswith("."):
                pending.append(child)
    return seen
