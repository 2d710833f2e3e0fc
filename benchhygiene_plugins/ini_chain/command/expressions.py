"""Evaluate ``-k`` and ``-m`` expressions.

Grammar: ``_pytest/mark/expression.py`` (or, and, not, parentheses; names may hold most
punctuation). Calls in ``-m`` (pytest 8.3) are not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice, pairwise

import attrs

# pytest skips blanks and tabs only: a newline inside an expression is refused.
_TOKEN = re.compile(r"[ \t]*(?:(?P<paren>[()])|(?P<name>(?:\w|:|\+|-|\.|\[|\]|\\|/)+))")


_MOST_TOKENS = 400


class ExpressionError(ValueError):
    """Say that pytest refuses the expression."""


class ExpressionUnknown(ValueError):
    """Say that the expression is fine but is not evaluated here."""


@attrs.define(eq=False, repr=False)
class _Parser:
    tokens: list[str]
    matches: Callable[[str], bool]
    at: int = 0

    def peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self) -> str:
        token = self.peek()
        if token is None:
            raise ExpressionError("unexpected end of input")
        self.at += 1
        return token

    def either(self) -> bool:
        value = self.both()
        while self.peek() == "or":
            self.take()
            value = self.both() or value
        return value

    def both(self) -> bool:
        value = self.negated()
        while self.peek() == "and":
            self.take()
            value = self.negated() and value
        return value

    def negated(self) -> bool:
        token = self.take()
        if token == "not":
            return not self.negated()
        if token == "(":
            value = self.either()
            if self.take() != ")":
                raise ExpressionError("expected a closing parenthesis")
            return value
        if token in (")", "or", "and"):
            raise ExpressionError(f"unexpected {token!r}")
        return self.matches(token)


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while text[at:].strip(" \t"):
        match = _TOKEN.match(text, at)
        if match is None:
            # Keyword arguments of a call, which pytest knows since 8.3.
            if "(" in text[:at] and text[at:].lstrip()[:1] in ("=", ",", "'", '"'):
                raise ExpressionUnknown(text)
            raise ExpressionError(f"unexpected character in {text!r}")
        yield match.group("paren") or match.group("name")
        at = match.end()


def _is_name(token: str) -> bool:
    return token not in ("(", ")", "and", "or", "not")


def evaluate(text: str, matches: Callable[[str], bool]) -> bool:
    """Return the expression's value; an empty one is false.

    ``matches`` answers for one name. Raises ExpressionError for what pytest refuses and
    ExpressionUnknown for a call, which is valid since pytest 8.3 but not evaluated here.
    """
    # The number is bounded so that hostile nesting can exhaust neither time nor the stack.
    tokens = list(islice(_tokens(text), _MOST_TOKENS + 1))
    if len(tokens) > _MOST_TOKENS:
        raise ExpressionUnknown(f"more than {_MOST_TOKENS} tokens")
    if not tokens:
        return False
    if any(second == "(" and _is_name(first) for first, second in pairwise(tokens)):
        raise ExpressionUnknown(text)
    parser = _Parser(tokens, matches)
    value = parser.either()
    if parser.peek() is not None:
        raise ExpressionError(f"unexpected {parser.peek()!r}")
    return value
