"""A contradiction is noticed, and what agrees is not."""

from __future__ import annotations

import attrs

from benchhygiene_plugins.ini_chain.command.words import ARGUMENT
from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, EffectKind, Resolution
from tests.truth import claims
from tests.truth.claims import Contradiction
from tests.truth.judge import Observation

SAID = Resolution(
    rootdir="/h",
    inifile="/h/tox.ini",
    addopts=("-q",),
    arguments=("-q", "t"),
    abort=None,
    conftests=(),
    chain=(),
)
SAW = Observation(
    status=0,
    output="",
    watched=True,
    rootdir="/h",
    inifile="/h/tox.ini",
    addopts=("-q",),
    parsed=True,
    ran=("/h/t.py::a", "/h/t.py::b"),
)
FAILED = attrs.evolve(SAW, status=1)
STOPPED = attrs.evolve(SAW, status=4, parsed=False, ran=())
REFUSED = attrs.evolve(SAID, abort=Abort(4, "no such option", "ini.unknown_option"))


def _with(kind: EffectKind, *, fails: bool | None, status: int | None = None) -> Resolution:
    effect = Effect("ini.strict", kind, "-x", "", ARGUMENT, "why", fails, status)
    return attrs.evolve(SAID, effects=(effect,))


def _about(found: tuple[Contradiction, ...]) -> list[str]:
    return [about for about, *_ in found]


def _decided(said: Resolution, saw: Observation) -> list[str]:
    return _about(tuple(claims.decided(said, saw)))


def _judged(said: Resolution, saw: Observation) -> list[str]:
    return _about(tuple(claims.judged(said, saw)))


def test_what_was_decided() -> None:
    assert _decided(SAID, SAW) == []
    assert _decided(attrs.evolve(SAID, rootdir="/"), SAW) == ["rootdir"]
    assert _decided(attrs.evolve(SAID, inifile=None), SAW) == ["inifile"]
    assert _decided(attrs.evolve(SAID, addopts=()), SAW) == ["addopts"]
    assert _decided(attrs.evolve(SAID, addopts=None), SAW) == ["addopts"]


def test_where_it_stopped() -> None:
    assert _decided(REFUSED, STOPPED) == []
    assert _decided(SAID, STOPPED) == ["abort"]
    assert _decided(REFUSED, SAW) == ["abort"]
    assert _judged(REFUSED, STOPPED) == []
    assert _judged(REFUSED, attrs.evolve(STOPPED, status=1)) == ["abort status"]
    unseen = attrs.evolve(SAID, unknown=("a conftest",))
    assert _decided(unseen, STOPPED) == []


def test_what_becomes_of_a_passing_suite() -> None:
    certain = _with(EffectKind.FAILS, fails=True, status=1)
    assert _judged(SAID, SAW) == []
    assert _judged(SAID, FAILED) == ["fails_passing_suite"]
    assert _judged(certain, FAILED) == []
    assert _judged(certain, SAW) == ["fails_passing_suite"]
    assert _judged(certain, attrs.evolve(FAILED, status=3)) == ["exit status"]
    assert _judged(_with(EffectKind.FAILS, fails=None), FAILED) == []


def test_a_run_that_executes_nothing() -> None:
    nothing = _with(EffectKind.RUNS_NOTHING, fails=False)
    assert _judged(nothing, attrs.evolve(SAW, ran=())) == []
    assert _judged(nothing, SAW) == ["runs nothing"]


def test_a_failing_suite_that_succeeds() -> None:
    assert _about(tuple(claims.passed_falsely(SAID, SAW))) == ["false pass"]
    assert _about(tuple(claims.passed_falsely(SAID, FAILED))) == []
    assert _about(tuple(claims.passed_falsely(_with(EffectKind.HIDES, fails=False), SAW))) == []


def test_tests_that_do_not_run() -> None:
    one = attrs.evolve(SAW, ran=SAW.ran[:1])
    hides = _with(EffectKind.HIDES, fails=False)
    early = _with(EffectKind.STOPS_EARLY, fails=False)
    assert _about(tuple(claims.omitted(SAID, SAW, FAILED, SAW))) == []
    assert _about(tuple(claims.omitted(SAID, one, one, SAW))) == ["hidden tests"]
    assert _about(tuple(claims.omitted(hides, one, one, SAW))) == []
    late = attrs.evolve(one, status=1)
    assert _about(tuple(claims.omitted(SAID, SAW, late, SAW))) == ["tests after a failure"]
    assert _about(tuple(claims.omitted(early, SAW, late, SAW))) == []
