"""What the source of a strategy says it gives: bounds, sizes, choices, parts, filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import attrs

from benchhygiene_plugins.property_budgets.places import Place
from benchhygiene_plugins.property_budgets.quantities import Quantity, Unread


@attrs.frozen(eq=False)
class Step:
    """One ``.filter``, ``.map`` or ``.flatmap``: what it does, whatever its argument is called.

    ``conditions`` are the parts of a filter that must all hold. ``loses`` says that a mapping gives
    fewer values than it takes; None where nobody can tell. ``inner`` is what a ``flatmap`` draws
    from.
    """

    method: str
    meaning: str
    conditions: tuple[str, ...] = ()
    loses: bool | None = None
    text: str = ""
    inner: Strategies = ()

    def signature(self) -> object:
        """Return all that it does, in a form that can be compared."""
        told = tuple(map(signature, self.inner)) if self.inner else self.meaning
        return (self.method, told)


@attrs.frozen(eq=False)
class Strategy:
    """One strategy: its kind, what it was given by name, and what is done to its values.

    Numbers are in the units of the values themselves; sizes count elements. ``parts`` are
    strategies, one for each branch that an argument may take. ``choices`` holds the values of
    ``just`` and ``sampled_from``, None where they are not known. ``place`` is where it is made.
    """

    kind: str
    quantities: Mapping[str, Quantity] = attrs.field(factory=dict[str, Quantity])
    parts: Mapping[str, Strategies] = attrs.field(factory=dict[str, "Strategies"])
    choices: tuple[Quantity, ...] | None = None
    conditions: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    text: str = ""
    place: Place | None = None

    @property
    def is_unread(self) -> bool:
        """Return whether nobody can tell what it is."""
        return self.kind == UNREAD

    def quantity(self, name: str) -> Quantity:
        """Return a quantity, None where it is not given."""
        return self.quantities.get(name)

    def alternatives(self) -> Iterator[Strategies]:
        """Yield the alternatives of ``one_of``, itself where it is another strategy."""
        if self.kind != "one_of" or self.steps:
            yield (self,)
            return
        for part in self.parts.values():
            if len(part) == 1:
                yield from part[0].alternatives()
            else:
                yield part


def places(several: Strategies) -> Iterator[Place]:
    """Yield where strategies are made, and those inside them."""
    for one in several:
        if one.place is not None:
            yield one.place
        for inner in one.parts.values():
            yield from places(inner)


Strategies: TypeAlias = tuple[Strategy, ...]
UNREAD = "?"
COMPOSITE = "composite"


def unread(text: str) -> Strategy:
    """Return a strategy that nobody can tell anything of."""
    return Strategy(UNREAD, {"is": Unread(text)}, text=text)


def is_same(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies read the same, whatever names they are made with."""
    return signature(one) == signature(other)


def signature(one: Strategy) -> object:
    """Return all that a strategy is, in a form that can be compared."""
    return (
        one.kind,
        tuple(sorted((name, repr(value)) for name, value in one.quantities.items())),
        tuple(
            (name, tuple(map(signature, several))) for name, several in sorted(one.parts.items())
        ),
        None if one.choices is None else tuple(map(repr, one.choices)),
        tuple(sorted(one.conditions)),
        tuple(step.signature() for step in one.steps),
    )
