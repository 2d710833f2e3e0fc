"""Read which distributions are installed, from metadata directories alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from benchhygiene.evidence.invocation import Distribution, PytestPlugin
from benchhygiene.sources.reading import read_regular

# https://packaging.python.org/en/latest/specifications/recording-installed-packages/
_SUFFIXES = (".dist-info", ".egg-info")
_HEADER = re.compile(r"^(Name|Version):[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_RECORDED = re.compile(rb"^[^/,\n]+", re.MULTILINE)
_MODULE = re.compile(r"([^\W\d]\w*)(?:\.py|(?:\.[\w-]+)?\.(?:so|pyd))?")
_BYTES = 4 << 20  # of one metadata file
_ENTRIES = 100_000  # of one directory
_LINES = 1_000  # of one .pth file


def normalize(name: str) -> str:
    """Return the name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(directories: Iterable[str]) -> tuple[Distribution, ...]:
    """Return the distributions in these directories, sorted by name.

    Of several with one name the one found first comes first, as it does for ``importlib.metadata``.
    """
    seen: dict[str, None] = dict.fromkeys(map(os.path.normpath, directories))
    found = [_read(path) for directory in seen for path in _metadata_paths(directory)]
    return tuple(sorted(found, key=lambda each: normalize(each.name)))


def with_path_files(directories: Iterable[str]) -> tuple[str, ...]:
    """Return site directories followed each by those its ``.pth`` files add.

    Lines that would run code are not followed.
    """
    return tuple(
        path for directory in directories for path in (directory, *_added_directories(directory))
    )


def _added_directories(directory: str) -> Iterator[str]:
    for name in _names(directory):
        if not name.endswith(".pth") or name.startswith("."):
            continue
        for line in _text(os.path.join(directory, name)).splitlines()[:_LINES]:
            if line.startswith(("#", "import ", "import\t")) or not line.strip():
                continue
            path = os.path.join(directory, line.rstrip())
            if "\0" not in path and os.path.isdir(path):
                yield path


def _names(directory: str) -> list[str]:
    try:
        with os.scandir(directory) as found:
            return sorted(entry.name for entry in islice(found, _ENTRIES))
    except OSError:
        return []


def _metadata_paths(directory: str) -> list[str]:
    if directory.endswith(".egg"):
        return [os.path.join(directory, "EGG-INFO")]
    # pip renames what it failed to remove to a leading tilde
    names = (n for n in _names(directory) if n.endswith(_SUFFIXES) and not n.startswith("~"))
    return [os.path.join(directory, name) for name in names]


def _text(path: str) -> str:
    return _bytes(path).decode(errors="replace")


def _bytes(path: str) -> bytes:
    try:
        return read_regular(path, _BYTES)
    except (OSError, ValueError):
        return b""


def _read(path: str) -> Distribution:
    """Read one metadata directory or ``.egg-info`` file; its name stands in for what it lacks."""
    stem = os.path.splitext(os.path.basename(path))[0]
    name, _, rest = stem.partition("-")
    headers = {"Name": name, "Version": rest.partition("-")[0] or "0"}
    headers |= dict(reversed(_HEADER.findall(_headers(path))))
    return Distribution(
        headers["Name"],
        headers["Version"],
        plugins=tuple(_plugins(_text(os.path.join(path, "entry_points.txt")))),
        modules=tuple(sorted(_modules(path))),
    )


def _headers(path: str) -> str:
    for place in (os.path.join(path, "METADATA"), os.path.join(path, "PKG-INFO"), path):
        if data := _bytes(place):
            # What follows the blank line is the project's whole README.
            return _BLANK_LINE.split(data, maxsplit=1)[0].decode(errors="replace")
    return ""


def _plugins(entry_points: str) -> Iterator[PytestPlugin]:
    """Yield the entry points of the group that pytest loads."""
    group = ""
    for line in map(str.strip, entry_points.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif group == "pytest11" and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            module = re.split(r"[:\[]", value, maxsplit=1)[0]
            yield PytestPlugin(name.strip(), module.strip())


def _modules(path: str) -> set[str]:
    """Return top-level importable names, as ``top_level.txt`` or else the record of files tells."""
    names = _text(os.path.join(path, "top_level.txt")).split()
    if not names:
        recorded = set(_RECORDED.findall(_bytes(os.path.join(path, "RECORD"))))
        names = [name.decode(errors="replace") for name in recorded]
    matches = map(_MODULE.fullmatch, names)
    return {match.group(1) for match in matches if match} - {"__pycache__"}
