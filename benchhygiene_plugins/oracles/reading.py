"""What is read of one tree: its modules, and what was made of them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import attrs

from benchhygiene.inventory.modules import Modules
from benchhygiene_plugins.oracles.signs import Sign, sign
from benchhygiene_plugins.oracles.territory import Standing, Territory

_MOST = 600_000  # expressions of one tree that are looked at
_MOST_OF_ONE = 30_000  # and of one supplier


@attrs.define(eq=False)
class Reading:
    """What is read of one tree: its modules and constants, each read once."""

    modules: Modules
    territory: Territory
    constants: dict[int, tuple[object, Sign]] = attrs.field(
        factory=dict[int, "tuple[object, Sign]"]
    )
    following: list[int] = attrs.field(factory=list[int])
    renamed: Mapping[str, str] = attrs.field(factory=dict[str, str])
    moved: Mapping[str, str] = attrs.field(factory=dict[str, str])
    _support: dict[str, bool] = attrs.field(factory=dict[str, bool])
    left: int = _MOST
    own: int = _MOST_OF_ONE

    def begin(self) -> None:
        """Let one more supplier take its share of what may be looked at."""
        self.own = _MOST_OF_ONE

    def is_spent(self) -> bool:
        """Take one step; return whether that is one too many, for the supplier or for the tree."""
        self.left -= 1
        self.own -= 1
        return self.left < 0 or self.own < 0

    def path(self, path: str) -> Sign:
        """Return the sign of a path; a file that has only moved is the one it was."""
        plain = posixpath.normpath(path)
        return sign("path", value=self.moved.get(plain, plain))

    def is_support(self, path: str) -> bool:
        """Return whether a file's functions are the tests' own, and not the code under test."""
        if path not in self._support:
            self._support[path] = self.territory.standing(path) is Standing.CODE
        return self._support[path]
