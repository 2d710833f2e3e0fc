"""What a resolution claims, held against what was seen; every contradiction is yielded."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene_plugins.ini_chain.resolution import EffectKind, Resolution
from tests.truth.judge import Observation

#: What it is about, what we said, what was seen, and pytest's own words.
Contradiction = tuple[str, object, object, str]

#: What lets a failing suite exit 0, or leaves tests out of a run that succeeds.
_OMITS = frozenset(
    {EffectKind.HIDES, EffectKind.RUNS_NOTHING, EffectKind.MASKS, EffectKind.SWALLOWS}
)


def decided(resolution: Resolution, saw: Observation) -> Iterator[Contradiction]:
    """Compare rootdir, config file, addopts, and whether pytest comes through its start-up."""
    if not saw.watched:
        return
    addopts = resolution.addopts
    words = None if addopts is None else tuple(_shown(word) for word in addopts)
    for about, said, real in (
        ("rootdir", resolution.rootdir, saw.rootdir),
        ("inifile", resolution.inifile, saw.inifile),
        ("addopts", words, saw.addopts),
    ):
        if said != real:
            yield about, said, real, saw.error
    if not saw.parsed and not _stops(resolution):
        yield "abort", None, saw.error or saw.status, saw.output
    if saw.ran and resolution.abort is not None:
        yield "abort", resolution.abort.reason, saw.ran, saw.output


def judged(resolution: Resolution, saw: Observation) -> Iterator[Contradiction]:
    """Compare what is said of a passing suite with its exit status."""
    answer = resolution.fails_passing_suite
    if answer is not None and answer != (saw.status != 0):
        yield "fails_passing_suite", _why(resolution), saw.status, saw.output
    abort = resolution.abort
    if abort is not None and abort.exit_status != saw.status:
        yield "abort status", (abort.exit_status, abort.reason), saw.status, saw.output
    if abort is None and answer and saw.status and not _is_doubted(resolution):
        said = {effect.exit_status for effect in resolution.effects if effect.fails}
        if None not in said and saw.status not in said:
            yield "exit status", (said, _why(resolution)), saw.status, saw.output
    nothing = any(found.kind is EffectKind.RUNS_NOTHING for found in resolution.effects)
    if nothing and saw.ran:
        yield "runs nothing", _why(resolution), saw.ran, saw.output


def passed_falsely(resolution: Resolution, failing: Observation) -> Iterator[Contradiction]:
    """Find a failing suite that exits 0 although nothing was said of it."""
    if failing.status == 0 and resolution.abort is None and not _omits(resolution):
        yield "false pass", _why(resolution), failing.status, failing.output


def omitted(
    resolution: Resolution, passing: Observation, failing: Observation, free: Observation
) -> Iterator[Contradiction]:
    """Find tests that a free command runs and this one does not, although nothing was said.

    ``failing`` is the same command before a failing suite.
    """
    if free.status != 0 or resolution.abort is not None or _in_workers(resolution):
        return
    gone = sorted(set(free.ran) - set(passing.ran))
    if gone and passing.status == 0 and not _omits(resolution):
        yield "hidden tests", _why(resolution), gone, passing.output
    early = any(found.kind is EffectKind.STOPS_EARLY for found in resolution.effects)
    late = sorted(set(passing.ran) - set(failing.ran))
    if late and failing.watched and passing.status == 0 and not early:
        yield "tests after a failure", _why(resolution), late, failing.output


def _omits(resolution: Resolution) -> bool:
    kinds = {found.kind for found in resolution.effects}
    return bool(kinds & _OMITS) or _is_doubted(resolution)


def _in_workers(resolution: Resolution) -> bool:
    """Return whether tests may run in other processes, where nobody watches."""
    return any(word.startswith(("-n", "--numprocesses", "--dist")) for word in resolution.arguments)


def _stops(resolution: Resolution) -> bool:
    """Return whether we said, or could not rule out, that pytest stops before any test."""
    aborts = any(found.kind is EffectKind.ABORTS and found.fails for found in resolution.effects)
    return resolution.abort is not None or aborts or _is_doubted(resolution)


def _is_doubted(resolution: Resolution) -> bool:
    """Return whether we said of anything that we cannot tell what it does."""
    return bool(resolution.unknown) or any(found.fails is None for found in resolution.effects)


def _shown(word: object) -> str:
    return word if isinstance(word, str) else repr(word)


def _why(resolution: Resolution) -> list[tuple[object, ...]]:
    said: list[tuple[object, ...]] = [
        (effect.kind.name, effect.fails, effect.exit_status, effect.option, effect.reason)
        for effect in resolution.effects
    ]
    return [(resolution.fails_passing_suite, resolution.unknown), *said]
