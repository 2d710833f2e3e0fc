"""What the ``benchmark`` fixture runs, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchhygiene_plugins.performance_budgets import demands
from benchhygiene_plugins.performance_budgets.recording import Amount, Setting
from benchhygiene_plugins.performance_budgets.terms import (
    NOTHING,
    Bench,
    Known,
    Made,
    Measure,
    Place,
    Routine,
    Row,
    Table,
    Term,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.performance_budgets.expressions import Expressions


def benchmark(
    of: Expressions,
    bench: Bench,
    method: str,
    args: tuple[Term, ...],
    words: dict[str, Term],
    place: Place,
) -> Term:
    """Return what ``benchmark(...)`` and its ``pedantic`` give, and note what they run."""
    record = of.record
    if method not in ("", "__call__", "pedantic") or not args:
        return NOTHING
    before = len(record.events)
    record.clocks["benchmark"] = None
    if method == "pedantic":
        names = ("args", "kwargs", "setup", "teardown", "rounds", "warmup_rounds", "iterations")
        words = {**dict(zip(names, args[1:], strict=False)), **words}
        setup = words.get("setup")
        if isinstance(setup, Routine):
            given = of.call(setup, (), {})
            if isinstance(given, Row) and given.parts:
                words["args"] = given.parts[0]
        _pedantic(of, words, place)
        given_args = demands.each(words.get("args", NOTHING))
        table = words.get("kwargs")
        given_words = dict(table.items) if isinstance(table, Table) else {}
    else:
        given_args, given_words = args[1:], words
        record.amounts.append(Amount(Setting.LEAST_ROUNDS, record.least_rounds, place))
    found = _ran(of, args[0], given_args, given_words, place)
    if record.first_reading is None:
        record.first_reading = before
    bench.work = tuple(record.events[before:])
    bench.loops = record.loops
    record.measured(Measure("benchmark", "s", record.loops, bench.work), place)
    return found


def _pedantic(of: Expressions, words: dict[str, Term], place: Place) -> None:
    wanted = (
        ("rounds", Setting.ROUNDS, 1),
        ("iterations", Setting.ITERATIONS, 1),
        ("warmup_rounds", Setting.WARMUP, 0),
    )
    for name, setting, default in wanted:
        term = words.get(name, Known(default))
        value = term.number if isinstance(term, Known) else None
        of.record.amounts.append(Amount(setting, value, place))


def _ran(
    of: Expressions, func: Term, args: Sequence[Term], words: dict[str, Term], place: Place
) -> Term:
    if isinstance(func, Routine):
        return of.call(func, args, words)
    made = Made("()", (func, *args, *words.values()))
    of.record.happen(made, place)
    return made
