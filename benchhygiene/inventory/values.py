"""Work out what an expression amounts to where its source alone tells, within bounds.

Nothing of the file is run: literals, a few builtins and their methods are computed here, on values
that were made here. What else an expression holds stays ``Opaque``.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.spelling import dotted

#: No collection or text grows beyond this many elements.
MOST_ELEMENTS = 100_000
_MOST_BITS = 10_000
_STEPS = 500_000
#: What computing on the values of a hostile file may raise.
_FAILURES = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError)


class Unknown(Exception):
    """Say that an expression's value does not follow from the source."""


@attrs.frozen
class Opaque:
    """A value of which only the expression is known; equal where the expression is.

    ``name`` is the ``__name__`` of a function or class that the file itself defines. ``members``
    are those of an enumeration.
    """

    text: str
    name: str | None = attrs.field(default=None, eq=False)
    members: tuple[Opaque, ...] | None = attrs.field(default=None, eq=False)


@attrs.frozen
class ParameterSet:
    """What ``pytest.param`` returns, without its marks; ``id`` is None where it gives none."""

    values: tuple[object, ...]
    id: object = None


@attrs.define
class Budget:
    """How much more may be computed for one file before its values count as unknown."""

    steps: int = _STEPS

    def spend(self, steps: int) -> None:
        """Take this many steps; raise Unknown when there are none left."""
        self.steps -= steps
        if self.steps < 0:
            raise Unknown("more is computed than is looked at")


Lookup: TypeAlias = Callable[[str], object]
Compute: TypeAlias = "Callable[[Evaluator, ast.expr], object]"
Resolve: TypeAlias = Callable[[ast.expr], str]


def no_names(name: str) -> object:
    """Know no name: the lookup of an expression that stands alone."""
    raise Unknown(name)


@attrs.frozen(eq=False)
class Evaluator:
    """Computes expressions: ``lookup`` gives a name's value, or raises Unknown.

    ``compute`` says how, by the kind of expression. ``resolve`` gives a function's dotted name as
    its imports have it. ``variables`` are the names that a comprehension or a loop around the
    expression binds.
    """

    compute: Mapping[type[ast.expr], Compute]
    lookup: Lookup = no_names
    resolve: Resolve = dotted
    budget: Budget = attrs.field(factory=Budget)
    variables: Mapping[str, object] = attrs.field(factory=dict[str, object])

    def value(self, node: ast.expr) -> object:
        """Return the value. Raises Unknown where it does not follow from the source."""
        try:
            return self.raw(node)
        except _FAILURES as error:
            raise Unknown(f"line {node.lineno}: {type(error).__name__}") from error
        except (RecursionError, MemoryError) as error:
            raise Unknown(f"line {node.lineno}: too deeply nested") from error

    def truth(self, node: ast.expr) -> bool | None:
        """Return whether a condition holds, None where that is not known.

        One false part settles an ``and`` whatever the others are, and one true part an ``or``.
        """
        if isinstance(node, ast.BoolOp):
            decides = isinstance(node.op, ast.Or)
            truths = [self.truth(part) for part in node.values]
            if decides in truths:
                return decides
            return None if None in truths else not decides
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.truth(node.operand)
            return None if inner is None else not inner
        try:
            found = self.value(node)
        except Unknown:
            return None
        return None if isinstance(found, Opaque) else bool(found)

    def value_or_opaque(self, node: ast.expr) -> object:
        """Return the value, or what stands for it where it is not known."""
        try:
            return self.raw(node)
        except (*_FAILURES, Unknown):
            return self.opaque(node)

    def opaque(self, node: ast.expr) -> Opaque:
        """Return what stands for an expression whose value is not known."""
        text = ast.dump(node)
        self.budget.spend(len(text) // 64)
        if not self.variables:
            return Opaque(text)
        # The same expression stands for another value each time round a comprehension.
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        bound = [(name, key(self.variables[name])) for name in sorted(used & {*self.variables})]
        return Opaque(f"{text} {bound}" if bound else text)

    def raw(self, node: ast.expr) -> object:
        """Return the value; raises whatever computing it raises."""
        self.budget.spend(1)
        compute = self.compute.get(type(node))
        if compute is None:
            raise Unknown(f"line {node.lineno}: {type(node).__name__}")
        return self.bounded(compute(self, node))

    def bounded(self, found: object) -> object:
        """Return what was found, or raise Unknown where it is too large to look at."""
        if isinstance(found, int) and found.bit_length() > _MOST_BITS:
            raise Unknown("a number too large to look at")
        size = _size(found)
        if size:
            if size > MOST_ELEMENTS:
                raise Unknown(f"{size} elements")
            self.budget.spend(size // 8)
        return found

    def elements(self, found: object) -> list[object]:
        """Return the elements of a value; a set's are sorted."""
        if isinstance(found, Opaque) and found.members is not None:
            return list(found.members)
        if isinstance(found, Opaque | ParameterSet) or not isinstance(found, Iterable):
            raise Unknown("not known to be iterable")
        if isinstance(found, frozenset):
            found = sorted(cast("frozenset[object]", found), key=key)
        taken = list(itertools.islice(cast("Iterable[object]", found), MOST_ELEMENTS + 1))
        self.bounded(taken)
        return taken

    def binding(self, names: Mapping[str, object]) -> Evaluator:
        """Return an evaluator that knows these names as well."""
        return attrs.evolve(self, variables={**self.variables, **names})


def unpacked(target: ast.expr, value: object) -> Iterator[tuple[str, object]]:
    """Yield the names a target binds when it is assigned the value. May raise Unknown."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        for part, given in zip(target.elts, _parts(target, value), strict=True):
            yield from unpacked(part, given)
    else:
        raise Unknown("assigned to something that is no name")


def _parts(target: ast.Tuple | ast.List, value: object) -> Sequence[object]:
    width = len(target.elts)
    if any(isinstance(one, ast.Starred) for one in target.elts):
        raise Unknown("not known how it unpacks")
    if isinstance(value, Opaque):
        return [Opaque(f"{value.text}[{index}]") for index in range(width)]
    if isinstance(value, list | tuple) and len(cast("Sequence[object]", value)) == width:
        return cast("Sequence[object]", value)
    raise Unknown("not known how it unpacks")


def _size(found: object) -> int:
    if isinstance(found, str | bytes | list | tuple | dict | frozenset | range):
        return len(cast("Sequence[object]", found))
    return 0


def key(value: object) -> str:
    """Return a text that two values share exactly where they are alike, type included."""
    if isinstance(value, Opaque):
        return f"<{value.text}>"
    if isinstance(value, ParameterSet):
        return f"param({','.join(map(key, value.values))})"
    if isinstance(value, list | tuple):
        inner = ",".join(map(key, cast("Sequence[object]", value)))
        return f"{type(cast('object', value)).__name__}({inner})"
    if isinstance(value, dict):
        pairs = cast("Mapping[object, object]", value).items()
        return "dict(" + ",".join(sorted(f"{key(k)}:{key(v)}" for k, v in pairs)) + ")"
    if isinstance(value, frozenset):
        return f"set({','.join(sorted(map(key, cast('Iterable[object]', value))))})"
    return f"{type(value).__name__}({value!r})"
