"""JSON that keeps what parsers throw away: keys that stand twice, and numbers as written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NoReturn, TypeAlias, cast

import attrs

Raw: TypeAlias = "Members | list[Raw] | Number | str | bool | None"


@attrs.frozen
class Number:
    """A number as it was written: ``1``, ``1.0`` and ``1e0`` are three texts."""

    text: str


@attrs.frozen
class Members:
    r"""The members of an object in their order; a key may stand more than once.

    Escapes are resolved first, so ``"\u0061"`` and ``"a"`` are one key (RFC 8259, section 8.3).
    """

    pairs: tuple[tuple[str, Raw], ...]

    def all(self, key: str) -> tuple[Raw, ...]:
        """Return every value of a key, in order."""
        return tuple(value for name, value in self.pairs if name == key)

    def one(self, key: str) -> Raw:
        """Return the last value of a key, as most parsers would; None where there is none."""
        return next(reversed(self.all(key)), None)

    def has(self, key: str) -> bool:
        """Return whether the key is there, be it null."""
        return any(name == key for name, _ in self.pairs)

    def names(self) -> tuple[str, ...]:
        """Return the keys without repetition, in order."""
        return tuple(dict.fromkeys(name for name, _ in self.pairs))

    def repeated(self) -> tuple[str, ...]:
        """Return the keys that stand more than once, in order."""
        seen: dict[str, int] = {}
        for name, _ in self.pairs:
            seen[name] = seen.get(name, 0) + 1
        return tuple(name for name, count in seen.items() if count > 1)


def parse(text: str) -> Raw:
    """Return the JSON value of a text; raises ValueError, RecursionError for deep nesting."""
    value: object = json.loads(
        text,
        object_pairs_hook=_members,
        parse_int=Number,
        parse_float=Number,
        parse_constant=_refuse,
    )
    return cast("Raw", value)


def _members(pairs: list[tuple[str, Raw]]) -> Members:
    return Members(tuple(pairs))


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def plain(value: Raw) -> object:
    """Return the value as most parsers would: the last of equal keys wins."""
    match value:
        case Members():
            return {name: plain(member) for name, member in value.pairs}
        case list():
            return [plain(item) for item in value]
        case Number():
            return _number(value.text)
        case _:
            return value


def _number(text: str) -> int | float:
    # int() refuses thousands of digits, and nothing here needs them exactly.
    is_whole = text.lstrip("-").isdigit() and len(text) < 1_000
    return int(text) if is_whole else float(text)


def shown(value: Raw) -> str:
    """Return the value as JSON on one line, keys that stand twice included."""
    match value:
        case Members():
            inner = ", ".join(f"{json.dumps(name)}: {shown(each)}" for name, each in value.pairs)
            return f"{{{inner}}}"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case Number():
            return value.text
        case _:
            return json.dumps(value)


def canonical(value: Raw) -> str:
    """Return a text that is the same for values that differ in the order of members alone."""
    match value:
        case Members():
            pairs = sorted(value.pairs, key=lambda pair: pair[0])  # stable: duplicates keep order
            inner = ",".join(f"{json.dumps(name)}:{canonical(each)}" for name, each in pairs)
            return f"{{{inner}}}"
        case list():
            return f"[{','.join(map(canonical, value))}]"
        case _:
            return shown(value)


def objects(value: Raw, pointer: str = "") -> Iterator[tuple[str, Members]]:
    """Yield every object at or below a value with its JSON pointer (RFC 6901), outermost first."""
    if isinstance(value, Members):
        yield pointer, value
        for name, member in value.pairs:
            yield from objects(member, f"{pointer}/{_escaped(name)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, f"{pointer}/{index}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
