"""Decide what one config file means to pytest: a configuration, nothing, or the end of the run.

Rules: ``_pytest/config/findpaths.py`` of pytest 6.2 to 9.2.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import FileSnapshot
from benchhygiene.inventory.ini_syntax import (
    IniSyntaxError,
    IniValue,
    Piece,
    Sections,
    parse_ini,
)
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.ini_chain.configuration.shapes import items, table
from benchhygiene_plugins.ini_chain.starting.versions import Dialect

USAGE_ERROR = 4
TRACEBACK = 1


@attrs.frozen(eq=False, repr=False)
class ConfigValue:
    """One key's value as the file gives it.

    ``native`` says that TOML types are kept (``[tool.pytest]`` and ``pytest.toml`` of pytest 9);
    otherwise pytest works with text or a list. ``pieces`` locates the text of an INI value.
    """

    value: object
    native: bool = False
    override: bool = False
    line: int | None = None
    pieces: tuple[Piece, ...] = ()


Values: TypeAlias = Mapping[str, ConfigValue]


@attrs.frozen(eq=False, repr=False)
class Found:
    """The file is a source of configuration, with these keys (maybe none)."""

    values: Values
    section: str


@attrs.frozen(eq=False, repr=False)
class Absent:
    """The file says nothing to pytest."""

    reason: str


@attrs.frozen(eq=False, repr=False)
class Broken:
    """Reading the file ends the run with this exit status."""

    exit_status: int
    reason: str
    line: int | None = None


@attrs.frozen(eq=False, repr=False)
class Unread:
    """The file is there but its bytes are not known, so nothing can be said."""

    reason: str


Reading: TypeAlias = Found | Absent | Broken | Unread


def read_config(
    files: FileSnapshot, path: str, dialect: Dialect, *, named: bool = False
) -> Reading:
    """Say what pytest makes of the file at the path.

    ``named`` says that the file was given with ``-c``, where pytest 9.2 has rules of its own.
    """
    try:
        text = files.read(path).decode("utf-8")
    except EvidenceUnavailable:
        return _unavailable(files, path)
    except UnicodeDecodeError as error:
        return Broken(TRACEBACK, f"not UTF-8: {error.reason} at byte {error.start}")
    name, suffix = posixpath.basename(path), posixpath.splitext(path)[1]
    if suffix == ".toml":
        return _read_toml(text, name, dialect, named=named)
    if suffix in (".ini", ".cfg"):
        return _read_ini(text, name, suffix, dialect)
    return Absent("pytest has no reader for this kind of file")


def _unavailable(files: FileSnapshot, path: str) -> Reading:
    entry = files.entries.get(path)
    error = "was not read" if entry is None or entry.error is None else entry.error
    if error.startswith("PermissionError"):
        return Broken(TRACEBACK, error)
    return Unread(f"{posixpath.basename(path)}: {error}")


def _read_ini(text: str, name: str, suffix: str, dialect: Dialect) -> Reading:
    old = dialect.iniconfig is not None and dialect.iniconfig < (2, 2, 0)
    try:
        sections = parse_ini(text, keeps_bom=old)
    except IniSyntaxError as error:
        return Broken(USAGE_ERROR, error.reason, error.line)
    if suffix == ".cfg":
        return _cfg_section(sections)
    if "pytest" in sections:
        return _ini_section(sections, "pytest")
    # Since 9.0 .pytest.ini counts even without a section, as pytest.ini always did.
    always = name == "pytest.ini" or (name == ".pytest.ini" and dialect.pytest >= (9, 0, 0))
    return Found({}, "") if always else Absent("no [pytest] section")


def _cfg_section(sections: Sections) -> Reading:
    if "tool:pytest" in sections:
        return _ini_section(sections, "tool:pytest")
    if "pytest" in sections:
        reason = "[pytest] section in a .cfg file: pytest wants [tool:pytest] there"
        return Broken(TRACEBACK, reason)
    return Absent("no [tool:pytest] section")


def _ini_section(sections: Sections, name: str) -> Found:
    return Found({key: _ini_value(value) for key, value in sections[name].items()}, name)


def _ini_value(value: IniValue) -> ConfigValue:
    return ConfigValue(value.text, line=value.line, pieces=value.pieces)


def _read_toml(text: str, name: str, dialect: Dialect, *, named: bool) -> Reading:
    old = dialect.pytest < (7, 0, 0)
    try:
        # pytest on Python 3.11 and newer parses with the standard library: TOML 1.0, not what
        # a newer tomli takes.
        document = parse_toml(text)
    except TomlRefused as error:
        return Unread(f"{name}: {error}")
    except tomllib.TOMLDecodeError as error:
        return Broken(TRACEBACK if old else USAGE_ERROR, _first_line(error))
    if dialect.pytest < (9, 0, 0):
        return _ini_options_only(document)
    try:
        return _modern_toml(document, name, dialect, named=named)
    except AttributeError:
        return Broken(TRACEBACK, "a pytest table is not a table")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _ini_options_only(document: Mapping[str, object]) -> Reading:
    node: object = document
    for key in ("tool", "pytest"):
        parent = table(node)
        if parent is None:
            return Broken(TRACEBACK, f"{key!r} is looked up in something that is not a table")
        node = parent.get(key, {})
    found = table(node)
    if found is None:
        return Broken(TRACEBACK, "'tool.pytest' is not a table")
    if found.get("ini_options") is None:
        return Absent("no [tool.pytest.ini_options] table")
    options = table(found["ini_options"])
    if options is None:
        return Broken(TRACEBACK, "'tool.pytest.ini_options' is not a table")
    return _text_table(options)


def _text_table(options: Mapping[str, object]) -> Found:
    values = {
        key: ConfigValue(str(value) if (listed := items(value)) is None else listed)
        for key, value in options.items()
    }
    return Found(values, "tool.pytest.ini_options")


def _native_table(keys: Mapping[str, object], section: str) -> Found:
    return Found({key: ConfigValue(value, native=True) for key, value in keys.items()}, section)


def _as_table(node: object, name: str) -> Mapping[str, object]:
    """Return a table; what is none raises AttributeError, as it does in pytest."""
    found = table(node)
    if found is None:
        raise AttributeError(name)
    return found


def _modern_toml(
    document: Mapping[str, object], name: str, dialect: Dialect, *, named: bool
) -> Reading:
    if name in ("pytest.toml", ".pytest.toml"):
        return _pytest_table(document, dialect) or Found({}, "")
    tool = _tool_tables(document)
    if not named or name == "pyproject.toml" or dialect.pytest < (9, 2, 0):
        return tool or Absent("no [tool.pytest] or [tool.pytest.ini_options] table")
    if tool is None:
        return _pytest_table(document, dialect) or Absent("no [pytest] table")
    if "pytest" in document and isinstance(tool, Found):
        return Broken(USAGE_ERROR, "both [pytest] and [tool.pytest] tables")
    return tool


def _pytest_table(document: Mapping[str, object], dialect: Dialect) -> Reading | None:
    if "pytest" in document:
        return _native_table(_as_table(document["pytest"], "pytest"), "pytest")
    loose = [key for key, value in document.items() if not isinstance(value, dict)]
    if loose and dialect.pytest >= (9, 2, 0):
        return Broken(USAGE_ERROR, f"options outside the [pytest] table: {', '.join(loose)}")
    return None


def _tool_tables(document: Mapping[str, object]) -> Reading | None:
    tool = _as_table(document.get("tool", {}), "tool")
    keys = _as_table(tool.get("pytest", {}), "tool.pytest")
    native = {key: value for key, value in keys.items() if key != "ini_options"}
    options = keys.get("ini_options")
    if native and options:
        reason = "both [tool.pytest] and [tool.pytest.ini_options] hold keys"
        return Broken(USAGE_ERROR, reason)
    if native:
        return _native_table(native, "tool.pytest")
    if options is None:
        return None
    return _text_table(_as_table(options, "tool.pytest.ini_options"))
