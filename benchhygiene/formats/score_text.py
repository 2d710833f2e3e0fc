"""The score for people: the verdict, the row that decided, its evidence, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene.core.findings import Verdict, place
from benchhygiene.core.score import Decision, Score
from benchhygiene.formats.layout import Line, Span, coloured, line, plain, wrap
from benchhygiene.formats.unseen import unseen

_HEADS = {Verdict.PASS: ("PASS", "pass"), Verdict.INCONCLUSIVE: ("INCONCLUSIVE", "warning")}
_MOST_SHOWN = 10


def render(
    score: Score,
    *,
    about: tuple[str, ...] = (),
    reasons: tuple[str, ...] = (),
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Return the score as text; ``reasons`` say why a pack was refused, where it was."""
    lines = _lines(score, about, reasons, width)
    return coloured(lines) if colour else plain(lines)


def _lines(
    score: Score, about: tuple[str, ...], reasons: tuple[str, ...], width: int | None
) -> Iterator[Line]:
    word, style = _HEADS.get(score.verdict, ("FAIL", "error"))
    yield line(Span(word, style), f"  {score.row.observation}")
    for text in about:
        yield from wrap(text, width, "  ")
    yield from wrap(f"Next: {score.row.action}", width, "  ")
    if score.scored or score.omitted:
        yield from wrap(_counts(score), width, "  ")
    for reason in reasons:
        yield from wrap(reason, width, "    ", line("  - "))
    for decision in score.decisions:
        yield from _decision(decision, width)
    yield from _omitted(score, width)
    yield from _unseen(score, width)


def _counts(score: Score) -> str:
    omitted = f", {len(score.omitted)} in quarantine and not scored" if score.omitted else ""
    return f"{score.passed} of {score.scored} scored nodes passed{omitted}"


def _decision(decision: Decision, width: int | None) -> Iterator[Line]:
    if not decision.evidence:
        return
    yield line()
    yield line(Span(decision.row.observation, "strong"))
    for each in decision.evidence[:_MOST_SHOWN]:
        at = place(each.finding)
        where = at.node_id or (f"{at.path}:{at.line}" if at.line else at.path) or "-"
        yield line("  ", Span(each.finding.rule.id, "strong"), f"  {where}")
        yield from wrap(each.finding.message, width, "    ")
    rest = len(decision.evidence) - _MOST_SHOWN
    if rest > 0:
        yield line(f"  and {rest} more")


def _omitted(score: Score, width: int | None) -> Iterator[Line]:
    if not score.omitted:
        return
    yield line()
    yield line(Span("not scored", "strong"))
    for each in score.omitted[:_MOST_SHOWN]:
        until = f" until {each.entry.expires}" if each.entry is not None else ""
        shapes = f": {'; '.join(each.shapes)}" if each.shapes else ""
        yield from wrap(f"{each.node_id} in quarantine{until}{shapes}", width, "    ", line("  "))


def _unseen(score: Score, width: int | None) -> Iterator[Line]:
    entries = [each for each in unseen(score.report) if not each.is_note]
    if score.report.outcomes and entries:
        yield line()
        yield line(Span("Not seen", "strong"))
        for each in entries:
            yield from wrap(each.text, width, "    ", line("  "))
