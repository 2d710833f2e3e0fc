"""Read off what an expression may stand for: through imports, aliases and files of a tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory import folding
from benchhygiene.inventory.calling import (
    arguments_in,
    arguments_of,
    bound_arguments,
    comprehension_frame,
    first_parameter,
    returned,
)
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
    Value,
    Values,
)
from benchhygiene.inventory.names import (
    Bindings,
    Each,
    Imported,
    Modules,
    Opaque,
    bindings,
)
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse

#: What an expression is where looking further would take too long.
BEYOND = Known("?")
_STEPS = 4_000  # evaluations one question may cost
_DEPTH = 60  # evaluations inside one another
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


@attrs.frozen(eq=False)
class Evaluator:
    """Answers what names and expressions of one tree stand for; remembers what it worked out."""

    tree: SourceTree
    modules: Modules
    _bound: dict[str, Bindings] = attrs.field(factory=dict[str, Bindings])
    _frames: dict[int, tuple[ast.AST, Frame]] = attrs.field(
        factory=dict[int, "tuple[ast.AST, Frame]"]
    )
    _globals: dict[tuple[str, str], Values] = attrs.field(factory=dict[tuple[str, str], Values])

    @classmethod
    def of(cls, tree: SourceTree) -> Evaluator:
        """Return an evaluator of the tree."""
        return cls(tree, Modules(tree))

    def file(self, path: str) -> PythonFile:
        """Return the file's source; an empty one with its error where it cannot be had."""
        try:
            return self.tree.derived(path, parse)
        except EvidenceUnavailable as error:
            return PythonFile(error=str(error))

    def bindings(self, path: str) -> Bindings:
        """Return what the module at ``path`` binds."""
        if path not in self._bound:
            self._bound[path] = bindings(self.file(path).body)
        return self._bound[path]

    def local(self, node: FunctionNode | ast.Lambda | ast.ClassDef) -> Frame:
        """Return the frame of a function's or class's own names, its arguments unknown."""
        known = self._frames.get(id(node))
        if known is None:
            names: dict[str, tuple[Entry, ...]] = {}
            if not isinstance(node, ast.ClassDef):
                names.update((one.arg, (Opaque(),)) for one in arguments_of(node))
            if not isinstance(node, ast.Lambda):
                names.update(bindings(node.body).names)
            known = (node, Frame(names, isinstance(node, ast.ClassDef)))
            self._frames[id(node)] = known
        return known[1]

    def evaluate(self, expression: ast.expr, scope: Scope) -> Values:
        """Return what the expression may stand for; nothing where nobody knows."""
        return _Question(self).evaluate(expression, scope, 0)

    def items(self, value: Value) -> Iterator[Delayed]:
        """Yield the items of a list or tuple, those behind stars included."""
        if isinstance(value, Row):
            for item in value.items:
                if isinstance(item.expression, ast.Starred):
                    for inner in self.evaluate(item.expression.value, item.scope):
                        yield from self.items(inner)
                else:
                    yield item

    def call(self, value: Value, arguments: tuple[Argument, ...], at: Applied) -> Values:
        """Return what calling the value gives."""
        return _Question(self).call(value, arguments, at.call, at.scope, 0)

    def member(self, value: Value, name: str, scope: Scope) -> Values:
        """Return what an attribute of the value is."""
        return _Question(self).member(value, name, scope, 0)

    def name(self, path: str, name: str) -> Values:
        """Return what a module-level name stands for."""
        return _Question(self).module_name(path, name, 0)

    def frame_of(self, routine: Routine, arguments: tuple[Argument, ...]) -> Scope:
        """Return the scope inside a function that is called with these arguments."""
        own = self.local(routine.node)
        given = {
            name: (Given(self.evaluate(one.expression, one.scope), one),)
            for name, one in bound_arguments(routine, arguments).items()
        }
        if routine.owner is not None:
            given.update((name, (Given((routine.owner,)),)) for name in first_parameter(routine))
        return routine.scope.enclosing().inside(Frame({**own.names, **given}))

    def origin(self, expression: ast.expr, scope: Scope) -> Delayed:
        """Return the expression that a chain of names leads to, itself where it is no name."""
        for _ in range(_DEPTH):
            if not isinstance(expression, ast.Name):
                break
            found = scope.find(expression.id)
            entries: tuple[Entry, ...] = found[0] if found is not None else ()
            inner = found[1] if found is not None else Scope(scope.path)
            if found is None:
                entries = self.bindings(scope.path).names.get(expression.id, ())
            only = entries[0] if len(entries) == 1 else None
            following = self._followed(only, inner)
            if following is None or following.expression is expression:
                break
            expression, scope = following.expression, following.scope
        return Delayed(expression, scope)

    def _followed(self, entry: Entry | None, scope: Scope) -> Delayed | None:
        if isinstance(entry, ast.expr):
            return Delayed(entry, scope)
        if isinstance(entry, Given):
            return entry.source
        if isinstance(entry, Imported) and entry.name is not None:
            home = self.modules.locate(scope.path, entry.module, entry.level)
            if home is not None and entry.name in self.bindings(home).names:
                return Delayed(ast.Name(entry.name), Scope(home))
        return None

    def lineage(self, kind: Kind) -> Iterator[Kind]:
        """Yield a class and its bases in the tree, nearest first."""
        pending, seen = [kind], set[int]()
        while pending and len(seen) < 200:
            one = pending.pop(0)
            if id(one.node) in seen:
                continue
            seen.add(id(one.node))
            yield one
            for base in one.node.bases:
                pending.extend(
                    found for found in self.evaluate(base, one.scope) if isinstance(found, Kind)
                )


@attrs.define(eq=False)
class _Question:
    """One question to an evaluator, with what it may still cost."""

    to: Evaluator
    steps: int = _STEPS

    def evaluate(self, node: ast.expr, scope: Scope, depth: int) -> Values:
        self.steps -= 1
        if self.steps < 0 or depth > _DEPTH:
            return (BEYOND,)
        found = tuple(self._alternatives(node, scope, depth + 1))
        return found[:_ALTERNATIVES]

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
                yield from self._called(node, scope, depth)
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
        known = self.to._globals.get(key)
        if known is None:
            self.to._globals[key] = ()  # a name that leads back to itself stands for nothing
            known = tuple(self._module_values(path, name, depth))[:_ALTERNATIVES]
            if BEYOND in known and depth:
                del self.to._globals[key]
            else:
                self.to._globals[key] = known
        return known

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
            for value in self._import(attrs.evolve(star, name=name), path, depth, star=True)
        ]
        yield from found or (Known(name),)

    def _entry(self, name: str, entry: Entry, scope: Scope, depth: int) -> Iterator[Value]:
        match entry:
            case Given():
                yield from entry.values
            case Imported():
                yield from self._import(entry, scope.path, depth)
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

    def _import(
        self, what: Imported, path: str, depth: int, *, star: bool = False
    ) -> Iterator[Value]:
        home = self.to.modules.locate(path, what.module, what.level)
        if what.name is None:
            yield File(home) if home else Known(what.module)
            return
        inner = f"{what.module}.{what.name}" if what.module else what.name
        submodule = None if star else self.to.modules.locate(path, inner, what.level)
        if home is not None and home != path and depth <= _DEPTH:
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
                for key, held in base.pairs:
                    known = self.evaluate(key.expression, key.scope, depth)
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

    def _called(self, node: ast.Call, scope: Scope, depth: int) -> Iterator[Value]:
        arguments = arguments_in(node, scope)
        if isinstance(node.func, ast.Attribute):
            base = self.evaluate(node.func.value, scope, depth)
            texts = [self._first(one, depth) for one in node.args for one in (Delayed(one, scope),)]
            folded = tuple(folding.method(base, node.func.attr, texts))
            if folded:
                yield from folded
                return
        for function in self.evaluate(node.func, scope, depth):
            yield from self.call(function, arguments, node, scope, depth)

    def _first(self, delayed: Delayed, depth: int) -> Values:
        found = self.evaluate(delayed.expression, delayed.scope, depth)
        for row in found:
            if isinstance(row, Row):
                inner = [self.evaluate(i.expression, i.scope, depth) for i in row.items[:50]]
                return tuple(value for values in inner for value in values[:1])
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
        if depth > _DEPTH or self.steps < 0:
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
        for function in self._values(given[:1], depth):
            yield from self.call(function, (*rest, *arguments), node, scope, depth + 1)

    def _values(self, given: Iterable[Delayed], depth: int) -> Values:
        return tuple(
            value for one in given for value in self.evaluate(one.expression, one.scope, depth)
        )

    def _dug(
        self, getter: Applied, arguments: tuple[Argument, ...], scope: Scope, depth: int
    ) -> Iterator[Value]:
        paths = [
            v.value for v in self._values(getter.positional(), depth) if isinstance(v, Literal)
        ]
        for found in self._values([one.value for one in arguments[:1]], depth):
            for path in paths:
                reached: Values = (found,)
                for part in str(path).split("."):
                    reached = tuple(
                        v for one in reached for v in self.member(one, part, scope, depth)
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
                names = self._values(given[1:2], depth)
                for base in self._values(given[:1], depth):
                    yield from self._attribute(base, names, scope, depth)
            case "__import__" | "importlib.import_module" if given:
                for name in self._values(given[:1], depth):
                    if isinstance(name, Literal) and isinstance(name.value, str):
                        yield from self._import(Imported(name.value), scope.path, depth)
            case "vars" | "list" | "tuple" | "set" | "sorted" | "reversed" if given:
                yield from self._values(given[:1], depth)
            case "globals":
                yield File(scope.path)
            case "bool" | "str" | "int" if given:
                yield from self._values(given[:1], depth)
            case _:
                yield Applied(function, arguments, node, scope)

    def _attribute(self, base: Value, names: Values, scope: Scope, depth: int) -> Iterator[Value]:
        texts = [one.value for one in names if isinstance(one, Literal)]
        for text in texts:
            yield from self.member(base, str(text), scope, depth)
        if not texts and isinstance(base, Known):
            yield Known(f"{base.name}.?")

    def _returned(
        self, routine: Routine, arguments: tuple[Argument, ...], depth: int
    ) -> Iterator[Value]:
        scope = self.to.frame_of(routine, arguments)
        for result in returned(routine.node):
            yield from self.evaluate(result, scope, depth + 1)


def _is_vocabulary(what: Imported) -> bool:
    """Return whether a star import of a stranger is known to bring this name."""
    return what.name in _STARRED.get(what.module, ())


def named(dotted: str) -> Known:
    """Return something outside the tree by the name it is best known by."""
    for prefix in _PREFIXES:
        if dotted == prefix or dotted.startswith(f"{prefix}."):
            return Known((_SAME[prefix] + dotted[len(prefix) :]).removeprefix("."))
    return Known(dotted)
