"""Print recall by kind and every false alarm: ``python -m tests.surface.scoring [KIND...]``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import attrs

from tests.surface import judging
from tests.surface.corpus import Pair, pairs
from tests.surface.judging import Found


@attrs.frozen
class Score:
    """One pair and what was found in it.

    ``missed`` is empty where everything that the pair expects was found at its place.
    """

    pair: Pair
    errors: tuple[Found, ...]
    missed: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return not (self.missed if self.pair.is_violating else self.errors)


def score(pair: Pair, findings: Iterable[Found]) -> Score:
    """Hold findings against what the pair expects."""
    seen = tuple(each for each in findings if each.is_error)
    missed = (f"{each.path} {each.node or '*'}" for each in judging.misses(pair, seen))
    return Score(pair, seen, tuple(missed))


def lines(scores: Sequence[Score], *, with_disagreements: bool = True) -> Iterable[str]:
    """Yield a table of recall by kind, and then each disagreement."""
    violating = [each for each in scores if each.pair.is_violating]
    innocent = [each for each in scores if not each.pair.is_violating]
    yield f"{'kind':24} {'pairs':>6} {'any':>6} {'right':>6} {'innocent':>9} {'false':>6}"
    for kind in sorted({each.pair.kind for each in scores}):
        yield _row(kind, [each for each in scores if each.pair.kind == kind])
    yield _row("all", scores)
    caught = sum(each.is_right for each in violating) / (len(violating) or 1)
    alarms = sum(not each.is_right for each in innocent) / (len(innocent) or 1)
    yield f"recall {caught:.4f}, false alarms {alarms:.4f}"
    if with_disagreements:
        yield from (_disagreement(each) for each in scores if not each.is_right)


def _row(kind: str, scores: Sequence[Score]) -> str:
    violating = [each for each in scores if each.pair.is_violating]
    innocent = [each for each in scores if not each.pair.is_violating]
    numbers = (len(violating), sum(bool(each.errors) for each in violating))
    right, false = (sum(each.is_right for each in part) for part in (violating, innocent))
    return (
        f"{kind:24} {numbers[0]:6} {numbers[1]:6} {right:6} "
        f"{len(innocent):9} {len(innocent) - false:6}"
    )


def _disagreement(each: Score) -> str:
    said = ", ".join(f"{f.rule} {f.path} {f.node}" for f in each.errors) or "nothing"
    wanted = "; ".join(each.missed) or f"no error ({each.pair.kind})"
    rules = " ".join("|".join(expected.rules) for expected in each.pair.expected)
    return f"{each.pair.id}: wanted {rules} {wanted}; found {said}"


def main(kinds: Sequence[str]) -> None:
    """Score every pair, or those of the given kinds or names."""
    chosen = [pair for pair in pairs() if not kinds or {pair.kind, pair.id, pair.family} & {*kinds}]
    scores = [score(pair, judging.found(judging.judged(pair).findings)) for pair in chosen]
    print("\n".join(lines(scores)))


if __name__ == "__main__":
    main(sys.argv[1:])
