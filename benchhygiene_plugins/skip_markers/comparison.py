"""Which exemptions of a candidate's test its parent did not have."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from benchhygiene_plugins.skip_markers.exemptions import Exemption


@attrs.frozen
class Rows:
    """The parameter sets of a test by their values, and those of them that are exempted."""

    values: tuple[str, ...] = ()
    marked: frozenset[str] = frozenset()

    @property
    def plain(self) -> Counter[str]:
        """Return how often each parameter set stands there without an exemption."""
        return Counter(one for one in self.values if one not in self.marked)


def fresh(
    old: Sequence[Exemption], new: Sequence[Exemption], before: Rows, after: Rows
) -> tuple[Exemption, ...]:
    """Return what exempts the candidate's test where nothing exempted the parent's."""
    return tuple(one for one in new if not _is_known(one, old) and not _is_born(one, before, after))


def _is_known(one: Exemption, old: Sequence[Exemption]) -> bool:
    if one.unseen:
        return any(other.unseen == one.unseen for other in old)
    wider = [other for other in old if not other.unseen and _allows(other, one)]
    return one.condition.is_within(other.condition for other in wider)


def _allows(old: Exemption, new: Exemption) -> bool:
    """Return whether, where the old one holds, the new one takes nothing more away."""
    if old.row not in ("", new.row):
        return False
    if not old.is_xfail:
        return True
    if not new.is_xfail:
        return False
    is_as_strict = new.is_strict or not old.is_strict
    runs_as_well = new.runs or not old.runs
    return is_as_strict and runs_as_well and _expects_within(new.raises, old.raises)


def _expects_within(new: Iterable[str], old: Sequence[str]) -> bool:
    """Return whether every exception of the new expectation was expected before."""
    if not old:
        return True
    expected = tuple(new)
    return bool(expected) and all(any(_is_kind(one, other) for other in old) for one in expected)


def _is_kind(one: str, other: str) -> bool:
    if one == other:
        return True
    kinds = (getattr(builtins, one, None), getattr(builtins, other, None))
    narrow, wide = kinds
    return isinstance(narrow, type) and isinstance(wide, type) and issubclass(narrow, wide)


def _is_born(one: Exemption, before: Rows, after: Rows) -> bool:
    """Return whether a parameter set is new and exempted, and none of the parent's is touched."""
    if not one.row or not before.values or one.row in before.values:
        return False
    return not before.plain - after.plain


def replaced(one: Exemption, old: Sequence[Exemption], new: Sequence[Exemption]) -> str:
    """Return the parent's text that a fresh exemption stands in the place of, if there is one."""
    kept = {other.place.text for other in new}
    gone = [other for other in old if other.place.text not in kept]
    alike = [other for other in gone if other.rule == one.rule] or gone
    return alike[0].place.text if alike else ""
