"""What pure functions made of evidence, remembered as long as the evidence is looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar, cast, runtime_checkable

import attrs

T = TypeVar("T")
V = TypeVar("V")
_REMEMBERED = 20_000  # facts a memo holds before it drops the ones asked for longest ago
_REMEMBERED_BYTES = 24 << 20  # of the sources they were made of: a syntax tree is thirty times that
_KEPT_BYTES = 1 << 18  # of the sources of what one question has asked for, once it is answered
_KEPT_AGAIN_BYTES = 4 << 20  # and of what more than one has
_PLAIN_BYTES = 16 << 20  # that plain values take themselves
_PLAIN = (bool, int, str, bytes, frozenset, type(None))
_WORD_BYTES = 100  # that a member of a set takes with its share of the table
_Key = tuple[object, str]


@runtime_checkable
class Revising(Protocol[T]):
    """A pure function of bytes that can make use of what it made of others."""

    def __call__(self, data: bytes) -> T:
        """Return what it makes of the bytes."""
        ...

    def revised(self, before: T, data: bytes) -> T:
        """Return the same as for the bytes alone; ``before`` was made of any others."""
        ...


@attrs.frozen(eq=False)
class _Fact:
    """What was made, what it weighs, and in which question that was."""

    made: object
    weight: int
    question: int


class _Shelf:
    """Facts in the order in which they were asked for, with all that they weigh."""

    def __init__(self) -> None:
        self._facts: OrderedDict[_Key, _Fact] = OrderedDict()
        self._weight = 0

    def find(self, key: _Key) -> _Fact | None:
        found = self._facts.get(key)
        if found is not None:
            self._facts.move_to_end(key)
        return found

    def put(self, key: _Key, fact: _Fact) -> None:
        self._facts[key] = fact
        self._weight += fact.weight

    def take(self, key: _Key) -> _Fact:
        fact = self._facts.pop(key)
        self._weight -= fact.weight
        return fact

    def keep(self, limit: int, weight: int) -> None:
        """Drop what was asked for longest ago, but never the last."""
        while len(self._facts) > limit or (self._weight > weight and len(self._facts) > 1):
            self.take(next(iter(self._facts)))


class Memo:
    """Facts derived from bytes, kept while trees of one origin are looked at; never pickled.

    ``limit`` bounds how many there are and ``weight`` the bytes of the sources they were made of;
    plain values, which take little room, are counted apart. What was asked for longest ago goes
    first.
    """

    def __init__(self, limit: int = _REMEMBERED, weight: int = _REMEMBERED_BYTES) -> None:
        self._plain, self._fresh, self._again = _Shelf(), _Shelf(), _Shelf()
        self._first: dict[_Key, str] = {}
        self._limit = limit
        self._most = weight
        self._question = 0

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
        fact = self._found(key)
        if fact is not None:
            return cast("T", fact.made)
        data = read()
        made = self._made(derive, identity, data, path)
        if type(made) in _PLAIN:
            self._plain.put(key, _Fact(made, _room(made), self._question))
            self._plain.keep(self._limit, _PLAIN_BYTES)
        else:
            self._fresh.put(key, _Fact(made, len(data), self._question))
            self._fresh.keep(self._limit, self._most)
        return made

    def trim(self) -> None:
        """Drop all but what is likely to be asked for again; made for between two questions.

        Within one the same is asked for many times, in another only what both have in common: of
        that more is kept.
        """
        self._question += 1
        self._fresh.keep(self._limit, min(self._most, _KEPT_BYTES))
        self._again.keep(self._limit, min(self._most, _KEPT_AGAIN_BYTES))

    def holds(self, derive: Callable[[bytes], object], identity: str) -> bool:
        """Return whether the answer is remembered."""
        return self._found((derive, identity)) is not None

    def _found(self, key: _Key) -> _Fact | None:
        fact = self._fresh.find(key)
        if fact is None:
            return self._plain.find(key) or self._again.find(key)
        if fact.question != self._question:
            self._again.put(key, self._fresh.take(key))
        return fact

    def _made(self, derive: Callable[[bytes], T], identity: str, data: bytes, path: str) -> T:
        asked: object = derive
        if not path or not isinstance(asked, Revising):
            return derive(data)
        revising = cast("Revising[T]", asked)
        before = self._found((derive, self._first.get((derive, path), "")))
        if before is None:
            self._first[derive, path] = identity
            return derive(data)
        return revising.revised(cast("T", before.made), data)

    def __reduce__(self) -> tuple[type[Memo], tuple[int, int]]:
        """Travel empty: what was derived here can be derived there."""
        return (Memo, (self._limit, self._most))


def _room(made: object) -> int:
    """Return about how many bytes a plain value takes."""
    if isinstance(made, frozenset):
        return _WORD_BYTES * (len(cast("frozenset[object]", made)) + 1)
    return _WORD_BYTES + (len(made) if isinstance(made, str | bytes) else 0)


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
