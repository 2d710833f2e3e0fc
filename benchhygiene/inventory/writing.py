"""Write LibCST nodes in the one form that all spellings of a fact share."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import attrs
import libcst as cst

_LAYOUT = ("whitespace", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma")
_LAYOUT_SUFFIXES = ("comma", "semicolon", "leading_lines", "header", "footer", "_tok")
_RELATIONS: Mapping[type[cst.BaseCompOp], str] = {
    cst.Equal: "eq",
    cst.NotEqual: "ne",
    cst.LessThan: "lt",
    cst.LessThanEqual: "le",
    cst.GreaterThan: "gt",
    cst.GreaterThanEqual: "ge",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}
_SWAPPED = {"gt": "lt", "ge": "le"}
_PAIRS = (("eq", "ne"), ("in", "not in"), ("is", "is not"), ("lt", "ge"), ("le", "gt"))
_OPPOSITES = {**dict(_PAIRS), **{opposite: name for name, opposite in _PAIRS}}
_MUTUAL = frozenset(("eq", "ne", "is", "is not"))
_UNITTEST = {
    "assertEqual": "eq",
    "assertNotEqual": "ne",
    "assertIs": "is",
    "assertIsNot": "is not",
    "assertIn": "in",
    "assertNotIn": "not in",
    "assertLess": "lt",
    "assertLessEqual": "le",
    "assertGreater": "gt",
    "assertGreaterEqual": "ge",
    **dict.fromkeys(
        ("assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual"), "eq"
    ),
}
_DEEPEST = 12
_NAME = re.compile("\0[^\0]*\0")


def written(
    statement: cst.CSTNode, values: Mapping[str, cst.BaseExpression], names: frozenset[str]
) -> Iterator[str]:
    """Yield the form of each fact of one check; ``names`` are numbered as they come."""
    for fact in Writer(values, names).facts(statement):
        numbers: dict[str, int] = {}
        yield _NAME.sub(functools.partial(_numbered, numbers), fact)


def _numbered(numbers: dict[str, int], found: re.Match[str]) -> str:
    return f"${numbers.setdefault(found[0], len(numbers))}"


def _anonymous(side: str) -> str:
    return _NAME.sub("$", side)


@attrs.define(eq=False)
class Writer:
    """Writes expressions; the names it was given values for are read through."""

    values: Mapping[str, cst.BaseExpression]
    names: frozenset[str] = frozenset()
    _reading: list[str] = attrs.field(factory=list[str], init=False)

    def facts(self, statement: cst.CSTNode) -> Iterator[str]:
        """Yield each fact of one check."""
        if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
            (only,) = statement.body
            if isinstance(only, cst.Assert):
                yield from self._facts(only.test, positive=True)
                return
            if isinstance(only, cst.Expr):
                yield from self._call_facts(only.value)
                return
        yield self.write(statement)

    def _call_facts(self, node: cst.BaseExpression) -> Iterator[str]:
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            yield self.write(node)
            return
        name, given = node.func.attr.value, [one.value for one in node.args]
        plain = all(one.keyword is None and not one.star for one in node.args)
        if plain and name in _UNITTEST and len(given) >= 2:
            yield self._relation(_UNITTEST[name], given[0], given[1])
        elif plain and name in ("assertTrue", "assertFalse") and given:
            yield from self._facts(given[0], positive=name == "assertTrue")
        elif plain and name in ("assertIsNone", "assertIsNotNone") and given:
            kind = "is" if name == "assertIsNone" else "is not"
            yield self._relation(kind, given[0], cst.Name("None"))
        elif plain and name == "assertIsInstance" and len(given) >= 2:
            yield f"(call name:isinstance {self.write(given[0])} {self.write(given[1])})"
        else:
            yield self.write(node)

    def _facts(self, node: cst.BaseExpression, *, positive: bool) -> Iterator[str]:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            yield from self._facts(node.expression, positive=not positive)
        elif isinstance(node, cst.BooleanOperation) and positive == isinstance(
            node.operator, cst.And
        ):
            yield from self._facts(node.left, positive=positive)
            yield from self._facts(node.right, positive=positive)
        elif isinstance(node, cst.Comparison) and (positive or len(node.comparisons) == 1):
            yield from self._comparisons(node, positive=positive)
        else:
            written = self.write(node)
            yield written if positive else f"(not {written})"

    def _comparisons(self, node: cst.Comparison, *, positive: bool) -> Iterator[str]:
        left = node.left
        for part in node.comparisons:
            kind = _RELATIONS[type(part.operator)]
            yield self._relation(kind if positive else _OPPOSITES[kind], left, part.comparator)
            left = part.comparator

    def _relation(self, kind: str, left: cst.BaseExpression, right: cst.BaseExpression) -> str:
        sides = [self.write(left), self.write(right)]
        if kind in _SWAPPED:
            kind, sides = _SWAPPED[kind], sides[::-1]
        if kind in _MUTUAL:
            sides.sort(key=_anonymous)
        return f"({kind} {sides[0]} {sides[1]})"

    def write(self, node: cst.CSTNode) -> str:
        """Return a node's form."""
        if isinstance(node, cst.Name):
            return self._name(node)
        if isinstance(node, cst.SimpleString | cst.ConcatenatedString):
            value = node.evaluated_value
            return f"{type(value).__name__}:{value!r}" if value is not None else self._parts(node)
        if isinstance(node, cst.Integer | cst.Float | cst.Imaginary):
            return f"number:{node.evaluated_value!r}"
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            return next(self._comparisons(node, positive=True))
        if isinstance(node, cst.Call):
            return " ".join(("(call", self.write(node.func), *map(self.write, node.args))) + ")"
        return self._parts(node)

    def _name(self, node: cst.Name) -> str:
        value = self.values.get(node.value)
        if value is None or node.value in self._reading or len(self._reading) >= _DEEPEST:
            return f"\0{node.value}\0" if node.value in self.names else f"name:{node.value}"
        self._reading.append(node.value)
        written = self.write(value)
        self._reading.pop()
        return written

    def _parts(self, node: cst.CSTNode) -> str:
        found: list[str] = [type(node).__name__]
        for name, value in _fields(node):
            if isinstance(value, cst.CSTNode):
                # An attribute's own name, or a keyword's, is no name of the function's.
                plain = isinstance(value, cst.Name) and name in ("attr", "keyword")
                found.append(value.value if plain else self.write(value))  # type: ignore[attr-defined]
            elif isinstance(value, str):
                found.append(value)
            elif isinstance(value, Sequence):
                parts = cast("Sequence[object]", value)
                inner = (self.write(one) for one in parts if isinstance(one, cst.CSTNode))
                found.append("[" + " ".join(inner) + "]")
        return "(" + " ".join(found) + ")"


def _fields(node: cst.CSTNode) -> Iterator[tuple[str, object]]:
    for name in type(node).__dataclass_fields__:
        if not name.startswith(_LAYOUT) and not name.endswith(_LAYOUT_SUFFIXES):
            yield name, getattr(node, name)
