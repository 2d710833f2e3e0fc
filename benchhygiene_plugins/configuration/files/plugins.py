"""The modules of a tree that its own packaging hands to pytest as plugins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.configuration.files.sections import table

_NAME = "pytest11"
_GROUP = _NAME.encode()


def entry_points(tree: SourceTree) -> tuple[str, ...]:
    """Return the modules that ``pyproject.toml`` or ``setup.cfg`` declare as plugins of pytest."""
    return tuple(dict.fromkeys(_declared(tree)))


def _declared(tree: SourceTree) -> Iterator[str]:
    for path, read in (("pyproject.toml", _of_toml), ("setup.cfg", _of_ini)):
        if tree.is_file(path):
            try:
                yield from tree.derived(path, read)
            except EvidenceUnavailable:
                continue


def _of_toml(data: bytes) -> tuple[str, ...]:
    if _GROUP not in data:
        return ()
    try:
        document = parse_toml(data.decode("utf-8", errors="replace"))
    except (TomlRefused, tomllib.TOMLDecodeError):
        return ()
    own = table(table(table(document.get("project")).get("entry-points")).get(_NAME))
    poetry = table(table(document.get("tool")).get("poetry"))
    more = table(table(poetry.get("plugins")).get(_NAME))
    return tuple(_module(str(one)) for one in (*own.values(), *more.values()))


def _of_ini(data: bytes) -> tuple[str, ...]:
    if _GROUP not in data:
        return ()
    try:
        sections = parse_ini(data.decode("utf-8", errors="replace"))
    except IniSyntaxError:
        return ()
    value = sections.get("options.entry_points", {}).get(_NAME)
    lines = value.text.splitlines() if value is not None else []
    return tuple(_module(line.partition("=")[2]) for line in lines if "=" in line)


def _module(reference: str) -> str:
    return reference.partition(":")[0].strip()
