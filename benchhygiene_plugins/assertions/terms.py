"""Values as the source writes them, without the names it gives them on the way."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import attrs

_BIG_DISPLAY = 200  # a literal with more elements is one constant, not a term per element
_SUBTERMS = 400  # how far into a term its parts are looked for


# Not frozen: a frozen class's constructor takes four times as long, and millions of these are made.
@attrs.define(eq=False, repr=False)
class Term:
    """One value, told apart from others by ``digest``: equal digests, equal canonical source.

    ``kind`` says how ``children`` are to be read, ``value`` is the kind's own detail. Parts are
    shared, so a term may be far larger written out than it is in memory: walk it with
    ``subterms``, never by plain recursion. It is never changed once it is made.
    """

    kind: str
    value: str
    children: tuple[Term, ...]
    digest: bytes
    depth: int = 1
    has_call: bool = False
    has_product: bool = False
    is_constant: bool = False
    node: object = None
    _shape: bytes = attrs.field(default=b"", init=False)
    _parts: frozenset[bytes] | None = attrs.field(default=None, init=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return show(self)

    def subterms(self, limit: int = _SUBTERMS) -> Iterator[Term]:
        """Yield the term and what it is made of, each once, the outermost first."""
        seen = {self.digest}
        queue: list[Term] = [self]
        for one in queue:
            yield one
            for child in one.children:
                if child.digest not in seen and len(seen) < limit:
                    seen.add(child.digest)
                    queue.append(child)

    @property
    def parts(self) -> frozenset[bytes]:
        """Return the digests of the subterms."""
        if self._parts is None:
            self._parts = frozenset(one.digest for one in self.subterms())
        return self._parts

    @property
    def shape(self) -> bytes:
        """Return the digest with every constant left out."""
        stack: list[Term] = [self]
        while stack:
            one = stack[-1]
            missing = [] if one.is_constant else [c for c in one.children if not c.has_shape]
            if missing:
                stack.extend(missing)
            else:
                stack.pop().settle_shape()
        return self._shape

    @property
    def has_shape(self) -> bool:
        """Return whether the shape is known already."""
        return bool(self._shape)

    def settle_shape(self) -> None:
        """Make the shape, those of the children being known."""
        if self.is_constant:
            self._shape = b"constant"
        elif not self._shape:
            self._shape = _hashed(self.kind, self.value, [one.shape for one in self.children])

    def contains(self, other: Term) -> bool:
        """Return whether the other is the term itself or a part of it."""
        return other.digest in self.parts


_UNORDERED = frozenset(("set", "or"))
_CONSTANT_DISPLAYS = frozenset(("tuple", "list", "set", "dict", "pair"))
_LENIENT = "surrogatepass"
_SHARED = frozenset((int, bool, type(None)))
_SHORT = 100  # a constant of this length is made anew each time


def _hashed(kind: str, value: str, digests: Iterable[bytes] = ()) -> bytes:
    # What follows the first two parts are digests of fixed length, so the join is unambiguous.
    head = f"{kind}\x1f{value}".encode(errors="surrogatepass")
    return blake2b(b"\x1f".join((head, *digests)), digest_size=16).digest()


def term(
    kind: str, *children: Term, value: str = "", product: bool = False, node: object = None
) -> Term:
    """Return a term; the order of the children counts, except for sets and alternatives."""
    if kind in _UNORDERED:
        children = tuple(sorted(children, key=_by_digest))
    plain = kind in _CONSTANT_DISPLAYS
    depth, called, digests = 0, kind == "call", [f"{kind}\x1f{value}".encode(errors=_LENIENT)]
    for one in children:
        digests.append(one.digest)
        if one.depth > depth:
            depth = one.depth
        if one.has_call:
            called = True
        if one.has_product:
            product = True
        if not one.is_constant:
            plain = False
    # As in ``_hashed``: this is done hundreds of times for every test.
    digest = blake2b(b"\x1f".join(digests), digest_size=16).digest()
    return Term(kind, value, children, digest, depth + 1, called, product, plain, node)


def _by_digest(one: Term) -> bytes:
    return one.digest


def constant(value: object) -> Term:
    """Return the term of a literal; numbers that are equal are one constant."""
    if isinstance(value, str):
        return _shared(value) if len(value) < _SHORT else _constant(value)
    return _shared(value) if type(value) in _SHARED else _constant(value)


def _constant(value: object) -> Term:
    written = _written(value)
    return Term("const", written, (), _hashed("const", written), is_constant=True, node=value)


# Of these types, and of texts, equal values are one and the same, which they are not of floats.
_shared = functools.lru_cache(maxsize=4096, typed=True)(_constant)


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return repr(int(value))
    try:
        return repr(value)
    except ValueError:  # an int with more digits than Python agrees to write out
        return f"int:{value:x}" if isinstance(value, int) else "?"


def display(kind: str, elements: Iterable[Term]) -> Term:
    """Return a tuple, list, set or dict of the elements; a long one is one constant."""
    found = tuple(elements)
    made = term(kind, *found)
    if len(found) <= _BIG_DISPLAY or not made.is_constant:
        return made
    return attrs.evolve(made, children=(), value=f"{len(found)} elements")


def both_ways(kind: str, left: Term, right: Term) -> Term:
    """Return a relation that does not mind which side is which."""
    return term(kind, left, right) if left.digest <= right.digest else term(kind, right, left)


def fallback(node: ast.AST, kind: str = "opaque") -> Term:
    """Return a term that only knows whether it is the same source."""
    return term(kind, value=ast.dump(node))


#: Marks a literal that was given to somebody: it reads as before, and may hold something else.
LENT = "lent"


def lent(one: Term) -> Term:
    """Return a literal that somebody was given, and may have changed."""
    return attrs.evolve(one, is_constant=False, node=LENT)


NONE, TRUE, FALSE = constant(None), constant(True), constant(False)


def show(one: Term, depth: int = 4) -> str:
    """Return a term written out for a person, cut where it is deep."""
    if not one.children:
        return one.value or one.kind
    if not depth:
        return "…"
    inner = ", ".join([show(child, depth - 1) for child in one.children[:8]])
    return f"{one.kind}{':' + one.value if one.value else ''}({inner})"


def is_call_of(one: Term, name: str) -> bool:
    """Return whether a term is a call of a builtin with one argument."""
    if one.kind != "call" or len(one.children) != 2:
        return False
    return one.children[0].kind == "builtin" and one.children[0].value == name
