"""How following a function ends early."""

from __future__ import annotations


class Exhausted(Exception):
    """Say that following everything would take too long."""


class Returned(Exception):
    """A function's value on its way to the caller."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Raised(Exception):
    """An exception of the tree's own on its way to its handler."""
