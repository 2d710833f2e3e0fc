"""What pure functions made of evidence, remembered as long as the evidence is looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar, cast, runtime_checkable

T = TypeVar("T")
V = TypeVar("V")
_REMEMBERED = 20_000  # facts a memo holds before it drops the ones asked for longest ago
_REMEMBERED_BYTES = 24 << 20  # of the sources they were made of: a syntax tree is thirty times that
_PLAIN = (bool, int, str, bytes, frozenset, type(None))
_PLAIN_IS_LIGHTER = 30


@runtime_checkable
class Revising(Protocol[T]):
    """A pure function of bytes that can make use of what it made of others."""

    def __call__(self, data: bytes) -> T:
        """Return what it makes of the bytes."""
        ...

    def revised(self, before: T, data: bytes) -> T:
        """Return the same as for the bytes alone; ``before`` was made of any others."""
        ...


class Memo:
    """Facts derived from bytes, kept while trees of one origin are looked at; never pickled.

    ``limit`` bounds how many there are and ``weight`` the bytes of the sources they were made of;
    plain values, which take little room, hardly count. What was asked for longest ago goes first.
    """

    def __init__(self, limit: int = _REMEMBERED, weight: int = _REMEMBERED_BYTES) -> None:
        self._facts: OrderedDict[tuple[object, str], tuple[object, int]] = OrderedDict()
        self._first: dict[tuple[object, str], str] = {}
        self._limit = limit
        self._most = weight
        self._weight = 0

    def recall(
        self,
        derive: Callable[[bytes], T],
        identity: str,
        read: Callable[[], bytes],
        path: str = "",
    ) -> T:
        """Return ``derive(read())``, from memory where the same bytes were asked about before.

        What was derived of other bytes at the path may save work.
        """
        key = (derive, identity)
        if key in self._facts:
            self._facts.move_to_end(key)
            return cast("T", self._facts[key][0])
        data = read()
        made = self._made(derive, identity, data, path)
        weight = len(data) // _PLAIN_IS_LIGHTER if type(made) in _PLAIN else len(data)
        self._weight += weight
        self._facts[key] = (made, weight)
        while len(self._facts) > self._limit or (
            self._weight > self._most and len(self._facts) > 1
        ):
            _, (_, gone) = self._facts.popitem(last=False)
            self._weight -= gone
        return made

    def _made(self, derive: Callable[[bytes], T], identity: str, data: bytes, path: str) -> T:
        asked: object = derive
        if not path or not isinstance(asked, Revising):
            return derive(data)
        revising = cast("Revising[T]", asked)
        before = self._facts.get((derive, self._first.get((derive, path), "")))
        if before is None:
            self._first[derive, path] = identity
            return derive(data)
        return revising.revised(cast("T", before[0]), data)

    def holds(self, derive: Callable[[bytes], object], identity: str) -> bool:
        """Return whether the answer is remembered."""
        return (derive, identity) in self._facts

    def __reduce__(self) -> tuple[type[Memo], tuple[int, int]]:
        """Travel empty: what was derived here can be derived there."""
        return (Memo, (self._limit, self._most))


class Once:
    """Facts about one value that never changes, each made once; never pickled or copied."""

    def __init__(self) -> None:
        self._made: dict[object, object] = {}

    def recall(self, derive: Callable[[V], T], value: V) -> T:
        """Return ``derive(value)``, from memory where it was asked before."""
        if derive not in self._made:
            self._made[derive] = derive(value)
        return cast("T", self._made[derive])

    def __reduce__(self) -> tuple[type[Once], tuple[()]]:
        """Travel empty: what was derived here can be derived there."""
        return (Once, ())
