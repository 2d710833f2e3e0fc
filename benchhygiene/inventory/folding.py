"""Work out texts and sums that are written as parts: ``"sk" + "ip"``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from benchhygiene.inventory.meanings import Literal, Plain, Row, Value, Values

_LONGEST = 1_000  # characters of a text that is worth working out
_PLAIN_METHODS = {"lower", "upper", "strip", "title", "capitalize", "casefold", "swapcase"}


def combined(operator: ast.operator, left: Values, right: Values) -> Iterator[Value]:
    """Yield what ``+`` makes of two texts, two numbers or two lists."""
    if not isinstance(operator, ast.Add):
        return
    for one in left:
        for other in right:
            if isinstance(one, Row) and isinstance(other, Row):
                yield Row((*one.items, *other.items))
            elif isinstance(one, Literal) and isinstance(other, Literal):
                yield from _added(one.value, other.value)
    if not left or not right:  # half a list is better than none
        yield from (one for one in (*left, *right) if isinstance(one, Row))


def _added(one: Plain, other: Plain) -> Iterator[Value]:
    if isinstance(one, str) and isinstance(other, str):
        if len(one) + len(other) <= _LONGEST:
            yield Literal(one + other)
    elif isinstance(one, int) and isinstance(other, int):
        yield Literal(one + other)


def joined(parts: Sequence[Values]) -> Iterator[Value]:
    """Yield the text of an f-string whose parts are all known."""
    texts = [_text(values) for values in parts]
    if all(text is not None for text in texts):
        whole = "".join(text for text in texts if text is not None)
        if len(whole) <= _LONGEST:
            yield Literal(whole)


def _text(values: Values) -> str | None:
    first = values[0] if len(values) == 1 else None
    return first.value if isinstance(first, Literal) and isinstance(first.value, str) else None


def sliced(text: Literal, index: ast.expr) -> Iterator[Value]:
    """Yield the part of a text that constant bounds cut out."""
    if not isinstance(text.value, str):
        return
    try:
        where: object = ast.literal_eval(index) if not isinstance(index, ast.Slice) else None
        if isinstance(index, ast.Slice):
            bounds = (index.lower, index.upper, index.step)
            lower, upper, step = (ast.literal_eval(one) if one else None for one in bounds)
            yield Literal(text.value[lower:upper:step])
        elif isinstance(where, int):
            yield Literal(text.value[where])
    except (ValueError, TypeError, IndexError):
        return


def method(base: Values, name: str, arguments: Sequence[Values]) -> Iterator[Value]:
    """Yield what a method of a known text gives; nothing for what is no text."""
    for one in base:
        if not isinstance(one, Literal) or not isinstance(one.value, str):
            continue
        texts = [[v.value for v in values if isinstance(v, Literal)] for values in arguments]
        plain = [[text for text in row if isinstance(text, str)] for row in texts]
        if name in _PLAIN_METHODS and not arguments:
            yield Literal(str(getattr(one.value, name)()))
        elif name == "join" and len(plain) == 1:
            yield Literal(one.value.join(plain[0])[:_LONGEST])
        elif name == "replace" and len(plain) == 2 and all(plain) and len(one.value) <= _LONGEST:
            yield Literal(one.value.replace(plain[0][0], plain[1][0])[:_LONGEST])
