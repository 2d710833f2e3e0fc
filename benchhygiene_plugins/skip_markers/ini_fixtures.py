"""The fixtures that a config file makes every test use."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import cast

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.rules import CONFIG_FILES

_KEY = "usefixtures"


def ini_fixtures(tree: SourceTree) -> tuple[str, ...]:
    """Return what the ``usefixtures`` of the tree's config files name, of whichever wins."""
    found: list[str] = []
    for name in CONFIG_FILES:
        if tree.is_file(name):
            try:
                found.extend(tree.derived(name, _toml if name.endswith(".toml") else _ini))
            except EvidenceUnavailable:
                continue
    return tuple(dict.fromkeys(found))


def _toml(data: bytes) -> list[str]:
    text = data.decode("utf-8", errors="replace")
    return _of_toml(text) if _KEY in text else []


def _ini(data: bytes) -> list[str]:
    text = data.decode("utf-8", errors="replace")
    return _of_ini(text) if _KEY in text else []


def _of_ini(text: str) -> list[str]:
    try:
        sections = parse_ini(text)
    except IniSyntaxError:
        return []
    for section in ("pytest", "tool:pytest"):
        if section in sections and _KEY in sections[section]:
            return sections[section][_KEY].text.split()
    return []


def _of_toml(text: str) -> list[str]:
    try:
        document: object = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    for path in (("tool", "pytest", "ini_options"), ("tool", "pytest"), ("pytest",)):
        table = document
        for key in path:
            table = _table(table).get(key)
        value = _table(table).get(_KEY)
        if isinstance(value, list):
            return [str(one) for one in cast("list[object]", value)]
        if isinstance(value, str):
            return value.split()
    return []


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
