"""What installed distributions, and planted ones, declare as analyzers."""

from __future__ import annotations

import itertools
import json
import os
import re
import stat
import urllib.parse
from collections.abc import Iterable, Iterator
from typing import Protocol

import attrs

# Imported with the module, before anybody can change into a directory that plants one of that name.
# Its keyword arguments are not annotated.
from importlib_metadata import distributions  # pyright: ignore[reportUnknownVariableType]

from benchhygiene.core.provenance import RefusedPlugin

GROUP = "benchhygiene.analyzers"
_MAX_ENTRIES = 10_000  # of an untrusted directory that are looked at
_MAX_BYTES = 1 << 16  # of an untrusted entry_points.txt that are read
_MAX_REFUSED = 50  # plugins that are listed as refused
_MAX_NAME = 100  # characters of an untrusted name that are kept


@attrs.frozen(eq=False, repr=False)
class Declaration:
    """One entry point of a trusted distribution, unimported.

    ``reference`` reads ``module:attribute``. ``project`` is where an editable install keeps its
    code, None for an ordinary one.
    """

    name: str
    reference: str
    distribution: str
    version: str
    project: str | None = None


def declared(directories: Iterable[str]) -> Iterator[Declaration]:
    """Yield what the distributions in these directories declare, by distribution.

    Of a distribution that is there twice the first one counts, as it does for imports.
    """
    seen: set[str] = set()
    for distribution in distributions(path=list(directories)):
        found = tuple(_declarations(distribution))
        yield from (one for one in found if normalised(one.distribution) not in seen)
        seen.update(normalised(one.distribution) for one in found)


def refused(directories: Iterable[str]) -> tuple[RefusedPlugin, ...]:
    """Return what untrusted directories declare; nothing in them is imported.

    Only the directories themselves are looked at, and only so much of them.
    """
    found = itertools.chain.from_iterable(map(_refused_in, directories))
    return tuple(sorted(set(itertools.islice(found, _MAX_REFUSED)), key=attrs.astuple))


def entry_points(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and reference of every line in our section of an entry_points.txt.

    A line without ``=`` is all name. The reference is not judged here.
    """
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        elif section == GROUP and line and not line.startswith(("#", ";")):
            name, _, reference = line.partition("=")
            yield name.strip(), reference.strip()


def normalised(distribution: str) -> str:
    """Return a distribution's name in the one form that all its spellings share."""
    # https://packaging.python.org/en/latest/specifications/name-normalization/
    return re.sub(r"[-_.]+", "-", distribution).lower()


class _Installed(Protocol):
    """What is read of an installed distribution: the files of its metadata directory."""

    def read_text(self, filename: str, /) -> str | None: ...


def _declarations(distribution: _Installed) -> Iterator[Declaration]:
    references = tuple(entry_points(_text(distribution, "entry_points.txt")))
    if not references:
        return
    metadata = _text(distribution, "METADATA") or _text(distribution, "PKG-INFO")
    name, version = _header(metadata, "Name"), _header(metadata, "Version")
    project = _editable_project(_text(distribution, "direct_url.json"))
    for analyzer, reference in references:
        yield Declaration(analyzer, reference, name, version, project)


def _text(distribution: _Installed, filename: str) -> str:
    try:
        return distribution.read_text(filename) or ""
    except UnicodeDecodeError:  # a broken distribution must not stop the others
        return ""


def _header(metadata: str, name: str) -> str:
    """Return a core metadata field; the header ends at the first empty line."""
    head = metadata.partition("\n\n")[0].splitlines()
    fields = (line.partition(":") for line in head)
    return next((value.strip() for field, _, value in fields if field == name), "unknown")


def _editable_project(direct_url: str) -> str | None:
    """Return the directory of an editable install (PEP 610), None for any other."""
    match _parsed(direct_url):
        case {"url": str(url), "dir_info": {"editable": True}}:
            path = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
            return path.removeprefix("/") if os.name == "nt" else path
        case _:
            return None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _refused_in(directory: str) -> Iterator[RefusedPlugin]:
    for metadata in _metadata_directories(directory):
        distribution = os.path.basename(metadata).rpartition(".")[0].partition("-")[0]
        for name, _ in entry_points(_read_untrusted(os.path.join(metadata, "entry_points.txt"))):
            yield RefusedPlugin(
                name[:_MAX_NAME],
                distribution[:_MAX_NAME],
                "lies outside the interpreter's own site directories",
            )


def _metadata_directories(directory: str) -> tuple[str, ...]:
    try:
        with os.scandir(directory) as entries:
            paths = [entry.path for entry in itertools.islice(entries, _MAX_ENTRIES)]
    except (OSError, ValueError):  # a ValueError is a null byte in the path
        return ()
    return tuple(sorted(path for path in paths if path.endswith((".dist-info", ".egg-info"))))


def _read_untrusted(path: str) -> str:
    """Return the beginning of a regular file, nothing of anything else."""
    try:
        # Without O_NONBLOCK, opening a planted FIFO would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return file.read(_MAX_BYTES).decode(errors="replace")
