"""What a property has lost between a parent and a candidate."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import attrs

from benchhygiene_plugins.property_budgets.budgets import Setting, Settings
from benchhygiene_plugins.property_budgets.drawing import Assumption
from benchhygiene_plugins.property_budgets.losses import Degree
from benchhygiene_plugins.property_budgets.narrowing import loss
from benchhygiene_plugins.property_budgets.places import Place
from benchhygiene_plugins.property_budgets.predicates import ARGUMENT, implies
from benchhygiene_plugins.property_budgets.properties import Property
from benchhygiene_plugins.property_budgets.quantities import Quantity, Unread
from benchhygiene_plugins.property_budgets.strategies import Strategies, Strategy, places

#: Phases whose absence leaves all examples and failures as they are: they only word a report.
NOT_DRAWN = "not drawn"
_WORDING = frozenset(("explain",))


class Kind(enum.Enum):
    """What is lost."""

    SETTING = "setting"
    STRATEGY = "strategy"
    ASSUMPTION = "assumption"
    EXAMPLE = "example"
    SEED = "seed"


@attrs.frozen
class Lost:
    """One thing that a property has lost: which, and what it was and is.

    ``is_certain`` is False where nobody can tell whether it is lost. ``old`` and ``new`` are where
    the two are written, None where they are not; ``elsewhere`` is a place of another file whose
    text has changed.
    """

    kind: Kind
    name: str
    before: str
    after: str
    old: Place | None
    new: Place | None
    is_certain: bool = True
    profile: str = ""
    elsewhere: Place | None = None


def lost(old: Property, new: Property) -> Iterator[Lost]:
    """Yield all that a property has lost."""
    for one in settings_lost(old.settings, new.settings):
        yield attrs.evolve(one, old=one.old or old.place, new=one.new or new.place)
    yield from _strategies(old, new)
    yield from _assumptions(old, new)
    yield from _examples(old, new)
    if new.seeds and not old.seeds:
        yield Lost(Kind.SEED, "seed", "none", new.seeds[0].text, None, new.seeds[0])


def settings_lost(old: Settings, new: Settings) -> Iterator[Lost]:
    """Yield the settings that allow less than they did."""
    for name in sorted({*old} & {*new}):
        before, after = old[name], new[name]
        if before.values == after.values or name == "database":
            continue
        if after.is_unread:
            if not before.is_unread:
                yield _setting(name, before, after, is_certain=False)
        elif not before.is_unread and is_less(name, before.values, after.values):
            yield _setting(name, before, after)


def _setting(name: str, before: Setting, after: Setting, *, is_certain: bool = True) -> Lost:
    values = written(name, before.values), written(name, after.values)
    profile = after.profile if after.place is not None else before.profile
    places = before.place, after.place
    return Lost(Kind.SETTING, name, *values, *places, is_certain, profile, after.origin)


def written(name: str, values: Iterable[Quantity]) -> str:
    """Return a setting's values with their unit."""
    return " or ".join(_written(name, one) for one in values)


def _written(name: str, one: Quantity) -> str:
    if isinstance(one, Unread):
        return one.text
    if isinstance(one, frozenset):
        return ", ".join(sorted(map(str, cast("frozenset[object]", one)))) or "none"
    if name == "deadline":
        return "no limit" if one is None else f"{one:g} ms"
    return str(one)


def is_less(name: str, old: tuple[Quantity, ...], new: tuple[Quantity, ...]) -> bool:
    """Return whether a setting allows less, in any of the branches that decide it."""
    match name:
        case "max_examples" | "stateful_step_count":
            before, after = _numbers(old), _numbers(new)
            return min(after) < min(before) or max(after) < max(before)
        case "deadline":
            before, after = _limits(old), _limits(new)
            return max(after) > max(before) or min(after) > min(before)
        case "phases":
            gone = _common(old) - _common(new) - _WORDING
            return bool(gone)
        case "suppress_health_check":
            return bool(_joined(new) - _joined(old))
        case "derandomize":
            return True in new and True not in old
        case _:
            return False


def _numbers(values: Iterable[Quantity]) -> list[float]:
    return [one for one in values if isinstance(one, int | float)] or [0.0]


def _limits(values: Iterable[Quantity]) -> list[float]:
    return [one if isinstance(one, int | float) else float("inf") for one in values]


def _sets(values: Iterable[Quantity]) -> list[frozenset[object]]:
    return [cast("frozenset[object]", one) for one in values if isinstance(one, frozenset)]


def _common(values: Iterable[Quantity]) -> frozenset[object]:
    found = _sets(values)
    return found[0].intersection(*found[1:]) if found else frozenset()


def _joined(values: Iterable[Quantity]) -> frozenset[object]:
    return frozenset[object]().union(*_sets(values))


def _strategies(old: Property, new: Property) -> Iterator[Lost]:
    names = _renamed(old.strategies, new.strategies)
    after = {was: new.strategies[now] for was, now in names.items()}
    for name, before in old.strategies.items():
        now = after.get(name)
        place = new.places.get(names.get(name, name), new.place)
        was = old.places.get(name, old.place)
        if now is None:
            # What is given under a name that nothing had may hold it: a pair of both, for one.
            is_certain = {*new.strategies} <= {*names.values()}
            values = (_text(before), NOT_DRAWN)
            yield Lost(Kind.STRATEGY, name, *values, was, new.place, is_certain)
            continue
        found = loss(_assumed(before, name, old), now) if before or now else None
        if found is not None and not found.is_all:
            values = (_text(before), found.what or _text(now))
            is_certain = found.degree is Degree.LESS
            kind = Kind.ASSUMPTION if found.is_assumed else Kind.STRATEGY
            yield Lost(
                kind, name, *values, was, place, is_certain, elsewhere=_elsewhere(before, now, new)
            )


def _elsewhere(old: Strategies, new: Strategies, at: Property) -> Place | None:
    """Return where, outside of the test's file, something is made that was not made so."""
    known = {one.text for one in places(old)}
    return next((one for one in places(new) if one.path != at.path and one.text not in known), None)


def _renamed(old: Mapping[str, Strategies], new: Mapping[str, Strategies]) -> Mapping[str, str]:
    """Return what each argument is called now, where all that are gone have a new one each."""
    gone = [name for name in old if name not in new]
    fresh = [name for name in new if name not in old]
    renamed = zip(gone, fresh, strict=True) if len(gone) == len(fresh) else ()
    return {**{name: name for name in old if name in new}, **dict(renamed)}


def _text(several: Strategies) -> str:
    return " or ".join(one.text or one.kind for one in several) or "a rule"


def _assumed(several: Strategies, name: str, old: Property) -> Strategies:
    """Return what is left of a strategy after what the test assumes of the argument alone."""
    local = old.names.get(name)
    if local is None:
        return several
    said = [
        one.meaning.replace(local, ARGUMENT) for one in old.assumptions if _speaks_of(one, local)
    ]
    return tuple(_restricted(one, said) for one in several)


def _speaks_of(one: Assumption, local: str) -> bool:
    words = {word for word in _words(one.meaning) if word.startswith("local_")}
    return words == {local}


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def _restricted(one: Strategy, said: list[str]) -> Strategy:
    return attrs.evolve(one, conditions=(*one.conditions, *said)) if said and not one.steps else one


def _assumptions(old: Property, new: Property) -> Iterator[Lost]:
    known = Counter(one.meaning for one in old.assumptions)
    for one in new.assumptions:
        if known[one.meaning]:
            known[one.meaning] -= 1
            continue
        if any(implies(was.meaning, one.meaning) for was in old.assumptions):
            continue
        if one.meaning in known or _was_filtered(one, old, new):
            continue
        place = Place(one.path, one.line, 1, one.text)
        yield Lost(Kind.ASSUMPTION, one.text, "", one.text, _nearest(old), place)


def _nearest(old: Property) -> Place | None:
    first = old.assumptions[0] if old.assumptions else None
    return None if first is None else Place(first.path, first.line, 1, first.text)


def _was_filtered(one: Assumption, old: Property, new: Property) -> bool:
    """Return whether the strategy of the one argument that is spoken of kept to this before."""
    for name, local in new.names.items():
        if not _speaks_of(one, local):
            continue
        said = one.meaning.replace(local, ARGUMENT)
        before = old.strategies.get(name, ())
        return bool(before) and all(_keeps_to(each, said) for each in before)
    return False


def _keeps_to(one: Strategy, said: str) -> bool:
    limited = attrs.evolve(one, conditions=(*one.conditions, said))
    return loss((one,), (limited,)).is_all


def _examples(old: Property, new: Property) -> Iterator[Lost]:
    names = _renamed(old.strategies, new.strategies)
    left = Counter(one.values for one in new.examples if not one.must_fail)
    texts = [one.place for one in new.examples]
    for one in old.examples:
        values = tuple(sorted((names.get(name, name), value) for name, value in one.values))
        if left[values] or one.must_fail:
            left[values] -= 1
        else:
            yield Lost(Kind.EXAMPLE, one.text, one.text, "", one.place, _first(texts, new))


def _first(places: list[Place], new: Property) -> Place:
    return places[0] if places else new.place
