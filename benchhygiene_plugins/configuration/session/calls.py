"""Which argument of a call each name of a function is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchhygiene_plugins.configuration.session.things import (
    UNKNOWN,
    Arguments,
    Keywords,
    Routine,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.session.machine import Machine


def bound(
    machine: Machine, routine: Routine, arguments: Arguments, words: Keywords
) -> Iterator[tuple[str, object]]:
    """Yield the names of a function's arguments with their values; later ones win."""
    given = list(arguments) if routine.owner is None else [routine.owner, *arguments]
    spec = routine.node.args
    named = [*spec.posonlyargs, *spec.args]
    yield from _defaults(machine, routine)
    without = len(named) - len(spec.defaults)
    for index, one in enumerate(named):
        if index < len(given):
            yield one.arg, given[index]
        elif one.arg in words:
            yield one.arg, words[one.arg]
        elif index < without:
            yield one.arg, UNKNOWN
    yield from ((one.arg, words[one.arg]) for one in spec.kwonlyargs if one.arg in words)
    if spec.vararg is not None:
        yield spec.vararg.arg, tuple(given[len(named) :])
    if spec.kwarg is not None:
        known = {one.arg for one in (*named, *spec.kwonlyargs)}
        yield spec.kwarg.arg, {name: one for name, one in words.items() if name not in known}


def _defaults(machine: Machine, routine: Routine) -> Iterator[tuple[str, object]]:
    spec = routine.node.args
    named = [*spec.posonlyargs, *spec.args]
    for one, default in zip(reversed(named), reversed(spec.defaults), strict=False):
        yield one.arg, machine.value(default, routine.frame)
    for one, inner in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        yield one.arg, UNKNOWN if inner is None else machine.value(inner, routine.frame)
