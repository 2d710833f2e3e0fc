"""What an expression amounts to, as a tree that equal meaning shares: a value by its parts."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import attrs

#: What is made of a larger list is larger itself: a server of its routes, whoever opens it.
_AROUND = frozenset(("call", "word", "with", "entered"))
_LEAVING_OUT = re.compile(r"exclud|skip|ignor|omit|den[iy]|without|drop|only|remov|allow|suppress")
_MOST_WALKED = 50_000


@attrs.frozen(eq=False, repr=False)
class Sign:
    """One value or operation; two with the same digest mean the same."""

    kind: str
    value: str
    parts: tuple[Sign, ...]
    digest: str

    def __eq__(self, other: object) -> bool:
        """Compare by meaning."""
        return isinstance(other, Sign) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def walked(self) -> Iterator[Sign]:
        """Yield this and all it is made of, within bounds."""
        pending: list[Sign] = [self]
        left = _MOST_WALKED
        while pending and left:
            one = pending.pop()
            left -= 1
            yield one
            pending.extend(one.parts)


def sign(kind: str, *parts: Sign, value: str = "") -> Sign:
    """Return the sign of a kind, made of others."""
    made = "\0".join((kind, value, *(one.digest for one in parts)))
    digest = hashlib.blake2b(made.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return Sign(kind, value, parts, digest)


def of_value(value: object) -> Sign:
    """Return the sign of a value that is known in full."""
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return sign(kind, *map(of_value, cast("Sequence[object]", value)))
    if isinstance(value, frozenset):
        members = map(of_value, cast("frozenset[object]", value))
        return sign("set", *sorted(members, key=lambda one: one.digest))
    if isinstance(value, dict):
        items = cast("Mapping[object, object]", value).items()
        return dictionary((of_value(name), of_value(one)) for name, one in items)
    if isinstance(value, range):
        return sign("list", *map(of_value, value))
    return sign("constant", value=f"{type(value).__name__} {value!r}")


def is_plain(value: object) -> bool:
    """Return whether a value is of a kind that signs tell apart."""
    kinds = (str, bytes, int, float, complex, list, tuple, dict, frozenset, range, type(None))
    return isinstance(value, kinds)


def text_of(one: Sign) -> str | None:
    """Return the text that a sign stands for, None for anything else."""
    if one.kind != "constant" or not one.value.startswith("str "):
        return None
    return cast("str", ast.literal_eval(one.value[4:]))


def dictionary(items: Iterable[tuple[Sign, Sign]]) -> Sign:
    """Return the sign of a dict; the order of its keys does not count."""
    pairs = (sign("pair", name, one) for name, one in items)
    return sign("dict", *sorted(pairs, key=lambda one: one.digest))


def unpacked(parts: Iterable[Sign]) -> Iterator[Sign]:
    """Yield the parts of a list; of a list that is unpacked in it, its own."""
    for one in parts:
        inner = one.parts[0] if one.kind == "starred" and one.parts else None
        if inner is not None and inner.kind in ("list", "tuple"):
            yield from inner.parts
        else:
            yield one


def added(left: Sign, right: Sign) -> Sign | None:
    """Return what two lists, or two tuples, are together; None for anything else."""
    if left.kind != right.kind or left.kind not in ("list", "tuple"):
        return None
    return sign(left.kind, *left.parts, *right.parts)


def extends(old: Sign, new: Sign) -> bool:
    """Return whether a value holds all that another one holds, in its order."""
    if old == new:
        return True
    if old.kind != new.kind or len(new.parts) < len(old.parts):
        return False
    if old.kind in ("list", "tuple") and old.parts:
        rest = iter(new.parts)
        return all(any(one == other for other in rest) for one in old.parts)
    if old.kind in ("set", "dict") and old.parts:
        return frozenset(old.parts) <= frozenset(new.parts)
    if old.kind in _AROUND and old.value == new.value and len(old.parts) == len(new.parts):
        return not _LEAVING_OUT.search(old.value) and all(map(extends, old.parts, new.parts))
    return False


def literals(signs: Sequence[Sign]) -> Counter[str]:
    """Return the constants and paths that signs are made of, each as often as it occurs."""
    kinds = ("constant", "path")
    return Counter(one.value for each in signs for one in each.walked() if one.kind in kinds)
