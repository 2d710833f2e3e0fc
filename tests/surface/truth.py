"""Hold what a pair claims against what the real pytest does with it."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from tests.surface import runs
from tests.surface.corpus import Pair, projects
from tests.surface.runs import Run


def faults(pair: Pair) -> Iterator[str]:
    """Yield everything that is not as the pair says.

    A violating pair hides its regression: the parent's node fails over the regressed source, and
    nothing fails in the candidate. An innocent one still catches it.
    """
    if pair.regression is not None:
        yield from _regression_faults(pair)
    yield from _violating_faults(pair) if pair.is_violating else _innocent_faults(pair)


@functools.cache
def _regressed(project: str, regression: str) -> Run:
    home = projects()[project]
    return runs.run(home.regressed(regression, dict(home.files)))


def _regression_faults(pair: Pair) -> Iterator[str]:
    caught = _regressed(pair.project.name, pair.regression or "").failed
    if not caught:
        yield "the parent's tests do not see the regression"
    wanted = [each.node for each in pair.expected if each.node is not None]
    if caught and wanted and not {*wanted} & {*caught}:
        yield f"the regression fails {caught}, not {wanted}"


def _violating_faults(pair: Pair) -> Iterator[str]:
    hidden = runs.run(pair.candidate)
    if not hidden.is_green:
        yield f"the candidate is not green: {_words(hidden)}"


def _innocent_faults(pair: Pair) -> Iterator[str]:
    clean = runs.run(pair.candidate)
    if clean.status != 0:
        yield f"the candidate fails: {_words(clean)}"
    if pair.regression is not None and runs.run(pair.regressed_edit).is_green:
        yield "the candidate's tests no longer see the regression"


def _words(run: Run) -> str:
    return f"exit status {run.status}, {run.failed or run.output[-600:]}"
