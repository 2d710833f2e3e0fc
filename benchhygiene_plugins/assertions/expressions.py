"""From an expression's syntax to its term."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Never, Protocol, cast

from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.folding import NotFolded, fold
from benchhygiene_plugins.assertions.terms import LENT, Term, both_ways, constant, display, term
from benchhygiene_plugins.assertions.texts import interpolated

UNROLLED = 32
_REPEATED = 16

_NEGATIONS = {
    "eq": "ne",
    "ne": "eq",
    "is": "isnot",
    "isnot": "is",
    "in": "notin",
    "notin": "in",
    "not": "truth",
}
_MUTUAL = frozenset(("eq", "ne", "is", "isnot"))


class Reader(Protocol):
    """Who knows what names mean where an expression stands."""

    def name(self, node: ast.Name) -> Term:
        """Return what a name stands for."""
        ...

    def attribute(self, node: ast.Attribute) -> Term:
        """Return what an attribute stands for."""
        ...

    def call(self, node: ast.Call) -> Term:
        """Return what a call yields; a helper's checks may be noted on the way."""
        ...

    def bind(self, target: ast.expr, value: Term) -> None:
        """Note what a target holds from now on."""
        ...

    def closure(self, node: ast.Lambda) -> Term:
        """Return the term of an anonymous function."""
        ...

    def awaited(self, value: Term) -> Term:
        """Return what awaiting yields."""
        ...

    def comprehension(self, node: Comprehension) -> Term:
        """Return the term of a comprehension, its own names forgotten again."""
        ...


Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def read(node: ast.expr, reader: Reader) -> Term:
    """Return the term of an expression."""
    if isinstance(node, ast.Name):
        return reader.name(node)
    step = _STEPS.get(type(node))
    return _generic(node, reader) if step is None else step(cast("Never", node), reader)


def read_all(nodes: Iterable[ast.expr], reader: Reader) -> tuple[Term, ...]:
    """Return the terms of elements or arguments, a starred one opened where it is spelt out."""
    found = [read(one, reader) for one in nodes]
    for one in found:
        if one.kind == "starred":
            return tuple(_opened(found))
    return tuple(found)


def _generic(node: ast.AST, reader: Reader) -> Term:
    parts: list[Term] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            parts.append(read(child, reader))
        elif not isinstance(child, ast.expr_context):
            parts.append(_generic(child, reader))
    return term(type(node).__name__.lower(), *parts)


def negated(one: Term) -> Term:
    """Return the term of ``not one``."""
    if one.kind in ("lt", "le"):
        return term("le" if one.kind == "lt" else "lt", one.children[1], one.children[0])
    opposite = _NEGATIONS.get(one.kind)
    if opposite == "truth":
        return one.children[0]
    if opposite is not None:
        return term(opposite, *one.children)
    if one.kind in ("and", "or"):
        return alternatives("or" if one.kind == "and" else "and", map(negated, one.children))
    return term("not", one)


def alternatives(kind: str, parts: Iterable[Term]) -> Term:
    """Return an ``and`` or ``or`` with those of the same kind inside it opened."""
    found: dict[bytes, Term] = {}
    for one in parts:
        for inner in one.children if one.kind == kind else (one,):
            found.setdefault(inner.digest, inner)
    kept = tuple(found.values())
    return kept[0] if len(kept) == 1 else term(kind, *kept)


def relation(operator: ast.cmpop | str, left: Term, right: Term) -> Term:
    """Return a comparison without its direction."""
    name = operator if isinstance(operator, str) else type(operator).__name__.lower()
    if name in ("gt", "gte", "ge"):
        return term("lt" if name == "gt" else "le", right, left)
    name = {"lte": "le", "noteq": "ne"}.get(name, name)
    if name in ("eq", "ne") and "None" in (left.value, right.value) and _is_none(left, right):
        name = "is" if name == "eq" else "isnot"
    return both_ways(name, left, right) if name in _MUTUAL else term(name, left, right)


def _is_none(*sides: Term) -> bool:
    return any(side.kind == "const" and side.node is None for side in sides)


def _compare(node: ast.Compare, reader: Reader) -> Term:
    if len(node.ops) == 1:
        left = read(node.left, reader)
        return relation(node.ops[0], left, read(node.comparators[0], reader))
    sides = [read(side, reader) for side in (node.left, *node.comparators)]
    made = [
        relation(op, left, right)
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
    ]
    return alternatives("and", made)


def _boolean(node: ast.BoolOp, reader: Reader) -> Term:
    kind = "and" if isinstance(node.op, ast.And) else "or"
    return alternatives(kind, [read(one, reader) for one in node.values])


def _unary(node: ast.UnaryOp, reader: Reader) -> Term:
    operand = read(node.operand, reader)
    if isinstance(node.op, ast.Not):
        return negated(operand)
    return _folded(term("unary", operand, value=type(node.op).__name__))


def _binary(node: ast.BinOp, reader: Reader) -> Term:
    left, right = read(node.left, reader), read(node.right, reader)
    joined = _joined(node.op, left, right)
    if joined is None and isinstance(node.op, ast.Mod):
        joined = interpolated(left.node, right)
    return joined or _folded(term("binary", left, right, value=type(node.op).__name__))


def _joined(op: ast.operator, left: Term, right: Term) -> Term | None:
    """Return the list or tuple that adding or repeating displays comes to."""
    if left.kind not in ("list", "tuple") or left.value:
        return None
    if isinstance(op, ast.Add) and right.kind == left.kind and not right.value:
        return display(left.kind, (*left.children, *right.children))
    times = right.node
    if isinstance(op, ast.Mult) and isinstance(times, int) and 0 < times <= _REPEATED:
        return display(left.kind, left.children * times) if len(left.children) < 8 else None
    return None


def _folded(made: Term) -> Term:
    """Return the constant an arithmetic term of constants comes to."""
    if not all(child.kind == "const" for child in made.children):
        return made
    try:
        value = fold(made)
    except NotFolded:
        return made
    return constant(value) if isinstance(value, int | float | str | bytes) else made


def _dict(node: ast.Dict, reader: Reader) -> Term:
    pairs = [
        term("pair", read(key, reader), read(value, reader))
        if key is not None
        else term("starred", read(value, reader))
        for key, value in zip(node.keys, node.values, strict=True)
    ]
    plain = all(one.kind == "pair" and one.children[0].is_constant for one in pairs)
    keys = {one.children[0].digest for one in pairs}
    if plain and len(keys) == len(pairs):
        pairs.sort(key=lambda one: one.children[0].digest)
    return display("dict", pairs)


def _subscript(node: ast.Subscript, reader: Reader) -> Term:
    return item(read(node.value, reader), read(node.slice, reader))


def item(base: Term, index: Term) -> Term:
    """Return ``base[index]``, the element itself where the source spells it out."""
    if index.kind == "index" and index.children[0] == base:
        return term("element", base)
    if index.kind == "const" and base.kind in ("tuple", "list", "dict"):
        found = _element(base, index)
        if found is not None:
            return found
    return term("item", base, index)


def _element(base: Term, index: Term) -> Term | None:
    if base.node == LENT:
        return None
    if base.kind == "dict":
        kept = [p for p in base.children if p.kind == "pair" and p.children[0] == index]
        return kept[0].children[1] if kept else None
    known = elements(base, 256)
    position = index.node
    if known is None or not isinstance(position, int) or isinstance(position, bool):
        return None
    return known[position] if -len(known) <= position < len(known) else None


def _slice(node: ast.Slice, reader: Reader) -> Term:
    parts = (node.lower, node.upper, node.step)
    return term("slice", *(constant(None) if p is None else read(p, reader) for p in parts))


def _walrus(node: ast.NamedExpr, reader: Reader) -> Term:
    value = read(node.value, reader)
    reader.bind(node.target, value)
    return value


def _plain_text(one: Term) -> str | None:
    """Return the text of a part of an f-string that the source spells out."""
    if one.kind == "formatted" and len(one.children) == 1 and one.value == "-1":
        one = one.children[0]
    return one.node if one.kind == "const" and isinstance(one.node, str) else None


def _fstring(node: ast.JoinedStr, reader: Reader) -> Term:
    parts = [read(part, reader) for part in node.values]
    texts = [text for text in map(_plain_text, parts) if text is not None]
    return constant("".join(texts)) if len(texts) == len(parts) else term("fstring", *parts)


def _formatted(node: ast.FormattedValue, reader: Reader) -> Term:
    spec = () if node.format_spec is None else (read(node.format_spec, reader),)
    return term("formatted", read(node.value, reader), *spec, value=str(node.conversion))


def _choice(node: ast.IfExp, reader: Reader) -> Term:
    return term("choice", *(read(part, reader) for part in (node.test, node.body, node.orelse)))


def _starred(node: ast.Starred, reader: Reader) -> Term:
    return term("starred", read(node.value, reader))


def _opened(parts: Iterable[Term]) -> Iterator[Term]:
    for one in parts:
        inner = elements(one.children[0], 256) if one.kind == "starred" else None
        yield from (one,) if inner is None else inner


def _elements_of(kind: str) -> Callable[[ast.List | ast.Tuple | ast.Set, Reader], Term]:
    def step(node: ast.List | ast.Tuple | ast.Set, reader: Reader) -> Term:
        return display(kind, read_all(node.elts, reader))

    return step


def _await(node: ast.Await, reader: Reader) -> Term:
    return reader.awaited(read(node.value, reader))


_STEPS: Mapping[type[ast.expr], Callable[[Never, Reader], Term]] = {
    ast.Constant: lambda node, _: constant(node.value),
    ast.Attribute: lambda node, reader: reader.attribute(node),
    ast.Call: lambda node, reader: reader.call(node),
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.NamedExpr: _walrus,
    ast.JoinedStr: _fstring,
    ast.FormattedValue: _formatted,
    ast.IfExp: _choice,
    ast.Starred: _starred,
    ast.List: _elements_of("list"),
    ast.Tuple: _elements_of("tuple"),
    ast.Set: _elements_of("set"),
    ast.Await: _await,
    ast.Lambda: lambda node, reader: reader.closure(node),
    ast.ListComp: lambda node, reader: reader.comprehension(node),
    ast.SetComp: lambda node, reader: reader.comprehension(node),
    ast.GeneratorExp: lambda node, reader: reader.comprehension(node),
    ast.DictComp: lambda node, reader: reader.comprehension(node),
}
