"""Read off what an expression may stand for: through imports, aliases and files of a tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.asking import DEPTH, STEPS, Question
from benchhygiene.inventory.calling import (
    arguments_of,
    bound_arguments,
    first_parameter,
)
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Delayed,
    Entry,
    Frame,
    Given,
    Kind,
    Routine,
    Row,
    Scope,
    Value,
    Values,
)
from benchhygiene.inventory.names import (
    Bindings,
    Imported,
    Modules,
    Opaque,
    bindings,
)
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse


@attrs.define(eq=False)
class Progress:
    """The module-level names that are being worked out, and whether a circle was cut.

    ``steps`` counts all evaluations: each question has its bound, and there can be many questions.
    ``bound`` is that of each question, lowered where many have been asked already.
    """

    running: set[tuple[str, str]] = attrs.field(factory=set[tuple[str, str]])
    is_cut: bool = False
    steps: int = 0
    bound: int = STEPS


@attrs.frozen(eq=False)
class Evaluator:
    """Answers what names and expressions of one tree stand for; remembers what it worked out."""

    tree: SourceTree
    modules: Modules
    _bound: dict[str, Bindings] = attrs.field(factory=dict[str, Bindings])
    _frames: dict[int, tuple[ast.AST, Frame]] = attrs.field(
        factory=dict[int, "tuple[ast.AST, Frame]"]
    )
    progress: Progress = attrs.field(factory=lambda: Progress())
    globals: dict[tuple[str, str], Values] = attrs.field(factory=dict[tuple[str, str], Values])

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
        return Question(self, self.progress.bound).evaluate(expression, scope, 0)

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
        return Question(self, self.progress.bound).called(value, arguments, at.call, at.scope)

    def member(self, value: Value, name: str, scope: Scope) -> Values:
        """Return what an attribute of the value is."""
        return Question(self, self.progress.bound).member(value, name, scope, 0)

    def name(self, path: str, name: str) -> Values:
        """Return what a module-level name stands for."""
        return Question(self, self.progress.bound).module_name(path, name, 0)

    def frame_of(self, routine: Routine, arguments: tuple[Argument, ...]) -> Scope:
        """Return the scope inside a function that is called with these arguments."""
        own = self.local(routine.node)
        given = {
            name: (Given((), one),) for name, one in bound_arguments(routine, arguments).items()
        }
        if routine.owner is not None:
            given.update((name, (Given((routine.owner,)),)) for name in first_parameter(routine))
        return routine.scope.enclosing().inside(Frame({**own.names, **given}))

    def origin(self, expression: ast.expr, scope: Scope) -> Delayed:
        """Return the expression that a chain of names leads to, itself where it is no name."""
        for _ in range(DEPTH):
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
