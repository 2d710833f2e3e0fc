"""Conditions in a normal form in which one can be seen to be no wider than another."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, cast

import attrs

_TERMS = 48  # alternatives a condition may have before it is kept as one text
_PRODUCT = 256  # alternatives that are tried before those that others cover are dropped
_LONGEST = 2_000  # characters of one atom

# The same question to the same interpreter, asked in other words: text -> the words used here.
_SAME = {
    "os.name == 'nt'": "sys.platform == 'win32'",
    "platform.system() == 'Windows'": "sys.platform == 'win32'",
    "sys.platform.startswith('win')": "sys.platform == 'win32'",
    "sys.platform.startswith('win32')": "sys.platform == 'win32'",
    "sys.platform == 'cygwin'": "sys.platform == 'cygwin'",
    "platform.system() == 'Linux'": "sys.platform == 'linux'",
    "sys.platform.startswith('linux')": "sys.platform == 'linux'",
    "platform.system() == 'Darwin'": "sys.platform == 'darwin'",
    "sys.platform.startswith('darwin')": "sys.platform == 'darwin'",
    "platform.python_implementation() == 'PyPy'": "sys.implementation.name == 'pypy'",
    "hasattr(sys, 'pypy_version_info')": "sys.implementation.name == 'pypy'",
    "platform.python_implementation() == 'CPython'": "sys.implementation.name == 'cpython'",
}
_OLDEST = (3, 6)  # no pytest that is known here runs on an older Python
_VERSION = ("sys.version_info", "sys.version_info[:2]", "sys.version_info[:3]")


@attrs.frozen
class Atom:
    """One question with a yes or no, and which answer is meant."""

    text: str
    holds: bool = True


Term: TypeAlias = frozenset[Atom]


@attrs.frozen
class Condition:
    """Any of the terms; a term is all of its atoms. No terms: never. An empty term: always."""

    terms: frozenset[Term]

    @property
    def is_never(self) -> bool:
        """Return whether it cannot hold."""
        return not self.terms

    @property
    def is_always(self) -> bool:
        """Return whether it holds whatever is the case."""
        return frozenset() in self.terms

    def __and__(self, other: Condition) -> Condition:
        """Return both."""
        if len(self.terms) * len(other.terms) > _PRODUCT:
            return Condition(frozenset((frozenset((_whole(self), _whole(other))),)))
        both = (one | another for one in self.terms for another in other.terms)
        found = _of(term for term in both if not _contradicts(term))
        return found if len(found.terms) <= _TERMS else opaque(str(found))

    def __or__(self, other: Condition) -> Condition:
        """Return either."""
        joined = _of((*self.terms, *other.terms))
        if len(joined.terms) > _TERMS:
            return Condition(frozenset((frozenset((_whole(joined),)),)))
        return joined

    def __invert__(self) -> Condition:
        """Return the opposite."""
        result = ALWAYS
        for term in sorted(self.terms, key=_text):
            either = NEVER
            for atom in sorted(term, key=lambda one: (one.text, one.holds)):
                either |= Condition(frozenset((frozenset((Atom(atom.text, not atom.holds),)),)))
            result &= either
        return result

    def is_within(self, others: Iterable[Condition]) -> bool:
        """Return whether, wherever it holds, one of the others is seen to hold."""
        wider = [term for other in others for term in other.terms]
        return all(any(_implies(term, one) for one in wider) for term in self.terms)

    def decided(self, answer: Callable[[str], bool | None]) -> Condition:
        """Return what is left of it where some of its questions are answered."""
        kept: list[Term] = []
        for term in self.terms:
            known = {atom: answer(atom.text) for atom in term}
            if all(found is None or found == atom.holds for atom, found in known.items()):
                kept.append(frozenset(atom for atom, found in known.items() if found is None))
        return _of(kept)

    def __str__(self) -> str:
        """Return it as text, sorted."""
        return " or ".join(sorted(map(_text, self.terms))) or "never"


NEVER = Condition(frozenset())
ALWAYS = Condition(frozenset((frozenset[Atom](),)))


def _of(terms: Iterable[Term]) -> Condition:
    """Return the terms without those that another one covers."""
    kept: list[Term] = []
    for term in sorted(frozenset(terms), key=len):
        if not any(one <= term for one in kept):
            kept.append(term)
    return Condition(frozenset(kept))


def _text(term: Term) -> str:
    return " and ".join(sorted(f"{'' if a.holds else 'not '}({a.text})" for a in term)) or "always"


def _whole(condition: Condition) -> Atom:
    return Atom(str(condition)[:_LONGEST])


def _contradicts(term: Term) -> bool:
    return any(Atom(atom.text, not atom.holds) in term for atom in term)


def _implies(term: Term, wider: Term) -> bool:
    return all(any(_atom_implies(one, atom) for one in term) for atom in wider)


def _atom_implies(one: Atom, other: Atom) -> bool:
    if one == other:
        return True
    left, right = _bound(one), _bound(other)
    if left is None or right is None or left[0] != right[0]:
        return False
    # Both say "below this version" or both say "not below": the narrower is within the wider.
    return left[1] <= right[1] if left[0] else left[1] >= right[1]


@functools.lru_cache(maxsize=4096)
def _bound(atom: Atom) -> tuple[bool, tuple[int, ...]] | None:
    left, found, right = atom.text.partition(" < ")
    if not found or left not in _VERSION:
        return None
    try:
        version: object = ast.literal_eval(right)
    except (ValueError, SyntaxError):
        return None
    if not isinstance(version, tuple):
        return None
    parts = cast("tuple[object, ...]", version)
    numbers = tuple(part for part in parts if isinstance(part, int))
    return atom.holds, numbers


def opaque(text: str) -> Condition:
    """Return a condition that is nothing but this text."""
    return Condition(frozenset((frozenset((Atom(text[:_LONGEST]),)),)))


def condition(node: ast.expr) -> Condition:
    """Return the normal form of an expression in which names are already seen through."""
    match node:
        case ast.Constant():
            return ALWAYS if node.value else NEVER
        case ast.BoolOp():
            return _joined(node)
        case ast.UnaryOp(op=ast.Not()):
            return ~condition(node.operand)
        case ast.IfExp():
            test = condition(node.test)
            return (test & condition(node.body)) | (~test & condition(node.orelse))
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return condition(inner)
        case ast.Call(func=ast.Name(id="any" | "all" as word), args=[inner], keywords=[]):
            return _quantified(word, inner) or _atom(node)
        case ast.Compare():
            return _compared(node)
        case ast.Tuple(elts=items) | ast.List(elts=items) if not items:
            return NEVER
        case _:
            return _startswith(node) or _atom(node)


def _joined(node: ast.BoolOp) -> Condition:
    parts = map(condition, node.values)
    both = isinstance(node.op, ast.And)
    return functools.reduce(lambda a, b: a & b if both else a | b, parts)


def _quantified(word: str, inner: ast.expr) -> Condition | None:
    if not isinstance(inner, ast.List | ast.Tuple | ast.Set) or len(inner.elts) > _TERMS:
        return None
    parts = map(condition, inner.elts)
    if word == "any":
        return functools.reduce(lambda a, b: a | b, parts, NEVER)
    return functools.reduce(lambda a, b: a & b, parts, ALWAYS)


def _startswith(node: ast.expr) -> Condition | None:
    """Take ``x.startswith(("a", "b"))`` apart."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="startswith" | "endswith"),
            args=[ast.Tuple(elts=items)],
            keywords=[],
        ) if len(items) <= _TERMS:
            parts = [_atom(ast.Call(node.func, [item], [])) for item in items]
            return functools.reduce(lambda a, b: a | b, parts, NEVER)
        case _:
            return None


def _compared(node: ast.Compare) -> Condition:
    found = ALWAYS
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        found &= _pair(left, operator, right)
        left = right
    return found


def _pair(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Condition:
    known = _constant_comparison(left, operator, right)
    if known is not None:
        return known
    match operator:
        case ast.NotEq():
            return ~_pair(left, ast.Eq(), right)
        case ast.IsNot():
            return ~_pair(left, ast.Is(), right)
        case ast.NotIn():
            return ~_pair(left, ast.In(), right)
        case ast.GtE():
            return ~_pair(left, ast.Lt(), right)
        case ast.Gt():
            return _pair(right, ast.Lt(), left)
        case ast.LtE():
            return ~_pair(right, ast.Lt(), left)
        case ast.In() if isinstance(right, ast.Tuple | ast.List | ast.Set) and right.elts:
            if len(right.elts) <= _TERMS:
                parts = (_pair(left, ast.Eq(), one) for one in right.elts)
                return functools.reduce(lambda a, b: a | b, parts)
            return _atom(ast.Compare(left, [operator], [right]))
        case _:
            return _symmetric(left, operator, right)


def _symmetric(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Condition:
    constant_first = isinstance(left, ast.Constant) and not isinstance(right, ast.Constant)
    if isinstance(operator, ast.Eq | ast.Is) and constant_first:
        left, right = right, left
    if isinstance(right, ast.Constant) and isinstance(right.value, bool):
        return condition(left) if right.value else ~condition(left)
    if _is_version(left) and isinstance(right, ast.Tuple) and isinstance(operator, ast.Lt):
        return _version(left, right) or _atom(ast.Compare(left, [operator], [right]))
    return _atom(ast.Compare(left, [operator], [right]))


def _is_version(node: ast.expr) -> bool:
    return ast.unparse(node) in _VERSION


def _version(left: ast.expr, right: ast.Tuple) -> Condition | None:
    """Decide versions that no Python in use has."""
    first = right.elts[0] if right.elts else None
    if isinstance(first, ast.Constant) and isinstance(first.value, int):
        if first.value > 3:
            return ALWAYS
        given = tuple(one.value for one in right.elts[:2] if isinstance(one, ast.Constant))
        if len(given) == len(right.elts[:2]) and _numbers(given) <= _OLDEST:
            return NEVER
    del left
    return None


def _numbers(given: tuple[object, ...]) -> tuple[int, ...]:
    return tuple(one for one in given if isinstance(one, int))


def _constant_comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Condition | None:
    if not isinstance(left, ast.Constant) or not isinstance(right, ast.Constant):
        return None
    one, other = left.value, right.value
    if isinstance(operator, ast.Eq | ast.Is):
        return ALWAYS if one == other and type(one) is type(other) else NEVER
    if isinstance(operator, ast.NotEq | ast.IsNot):
        return NEVER if one == other and type(one) is type(other) else ALWAYS
    if isinstance(one, int) and isinstance(other, int):
        if isinstance(operator, ast.Lt):
            return ALWAYS if one < other else NEVER
        if isinstance(operator, ast.Gt):
            return ALWAYS if one > other else NEVER
    return None


def _atom(node: ast.expr) -> Condition:
    text = ast.unparse(node)
    text = _SAME.get(text, text)
    if text == "typing.TYPE_CHECKING":
        return NEVER
    if text == "__debug__":
        return ALWAYS
    if len(text) > _LONGEST:
        text = text[:_LONGEST]
    return Condition(frozenset((frozenset((Atom(text),)),)))


def atoms(given: Condition) -> Iterator[Atom]:
    """Yield every atom, sorted."""
    yield from sorted(
        {atom for term in given.terms for atom in term}, key=lambda one: (one.text, one.holds)
    )
