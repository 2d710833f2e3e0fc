"""What calling something gives: a function of the tree, a partial, ``getattr``, a stranger."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory import folding
from benchhygiene.inventory.calling import arguments_in, returned
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Delayed,
    File,
    Instance,
    Kind,
    Known,
    Literal,
    Routine,
    Row,
    Scope,
    Value,
    Values,
)
from benchhygiene.inventory.names import Imported

if TYPE_CHECKING:
    from benchhygiene.inventory.asking import Question

#: What an expression is where looking further would take too long.
BEYOND = Known("?")


@attrs.frozen(eq=False)
class Caller:
    """Answers a question's calls."""

    question: Question

    def of(self, node: ast.Call, scope: Scope, depth: int) -> Iterator[Value]:
        """Yield what a call gives."""
        arguments = arguments_in(node, scope)
        if isinstance(node.func, ast.Attribute):
            base = self.question.evaluate(node.func.value, scope, depth)
            if any(isinstance(one, Literal) and isinstance(one.value, str) for one in base):
                texts = [self._first(Delayed(one, scope), depth) for one in node.args]
                folded = tuple(folding.method(base, node.func.attr, texts))
                if folded:
                    yield from folded
                    return
        for function in self.question.evaluate(node.func, scope, depth):
            yield from self.call(function, arguments, node, scope, depth)

    def _first(self, delayed: Delayed, depth: int) -> Values:
        found = self.question.evaluate(delayed.expression, delayed.scope, depth)
        for row in found:
            if isinstance(row, Row):
                inner = (self.question.values((one,), depth)[:1] for one in row.items[:50])
                return tuple(value for values in inner for value in values)
        return found

    def call(
        self,
        function: Value,
        arguments: tuple[Argument, ...],
        node: ast.Call,
        scope: Scope,
        depth: int,
    ) -> Values:
        """Return what calling the value gives."""
        if self.question.spent(depth):
            return (BEYOND,)
        match function:
            case Known():
                return tuple(self._foreign(function, arguments, node, scope, depth))
            case Routine():
                return tuple(self._returned(function, arguments, depth))
            case Kind():
                return (Applied(Instance(function), arguments, node, scope),)
            case Applied(function=Known(name="functools.partial")):
                return tuple(self._partial(function, arguments, node, scope, depth))
            case Applied(function=Known(name="operator.attrgetter")):
                return tuple(self._dug(function, arguments, scope, depth))
            case Applied() | Instance():
                return (Applied(function, arguments, node, scope),)
            case _:
                return ()

    def _partial(
        self,
        partial: Applied,
        arguments: tuple[Argument, ...],
        node: ast.Call,
        scope: Scope,
        depth: int,
    ) -> Iterator[Value]:
        given = partial.positional()
        rest = [one for one in partial.arguments if one.value not in given[:1]]
        for function in self.question.values(given[:1], depth):
            yield from self.call(function, (*rest, *arguments), node, scope, depth + 1)

    def _dug(
        self, getter: Applied, arguments: tuple[Argument, ...], scope: Scope, depth: int
    ) -> Iterator[Value]:
        named = self.question.values(getter.positional(), depth)
        paths = [one.value for one in named if isinstance(one, Literal)]
        for found in self.question.values([one.value for one in arguments[:1]], depth):
            for path in paths:
                reached: Values = (found,)
                for part in str(path).split("."):
                    reached = tuple(
                        v for one in reached for v in self.question.member(one, part, scope, depth)
                    )
                yield from reached

    def _foreign(
        self,
        function: Known,
        arguments: tuple[Argument, ...],
        node: ast.Call,
        scope: Scope,
        depth: int,
    ) -> Iterator[Value]:
        given = [one.value for one in arguments]
        match function.name:
            case "getattr" if len(given) > 1:
                names = self.question.values(given[1:2], depth)
                for base in self.question.values(given[:1], depth):
                    yield from self._attribute(base, names, scope, depth)
            case "__import__" | "importlib.import_module" if given:
                for name in self.question.values(given[:1], depth):
                    if isinstance(name, Literal) and isinstance(name.value, str):
                        yield from self.question.imported(Imported(name.value), scope.path, depth)
            case "vars" | "list" | "tuple" | "set" | "sorted" | "reversed" if given:
                yield from self.question.values(given[:1], depth)
            case "map" if given:
                yield Row((Delayed(ast.Call(given[0].expression, [], []), given[0].scope),))
            case "globals":
                yield File(scope.path)
            case "bool" | "str" | "int" if given:
                yield from self.question.values(given[:1], depth)
            case _:
                yield Applied(function, arguments, node, scope)

    def _attribute(self, base: Value, names: Values, scope: Scope, depth: int) -> Iterator[Value]:
        texts = [one.value for one in names if isinstance(one, Literal)]
        for text in texts:
            yield from self.question.member(base, str(text), scope, depth)
        if not texts and isinstance(base, Known):
            yield Known(f"{base.name}.?")

    def _returned(
        self, routine: Routine, arguments: tuple[Argument, ...], depth: int
    ) -> Iterator[Value]:
        scope = self.question.to.frame_of(routine, arguments)
        for result in returned(routine.node):
            yield from self.question.evaluate(result, scope, depth + 1)
