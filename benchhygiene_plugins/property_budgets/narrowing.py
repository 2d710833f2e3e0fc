"""Whether a strategy still gives all that another one gives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.inventory.values import Opaque
from benchhygiene_plugins.property_budgets.catalogue import FEW, PARTS_OF, SIGNATURES, Role
from benchhygiene_plugins.property_budgets.limits import is_below, quantities, written
from benchhygiene_plugins.property_budgets.losses import (
    ALL,
    Degree,
    Loss,
    best,
    less,
    unknown,
    worst,
)
from benchhygiene_plugins.property_budgets.predicates import bound_of, implies
from benchhygiene_plugins.property_budgets.quantities import Quantity, Unread
from benchhygiene_plugins.property_budgets.strategies import (
    COMPOSITE,
    Step,
    Strategies,
    Strategy,
    is_same,
    signature,
)

_COUNTED = 2_000  # values of a short range that are held against those of a choice
_SAMPLES = frozenset(("just", "sampled_from", "none", "booleans"))
_NUMBERS = frozenset(("integers", "floats", "decimals", "fractions"))


def loss(old: Strategies, new: Strategies) -> Loss:
    """Return what is lost from what an argument was given to what it is given now."""
    if [signature(one) for one in old] == [signature(one) for one in new]:
        return ALL
    if not old or not new:
        return unknown("nothing is known of it")
    return worst(best(_between(before, after) for before in old) for after in new)


def _between(old: Strategy, new: Strategy) -> Loss:
    if is_same(old, new):
        return ALL
    if old.is_unread:
        return ALL if new.is_unread else unknown(f"it was {old.text}")
    if new.is_unread:
        return unknown(f"it is {new.text}")
    old, new = _folded(old), _folded(new)
    if old.kind == "one_of" and not old.steps and not old.conditions:
        return _alternatives(old, new)
    if new.kind == "one_of" and not new.steps and not new.conditions:
        return best(loss((old,), one) for one in new.alternatives())
    return worst((_bases(old, new), _conditions(old, new), _steps(old, new)))


def _alternatives(old: Strategy, new: Strategy) -> Loss:
    offered = [*new.alternatives()] if new.kind == "one_of" and not new.steps else [(new,)]
    return worst(_alternative(one, offered) for one in old.alternatives())


def _alternative(one: Strategies, offered: Iterable[Strategies]) -> Loss:
    found = [(loss(one, other), other) for other in offered]
    same = [each for each, other in found if other and one and other[0].kind == one[0].kind]
    nearest = best(each for each, _ in found)
    if nearest.is_all:
        return nearest
    if any(each.is_unread for other in offered for each in other):
        return unknown(f"{_shown(one)} is perhaps not among the alternatives")
    if same:
        return best(same)
    return less(f"the alternative {_shown(one)} is gone")


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
    return worst((*quantities(old, new), *_parts(old, new)))


def _kinds(old: Strategy, new: Strategy) -> Loss:
    if old.kind in _SAMPLES and new.kind in FEW:
        return _choices(old, new)
    if old.choices is not None and new.kind in SIGNATURES:
        return worst(_holds(new, value) for value in old.choices)
    if new.choices is not None and old.kind == "integers" and _covers_range(old, new.choices):
        return ALL
    if new.kind in FEW and old.kind not in FEW:
        return less(f"{old.kind} has become {_described(new)}")
    if (new.kind, old.kind) in PARTS_OF:
        return less(f"{old.kind} has become {new.kind}")
    if (old.kind, new.kind) in PARTS_OF and not new.quantities and not new.parts:
        return ALL
    return unknown(f"{old.kind} has become {new.kind}")


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
        return unknown(f"it has become {new.kind}")
    size = len(value) if isinstance(value, str | bytes) else value
    names = (
        ("min_size", "max_size") if isinstance(value, str | bytes) else ("min_value", "max_value")
    )
    low, high = (new.quantity(name) for name in names)
    if _is_number(low) and _is_number(size) and is_below(size, low):
        return less(f"{value!r} is no longer given")
    if _is_number(high) and _is_number(size) and is_below(high, size):
        return less(f"{value!r} is no longer given")
    return ALL


def _is_number(one: object) -> bool:
    return isinstance(one, int | float)


def _choices(old: Strategy, new: Strategy) -> Loss:
    if old.choices is None or new.choices is None:
        if signature(old) == signature(new):
            return ALL
        if _is_cut(old.quantity("elements"), new.quantity("elements")):
            return less(f"{old.text} has become {new.text}")
        if old.choices is not None or new.choices is not None or old.kind == new.kind:
            return unknown(f"{old.text} has become {new.text}")
        return unknown("its values are not known")
    kept = {_key(one) for one in new.choices}
    lost = [one for one in old.choices if _key(one) not in kept]
    if not lost:
        return ALL
    is_opaque = any(isinstance(one, Opaque) for one in lost)
    if is_opaque and len(new.choices) >= len(old.choices):
        return unknown(f"{old.text} has become {new.text}")
    if len(new.choices) >= len(old.choices) and new.kind == old.kind == "sampled_from":
        return less(f"{len(lost)} of {len(old.choices)} values are no longer given")
    return less(f"{len(old.choices)} values have become {len(new.choices)}")


def _is_cut(old: Quantity, new: Quantity) -> bool:
    """Return whether a collection that is not known is a slice of itself now."""
    if not isinstance(old, Unread) or not isinstance(new, Unread):
        return False
    return new.text.startswith(f"{old.text}[") and ":" in new.text[len(old.text) :]


def _key(one: Quantity) -> str:
    return f"{type(one).__name__}:{one!r}"


def _composites(old: Strategy, new: Strategy) -> Loss:
    """Return what is lost between two functions that draw: each draw is held against its twin."""
    before, after = [*old.parts.values()], [*new.parts.values()]
    if len(before) == len(after):
        found = worst(loss(one, other) for one, other in zip(before, after, strict=True))
        if found.degree is not Degree.ALL:
            return found
    elif len(after) < len(before):
        return less(f"{len(before)} draws have become {len(after)}")
    if old.quantity("rest") == new.quantity("rest") and len(before) == len(after):
        return ALL
    if "drawn_" in str(old.quantity("rest")) and "drawn_" not in str(new.quantity("rest")):
        return less("it makes nothing of what it draws any more")
    return unknown("what it makes of what it draws has changed")


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
        elif _is_hidden(name, new):
            yield unknown(f"{name} is one of {_shown(_unread_parts(new))}")
        else:
            yield _dropped(old, name)


def _unread_parts(one: Strategy) -> Strategies:
    return tuple(each for part in one.parts.values() for each in part if each.is_unread)


def _is_hidden(name: str, new: Strategy) -> bool:
    """Return whether a part may be among those that are given all at once."""
    together = ("*", "**", name.partition(".")[0])
    return any(label in together for label in new.parts if label != name)


def _added(old: Strategy, name: str, after: Strategies) -> Loss:
    if old.kind == "text":
        letters = old.quantity(name)
        if letters is None:
            is_all = all(one.kind == "characters" and not one.quantities for one in after)
            return ALL if is_all else less(f"the {name} is {_shown(after)}")
        is_wide = all(one.kind == "characters" and not one.conditions for one in after)
        return ALL if is_wide else unknown(f"the {name} is {_shown(after)}")
    if old.kind in ("tuples", "fixed_dictionaries"):
        return ALL
    return unknown(f"{name} is {_shown(after)}") if old.kind == "builds" else ALL


def _fewer_letters(name: str, before: Strategies, new: Strategy) -> Loss:
    if new.quantity(name) is None:
        return ALL
    return less(f"the {name} {_shown(before)} has become {written(new.quantity(name))}")


def _dropped(old: Strategy, name: str) -> Loss:
    if old.kind in ("datetimes", "times", "emails"):
        return less(f"{name} is no longer given")
    return less(f"{name} is no longer drawn")


def _conditions(old: Strategy, new: Strategy) -> Loss:
    fresh = [
        one for one in new.conditions if not any(implies(known, one) for known in old.conditions)
    ]
    if not fresh:
        return ALL
    what = f"only values are kept for which {' and '.join(fresh)}"
    return Loss(Degree.LESS, what, is_assumed=new.kind == COMPOSITE)


def _steps(old: Strategy, new: Strategy) -> Loss:
    if len(old.steps) == len(new.steps):
        pairs = zip(old.steps, new.steps, strict=True)
        return worst(_changed_step(was, now) for was, now in pairs)
    before = [one.signature() for one in old.steps]
    after = [one.signature() for one in new.steps]
    fresh = [one for one in new.steps if one.signature() not in before]
    if not fresh:
        return ALL if all(one in after for one in before) else unknown("a mapping is gone")
    return worst(map(_step, fresh))


def _changed_step(old: Step, new: Step) -> Loss:
    if old.signature() == new.signature():
        return ALL
    if old.method == new.method == "flatmap" and old.inner and new.inner:
        return loss(old.inner, new.inner)
    return _step(new)


def _step(one: Step) -> Loss:
    if one.method == "filter" or one.loses:
        return less(f".{one.method}({one.text}) was added")
    if one.loses is False:
        return ALL
    return unknown(f".{one.method}({one.text}) was added")
