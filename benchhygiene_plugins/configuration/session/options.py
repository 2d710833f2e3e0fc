"""The options and settings of a session, and who gave them the values they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.things import (
    Arguments,
    Keywords,
    Native,
    Thing,
)

#: The name under which ``config.args`` has its cause.
ARGUMENTS = "args:"


@attrs.frozen
class Cause:
    """What took something away: the file, the line, and what it says there.

    ``also`` are further files that it is made of.
    """

    path: str
    line: int | None = None
    text: str = ""
    also: tuple[str, ...] = ()


#: What pytest's own options are when nobody gives them.
_DEFAULTS: Mapping[str, object] = {
    "keyword": "",
    "markexpr": "",
    "deselect": None,
    "ignore": None,
    "ignore_glob": None,
    "collectonly": False,
    "setuponly": False,
    "setupplan": False,
    "lf": False,
    "failedfirst": False,
    "stepwise": False,
    "maxfail": 0,
    "doctestmodules": False,
    "strict_markers": False,
    "strict_config": False,
    "runxfail": False,
    "pythonwarnings": None,
    "verbose": 0,
    "quiet": 0,
    "usepdb": False,
    "file_or_dir": [],
    "plugins": [],
    "help": False,
    "version": 0,
    "showfixtures": False,
    "show_fixtures_per_test": False,
    "markers": False,
    "reruns": None,
    "cov_fail_under": None,
    "no_cov": False,
    "noconftest": False,
    "continue_on_collection_errors": False,
    "reportchars": "",
}


@attrs.define(eq=False, repr=False)
class Options(Thing):
    """``config.option``: values by name, with who set each; ``session`` knows who is at work."""

    cause: Callable[[], Cause]
    causes: dict[str, Cause] = attrs.field(factory=dict[str, Cause])

    def member(self, name: str) -> object:
        """Return a value. Raises Unknown for what no file of the tree defines."""
        if name == "__dict__":
            return self
        if name in ("__setattr__", "__setitem__"):
            return Native(name, self._set)
        if name in ("update", "setdefault"):
            return Native(name, self._update if name == "update" else self._set)
        if name in ("get", "__getitem__"):
            return Native(name, self._get)
        if name in self.attributes:
            return self.attributes[name]
        if name in _DEFAULTS:
            default = _DEFAULTS[name]
            if isinstance(default, list):  # it may be appended to
                self.attributes[name] = default = list(cast("list[object]", default))
            return default
        raise Unknown(name)

    def lists(self) -> Mapping[str, tuple[object, ...]]:
        """Return what the options that are lists hold now."""
        return {
            name: tuple(cast("list[object]", value))
            for name, value in self.attributes.items()
            if isinstance(value, list)
        }

    def store(self, name: str, value: object) -> None:
        """Give an option a value."""
        self.attributes[name] = value
        self.causes[name] = self.cause()

    def _set(self, arguments: Arguments, words: Keywords) -> object:
        self.store(str(arguments[0]), arguments[1] if len(arguments) > 1 else None)
        return None

    def _get(self, arguments: Arguments, words: Keywords) -> object:
        return self.item(arguments[0])

    def item(self, index: object) -> object:
        """Return a value as the options' own dict gives it. Raises Unknown."""
        return self.member(str(index))

    def store_item(self, index: object, value: object) -> None:
        """Give an option a value by way of the options' own dict."""
        self.store(str(index), value)

    def _update(self, arguments: Arguments, words: Keywords) -> object:
        given: dict[object, object] = {}
        for one in arguments:
            if isinstance(one, dict):
                given.update(cast("dict[object, object]", one))
        for name, value in (*given.items(), *words.items()):
            self.store(str(name), value)
        return None

    def text(self, name: str) -> str:
        """Return a value that should be a text; ``?`` where it is not known."""
        value = self.attributes.get(name)
        if isinstance(value, Opaque):
            return "?"
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list."""
        value = self.attributes.get(name)
        if isinstance(value, list | tuple):
            return tuple(str(one) for one in cast("Sequence[object]", value))
        return (value,) if isinstance(value, str) else ()

    def is_on(self, name: str) -> bool:
        """Return whether a flag is set, or may be."""
        value = self.attributes.get(name)
        return isinstance(value, Opaque) or (bool(value) and value != "0")
