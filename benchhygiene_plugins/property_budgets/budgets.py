"""What a ``settings`` object allows a property: examples, milliseconds, phases, checks, steps."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.meanings import Applied, Argument, Delayed, Known
from benchhygiene_plugins.property_budgets.following import Follower, TooMuch, plain_name
from benchhygiene_plugins.property_budgets.places import Place, place_of
from benchhygiene_plugins.property_budgets.quantities import (
    HEALTH_CHECKS,
    PHASES,
    Quantities,
    Quantity,
    Unread,
)

SETTINGS = "hypothesis.settings"
#: The settings that are compared; the others change nothing that is found.
NAMES = (
    "max_examples",
    "deadline",
    "phases",
    "derandomize",
    "suppress_health_check",
    "database",
    "stateful_step_count",
)


@attrs.frozen
class Setting:
    """One setting: what it may be, one value for each branch, and where that is written.

    ``deadline`` is in milliseconds, None without limit. ``place`` is None for a built-in default.
    ``profile`` names the profile it comes from, empty where it does not come from one. ``origin``
    is where its value is written, where that is in another file.
    """

    values: tuple[Quantity, ...]
    place: Place | None = None
    profile: str = ""
    origin: Place | None = None

    @property
    def is_unread(self) -> bool:
        """Return whether nobody can tell what it is."""
        return any(isinstance(one, Unread) for one in self.values)


Settings: TypeAlias = Mapping[str, Setting]

#: Defaults: ``hypothesis/_settings.py`` of 6.170, the profile "default".
DEFAULTS: Settings = {
    "max_examples": Setting((100,)),
    "deadline": Setting((200.0,)),
    "phases": Setting((frozenset(PHASES),)),
    "derandomize": Setting((False,)),
    "suppress_health_check": Setting((frozenset[str](),)),
    "database": Setting(("default",)),
    "stateful_step_count": Setting((50,)),
}
#: The built-in profile "ci".
CI: Settings = {
    **DEFAULTS,
    "derandomize": Setting((True,)),
    "deadline": Setting((None,)),
    "database": Setting((None,)),
    "suppress_health_check": Setting((frozenset(("too_slow",)),)),
}
#: What a state machine's test case has that nobody gives settings: ``hypothesis/stateful.py``.
MACHINE: Settings = {
    **DEFAULTS,
    "deadline": Setting((None,)),
    "suppress_health_check": Setting((frozenset(HEALTH_CHECKS),)),
}


@attrs.frozen(eq=False)
class Profiles:
    """The profiles that are known at one place, and the settings of the one in force there.

    ``loaded`` is where that was loaded, None where nothing loads one.
    """

    named: Mapping[str, Settings] = attrs.field(
        factory=lambda: dict[str, Settings]({"default": DEFAULTS, "ci": CI})
    )
    current: Settings = attrs.field(factory=lambda: DEFAULTS)
    loaded: Place | None = None


@attrs.frozen(eq=False)
class Budgets:
    """Reads the settings of one tree."""

    follower: Follower
    quantities: Quantities

    def settings(self, at: Delayed, profiles: Profiles) -> Settings | None:
        """Return what an expression sets, the profile's values where it is silent.

        None for what is no settings object.
        """
        try:
            roots = self.follower.roots(at)
        except (TooMuch, RecursionError):
            return None
        found = [one for root in roots for one in self._of_root(root, profiles)]
        if not found:
            return None
        return found[0] if len(found) == 1 else either(found)

    def _of_root(self, at: Delayed, profiles: Profiles) -> Iterator[Settings]:
        for one in self.follower.applied(at):
            name = plain_name(one.function.name) if isinstance(one.function, Known) else ""
            if name == SETTINGS:
                yield self.of_call(one.arguments, at, profiles)
            elif name == f"{SETTINGS}.get_profile" and one.arguments:
                yield self._profile(one.arguments[0].value, profiles)
        for value in self.follower.evaluator.evaluate(at.expression, at.scope):
            if isinstance(value, Known) and plain_name(value.name) == f"{SETTINGS}.default":
                yield profiles.current

    def _profile(self, at: Delayed, profiles: Profiles) -> Settings:
        names = self.quantities.several(at)
        known = [profiles.named[str(one)] for one in names if str(one) in profiles.named]
        return either(known) if known else profiles.current

    def of_call(self, arguments: tuple[Argument, ...], at: Delayed, profiles: Profiles) -> Settings:
        """Return what the arguments of ``settings`` or ``register_profile`` set."""
        found: dict[str, Setting] = dict(profiles.current)
        for one in arguments:
            if one.name is None or one.name == "parent":
                found.update(self.settings(one.value, profiles) or {})
        for one in arguments:
            if one.name in NAMES:
                found[one.name] = self._setting(one.name, one.value, at)
            elif one.name == "**":
                unread = Setting((Unread(self.quantities.text(one.value)),), self._place(at, at))
                found.update(dict.fromkeys(NAMES, unread))
        return found

    def _setting(self, name: str, value: Delayed, at: Delayed) -> Setting:
        several = tuple(plain(name, one) for one in self.quantities.several(value))
        return Setting(several, self._place(value, at), origin=self._origin(value))

    def _origin(self, value: Delayed) -> Place | None:
        """Return where a value is written that has a name in another file."""
        try:
            roots = self.follower.roots(value)
        except (TooMuch, RecursionError):
            return None
        for one in roots:
            if one.scope.path != value.scope.path:
                return place_of(one.expression, one.scope.path, self.follower.evaluator)
        return None

    def _place(self, value: Delayed, at: Delayed) -> Place:
        """Return where a setting is written: the call that holds it, where it has a line."""
        call = at.expression if getattr(at.expression, "lineno", None) else value.expression
        home = at.scope if call is at.expression else value.scope
        return place_of(call, home.path, self.follower.evaluator)

    def of_applied(self, one: Applied, at: Delayed, profiles: Profiles) -> Settings | None:
        """Return the settings that a decorator is, None for another one."""
        if isinstance(one.function, Known) and plain_name(one.function.name) == SETTINGS:
            return self.of_call(one.arguments, at, profiles)
        return None


def either(several: list[Settings]) -> Settings:
    """Return settings of which one or another is in force."""
    found: dict[str, Setting] = {}
    for name in NAMES:
        given = [one[name] for one in several if name in one]
        values = tuple(dict.fromkeys(value for one in given for value in one.values))
        placed = next((one for one in given if one.place is not None), given[0])
        found[name] = attrs.evolve(placed, values=values)
    return found


def plain(name: str, value: Quantity) -> Quantity:
    """Return a setting's value in its unit: milliseconds, a set of names, a number."""
    if isinstance(value, Unread):
        return value
    match name:
        case "deadline" if isinstance(value, datetime.timedelta):
            return value.total_seconds() * 1000
        case "deadline" if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case "deadline":
            return None if value is None else Unread(repr(value))
        case "phases" | "suppress_health_check":
            return _names(value)
        case "max_examples" | "stateful_step_count":
            is_number = isinstance(value, int) and not isinstance(value, bool)
            return value if is_number else Unread(repr(value))
        case "derandomize":
            return bool(value)
        case _:
            return Unread(repr(value)) if value is not None else None


def _names(value: Quantity) -> Quantity:
    if not isinstance(value, tuple | frozenset):
        return Unread(str(value))
    members = [*cast("tuple[object, ...] | frozenset[object]", value)]
    if not all(isinstance(one, str) for one in members):
        return Unread(", ".join(sorted(map(str, members))))
    return frozenset(cast("list[str]", members))
