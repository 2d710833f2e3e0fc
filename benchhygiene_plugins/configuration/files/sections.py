"""Read one configuration file: the section that is pytest's, and the value of every option."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from typing import cast

import attrs

from benchhygiene.inventory.ini_syntax import IniSyntaxError, Sections, parse_ini
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml

_TRUE = frozenset(("1", "yes", "true", "on"))
_FALSE = frozenset(("0", "no", "false", "off"))
_ALWAYS = ("pytest.ini", ".pytest.ini")


@attrs.frozen
class Option:
    """One option: its words as pytest splits them, its lines, its text and the line it is on."""

    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    text: str = ""
    line: int | None = None

    @property
    def truth(self) -> bool | None:
        """Return what it is as a boolean, None where it is none."""
        word = self.text.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None


@attrs.frozen
class Section:
    """The options of pytest's section; ``is_there`` says that the file configures pytest.

    ``error`` says why nobody knows.
    """

    options: Mapping[str, Option] = attrs.field(factory=dict[str, Option])
    is_there: bool = False
    error: str = ""


def pytest_section(name: str, data: bytes) -> Section:
    """Return pytest's section of a file by its base name."""
    try:
        text = data.decode("utf-8")
        if name.endswith(".toml"):
            return _of_toml(parse_toml(text), name)
        return _of_ini(parse_ini(text), name)
    except UnicodeDecodeError:
        return Section(error="it is not UTF-8")
    except (IniSyntaxError, TomlRefused, tomllib.TOMLDecodeError) as error:
        return Section(error=str(error)[:200])


def _of_ini(sections: Sections, name: str) -> Section:
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if section not in sections:
        return Section(is_there=name in _ALWAYS)
    return Section(ini_options(sections, section), is_there=True)


def ini_options(sections: Sections, section: str) -> Mapping[str, Option]:
    """Return the options of one section of an INI file."""
    return {
        key: Option(
            _split(value.text),
            tuple(line.strip() for line in value.text.splitlines() if line.strip()),
            value.text,
            value.line,
        )
        for key, value in sections.get(section, {}).items()
    }


def _of_toml(document: Mapping[str, object], name: str) -> Section:
    if name != "pyproject.toml":
        return Section(toml_options(document.get("pytest")), is_there=True)
    tool = table(table(document.get("tool")).get("pytest"))
    options = tool.get("ini_options")
    if isinstance(options, dict):
        return Section(toml_options(cast("object", options)), is_there=True)
    native = {key: value for key, value in tool.items() if key != "ini_options"}
    return Section(toml_options(native), is_there=bool(native))


def table(value: object) -> Mapping[str, object]:
    """Return a table, an empty one for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def toml_options(value: object) -> Mapping[str, Option]:
    """Return the options of one table."""
    return {key: _toml_option(one) for key, one in table(value).items()}


def _toml_option(value: object) -> Option:
    if isinstance(value, list):
        words = tuple(map(_spelled, cast("list[object]", value)))
        return Option(words, words, "\n".join(words))
    text = _spelled(value)
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    return Option(_split(text), lines, text)


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.split())
