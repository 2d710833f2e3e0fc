"""Evaluate the expressions of ``-k`` and ``-m``.

Grammar and meaning: ``_pytest/mark/expression.py`` and ``_pytest/mark/__init__.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from benchhygiene_plugins.configuration.session.items import Item

Holds: TypeAlias = Callable[[Item], bool]
_TOKEN = re.compile(r"\s*(\(|\)|(?:\w|:|\+|-|\.|\[|\]|\\|/)+|==|.)", re.DOTALL)
_LONGEST = 20_000
_DEEPEST = 60


class NoExpression(ValueError):
    """Say that pytest would refuse the expression."""


@attrs.define
class _Parser:
    tokens: Sequence[str]
    name: Callable[[str], Holds]
    at: int = 0
    depth: int = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def either(self) -> Holds:
        parts = [self.both()]
        while self.peek().lower() == "or":
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda item: any(one(item) for one in parts)

    def both(self) -> Holds:
        parts = [self.negated()]
        while self.peek().lower() == "and":
            self.take()
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else lambda item: all(one(item) for one in parts)

    def negated(self) -> Holds:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NoExpression("too deeply nested")
        try:
            return self._negated()
        finally:
            self.depth -= 1

    def _negated(self) -> Holds:
        token = self.take()
        if token == "not":
            inner = self.negated()
            return lambda item: not inner(item)
        if token == "(":
            inner = self.either()
            if self.take() != ")":
                raise NoExpression("a bracket is left open")
            return inner
        if not re.match(r"[\w:+\-.\[\]\\/]", token) or token in ("and", "or"):
            raise NoExpression(f"{token!r} stands where a name should")
        return self._named(token)

    def _named(self, token: str) -> Holds:
        if self.peek() == "(":  # mark(name=value): the values are not compared
            while self.peek() not in (")", ""):
                self.take()
            self.take()
        return self.name(token)


def _parsed(text: str, name: Callable[[str], Holds]) -> Holds:
    if len(text) > _LONGEST:
        raise NoExpression("too long")
    tokens = [found for found in _TOKEN.findall(text) if found.strip()]
    if not tokens:
        return lambda item: True
    parser = _Parser(tokens, name)
    found = parser.either()
    if parser.peek():
        raise NoExpression(f"{parser.peek()!r} is too much")
    return found


def by_keyword(text: str) -> Holds:
    """Return whether ``-k TEXT`` keeps an item. Raises NoExpression."""

    def named(word: str) -> Holds:
        low = word.lower()

        def holds(item: Item) -> bool:
            marks = (mark.name for mark in item.marks)
            return any(low in name.lower() for name in (*item.names, *marks))

        return holds

    return _parsed(text, named)


def by_mark(text: str) -> Holds:
    """Return whether ``-m TEXT`` keeps an item. Raises NoExpression."""
    return _parsed(text, lambda word: lambda item: item.has(word))
