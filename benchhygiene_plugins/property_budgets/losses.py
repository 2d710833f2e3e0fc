"""How much is left of a strategy."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import attrs


class Degree(enum.IntEnum):
    """How much of a strategy is left."""

    ALL = 0
    UNKNOWN = 1
    LESS = 2


@attrs.frozen
class Loss:
    """How much is left of a strategy, and why not all: ``what`` says which part, old and new.

    ``is_assumed`` says that a function that draws passes over some of what it has drawn.
    """

    degree: Degree = Degree.ALL
    what: str = ""
    is_assumed: bool = False

    @property
    def is_all(self) -> bool:
        """Return whether nothing is lost."""
        return self.degree is Degree.ALL


ALL = Loss()


def less(what: str) -> Loss:
    """Return the loss of some of the values."""
    return Loss(Degree.LESS, what)


def unknown(what: str) -> Loss:
    """Return the doubt whether something is lost."""
    return Loss(Degree.UNKNOWN, what)


def worst(losses: Iterable[Loss]) -> Loss:
    """Return the greatest of several losses that all count."""
    return max(losses, key=lambda one: one.degree, default=ALL)


def best(losses: Iterable[Loss]) -> Loss:
    """Return the smallest of several losses of which one counts."""
    return min(losses, key=lambda one: one.degree, default=ALL)
