"""What is read of one tree: its modules, and what was made of them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import attrs

from benchhygiene.inventory.modules import Modules
from benchhygiene_plugins.oracles.signs import Sign, sign
from benchhygiene_plugins.oracles.territory import Standing, Territory


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
    left: int = 2_000_000

    def path(self, path: str) -> Sign:
        """Return the sign of a path; a file that has only moved is the one it was."""
        plain = posixpath.normpath(path)
        return sign("path", value=self.moved.get(plain, plain))

    def is_support(self, path: str) -> bool:
        """Return whether a file's functions are the tests' own, and not the code under test."""
        return self.territory.standing(path) is Standing.CODE
