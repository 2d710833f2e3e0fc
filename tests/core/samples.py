"""Small real evidence and analyzers that the tests of the core share."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene import JSON, BaseFinding, Bundle, Location, Rule, Severity

SHOUTED = Rule("sample.shouted", "A line is in capitals.", Severity.ERROR)
EMPTY = Rule("sample.empty", "A text has no lines.", Severity.NOTE)


@attrs.frozen
class Text:
    """Some lines at a path."""

    path: str
    lines: tuple[str, ...]


@attrs.frozen
class Limit:
    """How many shouted lines are tolerated."""

    shouts: int


@attrs.frozen
class Limited(Bundle):
    """A text, and the limit where there is one."""

    text: Text
    limit: Limit | None


@attrs.frozen(kw_only=True)
class LineShouted(BaseFinding):
    """A line in capitals, with the words in it."""

    rule: Rule = SHOUTED
    words: tuple[str, ...]


def shout(path: str, number: int, line: str) -> LineShouted:
    return LineShouted(
        message=f"line {number} shouts",
        locations=(Location(path, number, 1),),
        new_text=line,
        words=tuple(line.split()),
    )


@attrs.frozen
class Shouting:
    """Report every line in capitals; describe how many lines there are."""

    name = "shouting"
    rules = (SHOUTED, EMPTY)
    consumes = Text

    def analyze(self, text: Text, /) -> Iterator[BaseFinding]:
        if not text.lines:
            yield BaseFinding(rule=EMPTY, message="nothing here", locations=(Location(text.path),))
        for number, line in enumerate(text.lines, 1):
            if line.isupper():
                yield shout(text.path, number, line)

    def describe(self, text: Text, /) -> JSON:
        return {"lines": len(text.lines)}


@attrs.frozen
class LimitedShouting:
    """Report shouted lines beyond the limit, all of them without one."""

    name = "limited-shouting"
    rules = (SHOUTED,)
    consumes = Limited

    def analyze(self, given: Limited, /) -> Iterator[BaseFinding]:
        shouted = [(n, line) for n, line in enumerate(given.text.lines, 1) if line.isupper()]
        for number, line in shouted[given.limit.shouts if given.limit else 0 :]:
            yield shout(given.text.path, number, line)
