"""What the expressions of a test amount to."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from benchhygiene_plugins.performance_budgets import calls, demands, vocabulary
from benchhygiene_plugins.performance_budgets.arithmetic import (
    binary,
    constant,
    folded,
    indexed,
    is_measured,
    size,
    sliced,
    statistic,
)
from benchhygiene_plugins.performance_budgets.benchmarks import benchmark
from benchhygiene_plugins.performance_budgets.frames import Frame
from benchhygiene_plugins.performance_budgets.generators import hides, is_generator
from benchhygiene_plugins.performance_budgets.names import Names
from benchhygiene_plugins.performance_budgets.recording import Record
from benchhygiene_plugins.performance_budgets.terms import (
    NOTHING,
    Bench,
    File,
    Instant,
    Kind,
    Known,
    Loop,
    Made,
    Many,
    Measure,
    Place,
    Ref,
    Routine,
    Row,
    Table,
    Term,
    Thing,
)

_RELATIONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_LONGEST = 400
_DECORATED = "<decorated>"
_Call = tuple[Routine, Sequence[Term], dict[str, Term]]


@attrs.define(eq=False)
class Expressions:
    """Works out expressions; ``is_named`` says that the test's own name tells that it measures."""

    names: Names
    record: Record
    is_named: bool = False

    def call(self, routine: Routine, args: Sequence[Term], words: dict[str, Term]) -> Term:
        """Follow a call of a function of the tests."""
        raise NotImplementedError

    def instance(self, kind: Kind, args: Sequence[Term], words: dict[str, Term]) -> Term:
        """Return a new object of a class of the tests."""
        raise NotImplementedError

    def yielded(self, value: Term, frame: Frame) -> Term:
        """Note that a generator yields."""
        raise NotImplementedError

    def place(self, node: ast.expr | ast.stmt, frame: Frame) -> Place:
        """Return where a part of a file stands."""
        module = self.names.modules.at(frame.path)
        if module is None or node.end_lineno is None or not module.file.text:  # one that we made
            return Place(frame.path, 1, 1, "")
        file = module.file
        return Place(frame.path, node.lineno, file.column(node), file.segment(node)[:_LONGEST])

    def expression(self, node: ast.expr, frame: Frame) -> Term:
        """Return what an expression amounts to."""
        self.record.step()
        match node:
            case ast.Constant():
                return Known(node.value)
            case ast.Name():
                return self._name(node.id, frame)
            case ast.Attribute():
                return self.attribute(self.expression(node.value, frame), node.attr)
            case ast.Call():
                return self._call(node, frame)
            case ast.BinOp():
                left, right = (self.expression(one, frame) for one in (node.left, node.right))
                return self._operated(left, node, right, frame)
            case ast.Compare():
                return self._compare(node, frame)
            case ast.BoolOp():
                return self._boolean(node, frame)
            case ast.UnaryOp():
                return self._unary(node, frame)
            case ast.IfExp():
                return self._choice(node, frame)
            case ast.Subscript():
                return self._subscript(node, frame)
            case ast.List() | ast.Tuple() | ast.Set():
                return Row(tuple(self._items(node.elts, frame)))
            case ast.Dict():
                return self._table(node, frame)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self._comprehension(node.generators, node.elt, frame)
            case ast.DictComp():
                return self._comprehension(node.generators, node.value, frame)
            case ast.Lambda():
                return Routine(node, frame.path, frame.names)
            case ast.Await() | ast.Starred():
                return self.expression(node.value, frame)
            case ast.NamedExpr():
                frame.names[node.target.id] = self.expression(node.value, frame)
                return frame.names[node.target.id]
            case ast.Yield():
                given = NOTHING if node.value is None else self.expression(node.value, frame)
                return self.yielded(given, frame)
            case ast.YieldFrom():
                return self.yielded(self.expression(node.value, frame), frame)
            case _:
                return Made(type(node).__name__)

    def _name(self, name: str, frame: Frame) -> Term:
        if name in frame.names:
            return frame.names[name]
        found = self.names.at(frame.path, name)
        return Ref(name) if found is None else found

    def attribute(self, base: Term, name: str) -> Term:
        """Return what an attribute is."""
        match base:
            case Thing():
                if name in base.fields:
                    return base.fields[name]
                found = self.names.member(base.kind, name, base) if base.kind else None
                return found or Made(f".{name}", (Ref("self"),))
            case Kind():
                return self.names.member(base, name, None) or Made(f".{name}", (NOTHING,))
            case File():
                return self.names.at(base.path, name) or NOTHING
            case Ref():
                return Ref(f"{base.name}.{name}")
            case Table():
                return base.get(name) or Made(f".{name}", (base,))
            case Bench() if name == "stats":
                return Measure("benchmark", "s", base.loops, base.work)
            case Measure():
                return statistic(base, Known(name)) or base
            case _:
                return Made(f".{name}", (base,))

    def _operated(self, left: Term, node: ast.BinOp, right: Term, frame: Frame) -> Term:
        if isinstance(left, Instant) and isinstance(right, Instant) and right.shift is None:
            work = tuple(self.record.events[right.after : left.after])
            made = Measure("clock", "s", right.loops, work, scale=left.scale)
            self.record.measured(made, self.place(node, frame))
            return made
        return binary(left, node.op, right)

    def _items(self, nodes: Sequence[ast.expr], frame: Frame) -> Iterator[Term]:
        for one in nodes:
            given = self.expression(one, frame)
            if isinstance(one, ast.Starred) and isinstance(given, Row):
                yield from given.parts
            else:
                yield given

    def _table(self, node: ast.Dict, frame: Frame) -> Term:
        items: list[tuple[str, Term]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            given = self.expression(value, frame)
            if key is None:
                items.extend(given.items if isinstance(given, Table) else ())
                continue
            name = self.expression(key, frame)
            items.append((str(name.value) if isinstance(name, Known) else "?", given))
        return Table(tuple(items))

    def _compare(self, node: ast.Compare, frame: Frame) -> Term:
        operands = [self.expression(one, frame) for one in (node.left, *node.comparators)]
        nodes = (node.left, *node.comparators)
        made: list[Term] = []
        for at, op in enumerate(node.ops):
            relation = _RELATIONS.get(type(op), type(op).__name__)
            left, right = operands[at], operands[at + 1]
            if relation in ("<", "<=", ">", ">="):
                left, right = self._worded(left, right, nodes[at : at + 2])
            made.append(demands.compared(left, relation, right))
        return made[0] if len(made) == 1 else Made("and", tuple(made))

    def _worded(self, left: Term, right: Term, nodes: Sequence[ast.expr]) -> tuple[Term, Term]:
        """Take for measured what is compared under a name that says so."""
        if any(is_measured(one) or isinstance(one, Instant) for one in (left, right)):
            return left, right
        if isinstance(left, Known) and isinstance(right, Known):
            return left, right
        named = [name for node in nodes for name in vocabulary.identifiers(node)]
        if not (self.is_named or any(map(vocabulary.is_measured, named))):
            return left, right
        if isinstance(left, Known):
            return left, Measure("words", "")
        return Measure("words", ""), right

    def _boolean(self, node: ast.BoolOp, frame: Frame) -> Term:
        found = [self.expression(one, frame) for one in node.values]
        decides = isinstance(node.op, ast.Or)
        for one in found:
            if not isinstance(one, Known):
                break
            if bool(one.value) is decides:
                return one
        else:
            return found[-1]
        return Made("or" if decides else "and", tuple(found))

    def _unary(self, node: ast.UnaryOp, frame: Frame) -> Term:
        inner = self.expression(node.operand, frame)
        if isinstance(node.op, ast.Not):
            return Known(not inner.value) if isinstance(inner, Known) else Made("not", (inner,))
        if isinstance(inner, Known):
            whole = ast.UnaryOp(node.op, constant(inner.value), lineno=1)
            return folded(whole) or Made("negated", (inner,))
        return inner if isinstance(node.op, ast.UAdd) else Made("negated", (inner,))

    def _choice(self, node: ast.IfExp, frame: Frame) -> Term:
        test = self.expression(node.test, frame)
        if isinstance(test, Known):
            return self.expression(node.body if test.value else node.orelse, frame)
        made = [self.expression(one, frame) for one in (node.body, node.orelse)]
        return made[0] if made[0] == made[1] else Made("either", tuple(made))

    def _subscript(self, node: ast.Subscript, frame: Frame) -> Term:
        base = self.expression(node.value, frame)
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper)
            low, high = (None if one is None else self.expression(one, frame) for one in bounds)
            return sliced(base, low, high)
        index = self.expression(node.slice, frame)
        if isinstance(base, Ref) and base.name == "os.environ":
            return Made("os.environ", (index,))
        return indexed(base, index)

    def _comprehension(
        self, generators: Sequence[ast.comprehension], made: ast.expr, frame: Frame
    ) -> Term:
        inside = Frame(frame.path, dict(frame.names), yields=frame.yields)
        if not generators:
            return self.expression(made, inside)
        first, *rest = generators
        items = self.expression(first.iter, inside)
        used = [one for one in ast.walk(made) if isinstance(one, ast.Name)]
        bound = {one.id for one in ast.walk(first.target) if isinstance(one, ast.Name)}
        uses_item = any(one.id in bound for one in used)
        loop = Loop(size(items), self.place(first.iter, frame), uses_item=uses_item)
        with self.record.looping(loop):
            self.assign(first.target, self.element(items), inside)
            for test in first.ifs:
                self.expression(test, inside)
            item = self._comprehension(rest, made, inside) if rest else None
            item = item if item is not None else self.expression(made, inside)
        keeps = isinstance(items, Many) and item is items.element
        is_filtered = bool(first.ifs) and is_measured(items)
        if keeps and isinstance(items, Many):
            return attrs.evolve(items, is_filtered=items.is_filtered or is_filtered)
        return Many(loop.count, item, is_filtered=is_filtered)

    def assign(self, target: ast.expr, value: Term, frame: Frame) -> None:
        """Bind a target to a term."""
        raise NotImplementedError

    def element(self, items: Term) -> Term:
        """Return what stands for an item of a loop."""
        raise NotImplementedError

    def extended(self, before: Term, more: Term) -> Term:
        """Return a list that has got more items."""
        if isinstance(more, Many):
            return more if isinstance(before, Row) and not before.parts else before
        if isinstance(more, Row) and isinstance(before, Row) and not self.record.loops:
            return Row((*before.parts, *more.parts))
        return before

    def appended(self, before: Term, item: Term) -> Term:
        """Return a list that an item was put to the end of, in the loops that stand around."""
        loops = self.record.loops
        if isinstance(before, Row) and not loops:
            return Row((*before.parts, item))
        if isinstance(before, Many) and is_measured(before):
            return before
        return Many(loops[-1].count if loops else None, item)

    def manager(self, node: ast.expr, frame: Frame) -> Term | _Call:
        """Return what a ``with`` enters; a generator function is left to be followed."""
        if isinstance(node, ast.Call):
            called = self.expression(node.func, frame)
            if isinstance(called, Routine) and is_generator(called.node):
                args, words = self.arguments(node, frame)
                return called, args, words
        return self.expression(node, frame)

    def arguments(self, node: ast.Call, frame: Frame) -> tuple[tuple[Term, ...], dict[str, Term]]:
        """Return what a call passes."""
        words: dict[str, Term] = {}
        args = tuple(self._items(node.args, frame))
        for one in node.keywords:
            given = self.expression(one.value, frame)
            if one.arg is not None:
                words[one.arg] = given
            elif isinstance(given, Table):
                words.update(given.items)
        return args, words

    def decorated(self, decorator: ast.expr, made: Term, frame: Frame) -> Term:
        """Return what a decorator makes of a function; a stranger leaves it as it is."""
        if isinstance(made, Routine) and hides(decorator):
            return made
        found = self.expression(decorator, frame)
        if isinstance(found, Bench):
            return benchmark(self, found, "", (made,), {}, self.place(decorator, frame))
        given = self.call(found, (made,), {}) if isinstance(found, Routine) else made
        return given if isinstance(given, Routine) else made

    def _call(self, node: ast.Call, frame: Frame) -> Term:
        if len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            made = frame.names.get(_DECORATED)
            if node.args[0].id == _DECORATED and made is not None:
                return self.decorated(node.func, made, frame)
        return calls.Calls(self, node, frame).result()

    def over(self, count: Term | None, place: Place, act: Callable[[], Term]) -> Term:
        """Return what something gives that happens so often."""
        with self.record.looping(Loop(count, place, uses_item=False)):
            return act()
