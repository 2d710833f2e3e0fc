"""Files of the tree that hooks read."""

from __future__ import annotations

import fnmatch
import json
import tomllib
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    Native,
    answering,
    relative,
)

_LARGEST = 1 << 20
_MOST_PARTS = 12
#: Methods of a path that give its text, or the open file.
READING = frozenset(("read_text", "open"))


def file_text(tree: SourceTree, path: str) -> str:
    """Return the text of a file of the tree. Raises Unknown."""
    found = relative(path)
    if not tree.is_file(found):
        raise Unknown(path)
    try:
        data = tree.read(found)
    except EvidenceUnavailable as error:
        raise Unknown(path) from error
    if len(data) > _LARGEST:
        raise Unknown("a file too large to look at")
    return data.decode("utf-8", errors="replace")


def globbed(tree: SourceTree, base: str, pattern: str) -> list[str]:
    """Return the files of the tree below a directory that fit a pattern with ``*`` and ``**``."""
    start = "" if relative(base) in (".", ROOT) else f"{relative(base)}/"
    parts = pattern.removeprefix("./").split("/")
    if len(parts) > _MOST_PARTS:
        raise Unknown("a pattern too long to look at")
    return [
        path
        for path in tree.entries
        if path.startswith(start) and _fits(path.removeprefix(start).split("/"), parts)
    ]


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":
        return any(_fits(names[at:], parts[1:]) for at in range(len(names) + 1))
    return bool(names) and fnmatch.fnmatchcase(names[0], parts[0]) and _fits(names[1:], parts[1:])


@attrs.frozen(eq=False, repr=False)
class OpenFile:
    """An open file of the tree."""

    text: str

    def __iter__(self) -> Iterator[str]:
        return iter(self.text.splitlines(keepends=True))

    def member(self, name: str) -> object:
        """Return a method. Raises Unknown."""
        if name == "read":
            return answering(self.text)
        if name == "readlines":
            return Native(name, lambda arguments, words: self.text.splitlines(keepends=True))
        raise Unknown(name)


def parsed(kind: str, text: str) -> object:
    """Return what a JSON or TOML text holds. Raises Unknown."""
    try:
        return json.loads(text) if kind == "json" else dict(parse_toml(text))
    except (ValueError, RecursionError, TomlRefused, tomllib.TOMLDecodeError) as error:
        raise Unknown(f"no {kind}") from error
