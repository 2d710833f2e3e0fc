"""Whether a strategy still gives all that another one gives."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene_plugins.property_budgets.catalogue import FEW, PARTS_OF, SIGNATURES, Role
from benchhygiene_plugins.property_budgets.predicates import bound_of, implies
from benchhygiene_plugins.property_budgets.quantities import Quantity, Unread
from benchhygiene_plugins.property_budgets.strategies import (
    COMPOSITE,
    Strategies,
    Strategy,
    is_same,
    signature,
)

_COUNTED = 2_000  # values of a short range that are held against those of a choice
_SAMPLES = frozenset(("just", "sampled_from", "none", "booleans"))
_NUMBERS = frozenset(("integers", "floats", "decimals", "fractions"))


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


def _less(what: str) -> Loss:
    return Loss(Degree.LESS, what)


def _unknown(what: str) -> Loss:
    return Loss(Degree.UNKNOWN, what)


def _worst(losses: Iterable[Loss]) -> Loss:
    return max(losses, key=lambda one: one.degree, default=ALL)


def _best(losses: Iterable[Loss]) -> Loss:
    return min(losses, key=lambda one: one.degree, default=ALL)


def loss(old: Strategies, new: Strategies) -> Loss:
    """Return what is lost from what an argument was given to what it is given now."""
    if [signature(one) for one in old] == [signature(one) for one in new]:
        return ALL
    if not old or not new:
        return _unknown("nothing is known of it")
    return _worst(_best(_between(before, after) for before in old) for after in new)


def _between(old: Strategy, new: Strategy) -> Loss:
    if is_same(old, new):
        return ALL
    if old.is_unread:
        return ALL if new.is_unread else _unknown(f"it was {old.text}")
    if new.is_unread:
        return _unknown(f"it is {new.text}")
    old, new = _folded(old), _folded(new)
    if old.kind == "one_of" and not old.steps and not old.conditions:
        return _alternatives(old, new)
    if new.kind == "one_of" and not new.steps and not new.conditions:
        return _best(loss((old,), one) for one in new.alternatives())
    return _worst((_bases(old, new), _conditions(old, new), _steps(old, new)))


def _alternatives(old: Strategy, new: Strategy) -> Loss:
    offered = [*new.alternatives()] if new.kind == "one_of" and not new.steps else [(new,)]
    return _worst(_alternative(one, offered) for one in old.alternatives())


def _alternative(one: Strategies, offered: Iterable[Strategies]) -> Loss:
    found = [(loss(one, other), other) for other in offered]
    same = [each for each, other in found if other and one and other[0].kind == one[0].kind]
    best = _best(each for each, _ in found)
    if best.is_all:
        return best
    if same:
        return _best(same)
    return _less(f"the alternative {_shown(one)} is gone")


def _shown(several: Strategies) -> str:
    return several[0].text or several[0].kind if several else "?"


def _folded(one: Strategy) -> Strategy:
    """Return a strategy of numbers whose simple filters have become its bounds."""
    if one.kind not in _NUMBERS:
        return one
    quantities = dict(one.quantities)
    kept: list[str] = []
    for condition in one.conditions:
        if not _fold(condition, quantities, is_whole=one.kind == "integers"):
            kept.append(condition)
    return attrs.evolve(one, quantities=quantities, conditions=tuple(kept))


def _fold(condition: str, quantities: dict[str, Quantity], *, is_whole: bool) -> bool:
    bound = bound_of(condition)
    if bound is None or bound.operator in ("==", "!="):
        return False
    name = "min_value" if bound.operator in (">", ">=") else "max_value"
    limit = bound.limit
    if is_whole:
        limit = math.floor(limit) if name == "max_value" else math.ceil(limit)
        if bound.operator in ("<", ">") and limit == bound.limit:
            limit += 1 if name == "min_value" else -1
    known = quantities.get(name)
    if isinstance(known, int | float) and not isinstance(known, bool):
        limit = max(known, limit) if name == "min_value" else min(known, limit)
    elif known is not None:
        return False
    quantities[name] = limit
    return True


def _bases(old: Strategy, new: Strategy) -> Loss:
    if old.kind != new.kind:
        return _kinds(old, new)
    if old.kind in _SAMPLES:
        return _choices(old, new)
    if old.kind == COMPOSITE:
        return _composites(old, new)
    return _worst((*_quantities(old, new), *_parts(old, new)))


def _kinds(old: Strategy, new: Strategy) -> Loss:
    if old.kind in _SAMPLES and new.kind in FEW:
        return _choices(old, new)
    if old.choices is not None and new.kind in SIGNATURES:
        return _worst(_holds(new, value) for value in old.choices)
    if new.choices is not None and old.kind == "integers" and _covers_range(old, new.choices):
        return ALL
    if new.kind in FEW and old.kind not in FEW:
        return _less(f"{old.kind} has become {_described(new)}")
    if (new.kind, old.kind) in PARTS_OF:
        return _less(f"{old.kind} has become {new.kind}")
    if (old.kind, new.kind) in PARTS_OF and not new.quantities and not new.parts:
        return ALL
    return _unknown(f"{old.kind} has become {new.kind}")


def _described(one: Strategy) -> str:
    if one.choices is None:
        return one.kind
    return f"{one.kind} of {len(one.choices)} value{'s' if len(one.choices) != 1 else ''}"


def _covers_range(old: Strategy, choices: tuple[Quantity, ...]) -> bool:
    low, high = old.quantity("min_value"), old.quantity("max_value")
    if not isinstance(low, int) or not isinstance(high, int) or high - low > _COUNTED:
        return False
    given = {one for one in choices if isinstance(one, int)}
    return all(value in given for value in range(low, high + 1))


def _holds(new: Strategy, value: Quantity) -> Loss:
    """Return whether a strategy of many values may give this one."""
    types = {"integers": int, "floats": int | float, "text": str, "binary": bytes}
    wanted = types.get(new.kind)
    if wanted is None or not isinstance(value, wanted):
        return _unknown(f"it has become {new.kind}")
    size = len(value) if isinstance(value, str | bytes) else value
    names = (
        ("min_size", "max_size") if isinstance(value, str | bytes) else ("min_value", "max_value")
    )
    low, high = (new.quantity(name) for name in names)
    if _is_number(low) and _is_number(size) and _is_below(size, low):
        return _less(f"{value!r} is no longer given")
    if _is_number(high) and _is_number(size) and _is_below(high, size):
        return _less(f"{value!r} is no longer given")
    return ALL


def _is_number(one: object) -> bool:
    return isinstance(one, int | float)


def _choices(old: Strategy, new: Strategy) -> Loss:
    if old.choices is None or new.choices is None:
        if signature(old) == signature(new):
            return ALL
        if old.choices is not None or new.choices is not None or old.kind == new.kind:
            return _unknown(f"{old.text} has become {new.text}")
        return _unknown("its values are not known")
    kept = {_key(one) for one in new.choices}
    lost = [one for one in old.choices if _key(one) not in kept]
    if not lost:
        return ALL
    if len(new.choices) >= len(old.choices) and new.kind == old.kind == "sampled_from":
        return _less(f"{len(lost)} of {len(old.choices)} values are no longer given")
    return _less(f"{len(old.choices)} values have become {len(new.choices)}")


def _key(one: Quantity) -> str:
    return f"{type(one).__name__}:{one!r}"


def _composites(old: Strategy, new: Strategy) -> Loss:
    """Return what is lost between two functions that draw: each draw is held against its twin."""
    before, after = [*old.parts.values()], [*new.parts.values()]
    if len(before) == len(after):
        found = _worst(loss(one, other) for one, other in zip(before, after, strict=True))
        if found.degree is not Degree.ALL:
            return found
    elif len(after) < len(before):
        return _less(f"{len(before)} draws have become {len(after)}")
    same = all(old.quantity(name) == new.quantity(name) for name in ("rest", "result"))
    if same and len(before) == len(after):
        return ALL
    if before and "..." not in str(new.quantity("rest")) and not after:
        return _less("it draws nothing any more")
    return _unknown("what it makes of what it draws has changed")


def _quantities(old: Strategy, new: Strategy) -> Iterator[Loss]:
    known = SIGNATURES.get(old.kind)
    roles = dict(known.roles) if known is not None else {}
    floor = known.floor if known is not None else None
    for name in sorted({*old.quantities, *new.quantities, *_switches(old)}):
        role = roles.get(name) or _role(name)
        before, after = _given(old, name), _given(new, name)
        if repr(before) != repr(after) or type(before) is not type(after):
            yield _quantity(name, role, before, after, floor)


def _switches(one: Strategy) -> tuple[str, ...]:
    return ("allow_nan", "allow_infinity") if one.kind == "floats" else ()


def _role(name: str) -> Role:
    if name.startswith("min_"):
        return Role.LOW
    return Role.HIGH if name.startswith("max_") else Role.SAME


def _given(one: Strategy, name: str) -> Quantity:
    """Return what an argument amounts to, its default where it is not given.

    Defaults: ``hypothesis/strategies/_internal/numbers.py`` of 6.170, ``floats``.
    """
    found = one.quantity(name)
    if found is None and one.kind == "floats" and name in ("allow_nan", "allow_infinity"):
        bounds = [one.quantity(bound) is not None for bound in ("min_value", "max_value")]
        return not (any(bounds) if name == "allow_nan" else all(bounds))
    if found is None and name == "width":
        return 64
    return found


def _quantity(name: str, role: Role, old: Quantity, new: Quantity, floor: int | None) -> Loss:
    said = f"{name} {_written(old)} has become {_written(new)}"
    match role:
        case Role.LOW | Role.HIGH:
            return _limit(said, role, old, new, floor)
        case Role.SWITCH | Role.ALLOW:
            return _switch(said, role, old, new)
        case Role.VALUES | Role.EXCEPT:
            return _collection(said, role, old, new)
        case Role.LETTERS:
            return _letters(said, old, new)
        case Role.FREE:
            return ALL
        case _:
            return _less(said) if old is None and name != "codec" else _unknown(said)


def _written(one: Quantity) -> str:
    return one.text if isinstance(one, Unread) else repr(one)


def _limit(said: str, role: Role, old: Quantity, new: Quantity, floor: int | None) -> Loss:
    old = floor if old is None and role is Role.LOW else old
    new = floor if new is None and role is Role.LOW else new
    if old == new or new is None:
        return ALL
    if old is None:
        return _less(said)
    if isinstance(old, Unread) or isinstance(new, Unread):
        return _unknown(said)
    first, second = (old, new) if role is Role.LOW else (new, old)
    is_tighter = _is_below(first, second)
    if is_tighter is None:
        return _unknown(said)
    return _less(said) if is_tighter else ALL


def _is_below(one: object, other: object) -> bool | None:
    """Return whether one value is less than another, None where they cannot be compared."""
    try:
        return bool(one < other)  # type: ignore[operator]
    except TypeError:
        return None


def _switch(said: str, role: Role, old: Quantity, new: Quantity) -> Loss:
    if isinstance(new, Unread) or isinstance(old, Unread):
        return _unknown(said)
    is_less_now = new is False if role is Role.ALLOW else bool(new)
    was_less = old is False if role is Role.ALLOW else bool(old)
    return _less(said) if is_less_now and not was_less else ALL


def _members(one: Quantity) -> frozenset[object] | None:
    if isinstance(one, str | tuple | frozenset | range):
        return frozenset(one)
    return None


def _collection(said: str, role: Role, old: Quantity, new: Quantity) -> Loss:
    if role is Role.VALUES and (new is None or old is None):
        return ALL if new is None else _less(said)
    if role is Role.EXCEPT:
        old, new = new if new is not None else (), old if old is not None else ()
    before, after = _members(old), _members(new)
    if before is None or after is None:
        return _unknown(said)
    return ALL if before <= after else _less(said)


def _letters(said: str, old: Quantity, new: Quantity) -> Loss:
    if new is None:
        return ALL
    before, after = _members(old), _members(new)
    if after is None:
        return _unknown(said)
    if before is None:
        return _less(said) if old is None else _unknown(said)
    return ALL if before <= after else _less(said)


def _parts(old: Strategy, new: Strategy) -> Iterator[Loss]:
    known = SIGNATURES.get(old.kind)
    for name in sorted({*old.parts, *new.parts}):
        before, after = old.parts.get(name, ()), new.parts.get(name, ())
        if before and after:
            found = loss(before, after)
            yield attrs.evolve(found, what=f"{name}: {found.what}") if found.what else found
        elif after:
            yield _added(old, name, after)
        elif known is not None and known.roles.get(name) is Role.LETTERS:
            yield _fewer_letters(name, before, new)
        else:
            yield _dropped(old, name)


def _added(old: Strategy, name: str, after: Strategies) -> Loss:
    if old.kind == "text":
        letters = old.quantity(name)
        if letters is None:
            is_all = all(one.kind == "characters" and not one.quantities for one in after)
            return ALL if is_all else _less(f"the {name} is {_shown(after)}")
        is_wide = all(one.kind == "characters" and not one.conditions for one in after)
        return ALL if is_wide else _unknown(f"the {name} is {_shown(after)}")
    if old.kind in ("tuples", "fixed_dictionaries"):
        return ALL
    return _unknown(f"{name} is {_shown(after)}") if old.kind == "builds" else ALL


def _fewer_letters(name: str, before: Strategies, new: Strategy) -> Loss:
    if new.quantity(name) is None:
        return ALL
    return _less(f"the {name} {_shown(before)} has become {_written(new.quantity(name))}")


def _dropped(old: Strategy, name: str) -> Loss:
    if old.kind in ("datetimes", "times", "emails"):
        return _less(f"{name} is no longer given")
    return _less(f"{name} is no longer drawn")


def _conditions(old: Strategy, new: Strategy) -> Loss:
    fresh = [
        one for one in new.conditions if not any(implies(known, one) for known in old.conditions)
    ]
    if not fresh:
        return ALL
    what = f"only values are kept for which {' and '.join(fresh)}"
    return Loss(Degree.LESS, what, is_assumed=new.kind == COMPOSITE)


def _steps(old: Strategy, new: Strategy) -> Loss:
    before = [(one.method, one.meaning) for one in old.steps]
    fresh = [one for one in new.steps if (one.method, one.meaning) not in before]
    after = [(one.method, one.meaning) for one in new.steps]
    if not fresh:
        return ALL if all(one in after for one in before) else _unknown("a mapping is gone")
    return _worst(_step(one) for one in fresh)


def _step(one: object) -> Loss:
    loses = getattr(one, "loses", None)
    text = getattr(one, "text", "")
    method = getattr(one, "method", "")
    if method == "filter" or loses:
        return _less(f".{method}({text}) was added")
    if loses is False:
        return ALL
    return _unknown(f".{method}({text}) was added")
