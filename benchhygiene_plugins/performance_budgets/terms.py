"""What an expression of a performance test amounts to, as far as measuring is concerned."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs

from benchhygiene.inventory.canonical import name_free
from benchhygiene.inventory.classes import ClassAt
from benchhygiene.inventory.python import FunctionNode

_LONGEST = 2_000
_HEAVIEST = 5_000


def _weight(terms: Iterable[object]) -> int:
    return 1 + sum(getattr(one, "weight", 1) for one in terms)


def _light(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return what something is made of, nothing where that is too much to be compared."""
    return terms if _weight(terms) < _HEAVIEST else ()


@attrs.frozen(order=True)
class Place:
    """Where something stands, and its source text."""

    path: str
    line: int
    column: int
    text: str


@attrs.frozen
class Known:
    """A plain value: a number, a text, bytes, a truth value or None."""

    value: object

    @property
    def number(self) -> float | None:
        """Return it as a number, None where it is none."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        try:
            return float(self.value) if is_number else None  # type: ignore[arg-type]
        except OverflowError:
            return None


@attrs.frozen
class Ref:
    """Something from outside the tests, by its dotted name."""

    name: str


@attrs.frozen
class Made:
    """What an operation, an attribute or a call gives of which nothing more is known."""

    name: str
    parts: tuple[Term, ...] = attrs.field(default=(), converter=_light)
    weight: int = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.parts))


@attrs.frozen
class Row:
    """The items of a list, tuple or set that is written out."""

    parts: tuple[Term, ...] = attrs.field(converter=_light)
    weight: int = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.parts))


@attrs.frozen
class Table:
    """The items of a dict that is written out."""

    items: tuple[tuple[str, Term], ...]
    weight: int = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight([value for _, value in self.items]))

    def get(self, name: str) -> Term | None:
        """Return the value of a key."""
        return next((value for key, value in reversed(self.items) if key == name), None)


@attrs.frozen
class Many:
    """Items that are made one after the other: a range, a comprehension, a list that grows.

    ``window`` are the shares of the sorted items that are left, ``share`` is how many of the others
    are, and ``is_filtered`` says that some were left out by their value.
    """

    count: Term | None
    element: Term
    is_sorted: bool = False
    window: tuple[float, float] = (0.0, 1.0)
    is_filtered: bool = False
    share: float = 1.0
    is_descending: bool = False
    weight: int = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        inside = (self.element,) if self.count is None else (self.count, self.element)
        object.__setattr__(self, "weight", _weight(inside))

    @property
    def number(self) -> float | None:
        """Return how many there are, None where that is not known."""
        return self.count.number if isinstance(self.count, Known) else None


@attrs.frozen(eq=False)
class Routine:
    """A function of the tests, the names around it, and the object it is a method of."""

    node: FunctionNode | ast.Lambda
    path: str
    names: Mapping[str, Term]
    owner: Term | None = None


@attrs.frozen(eq=False)
class Kind:
    """A class of the tests."""

    at: ClassAt


@attrs.frozen(eq=False)
class Thing:
    """An object of a class of the tests; its fields change while a test is followed."""

    kind: Kind | None
    fields: dict[str, Term] = attrs.field(factory=dict[str, "Term"])


@attrs.frozen
class Loop:
    """One loop that something stands in: how often it runs, and where it is written.

    ``is_duration`` says that ``count`` is for how many seconds it runs, ``is_left`` that a turn of
    it, or the rest of it, can be passed over.
    """

    count: Term | None
    place: Place
    is_duration: bool = False
    uses_item: bool = True
    is_left: bool = False

    @property
    def number(self) -> float | None:
        """Return how often it runs, None where that is not known."""
        return self.count.number if isinstance(self.count, Known) else None


@attrs.frozen
class Event:
    """A call of the code under test: what is called, with what, and in which loops."""

    call: Made
    loops: tuple[Loop, ...]
    place: Place


@attrs.frozen
class Instant:
    """A reading of a clock that counts ``scale`` to the second, after so many events.

    ``shift`` is what was added to it, as a deadline is.
    """

    clock: str
    scale: float
    after: int
    loops: tuple[Loop, ...]
    shift: Term | None = None


@attrs.frozen
class Step:
    """One reduction of samples: its name, and the percentile it stands for where there is one."""

    name: str
    rank: float | None = None


@attrs.frozen
class Measure:
    """Something measured: ``scale`` times the quantity in its unit, plus ``shift``.

    ``loops`` are those each sample was taken in, ``work`` the calls it measures, ``chain`` how
    samples were reduced. ``is_inverse`` says that the quantity is divided by, as for a throughput.
    """

    source: str
    unit: str
    loops: tuple[Loop, ...] = ()
    work: tuple[Event, ...] = attrs.field(default=(), eq=False)
    scale: float | None = 1.0
    shift: float = 0.0
    chain: tuple[Step, ...] = ()
    is_inverse: bool = False
    is_filtered: bool = False
    share: float = 1.0


@attrs.define(eq=False)
class Bench:
    """The ``benchmark`` fixture, and what it ran."""

    work: tuple[Event, ...] = ()
    loops: tuple[Loop, ...] = ()


@attrs.frozen(eq=False)
class File:
    """A module of the tests."""

    path: str


Term: TypeAlias = (
    Known
    | Ref
    | Made
    | Row
    | Table
    | Many
    | Routine
    | Kind
    | Thing
    | Instant
    | Measure
    | Bench
    | File
)

NOTHING = Made("?")
#: An item of a loop: nobody knows which.
EACH = Made("each")


def inner(term: Term) -> tuple[Term, ...]:
    """Return what a term is made of."""
    match term:
        case Made() | Row():
            return term.parts
        case Many():
            return (term.element,) if term.count is None else (term.count, term.element)
        case Table():
            return tuple(value for _, value in term.items)
        case _:
            return ()


def parts(term: Term) -> Iterator[Term]:
    """Yield a term and all that it is made of, the first few thousand."""
    pending: list[Term] = [term]
    for _ in range(_LONGEST):
        if not pending:
            return
        one = pending.pop()
        yield one
        pending.extend(reversed(inner(one)))


def spelled(term: Term) -> str:
    """Return a text that is equal for terms that mean the same, whatever locals are called."""
    return " ".join(map(_word, parts(term)))


def _word(term: Term) -> str:
    match term:
        case Known():
            value = term.number
            if value is not None:
                return repr(value)
            # The decimal form of a large number is refused.
            is_large = isinstance(term.value, int) and not isinstance(term.value, bool)
            return "large" if is_large else repr(term.value)[:200]
        case Ref() | Made():
            return f"{term.name}/{len(inner(term))}"
        case Routine():
            try:
                return f"def:{name_free(term.node)}"
            except RecursionError:
                return "def:?"
        case Kind():
            return f"class:{term.at.definition.name}"
        case Measure():
            return f"measure:{term.source}:{term.unit}"
        case _:
            return f"{type(term).__name__}/{len(inner(term))}"
