"""Look tables up in the package data."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NotRequired, TypeAlias, TypedDict, cast

from benchhygiene.errors import InputError
from benchhygiene.evidence.invocation import PytestPlugin
from benchhygiene_plugins.ini_chain.starting.versions import release
from benchhygiene_plugins.ini_chain.tables.options import (
    CoreTable,
    IniKey,
    Option,
    PluginTable,
    Value,
)

_Release: TypeAlias = tuple[int, int, int]
_Plain: TypeAlias = str | int | float | bool | list["_Plain"] | None


if TYPE_CHECKING:

    class _OptionRow(TypedDict):
        names: list[str]
        dest: str
        nargs: NotRequired[int | str]
        action: str
        choices: NotRequired[list[str]]
        type: NotRequired[str]
        const: NotRequired[_Plain]
        plugin: str

    class _IniRow(TypedDict):
        name: str
        type: str
        default: NotRequired[_Plain]
        choices: NotRequired[list[str]]
        aliases: NotRequired[list[str]]
        plugin: str

    class _CoreRow(TypedDict):
        version: str
        options: list[_OptionRow]
        ini: list[_IniRow]
        markers: list[str]
        essential_plugins: list[str]
        default_plugins: list[str]
        builtin_plugins: list[str]
        extra_options: list[_OptionRow]
        extra_ini: list[_IniRow]
        fromfile_prefix_chars: NotRequired[str]

    class _PluginRow(TypedDict):
        distribution: str
        version: str
        pytest: str
        entry_points: list[list[str]]
        modules: list[str]
        options: list[_OptionRow]
        ini: list[_IniRow]
        markers: list[str]
        shuffles: NotRequired[bool]


def _read_lines(name: str) -> tuple[bytes, ...]:
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as stream:
        return tuple(stream.read().splitlines())


# One row a line, decoded only when asked for; read here so that no analysis opens a file.
_CORE = _read_lines("core.jsonl")
_PLUGINS = _read_lines("plugins.jsonl")
_PLUGIN_HEAD = re.compile(rb'\{"distribution":"([^"]+)","version":"([^"]+)"')
_CORE_HEAD = re.compile(rb'\{"version":"([^"]+)"')


def normalise(distribution: str) -> str:
    """Return the canonical name of a distribution (PEP 503)."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def core_table(pytest_version: str) -> CoreTable:
    """Return the table of the newest known minor version up to this one, else the oldest table.

    Raises InputError where the text is no version.
    """
    return _core_table(_nearest(_core_lines(), release(pytest_version)))


def known_versions() -> tuple[str, ...]:
    """Return the pytest versions that were asked, oldest first."""
    return tuple(".".join(map(str, version)) for version in _core_lines())


def newest() -> str:
    """Return the newest pytest version that was asked."""
    return known_versions()[-1]


def is_newer_than_known(pytest_version: str) -> bool:
    """Return whether this version's minor release came after the newest that was asked."""
    return release(pytest_version)[:2] > release(newest())[:2]


def is_older_than_known(pytest_version: str) -> bool:
    """Return whether this version's minor release came before the oldest that was asked."""
    return release(pytest_version)[:2] < release(known_versions()[0])[:2]


def known_plugins() -> tuple[str, ...]:
    """Return the canonical names of the distributions that have a table, sorted."""
    return tuple(sorted(_plugin_lines()))


@functools.lru_cache(maxsize=512)
def plugin_table(distribution: str, version: str | None = None) -> PluginTable | None:
    """Return the table of the newest asked version up to this one, else the oldest table.

    Without a version, or with one that cannot be read, the newest table; None where this
    distribution was never asked.
    """
    lines = _plugin_lines().get(normalise(distribution))
    if lines is None:
        return None
    try:
        wanted = max(lines) if version is None else release(version)
    except InputError:
        wanted = max(lines)
    below = [known for known in lines if known <= wanted]
    return _decode_plugin(lines[max(below, default=min(lines))])


@functools.lru_cache(maxsize=256)
def owner_of(word: str) -> str | None:
    """Return the known distribution whose newest version has an option, None where none has."""
    name = word.partition("=")[0]
    quoted = json.dumps(name).encode()
    for distribution in known_plugins():
        lines = _plugin_lines()[distribution]
        if quoted in lines[max(lines)]:
            table = plugin_table(distribution)
            if table is not None and any(name in option.names for option in table.options):
                return distribution
    return None


@functools.cache
def _core_lines() -> Mapping[_Release, bytes]:
    heads = ((_CORE_HEAD.match(line), line) for line in _CORE)
    found = {release(head[1].decode()): line for head, line in heads if head}
    return dict(sorted(found.items()))


@functools.cache
def _plugin_lines() -> Mapping[str, Mapping[_Release, bytes]]:
    found: dict[str, dict[_Release, bytes]] = {}
    for line in _PLUGINS:
        if head := _PLUGIN_HEAD.match(line):
            found.setdefault(head[1].decode(), {})[release(head[2].decode())] = line
    return found


def _nearest(lines: Mapping[_Release, bytes], wanted: _Release) -> _Release:
    below = [known for known in lines if known[:2] <= wanted[:2]]
    return max(below, default=min(lines))


@functools.cache
def _core_table(version: _Release) -> CoreTable:
    row = cast("_CoreRow", json.loads(_core_lines()[version]))
    return CoreTable(
        version=row["version"],
        options=_options(row["options"]),
        ini=_ini_keys(row["ini"]),
        markers=tuple(row["markers"]),
        essential_plugins=tuple(row["essential_plugins"]),
        default_plugins=tuple(row["default_plugins"]),
        builtin_plugins=tuple(row["builtin_plugins"]),
        extra_options=_options(row["extra_options"]),
        extra_ini=_ini_keys(row["extra_ini"]),
        fromfile_prefix_chars=row.get("fromfile_prefix_chars", ""),
    )


def _decode_plugin(line: bytes) -> PluginTable:
    row = cast("_PluginRow", json.loads(line))
    return PluginTable(
        distribution=row["distribution"],
        version=row["version"],
        pytest=row["pytest"],
        entry_points=tuple(PytestPlugin(name, module) for name, module in row["entry_points"]),
        modules=tuple(row["modules"]),
        options=_options(row["options"]),
        ini=_ini_keys(row["ini"]),
        markers=tuple(row["markers"]),
        shuffles=row.get("shuffles", False),
    )


def _options(rows: list[_OptionRow]) -> tuple[Option, ...]:
    return tuple(
        Option(
            names=tuple(row["names"]),
            dest=row["dest"],
            nargs=row.get("nargs"),
            action=row["action"],
            choices=_choices(row.get("choices")),
            type=row.get("type"),
            const=_value(row.get("const")),
            plugin=row["plugin"],
        )
        for row in rows
    )


def _ini_keys(rows: list[_IniRow]) -> tuple[IniKey, ...]:
    return tuple(
        IniKey(
            name=row["name"],
            type=row["type"],
            default=_value(row.get("default")),
            choices=_choices(row.get("choices")),
            aliases=tuple(row.get("aliases", ())),
            plugin=row["plugin"],
        )
        for row in rows
    )


def _choices(value: list[str] | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(value)


def _value(value: _Plain) -> Value:
    return tuple(_value(item) for item in value) if isinstance(value, list) else value
