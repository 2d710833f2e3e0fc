"""Objects that claim to equal whatever they are held against."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import cast

from benchhygiene.sources.inside.places import CANDIDATE, Places

_MOST = 20_000  # classes that are looked at
_PLAIN = (object, int, float, str, bytes, tuple, list, dict, set, frozenset, complex, BaseException)


def liars(places: Places) -> Iterator[tuple[str, str]]:
    """Yield file and name of each class of the source whose instances equal anything at all."""
    for kind in _classes():
        for name in ("__eq__", "__ne__"):
            method = vars(kind).get(name)
            if isinstance(method, FunctionType):
                filename = method.__code__.co_filename
                if places.of(filename) == CANDIDATE and _lies(kind, method, name == "__eq__"):
                    yield filename, f"{kind.__qualname__}.{name}"


def _made(base: type, kind: type) -> object:
    """Return an empty instance, made as the built-in class below it makes one."""
    new = cast("Callable[[type], object]", getattr(base, "__new__", object))
    return new(kind)


def _classes() -> Iterator[type]:
    queue, seen = [object], {object}
    while queue and len(seen) < _MOST:
        kind = queue.pop()
        yield kind
        below = type.__subclasses__(kind)
        queue += [one for one in below if one not in seen and not inspect.isabstract(one)]
        seen.update(below)


def _lies(kind: type, method: FunctionType, answer: bool) -> bool:
    """Return whether an empty instance gives this answer about three things that differ."""
    answers = []
    for base in _PLAIN:
        with contextlib.suppress(Exception):  # it is the source's code, and may do anything
            one = _made(base, kind)
            answers = [method(one, other) for other in (object(), 4.25e77, "\0no such thing")]
            break
    return len(answers) == 3 and all(each is answer for each in answers)
