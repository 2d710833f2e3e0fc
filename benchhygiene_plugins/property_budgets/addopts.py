"""The options of hypothesis that a config file gives to every run."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.property_budgets.places import Place

PROFILE, SEED = "--hypothesis-profile", "--hypothesis-seed"


@attrs.frozen(eq=False)
class Option:
    """A hypothesis option in ``addopts``, with where it stands."""

    value: str
    place: Place


def options(tree: SourceTree) -> Iterator[tuple[str, Option]]:
    """Yield the hypothesis options in ``addopts`` of the config file that pytest reads."""
    for name in CONFIG_FILES:
        if not tree.is_file(name):
            continue
        try:
            found = tree.derived(name, _toml if name.endswith(".toml") else _ini)
        except EvidenceUnavailable:
            continue
        if found is None:
            continue
        line, text = found
        yield from _options(name, line, text)
        return


def _options(path: str, line: int, text: str) -> Iterator[tuple[str, Option]]:
    try:
        given = shlex.split(text)
    except ValueError:
        given = text.split()
    for index, word in enumerate(given):
        name, sign, value = word.partition("=")
        if name in (PROFILE, SEED):
            chosen = value if sign else "".join(given[index + 1 : index + 2])
            yield name, Option(chosen, Place(path, line, 1, text.strip()))


def _ini(data: bytes) -> tuple[int, str] | None:
    """Return the line and text of ``addopts``, an empty one without it; None without a section."""
    try:
        sections = parse_ini(data.decode("utf-8", errors="replace"))
    except IniSyntaxError:
        return None
    for section in ("pytest", "tool:pytest"):
        if section in sections:
            found = sections[section].get("addopts")
            return (found.line, found.text) if found is not None else (1, "")
    return None


def _toml(data: bytes) -> tuple[int, str] | None:
    text = data.decode("utf-8", errors="replace")
    try:
        document: object = parse_toml(text)
    except (tomllib.TOMLDecodeError, TomlRefused):
        return None
    for keys in (("tool", "pytest", "ini_options"), ("tool", "pytest"), ("pytest",)):
        table = document
        for key in keys:
            table = _table(table).get(key)
        options = _table(table)
        if options and (keys[-1] != "pytest" or "addopts" in options):
            line = text[: max(text.find("addopts"), 0)].count("\n") + 1
            return line, _joined(options.get("addopts", ""))
    return None


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _joined(value: object) -> str:
    if isinstance(value, list):
        return " ".join(shlex.quote(str(one)) for one in cast("list[object]", value))
    return str(value)
