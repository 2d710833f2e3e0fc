"""The modules of a tree that its own packaging hands to pytest as plugins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.configuration.files.sections import table

_GROUP = "pytest11"


def entry_points(tree: SourceTree) -> tuple[str, ...]:
    """Return the modules that ``pyproject.toml`` or ``setup.cfg`` declare as plugins of pytest."""
    return tuple(dict.fromkeys(_declared(tree)))


def _declared(tree: SourceTree) -> Iterator[str]:
    for path in ("pyproject.toml", "setup.cfg"):
        text = _text(tree, path)
        if _GROUP not in text:
            continue
        try:
            found = _of_toml(text) if path == "pyproject.toml" else _of_ini(text)
            yield from (one.partition(":")[0].strip() for one in found)
        except (TomlRefused, tomllib.TOMLDecodeError, IniSyntaxError):
            continue


def _text(tree: SourceTree, path: str) -> str:
    if not tree.is_file(path):
        return ""
    try:
        return tree.read(path).decode("utf-8", errors="replace")
    except EvidenceUnavailable:
        return ""


def _of_toml(text: str) -> list[str]:
    document = parse_toml(text)
    own = table(table(table(document.get("project")).get("entry-points")).get(_GROUP))
    poetry = table(table(document.get("tool")).get("poetry"))
    more = table(table(poetry.get("plugins")).get(_GROUP))
    return [str(one) for one in (*own.values(), *more.values())]


def _of_ini(text: str) -> list[str]:
    value = parse_ini(text).get("options.entry_points", {}).get(_GROUP)
    lines = value.text.splitlines() if value is not None else []
    return [line.partition("=")[2].strip() for line in lines if "=" in line]
