"""The list of what a pack holds, in the format of ``sha256sum``."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.evidence.pack import MANIFEST, PackFault, PackFaultKind
from benchhygiene.evidence.tree import is_plain

# GNU coreutils: a leading backslash says that the name is escaped, "*" that the file is binary.
_LINE = re.compile(r"(?P<escaped>\\?)(?P<digest>[0-9a-f]{64}) [ *](?P<name>.+)", re.DOTALL)
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)


@attrs.frozen
class Manifest:
    """The SHA-256 of each listed path, in hexadecimal, and the lines that cannot be believed."""

    digests: dict[str, str]
    faults: tuple[PackFault, ...]


def parse(data: bytes) -> Manifest:
    """Return what the manifest lists; a path is taken with or without a leading ``./``."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return Manifest({}, (_fault(f"not UTF-8: byte {error.start} cannot be decoded"),))
    digests: dict[str, str] = {}
    faults: list[PackFault] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        entry = _entry(line)
        if entry is None:
            faults.append(_fault(f"line {number}: expected a SHA-256, two blanks and a path"))
            continue
        path, digest = entry
        faults.extend(_faults_of(path, number, digests))
        digests[path] = digest
    return Manifest(digests, tuple(faults))


def _entry(line: str) -> tuple[str, str] | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name: str | None = found["name"]
    if found["escaped"]:
        name = _unescaped(found["name"])
    return None if name is None else (name.removeprefix("./"), found["digest"])


def _unescaped(name: str) -> str | None:
    if any(escape.group() not in _ESCAPES for escape in _ESCAPE.finditer(name)):
        return None
    return _ESCAPE.sub(lambda escape: _ESCAPES[escape.group()], name)


def _faults_of(path: str, number: int, known: Iterable[str]) -> Iterator[PackFault]:
    if path in known:
        yield _fault(f"line {number}: lists {path!r} for the second time", path)
    if path == MANIFEST:
        yield _fault(f"line {number}: lists the manifest itself", path)
    if not is_plain(path):
        yield _fault(f"line {number}: {path!r} is no plain path below the pack", path)


def _fault(message: str, path: str | None = None) -> PackFault:
    kind = PackFaultKind.MANIFEST if path is None else PackFaultKind.NAME
    return PackFault(kind, MANIFEST, message)


def collisions(paths: Iterable[str]) -> Iterator[PackFault]:
    """Yield the paths, directories included, that another file system would take for one."""
    seen: dict[str, str] = {}
    for path in sorted({part for file in paths for part in _with_directories(file)}):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        first = seen.setdefault(folded, path)
        if first != path:
            message = f"differs from {first!r} by case or by accents' form alone"
            yield PackFault(PackFaultKind.NAME, path, message)


def _with_directories(path: str) -> Iterator[str]:
    while path:
        yield path
        path = posixpath.dirname(path)
