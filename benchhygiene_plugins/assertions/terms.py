"""Values as the source writes them, without the names it gives them on the way."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator

import attrs

_BIG_DISPLAY = 200  # a literal with more elements is one constant, not a term per element
_SUBTERMS = 400  # how far into a term its parts are looked for


@attrs.frozen(eq=False, repr=False)
class Term:
    """One value, told apart from others by ``digest``: equal digests, equal canonical source.

    ``shape`` is the digest with every constant left out. ``kind`` says how ``children`` are to be
    read, ``value`` is the kind's own detail. Parts are shared, so a term may be far larger written
    out than it is in memory: walk it with ``subterms``, never by plain recursion.
    """

    kind: str
    value: str
    children: tuple[Term, ...]
    digest: bytes
    shape: bytes
    depth: int = 1
    has_call: bool = False
    has_product: bool = False
    is_constant: bool = False
    node: object = None

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

    @functools.cached_property
    def parts(self) -> frozenset[bytes]:
        """Return the digests of the subterms."""
        return frozenset(one.digest for one in self.subterms())

    def contains(self, other: Term) -> bool:
        """Return whether the other is the term itself or a part of it."""
        return other.digest in self.parts


_UNORDERED = frozenset(("set", "or"))
_CONSTANT_DISPLAYS = frozenset(("tuple", "list", "set", "dict", "pair"))


def _hashed(*parts: bytes) -> bytes:
    # Every part but the first two is a digest of fixed length, so the join is unambiguous.
    return hashlib.blake2b(b"\x1f".join(parts), digest_size=16).digest()


def term(
    kind: str, *children: Term, value: str = "", product: bool = False, node: object = None
) -> Term:
    """Return a term; the order of the children counts, except for sets and alternatives."""
    kids = children
    if kind in _UNORDERED:
        kids = tuple(sorted(children, key=lambda one: one.digest))
    head = (kind.encode(), value.encode(errors="surrogatepass"))
    constant = kind in _CONSTANT_DISPLAYS and all(one.is_constant for one in kids)
    digest = _hashed(*head, *(one.digest for one in kids))
    shape = b"constant" if constant else _hashed(*head, *(one.shape for one in kids))
    return Term(
        kind,
        value,
        kids,
        digest,
        shape,
        1 + max((one.depth for one in kids), default=0),
        kind == "call" or any(one.has_call for one in kids),
        product or any(one.has_product for one in kids),
        constant,
        node,
    )


def constant(value: object) -> Term:
    """Return the term of a literal; numbers that are equal are one constant."""
    written = _written(value)
    digest = _hashed(b"const", written.encode(errors="surrogatepass"))
    return Term("const", written, (), digest, b"constant", is_constant=True, node=value)


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
    return term(kind, *sorted((left, right), key=lambda one: one.digest))


def fallback(node: ast.AST, kind: str = "opaque") -> Term:
    """Return a term that only knows whether it is the same source."""
    return term(kind, value=ast.dump(node))


NONE, TRUE, FALSE = constant(None), constant(True), constant(False)


def show(one: Term, depth: int = 4) -> str:
    """Return a term written out for a person, cut where it is deep."""
    if not one.children:
        return one.value or one.kind
    if not depth:
        return "…"
    inner = ", ".join(show(child, depth - 1) for child in one.children[:8])
    return f"{one.kind}{':' + one.value if one.value else ''}({inner})"
