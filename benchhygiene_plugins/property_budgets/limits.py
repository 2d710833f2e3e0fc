"""What is lost where an argument of a strategy amounts to something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from benchhygiene_plugins.property_budgets.catalogue import SIGNATURES, Role
from benchhygiene_plugins.property_budgets.losses import ALL, Loss, less, unknown
from benchhygiene_plugins.property_budgets.quantities import Quantity, Unread
from benchhygiene_plugins.property_budgets.regexes import covers
from benchhygiene_plugins.property_budgets.strategies import Strategy


def quantities(old: Strategy, new: Strategy) -> Iterator[Loss]:
    """Yield what each argument that is no strategy takes away."""
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
    said = f"{name} {written(old)} has become {written(new)}"
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
        case _ if name == "regex" and isinstance(old, str) and isinstance(new, str):
            found = covers(new, old)
            return unknown(said) if found is None else ALL if found else less(said)
        case _:
            return less(said) if old is None and name != "codec" else unknown(said)


def written(one: Quantity) -> str:
    """Return a quantity as a message has it."""
    return one.text if isinstance(one, Unread) else repr(one)


def _limit(said: str, role: Role, old: Quantity, new: Quantity, floor: int | None) -> Loss:
    old = floor if old is None and role is Role.LOW else old
    new = floor if new is None and role is Role.LOW else new
    if old == new or new is None:
        return ALL
    if old is None:
        return less(said)
    if isinstance(old, Unread) or isinstance(new, Unread):
        return unknown(said)
    first, second = (old, new) if role is Role.LOW else (new, old)
    is_tighter = is_below(first, second)
    if is_tighter is None:
        return unknown(said)
    return less(said) if is_tighter else ALL


def is_below(one: object, other: object) -> bool | None:
    """Return whether one value is less than another, None where they cannot be compared."""
    try:
        return bool(one < other)  # type: ignore[operator]
    except TypeError:
        return None


def _switch(said: str, role: Role, old: Quantity, new: Quantity) -> Loss:
    if isinstance(new, Unread) or isinstance(old, Unread):
        return unknown(said)
    is_less_now = new is False if role is Role.ALLOW else bool(new)
    was_less = old is False if role is Role.ALLOW else bool(old)
    return less(said) if is_less_now and not was_less else ALL


def _members(one: Quantity) -> frozenset[object] | None:
    if isinstance(one, str | tuple | frozenset | range):
        return frozenset(cast("Iterable[object]", one))
    return None


def _collection(said: str, role: Role, old: Quantity, new: Quantity) -> Loss:
    if role is Role.VALUES and (new is None or old is None):
        return ALL if new is None else less(said)
    if role is Role.EXCEPT:
        old, new = new if new is not None else (), old if old is not None else ()
    before, after = _members(old), _members(new)
    if before is None or after is None:
        return unknown(said)
    return ALL if before <= after else less(said)


def _letters(said: str, old: Quantity, new: Quantity) -> Loss:
    if new is None:
        return ALL
    before, after = _members(old), _members(new)
    if after is None:
        return unknown(said)
    if before is None:
        return less(said) if old is None else unknown(said)
    return ALL if before <= after else less(said)
