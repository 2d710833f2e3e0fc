"""Read a key as pytest's ``Config.getini`` does, or say how that ends the run.

Rules: ``_getini``, ``_getini_ini`` and ``_getini_toml`` in ``_pytest/config/__init__.py``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

import attrs

from benchhygiene_plugins.ini_chain.command.words import (
    Origin,
    OriginKind,
    Split,
    Word,
    shell_split,
)
from benchhygiene_plugins.ini_chain.configuration.files import (
    TRACEBACK,
    USAGE_ERROR,
    ConfigValue,
    Values,
)
from benchhygiene_plugins.ini_chain.configuration.shapes import items
from benchhygiene_plugins.ini_chain.starting.versions import Dialect

_TRUE = frozenset({"y", "yes", "t", "true", "on", "1"})
_FALSE = frozenset({"n", "no", "f", "false", "off", "0"})

Scalar: TypeAlias = str | bool | int | float


class ValueRefused(ValueError):
    """Say how reading a key ends the run: its exit status and why."""

    def __init__(self, exit_status: int, reason: str) -> None:
        super().__init__(reason)
        self.exit_status = exit_status
        self.reason = reason


@attrs.frozen(eq=False, repr=False)
class Settings:
    """The keys in force: the config file's, with every ``-o`` applied.

    ``aliases`` maps a canonical name to its others (pytest 9).
    """

    values: Values
    overrides: Mapping[str, ConfigValue]
    dialect: Dialect
    aliases: Mapping[str, Sequence[str]] = attrs.field(factory=dict[str, Sequence[str]])

    def find(self, name: str) -> ConfigValue | None:
        """Return the value that wins for a key, None where it is not set.

        An override beats the file, the canonical name beats an alias.
        """
        for source in (self.overrides, self.values):
            for candidate in (name, *self.aliases.get(name, ())):
                if candidate in source:
                    return source[candidate]
        return None

    def spelling(self, name: str) -> str:
        """Return the name under which a key is set, which may be an alias."""
        for source in (self.overrides, self.values):
            for candidate in (name, *self.aliases.get(name, ())):
                if candidate in source:
                    return candidate
        return name

    def keys(self) -> frozenset[str]:
        """Return every key that is set; only pytest 9 counts overrides among them."""
        if self.dialect.pytest >= (9, 0, 0):
            return frozenset(self.values) | frozenset(self.overrides)
        return frozenset(self.values)

    def text(self, name: str) -> str | None:
        """Return a string key. Raises ValueRefused for a native value of another type."""
        found = self.find(name)
        if found is None:
            return None
        if found.native and not isinstance(found.value, str):
            raise self._wrong_type(name, "a string", found.value)
        return str(found.value)

    def flag(self, name: str) -> bool | None:
        """Return a boolean key, None where unset. Raises ValueRefused where it is neither."""
        found = self.find(name)
        if found is None:
            return None
        if found.native:
            if not isinstance(found.value, bool):
                raise self._wrong_type(name, "a bool", found.value)
            return found.value
        text = str(found.value).strip().lower()
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        raise ValueRefused(self.refusal, f"{name}: invalid truth value {text!r}")

    def lines(self, name: str) -> tuple[str, ...]:
        """Return a list key that is cut at line ends."""
        found = self.find(name)
        if found is None:
            return ()
        if isinstance(found.value, str) and not found.native:
            return tuple(line.strip() for line in found.value.split("\n") if line.strip())
        return tuple(str(item) for item in self._items(name, found))

    def shell_words(self, name: str) -> tuple[str, ...]:
        """Return a list key that is cut as a shell would."""
        found = self.find(name)
        if found is None:
            return ()
        if isinstance(found.value, str) and not found.native:
            return tuple(split.text for split in self._split(name, found.value))
        return tuple(str(item) for item in self._items(name, found))

    def _items(self, name: str, found: ConfigValue) -> Sequence[object]:
        listed = items(found.value)
        if listed is None:
            raise self._wrong_type(name, "a list", found.value)
        if found.native and not all(isinstance(item, str) for item in listed):
            raise self._wrong_type(name, "a list of strings", found.value)
        return listed

    def _split(self, name: str, text: str) -> Sequence[Split]:
        try:
            return shell_split(text)
        except ValueError as error:
            raise ValueRefused(self.refusal, f"{name}: {error}".rstrip()) from error

    def _wrong_type(self, name: str, wanted: str, value: object) -> ValueRefused:
        reason = f"{name} expects {wanted}, got {type(value).__name__}: {value!r}"
        return ValueRefused(self.refusal, reason)

    @property
    def refusal(self) -> int:
        """Return the exit status of a value that pytest cannot convert."""
        return USAGE_ERROR if self.dialect.pytest >= (9, 2, 0) else TRACEBACK

    def addopts(self, inifile: str | None) -> tuple[tuple[object, ...], tuple[Word, ...]]:
        """Return ``addopts`` as pytest splits it, and the same as words with their places.

        A TOML list may hold numbers: they stay among the first and end the run, so the second is
        empty then. Raises ValueRefused where pytest cannot read the value.
        """
        found = self.find("addopts")
        if found is None:
            return (), ()
        if isinstance(found.value, str) and not found.native:
            place = _Places(found, inifile)
            words = tuple(
                Word(cut.text, place.of(cut.offset)) for cut in self._split("addopts", found.value)
            )
            return tuple(word.text for word in words), words
        listed = tuple(self._items("addopts", found))
        if not all(isinstance(item, str) for item in listed):
            return listed, ()
        origin = Origin(OriginKind.FILE, inifile or "")
        return listed, tuple(Word(str(item), origin) for item in listed)


class _Places:
    """Turn offsets in a joined INI value into the lines and columns they were written at."""

    def __init__(self, found: ConfigValue, inifile: str | None) -> None:
        self._found = found
        self._name = inifile or ""
        lengths = (len(piece.text) + 1 for piece in found.pieces)
        self._starts = [0, *accumulate(lengths)][: len(found.pieces)]

    def of(self, offset: int) -> Origin:
        """Return the origin of the word at an offset."""
        if self._found.override:
            return Origin(OriginKind.ARGUMENT)
        if not self._starts:
            return Origin(OriginKind.FILE, self._name, self._found.line)
        at = bisect_right(self._starts, offset) - 1
        piece = self._found.pieces[at]
        column = piece.column + offset - self._starts[at]
        return Origin(OriginKind.FILE, self._name, piece.line, column)


def parse_overrides(words: Sequence[str]) -> dict[str, ConfigValue]:
    """Return the keys set with ``-o KEY=VALUE``; the last one wins.

    Raises ValueRefused for a word without ``=``.
    """
    overrides: dict[str, ConfigValue] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign:
            reason = f"-o expects KEY=VALUE, got {word!r}"
            raise ValueRefused(USAGE_ERROR, reason)
        overrides[key] = ConfigValue(value, override=True)
    return overrides
