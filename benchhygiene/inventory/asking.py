"""Answer one question about what an expression stands for, at a bounded cost."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory import folding
from benchhygiene.inventory.callables import BEYOND, Caller
from benchhygiene.inventory.calling import comprehension_frame
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Delayed,
    Entry,
    File,
    Given,
    Instance,
    Kind,
    Known,
    Literal,
    Routine,
    Row,
    Scope,
    Table,
    Value,
    Values,
)
from benchhygiene.inventory.names import Each, Imported

if TYPE_CHECKING:
    from benchhygiene.inventory.evaluator import Evaluator

STEPS = 4_000  # evaluations one question may cost
DEPTH = 60  # evaluations inside one another
_ALTERNATIVES = 12
# Names of one thing that is known by another; the longest prefix that fits is replaced.
_SAME = {
    "_pytest.mark.MARK_GEN": "pytest.mark",
    "_pytest.mark.structures.MARK_GEN": "pytest.mark",
    "_pytest.outcomes.Skipped": "pytest.skip.Exception",
    "_pytest.outcomes.XFailed": "pytest.xfail.Exception",
    "_pytest.xfail.XFailed": "pytest.xfail.Exception",
    "_pytest.skipping.Skipped": "pytest.skip.Exception",
    "_pytest.runner.Skipped": "pytest.skip.Exception",
    "_pytest.outcomes": "pytest",
    "_pytest.mark": "pytest",
    "_pytest.fixtures": "pytest",
    "py.test": "pytest",
    "unittest.case": "unittest",
    "unittest2": "unittest",
    "unittest2.case": "unittest",
    "builtins": "",
}
_PREFIXES = tuple(sorted(_SAME, key=len, reverse=True))
# What a star import of a stranger brings, as far as anyone here asks.
_STARRED = {
    "pytest": frozenset(("mark", "skip", "xfail", "importorskip", "param", "fixture")),
    "_pytest.outcomes": frozenset(("skip", "xfail", "importorskip", "Skipped", "XFailed")),
    "_pytest.mark": frozenset(("MARK_GEN", "param")),
    "functools": frozenset(("partial",)),
    "unittest": frozenset(("skip", "skipIf", "skipUnless", "SkipTest", "expectedFailure")),
    "unittest.case": frozenset(("skip", "skipIf", "skipUnless", "SkipTest", "expectedFailure")),
}


@attrs.define(eq=False)
class Question:
    """One question to an evaluator, with what it may still cost."""

    to: Evaluator
    steps: int = STEPS
    _running: set[tuple[int, ...]] = attrs.field(factory=set[tuple[int, ...]], init=False)

    def evaluate(self, node: ast.expr, scope: Scope, depth: int) -> Values:
        """Return what an expression may stand for."""
        self.steps -= 1
        self.to.progress.steps += 1
        # By identity: whoever asked keeps both alive as long as they are in here.
        key = (id(node), *map(id, scope.frames))
        if self.spent(depth) or key in self._running:  # what leads back to itself never ends
            return (BEYOND,)
        self._running.add(key)
        try:
            return tuple(self._alternatives(node, scope, depth + 1))[:_ALTERNATIVES]
        finally:
            self._running.discard(key)

    def _alternatives(self, node: ast.expr, scope: Scope, depth: int) -> Iterator[Value]:
        match node:
            case ast.Constant():
                yield Literal(node.value) if node.value is not ... else Known("Ellipsis")
            case ast.Name():
                yield from self._name(node.id, scope, depth)
            case ast.Attribute():
                for base in self.evaluate(node.value, scope, depth):
                    yield from self.member(base, node.attr, scope, depth)
            case ast.Call():
                yield from Caller(self).of(node, scope, depth)
            case ast.Subscript():
                yield from self._item(node, scope, depth)
            case ast.IfExp():
                yield from self.evaluate(node.body, scope, depth)
                yield from self.evaluate(node.orelse, scope, depth)
            case ast.BoolOp():
                for part in node.values:
                    yield from self.evaluate(part, scope, depth)
            case ast.NamedExpr() | ast.Await() | ast.Starred():
                yield from self.evaluate(node.value, scope, depth)
            case _:
                yield from self._built(node, scope, depth)

    def _built(self, node: ast.expr, scope: Scope, depth: int) -> Iterator[Value]:
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                yield Row(tuple(Delayed(one, scope) for one in items))
            case ast.Dict():
                pairs = zip(node.keys, node.values, strict=True)
                yield Table(tuple((Delayed(k, scope), Delayed(v, scope)) for k, v in pairs if k))
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                yield Row((Delayed(node.elt, scope.inside(comprehension_frame(node.generators))),))
            case ast.Lambda():
                yield Routine(node, scope)
            case ast.BinOp():
                left = self.evaluate(node.left, scope, depth)
                right = self.evaluate(node.right, scope, depth)
                yield from folding.combined(node.op, left, right)
            case ast.JoinedStr():
                parts = [self.evaluate(one, scope, depth) for one in node.values]
                yield from folding.joined(parts)
            case ast.FormattedValue():
                yield from self.evaluate(node.value, scope, depth)
            case _:
                return

    def _name(self, name: str, scope: Scope, depth: int) -> Iterator[Value]:
        found = scope.find(name)
        if found is None:
            yield from self.module_name(scope.path, name, depth)
            return
        entries, inner = found
        for entry in entries:
            yield from self._entry(name, entry, inner, depth)

    def module_name(self, path: str, name: str, depth: int) -> Values:
        """Return what a module-level name stands for; a builtin where the module has none."""
        key = (path, name)
        known, progress = self.to.globals.get(key), self.to.progress
        if known is not None:
            return known
        if key in progress.running:
            progress.is_cut = True  # a name that leads back to itself stands for nothing more
            return ()
        progress.running.add(key)
        try:
            found = tuple(self._module_values(path, name, depth))[:_ALTERNATIVES]
        finally:
            progress.running.discard(key)
        # What was found while a circle was cut is not all, except of where the circle began.
        if (not progress.is_cut or not progress.running) and (BEYOND not in found or not depth):
            self.to.globals[key] = found
        progress.is_cut = progress.is_cut and bool(progress.running)
        return found

    def _module_values(self, path: str, name: str, depth: int) -> Iterator[Value]:
        bound = self.to.bindings(path)
        scope = Scope(path)
        if name in bound.names:
            for entry in bound.names[name]:
                yield from self._entry(name, entry, scope, depth)
            return
        found = [
            value
            for star in bound.stars
            for value in self.imported(attrs.evolve(star, name=name), path, depth, star=True)
        ]
        yield from found or (Known(name),)

    def _entry(self, name: str, entry: Entry, scope: Scope, depth: int) -> Iterator[Value]:
        match entry:
            case Given(source=Delayed() as source):
                yield from self.evaluate(source.expression, source.scope, depth)
            case Given():
                yield from entry.values
            case Imported():
                yield from self.imported(entry, scope.path, depth)
            case Each():
                for row in self.evaluate(entry.iterable, scope, depth):
                    for item in self.to.items(row):
                        yield from self.evaluate(item.expression, item.scope, depth)
            case ast.ClassDef():
                yield Kind(entry, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Routine(entry, scope)
            case ast.expr():
                if not (isinstance(entry, ast.Name) and entry.id == name):
                    yield from self.evaluate(entry, scope, depth)
            case _:
                return

    def imported(
        self, what: Imported, path: str, depth: int, *, star: bool = False
    ) -> Iterator[Value]:
        """Yield what an import binds."""
        home = self.to.modules.locate(path, what.module, what.level)
        if what.name is None:
            yield File(home) if home else Known(what.module)
            return
        inner = f"{what.module}.{what.name}" if what.module else what.name
        submodule = None if star else self.to.modules.locate(path, inner, what.level)
        if home is not None and home != path and depth <= DEPTH:
            found = self.module_name(home, what.name, depth + 1)
            if found and found != (Known(what.name),):
                yield from found
                return
        if submodule is not None:
            yield File(submodule)
        elif not star or (home is None and _is_vocabulary(what)):
            yield named(inner)

    def member(self, value: Value, name: str, scope: Scope, depth: int) -> Values:
        """Return what an attribute of the value is."""
        match value:
            case Known():
                full = f"{value.name}.{name}"
                home = self.to.modules.locate(scope.path, full)
                return (File(home) if home else named(full),)
            case File():
                return self._module_member(value.path, name, depth)
            case Kind():
                return self._class_member(value, name, depth)
            case Instance():
                return tuple(
                    attrs.evolve(one, owner=value) if isinstance(one, Routine) else one
                    for one in self._class_member(value.kind, name, depth)
                )
            case Applied() if name == "mark":  # the Mark in a MarkDecorator
                return (value,)
            case Applied(function=Instance() as instance):
                return self.member(instance, name, scope, depth + 1)
            case Applied(function=Known() as function):
                return (Known(f"{function.name}().{name}"),)
            case _:
                return ()

    def _module_member(self, path: str, name: str, depth: int) -> Values:
        if name == "__dict__":
            return (File(path),)
        found = self.module_name(path, name, depth)
        home = self.to.modules.locate(path, name, 1) if found in ((), (Known(name),)) else None
        return (File(home),) if home else found

    def _class_member(self, kind: Kind, name: str, depth: int) -> Values:
        for one in self.to.lineage(kind):
            frame = self.to.local(one.node)
            if name in frame.names:
                scope = one.scope.inside(frame)
                entries = frame.names[name]
                return tuple(v for e in entries for v in self._entry(name, e, scope, depth))
        return ()

    def _item(self, node: ast.Subscript, scope: Scope, depth: int) -> Iterator[Value]:
        keys = self.evaluate(node.slice, scope, depth)
        for base in self.evaluate(node.value, scope, depth):
            if isinstance(base, Literal):
                yield from folding.sliced(base, node.slice)
            elif isinstance(base, Table):
                for named_by, held in base.pairs:
                    known = self.evaluate(named_by.expression, named_by.scope, depth)
                    if not keys or set(known) & set(keys):
                        yield from self.evaluate(held.expression, held.scope, depth)
            elif isinstance(base, Row):
                yield from self._picked(base, keys, depth)
            else:
                for key in keys:
                    if isinstance(key, Literal) and isinstance(key.value, str):
                        yield from self.member(base, key.value, scope, depth)

    def _picked(self, row: Row, keys: Values, depth: int) -> Iterator[Value]:
        items = tuple(self.to.items(row))
        index = keys[0].value if len(keys) == 1 and isinstance(keys[0], Literal) else None
        if isinstance(index, int) and -len(items) <= index < len(items):
            items = (items[index],)
        for item in items[:_ALTERNATIVES]:
            yield from self.evaluate(item.expression, item.scope, depth)

    def called(
        self, value: Value, arguments: tuple[Argument, ...], node: ast.Call, scope: Scope
    ) -> Values:
        """Return what calling a value gives."""
        return Caller(self).call(value, arguments, node, scope, 0)

    def spent(self, depth: int) -> bool:
        """Return whether looking further would take too long."""
        return self.steps < 0 or depth > DEPTH

    def values(self, given: Iterable[Delayed], depth: int) -> Values:
        """Return what any of several expressions may stand for."""
        return tuple(
            value for one in given for value in self.evaluate(one.expression, one.scope, depth)
        )


def _is_vocabulary(what: Imported) -> bool:
    """Return whether a star import of a stranger is known to bring this name."""
    return what.name in _STARRED.get(what.module, ())


def named(dotted: str) -> Known:
    """Return something outside the tree by the name it is best known by."""
    for prefix in _PREFIXES:
        if dotted == prefix or dotted.startswith(f"{prefix}."):
            return Known((_SAME[prefix] + dotted[len(prefix) :]).removeprefix("."))
    return Known(dotted)
