"""Put the gates together: what is in force, and what that does to a suite that passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from benchhygiene_plugins.ini_chain.gates import (
    coverage,
    keys,
    loading,
    selection,
    session,
    shadowing,
    strictness,
    timing,
    warning_filters,
)
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation

#: Rules that decide without any test body, so even a run that only lists suffers them.
_BEFORE_TESTS = frozenset({"ini.abort", "ini.hides_tests", "ini.coverage_gate"})


def effects_of(situation: Situation) -> tuple[Effect, ...]:
    """Return every effect of a start-up that went through, in a fixed order."""
    found = tuple(_all(situation))
    at_once = session.exits_at_once(situation)
    if at_once is not None:
        return (at_once, *(effect for effect in found if effect.is_early))
    if session.runs_nothing(situation):
        found = tuple(_only_listed(found))
    return found


def _all(situation: Situation) -> Iterator[Effect]:
    gates = (loading, keys, selection, session, strictness, warning_filters, coverage, timing)
    for gate in (*gates, shadowing):
        yield from gate.effects(situation)


def _only_listed(found: Sequence[Effect]) -> Iterator[Effect]:
    """Yield the effects of a run that executes no test, and so cannot fail one."""
    for effect in found:
        decided = effect.exit_status in (2, 3, 4, 5) or effect.kind is EffectKind.ABORTS
        if effect.fails is not False and not decided and effect.rule not in _BEFORE_TESTS:
            yield attrs.evolve(effect, fails=False)
        else:
            yield effect
