"""Which new check stands in the place of which old one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

import attrs

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.strength import CALL_RECORDS, sides
from benchhygiene_plugins.assertions.terms import Term

_PARTS = 80
_PLAIN = frozenset(("const", "builtin", "ref", "class", "self", "slice", "free", "function"))


@attrs.frozen(eq=False)
class Match:
    """An old check and the one in its place, None where nothing is."""

    old: Check
    new: Check | None


def match(old: Iterable[Check], new: Iterable[Check]) -> Iterator[Match]:
    """Yield each old check with its counterpart, the surest first; near linear in their number."""
    left = _numbered(old)
    right = _numbered(new)
    for rule in _RULES:
        if not left or not right:
            break
        yield from _by(rule, left, right)
    yield from _by_parts(left, right)
    yield from _by_calls(left, right)
    yield from _by_order(left, right)
    for one in left.values():
        yield Match(one, None)


def _numbered(checks: Iterable[Check]) -> dict[int, Check]:
    return dict(enumerate(checks))


def _take(
    left: dict[int, Check], right: dict[int, Check], pairs: Iterable[tuple[int, int]]
) -> Iterator[Match]:
    for mine, other in pairs:
        if mine in left and other in right:
            yield Match(left.pop(mine), right.pop(other))


def _by(
    rule: Callable[[Check], Hashable | None], left: dict[int, Check], right: dict[int, Check]
) -> Iterator[Match]:
    places: dict[Hashable, list[int]] = {}
    for number, check in reversed(right.items()):
        key = rule(check)
        if key is not None:
            places.setdefault(key, []).append(number)
    pairs: list[tuple[int, int]] = []
    for number, check in left.items():
        found = places.get(rule(check))
        if found:
            pairs.append((number, found.pop()))
    yield from _take(left, right, pairs)


def _subject(check: Check) -> Hashable:
    return ("raises" if check.fact.kind in ("raises", "warns") else "fact", sides(check.fact)[0])


def _subject_and_kind(check: Check) -> Hashable:
    return (check.fact.kind, *_key(check), sides(check.fact)[0])


def _key(check: Check) -> tuple[str]:
    return (check.place.text,)


def _text_and_expected(check: Check) -> Hashable:
    return (check.place.text, check.fact.kind, sides(check.fact)[1])


def _text_and_shape(check: Check) -> Hashable:
    return (check.place.text, check.fact.shape)


def _kind_and_expected(check: Check) -> Hashable | None:
    expected = sides(check.fact)[1]
    if expected is None:
        return None
    if all(one.kind == "const" for one in check.fact.children[:2]):
        expected = max(check.fact.children[:2], key=lambda one: len(one.value))
    return (check.fact.kind, expected)


def _body(check: Check) -> Hashable | None:
    if check.fact.kind not in ("raises", "warns"):
        return None
    return tuple(check.fact.children[2:])


def _mock(check: Check) -> Hashable | None:
    """Return the mock whose calls a check is about."""
    for side in (check.fact, *check.fact.children):
        if side.kind == "attr" and side.value in CALL_RECORDS:
            return side.children[0]
    return check.fact.children[0] if check.fact.kind in ("has_calls", "has_awaits") else None


def _exception(check: Check) -> Hashable | None:
    return check.fact.children[0] if check.fact.kind == "raises" else None


def _expectation(check: Check) -> Hashable | None:
    return check.fact.kind if check.fact.kind in ("raises", "warns") else None


def _opaque(check: Check) -> Hashable | None:
    return None if check.is_exact else "source"


def _shape(check: Check) -> Hashable:
    return check.fact.shape


def _shape_of_subject(check: Check) -> Hashable:
    return ("raises" if check.fact.kind == "raises" else "", sides(check.fact)[0].shape)


def _text(check: Check) -> Hashable:
    return check.place.text


_RULES: tuple[Callable[[Check], Hashable | None], ...] = (
    _body,
    _subject_and_kind,
    _text_and_expected,
    _text_and_shape,
    _subject,
    _mock,
    _text,
    _shape,
    _shape_of_subject,
    _kind_and_expected,
    _exception,
    _expectation,
    _opaque,
)


def _by_parts(left: dict[int, Check], right: dict[int, Check]) -> Iterator[Match]:
    """Match a subject with a new one that is made of it, or that it was made of."""
    places: dict[Term, list[int]] = {}
    for number, check in reversed(right.items()):
        for part in sides(check.fact)[0].subterms(_PARTS):
            if part.kind not in _PLAIN and not part.is_constant:
                places.setdefault(part, []).append(number)
    pairs = [
        (number, other)
        for number, check in left.items()
        for other in reversed(places.get(sides(check.fact)[0], ())[-4:])
    ]
    yield from _take(left, right, pairs)
    whole: dict[Term, list[int]] = {}
    for number, check in reversed(right.items()):
        whole.setdefault(sides(check.fact)[0], []).append(number)
    pairs = [
        (number, other)
        for number, check in left.items()
        for part in sides(check.fact)[0].subterms(_PARTS)
        for other in reversed(whole.get(part, ())[-4:])
    ]
    yield from _take(left, right, pairs)


def _by_calls(left: dict[int, Check], right: dict[int, Check]) -> Iterator[Match]:
    """Match checks that have an outcome of the code under test in common, then only its name."""
    for key in (_itself, _function):
        places: dict[Term, list[int]] = {}
        for number, check in reversed(right.items()):
            for call in _calls(check):
                places.setdefault(key(call), []).append(number)
        pairs = [
            (number, other)
            for number, check in left.items()
            for call in _calls(check)
            for other in reversed(places.get(key(call), ())[-4:])
        ]
        yield from _take(left, right, pairs)


def _itself(call: Term) -> Term:
    return call


def _function(call: Term) -> Term:
    return call.children[0]


def _calls(check: Check) -> Iterator[Term]:
    for part in check.fact.subterms(_PARTS):
        if part.kind == "call" and part.has_product:
            yield part


def _by_order(left: dict[int, Check], right: dict[int, Check]) -> Iterator[Match]:
    """Match what is left with new checks that say nothing, in the order of the source."""
    empty = [number for number, check in right.items() if check.void is not None]
    yield from _take(left, right, list(zip(list(left), empty, strict=False)))
