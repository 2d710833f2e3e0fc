"""Print what is found of each kind in each style: ``python -m tests.surface.matrix [KIND...]``.

A cell reads ``found/violating false/innocent``; it is empty where the style cannot say the kind.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from tests.surface import judging
from tests.surface.corpus import Pair, pairs
from tests.surface.restyling import Restyled, Style, Unfit, restyled
from tests.surface.scoring import Score, score


def cells(style: Style, chosen: Sequence[Pair]) -> Iterator[Restyled]:
    """Yield the pairs that a style can say."""
    for pair in chosen:
        try:
            yield restyled(pair, style)
        except Unfit:
            continue


def judged(pair: Pair) -> Score:
    return score(pair, judging.found(judging.judged(pair).findings))


def lines(scores: Sequence[tuple[Style, Score]]) -> Iterator[str]:
    """Yield the table, and then every disagreement."""
    yield f"{'kind':34}" + "".join(f"{style.value:>18}" for style in Style)
    for kind in sorted({each.pair.kind for _, each in scores}):
        row = [(style, each) for style, each in scores if each.pair.kind == kind]
        yield _row(kind, row)
    yield _row("all", scores)
    for _, each in scores:
        if not each.is_right:
            said = ", ".join(f"{f.rule} {f.path} {f.node}" for f in each.errors) or "nothing"
            rules = " ".join("|".join(one.rules) for one in each.pair.expected)
            wanted = f"{rules or 'no error'} {'; '.join(each.missed)}"
            yield f"{each.pair.id}: wanted {wanted}; found {said}"


def _row(kind: str, scores: Sequence[tuple[Style, Score]]) -> str:
    return f"{kind:34}" + "".join(
        f"{_cell([each for which, each in scores if which is style]):>18}" for style in Style
    )


def _cell(scores: Sequence[Score]) -> str:
    violating = [each.is_right for each in scores if each.pair.is_violating]
    innocent = [not each.is_right for each in scores if not each.pair.is_violating]
    if not scores:
        return ""
    return f"{sum(violating)}/{len(violating)} {sum(innocent)}/{len(innocent)}"


def main(kinds: Sequence[str]) -> None:
    """Judge every pair in every style, or those of the given kinds or names."""
    chosen = [pair for pair in pairs() if not kinds or {pair.kind, pair.id, pair.family} & {*kinds}]
    scores = [(style, judged(each)) for style in Style for each in cells(style, chosen)]
    print("\n".join(lines(scores)))


if __name__ == "__main__":
    main(sys.argv[1:])
