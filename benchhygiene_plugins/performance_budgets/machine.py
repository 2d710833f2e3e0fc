"""Follow a test statement by statement, its helpers included, without running anything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import attrs

from benchhygiene.inventory.python import FunctionNode, statements
from benchhygiene_plugins.performance_budgets import clocks, demands
from benchhygiene_plugins.performance_budgets.arithmetic import binary, size
from benchhygiene_plugins.performance_budgets.expressions import Expressions
from benchhygiene_plugins.performance_budgets.frames import Frame
from benchhygiene_plugins.performance_budgets.terms import (
    EACH,
    NOTHING,
    Kind,
    Known,
    Loop,
    Made,
    Many,
    Measure,
    Ref,
    Routine,
    Row,
    Table,
    Term,
    Thing,
)
from benchhygiene_plugins.performance_budgets.turns import (
    bounded,
    element_of,
    ends_in_failure,
    innermost,
    is_left_early,
    unpacked,
)

_DEEPEST = 14
_Then: TypeAlias = Callable[[Term], None]


@attrs.define(eq=False)
class Machine(Expressions):
    """Follows functions of one tree; what it meets is in ``record``."""

    _depth: int = 0
    _yields: list[_Then | None] = attrs.field(factory=list["_Then | None"])

    def call(self, routine: Routine, args: Sequence[Term], words: dict[str, Term]) -> Term:
        """Follow a call of a function of the tests and return what it gives."""
        return self._entered(routine, args, words, None)

    def generate(
        self, routine: Routine, args: Sequence[Term], words: dict[str, Term], then: _Then
    ) -> None:
        """Follow a generator function; ``then`` is what happens where it first yields."""
        self._entered(routine, args, words, then)

    def _entered(
        self, routine: Routine, args: Sequence[Term], words: dict[str, Term], then: _Then | None
    ) -> Term:
        if self._depth > _DEEPEST:
            return NOTHING
        self.record.step()
        frame = Frame(routine.path, {**routine.names, **self._bound(routine, args, words)})
        self._depth += 1
        self._yields.append(then)
        try:
            if isinstance(routine.node, ast.Lambda):
                return self.expression(routine.node.body, frame)
            self.block(routine.node.body, frame)
        finally:
            self._depth -= 1
            self._yields.pop()
        return frame.result()

    def _bound(
        self, routine: Routine, args: Sequence[Term], words: dict[str, Term]
    ) -> dict[str, Term]:
        given = routine.node.args
        names = [one.arg for one in (*given.posonlyargs, *given.args)]
        own = Frame(routine.path, dict(routine.names))
        bound: dict[str, Term] = {}
        defaults = [*zip(reversed(names), reversed(given.defaults), strict=False)]
        keyed = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        defaults += [(one.arg, value) for one, value in keyed if value is not None]
        positional = [*((routine.owner,) if routine.owner is not None else ()), *args]
        filled = {*names[: len(positional)], *words}
        for name, value in defaults:
            if name not in filled:
                bound[name] = self.expression(value, own)
        bound.update(zip(names, positional, strict=False))
        known = {*names, *(one.arg for one in given.kwonlyargs)}
        bound.update({name: value for name, value in words.items() if name in known})
        if given.vararg is not None:
            bound[given.vararg.arg] = Row(tuple(positional[len(names) :]))
        if given.kwarg is not None:
            more = tuple((name, one) for name, one in words.items() if name not in known)
            bound[given.kwarg.arg] = Table(more)
        for one in (*names, *(word.arg for word in given.kwonlyargs)):
            bound.setdefault(one, Made(f"argument:{one}"))
        return bound

    def yielded(self, value: Term, frame: Frame) -> Term:
        """Note that a generator yields."""
        then = self._yields[-1] if self._yields else None
        if then is None:
            frame.yields.append(Many(innermost(self.record.loops), value))
            return NOTHING
        self._yields[-1] = lambda _: None
        then(value)
        return NOTHING

    def block(self, body: Iterable[ast.stmt], frame: Frame) -> None:
        """Follow statements one after the other."""
        for statement in body:
            if frame.has_returned:
                return
            self.record.step()
            self.statement(statement, frame)

    def statement(self, node: ast.stmt, frame: Frame) -> None:
        """Follow one statement."""
        match node:
            case ast.Expr():
                self.expression(node.value, frame)
            case ast.Assign():
                value = self.expression(node.value, frame)
                for target in node.targets:
                    self.assign(target, value, frame)
            case ast.AnnAssign(value=ast.expr() as given):
                self.assign(node.target, self.expression(given, frame), frame)
            case ast.AugAssign():
                self._augmented(node, frame)
            case ast.Assert():
                demands.note(
                    self.record, self.expression(node.test, frame), self.place(node, frame)
                )
            case ast.Return():
                frame.give(NOTHING if node.value is None else self.expression(node.value, frame))
            case ast.If():
                self._branch(node, frame)
            case ast.For() | ast.AsyncFor():
                self._loop(node, frame)
            case ast.While():
                self._while(node, frame)
            case ast.With() | ast.AsyncWith():
                self._with(list(node.items), node.body, frame)
            case ast.Try() | ast.TryStar():
                self._try(node, frame)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                frame.names[node.name] = self._defined(node, frame)
            case ast.Import() | ast.ImportFrom():
                self._imported(node, frame)
            case ast.Match():
                for case_ in node.cases:
                    self.block(case_.body, frame)
            case _:
                pass

    def _defined(self, node: FunctionNode, frame: Frame) -> Term:
        made: Term = Routine(node, frame.path, frame.names)
        for one in reversed(node.decorator_list):
            made = self.decorated(one, made, frame)
        return made

    def _imported(self, node: ast.Import | ast.ImportFrom, frame: Frame) -> None:
        level = "." * node.level if isinstance(node, ast.ImportFrom) else ""
        module = f"{level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            name = alias.name if not module else f"{module}.{alias.name}".replace("..", ".", 0)
            local = alias.asname or alias.name.partition(".")[0]
            full = name if alias.asname or module else local
            frame.names[local] = self.names.imported(full, frame.path)

    def assign(self, target: ast.expr, value: Term, frame: Frame) -> None:
        """Bind a target to a term."""
        match target:
            case ast.Name():
                frame.names[target.id] = value
            case ast.Tuple() | ast.List():
                for at, one in enumerate(target.elts):
                    self.assign(one, unpacked(value, at), frame)
            case ast.Attribute():
                owner = self.expression(target.value, frame)
                if isinstance(owner, Thing):
                    owner.fields[target.attr] = value
                elif isinstance(owner, Ref):
                    name = f"{owner.name}.{target.attr}"
                    clocks.replaced(self.record, name, self.place(target, frame))
            case ast.Subscript(value=ast.Name(id=name)):
                self._stored(name, target, value, frame)
            case ast.Starred():
                self.assign(target.value, value, frame)
            case _:
                pass

    def _stored(self, name: str, target: ast.Subscript, value: Term, frame: Frame) -> None:
        known = frame.names.get(name)
        index = self.expression(target.slice, frame)
        if isinstance(known, Table) and isinstance(index, Known):
            frame.names[name] = Table((*known.items, (str(index.value), value)))

    def _augmented(self, node: ast.AugAssign, frame: Frame) -> None:
        before = self.expression(node.target, frame)
        more = self.expression(node.value, frame)
        if isinstance(more, Measure) and not isinstance(before, Measure):
            self.assign(node.target, demands.summed(more), frame)
        elif isinstance(before, Row | Many):
            self.assign(node.target, self.extended(before, more), frame)
        elif isinstance(before, Known) and isinstance(more, Known) and self.record.loops:
            self.assign(node.target, EACH, frame)
        else:
            self.assign(node.target, binary(before, node.op, more), frame)

    def _branch(self, node: ast.If, frame: Frame) -> None:
        test = self.expression(node.test, frame)
        if isinstance(test, Known):
            self.block(node.body if test.value else node.orelse, frame)
            return
        if ends_in_failure(node.body):
            denied = Made("not", (test,))
            demands.note(self.record, denied, self.place(node.test, frame))
        for body, holds in ((node.body, test), (node.orelse, Made("not", (test,)))):
            inside = frame.branch()
            self.block(body, inside)
            frame.join(inside, holds)

    def _loop(self, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        items = self.expression(node.iter, frame)
        used = {one.id for part in node.body for one in ast.walk(part) if isinstance(one, ast.Name)}
        bound = {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
        place = self.place(node.iter, frame)
        is_left = is_left_early(node.body)
        loop = Loop(size(items), place, uses_item=bool(used & bound), is_left=is_left)
        with self.record.looping(loop):
            self.assign(node.target, element_of(items), frame)
            self.block(node.body, frame)
        self.block(node.orelse, frame)

    def _while(self, node: ast.While, frame: Frame) -> None:
        asked = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
        for one in statements(node.body, into_functions=False):
            target = one.target if isinstance(one, ast.AugAssign) else None
            if isinstance(target, ast.Name) and target.id in asked:
                frame.names[target.id] = EACH
        test = self.expression(node.test, frame)
        with self.record.looping(bounded(test, self.place(node.test, frame))):
            self.block(node.body, frame)

    def _try(self, node: ast.Try | ast.TryStar, frame: Frame) -> None:
        self.block(node.body, frame)
        for handler in node.handlers:
            self.block(handler.body, frame.branch())
        self.block((*node.orelse, *node.finalbody), frame)

    def _with(self, items: list[ast.withitem], body: list[ast.stmt], frame: Frame) -> None:
        if not items:
            self.block(body, frame)
            return
        first, *rest = items

        def inside(value: Term) -> None:
            if first.optional_vars is not None:
                self.assign(first.optional_vars, value, frame)
            self._with(rest, body, frame)

        made = self.manager(first.context_expr, frame)
        if isinstance(made, tuple):
            routine, args, words = made
            self.generate(routine, args, words, inside)
            return
        entered = self._method(made, "__enter__", "__aenter__")
        value = self.call(entered, (), {}) if entered is not None else made
        inside(value)
        leaving = self._method(made, "__exit__", "__aexit__")
        if leaving is not None:
            self.call(leaving, (Known(None),) * 3, {})

    def element(self, items: Term) -> Term:
        """Return what stands for an item of a loop."""
        return element_of(items)

    def _method(self, term: Term, *wanted: str) -> Routine | None:
        if isinstance(term, Thing) and term.kind is not None:
            for name in wanted:
                found = self.names.member(term.kind, name, term)
                if isinstance(found, Routine):
                    return found
        return None

    def instance(self, kind: Kind, args: Sequence[Term], words: dict[str, Term]) -> Term:
        """Return a new object of a class of the tests."""
        made = Thing(kind)
        start = self.names.member(kind, "__init__", made)
        if isinstance(start, Routine):
            self.call(start, args, words)
        else:
            fields = self._fields(kind)
            made.fields.update(zip(fields, args, strict=False))
            made.fields.update(words)
        return made

    @staticmethod
    def _fields(kind: Kind) -> list[str]:
        body = kind.at.definition.body
        return [
            one.target.id
            for one in body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
