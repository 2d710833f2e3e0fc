"""Follow an expression to what it is made of: through names, branches and functions of a tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.inventory.calling import arguments_in, returned
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Delayed,
    Entry,
    File,
    Frame,
    Given,
    Instance,
    Kind,
    Known,
    Literal,
    Routine,
    Row,
    Scope,
    Table,
    Values,
)
from benchhygiene.inventory.names import Each, Imported
from benchhygiene.inventory.python import FunctionNode

_DEEPEST = 40
_MOST = 64  # places that one expression may lead to
_STEPS = 200_000  # places that are looked at for one tree
COMPOSITE = "hypothesis.strategies.composite"
_CORE = frozenset(
    ("assume", "example", "given", "note", "reject", "reproduce_failure", "seed", "settings")
)
# What a star import may bring: the names of hypothesis itself, and no others from below it.
_STARRED: Mapping[str, frozenset[str]] = {
    "hypothesis": _CORE,
    "hypothesis.strategies": _CORE,
    "hypothesis.stateful": _CORE,
}


class TooMuch(Exception):
    """Say that following an expression takes longer than is worth it."""


@attrs.define(eq=False)
class Effort:
    """How many places have been looked at for one tree."""

    spent: int = 0


@attrs.frozen(eq=False)
class Follower:
    """Follows the expressions of one tree."""

    evaluator: Evaluator
    effort: Effort = attrs.field(factory=Effort)

    def roots(self, at: Delayed) -> tuple[Delayed, ...]:
        """Return the expressions an expression may stand for, none of them a mere name.

        Calls of the tree's functions are what they return; strategies made by ``composite`` stay.
        Raises TooMuch.
        """
        found: list[Delayed] = []
        for one in self._roots(at, 0):
            found.append(one)
            if len(found) > _MOST:
                raise TooMuch
        return tuple(found)

    def _roots(self, at: Delayed, depth: int) -> Iterator[Delayed]:
        self.effort.spent += 1
        if depth > _DEEPEST or self.effort.spent > _STEPS:
            raise TooMuch
        match at.expression:
            case ast.Name():
                yield from self._name(at, depth + 1)
            case ast.Attribute():
                yield from self._attribute(at, depth + 1)
            case ast.IfExp(body=body, orelse=orelse):
                yield from self._all((body, orelse), at.scope, depth)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                yield from self._all((value,), at.scope, depth)
            case ast.Call():
                yield from self._call(at, at.expression, depth + 1)
            case ast.Subscript():
                yield from self._item(at, at.expression, depth + 1)
            case _:
                yield at

    def _all(
        self, several: list[ast.expr] | tuple[ast.expr, ...], scope: Scope, depth: int
    ) -> Iterator[Delayed]:
        for one in several:
            yield from self._roots(Delayed(one, scope), depth + 1)

    def _name(self, at: Delayed, depth: int) -> Iterator[Delayed]:
        name = at.expression.id if isinstance(at.expression, ast.Name) else ""
        found = at.scope.find(name)
        scope = found[1] if found is not None else Scope(at.scope.path)
        entries: tuple[Entry, ...] = found[0] if found is not None else ()
        if found is None:
            entries = self.evaluator.bindings(scope.path).names.get(name, ())
        if not entries and found is None:
            yield from self._starred(at, name, depth)
        for entry in entries:
            yield from self._entry(at, name, entry, scope, depth)

    def _starred(self, at: Delayed, name: str, depth: int) -> Iterator[Delayed]:
        path = at.scope.path
        for star in self.evaluator.bindings(path).stars:
            home = self.evaluator.modules.locate(path, star.module, star.level)
            if home is not None and name in self.evaluator.bindings(home).names:
                yield from self._roots(Delayed(ast.Name(name), Scope(home)), depth)
                return
        yield at

    def _entry(
        self, at: Delayed, name: str, entry: Entry, scope: Scope, depth: int
    ) -> Iterator[Delayed]:
        match entry:
            case Given(source=Delayed() as source):
                yield from self._roots(source, depth)
            case Imported():
                yield from self._imported(at, entry, scope, depth)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield Delayed(ast.Name(name), scope)
            case Each():
                for row in self.evaluator.evaluate(entry.iterable, scope):
                    for item in self.evaluator.items(row):
                        yield from self._roots(item, depth)
            case ast.expr() if not _mentions(entry, name):
                yield from self._roots(Delayed(entry, scope), depth)
            case ast.expr():
                return  # made of what it was before: that is another of its meanings
            case _:
                yield at

    def _imported(self, at: Delayed, what: Imported, scope: Scope, depth: int) -> Iterator[Delayed]:
        home = self.evaluator.modules.locate(scope.path, what.module, what.level)
        if what.name is None or home is None or home == scope.path:
            yield at
        else:
            yield from self._roots(Delayed(ast.Name(what.name), Scope(home)), depth)

    def _attribute(self, at: Delayed, depth: int) -> Iterator[Delayed]:
        node = at.expression
        if not isinstance(node, ast.Attribute):
            return
        found = False
        for base in self.evaluator.evaluate(node.value, at.scope):
            for one in self._member(base, node.attr):
                found = True
                yield from self._roots(one, depth)
        if not found:
            yield at

    def _member(self, base: object, name: str) -> Iterator[Delayed]:
        if isinstance(base, Applied) and isinstance(base.function, Instance):
            base = base.function
        if isinstance(base, File):
            if name in self.evaluator.bindings(base.path).names:
                yield Delayed(ast.Name(name), Scope(base.path))
        elif isinstance(base, Kind | Instance):
            kind = base.kind if isinstance(base, Instance) else base
            for one in self.evaluator.lineage(kind):
                frame = self.evaluator.local(one.node)
                if name in frame.names:
                    yield Delayed(ast.Name(name), one.scope.inside(frame))
                    return

    def _call(self, at: Delayed, call: ast.Call, depth: int) -> Iterator[Delayed]:
        routines = [one for one in self.functions(call, at.scope) if isinstance(one, Routine)]
        if not routines:
            yield at
            return
        for routine in routines:
            if self.is_composite(routine):
                yield at
                continue
            scope = self.frame_of(routine, arguments_in(call, at.scope))
            for result in returned(routine.node):
                yield from self._roots(Delayed(result, scope), depth)

    def frame_of(self, routine: Routine, arguments: tuple[Argument, ...]) -> Scope:
        """Return the scope inside a function that is called so, its starred arguments known."""
        scope = self.evaluator.frame_of(routine, arguments)
        given = routine.node.args
        names: dict[str, tuple[Entry, ...]] = {}
        if given.vararg is not None:
            count = len(given.posonlyargs) + len(given.args)
            positional = [one.value for one in arguments if one.name is None]
            names[given.vararg.arg] = (Given((Row(tuple(positional[count:])),)),)
        if given.kwarg is not None:
            known = {one.arg for one in (*given.args, *given.kwonlyargs)}
            rest = [one for one in arguments if one.name and one.name not in known]
            pairs = ((Delayed(ast.Constant(one.name), scope), one.value) for one in rest)
            names[given.kwarg.arg] = (Given((Table(tuple(pairs)),)),)
        if not names:
            return scope
        *outer, own = scope.frames  # what is defined inside sees them too
        return Scope(scope.path, (*outer, Frame({**own.names, **names})))

    def functions(self, call: ast.Call, scope: Scope) -> Values:
        """Return what a call may call."""
        return self.evaluator.evaluate(call.func, scope)

    def is_composite(self, routine: Routine) -> bool:
        """Return whether a function makes a strategy by drawing from others."""
        node = routine.node
        if not isinstance(node, FunctionNode):
            return False
        found = (
            value
            for one in node.decorator_list
            for value in self.evaluator.evaluate(one, routine.scope)
        )
        return any(isinstance(one, Known) and is_named(one.name, COMPOSITE) for one in found)

    def _item(self, at: Delayed, node: ast.Subscript, depth: int) -> Iterator[Delayed]:
        found = False
        keys = self.evaluator.evaluate(node.slice, at.scope)
        for base in self.evaluator.evaluate(node.value, at.scope):
            for one in self._picked(base, keys):
                found = True
                yield from self._roots(one, depth)
        if not found:
            yield at

    def _picked(self, base: object, keys: Values) -> Iterator[Delayed]:
        if isinstance(base, Table):
            for key, held in base.pairs:
                if set(self.evaluator.evaluate(key.expression, key.scope)) & set(keys):
                    yield held
        elif isinstance(base, Row):
            items = list(self.evaluator.items(base))
            for one in keys:
                index = one.value if isinstance(one, Literal) else None
                if isinstance(index, int) and -len(items) <= index < len(items):
                    yield items[index]

    def applied(self, at: Delayed) -> Iterator[Applied]:
        """Yield what a call of something outside the tree amounts to, partials filled in."""
        if isinstance(at.expression, ast.Call):
            for value in self.evaluator.evaluate(at.expression, at.scope):
                if isinstance(value, Applied):
                    arguments = self._spread(value.arguments)
                    yield attrs.evolve(value, function=self._named(value), arguments=arguments)

    def _named(self, value: Applied) -> Known | Applied | Instance:
        """Return what is called, a name that a star import may bring in full."""
        found = value.function
        if not isinstance(found, Known) or "." in found.name:
            return found
        for star in self.evaluator.bindings(value.scope.path).stars:
            brought = _STARRED.get(star.module)
            if brought is not None and (found.name in brought) is (star.module == "hypothesis"):
                return Known(f"{star.module}.{found.name}")
        return found

    def _spread(self, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
        """Return the arguments with starred ones written out, where they are known."""
        found: list[Argument] = []
        for one in arguments:
            if one.name not in ("*", "**"):
                found.append(one)
                continue
            inner = tuple(self._starred_argument(one))
            found.extend(inner or (one,))
        return tuple(found)

    def _starred_argument(self, one: Argument) -> Iterator[Argument]:
        for value in self.evaluator.evaluate(one.value.expression, one.value.scope)[:1]:
            if isinstance(value, Row):
                yield from (Argument(None, item) for item in self.evaluator.items(value))
            elif isinstance(value, Table):
                for key, held in value.pairs:
                    for name in self.evaluator.evaluate(key.expression, key.scope)[:1]:
                        if isinstance(name, Literal):
                            yield Argument(str(name.value), held)
            elif isinstance(value, Applied) and value.function == Known("dict"):
                yield from value.arguments


def is_named(name: str, wanted: str) -> bool:
    """Return whether a dotted name is this name of hypothesis, by any of the ways to it."""
    return plain_name(name) == wanted


def plain_name(name: str) -> str:
    """Return a name of hypothesis as its documentation spells it; any other unchanged."""
    if not name.startswith("hypothesis."):
        return name
    last = name.rpartition(".")[2]
    for inner, public in (
        ("hypothesis.strategies._internal", "hypothesis.strategies"),
        ("hypothesis._strategies", "hypothesis.strategies"),
        ("hypothesis.core", "hypothesis"),
        ("hypothesis.control", "hypothesis"),
    ):
        if name.startswith(f"{inner}."):
            return f"{public}.{last}"
    return name.replace("hypothesis._settings.", "hypothesis.", 1)


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))
