"""The limits a JSON Schema sets to numbers, lengths and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

Limit: TypeAlias = tuple[str, str, object, object]

_LEAST = ("minLength", "minItems", "minProperties", "minContains")
_MOST = ("maxLength", "maxItems", "maxProperties", "maxContains")


def loosened_bounds(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[Limit]:
    """Yield keyword, what became of it, the old and the new value of each limit that is wider."""
    for word in _LEAST:
        yield from _limit(word, old, new, 1)
    for word in _MOST:
        yield from _limit(word, old, new, -1)
    yield from _range("minimum", "exclusiveMinimum", old, new, 1)
    yield from _range("maximum", "exclusiveMaximum", old, new, -1)
    step, now = _number(old.get("multipleOf")), _number(new.get("multipleOf"))
    if step is not None and (now is None or not step or (now / step) % 1):
        yield "multipleOf", _what(new.get("multipleOf")), old["multipleOf"], new.get("multipleOf")


def _limit(
    word: str, old: Mapping[str, object], new: Mapping[str, object], sign: int
) -> Iterator[Limit]:
    before, after = _number(old.get(word)), _number(new.get(word))
    if before is None or (word in _LEAST and before <= 0):
        return
    if after is None or after * sign < before * sign:
        yield word, _what(new.get(word)), old.get(word), new.get(word)


def _range(
    word: str, strict: str, old: Mapping[str, object], new: Mapping[str, object], sign: int
) -> Iterator[Limit]:
    before, after = (_bound(one, word, strict, sign) for one in (old, new))
    if before is None or (after is not None and after >= before):
        return
    named = word if word in old else strict
    shown = new.get(named, new.get(word, new.get(strict)))
    yield named, _what(shown), old.get(named), shown


def _bound(
    schema: Mapping[str, object], word: str, strict: str, sign: int
) -> tuple[float, bool] | None:
    """Return the tighter of both limits, larger the stricter; draft 4 has a flag for that."""
    plain, exclusive = _number(schema.get(word)), schema.get(strict)
    found: list[tuple[float, bool]] = []
    if plain is not None:
        found.append((plain * sign, exclusive is True))
    other = _number(exclusive)
    if other is not None:
        found.append((other * sign, True))
    return max(found, default=None)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _what(now: object) -> str:
    return "the limit is gone" if now is None else "the limit is wider"
