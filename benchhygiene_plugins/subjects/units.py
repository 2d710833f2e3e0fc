"""The functions of a file, and what stands outside of them, each with the names it sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.calling import comprehension_frame
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Instance, Kind, Routine, Scope
from benchhygiene.inventory.python import FunctionNode

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@attrs.frozen(eq=False)
class Unit:
    """One outermost function or method, or the loose statements of a module or class.

    ``node`` is None for a module's loose statements. ``owner`` is the class it stands in.
    """

    path: str
    qualname: str
    node: FunctionNode | ast.ClassDef | None
    body: tuple[ast.stmt, ...]
    scope: Scope
    owner: Kind | None = None

    @property
    def function(self) -> FunctionNode | None:
        """Return the function, None for loose statements."""
        return self.node if isinstance(self.node, FunctionNode) else None

    def walk(
        self, evaluator: Evaluator, inside: Scope | None = None
    ) -> Iterator[tuple[ast.AST, Scope]]:
        """Yield every part, with where its names are looked up; docstrings are left out.

        ``inside`` is where the names of a function's body are looked up, where more is known.
        """
        function = self.function
        outside = self.scope
        if function is not None:
            yield from _walk(_head(function), outside, evaluator, into=True)
            scope = inside if inside is not None else self.inside(evaluator)
            yield from _walk(function.body, scope, evaluator, into=True)
            return
        if isinstance(self.node, ast.ClassDef):
            head = [*self.node.decorator_list, *self.node.bases, *self.node.keywords]
            yield from _walk(
                head, self.owner.scope if self.owner else outside, evaluator, into=True
            )
        yield from _walk(self.body, outside, evaluator, into=False)

    def inside(self, evaluator: Evaluator) -> Scope:
        """Return where the names of the body are looked up; parameters have their defaults."""
        if self.function is None:
            return self.scope
        owner = Instance(self.owner) if self.owner is not None else None
        return evaluator.frame_of(Routine(self.function, self.scope, owner), ())


def _head(function: FunctionNode | ast.Lambda) -> list[ast.AST]:
    given = function.args
    decorators = [] if isinstance(function, ast.Lambda) else function.decorator_list
    return [*decorators, *given.defaults, *(one for one in given.kw_defaults if one is not None)]


def _walk(
    nodes: Sequence[ast.AST],
    scope: Scope,
    evaluator: Evaluator,
    *,
    into: bool,
) -> Iterator[tuple[ast.AST, Scope]]:
    pending: list[tuple[ast.AST, Scope]] = [(one, scope) for one in reversed(nodes)]
    while pending:
        node, where = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node, where
        pending.extend(reversed([*_inner(node, where, evaluator, into=into)]))


def _inner(
    node: ast.AST, scope: Scope, evaluator: Evaluator, *, into: bool
) -> Iterator[tuple[ast.AST, Scope]]:
    if isinstance(node, FunctionNode | ast.ClassDef) and not into:
        return
    if isinstance(node, FunctionNode | ast.Lambda):
        yield from ((one, scope) for one in _head(node))
        inner = evaluator.frame_of(Routine(node, scope), ())
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        yield from ((one, inner) for one in body)
        return
    inner = scope
    if isinstance(node, Comprehension):
        inner = scope.inside(comprehension_frame(node.generators))
    elif isinstance(node, ast.ClassDef):
        inner = scope.inside(evaluator.local(node))
    yield from ((one, inner) for one in ast.iter_child_nodes(node))


def units(evaluator: Evaluator, path: str) -> Iterator[Unit]:
    """Yield the units of a file, the module's loose statements first."""
    body = tuple(evaluator.file(path).body)
    yield Unit(path, "", None, body, Scope(path))
    pending: list[tuple[ast.stmt, str, Scope, Kind | None]] = [
        (one, "", Scope(path), None) for one in reversed(body)
    ]
    while pending:
        node, prefix, scope, owner = pending.pop()
        if isinstance(node, FunctionNode):
            yield Unit(path, prefix + node.name, node, tuple(node.body), scope, owner)
        elif isinstance(node, ast.ClassDef):
            kind = Kind(node, scope)
            inside = scope.inside(evaluator.local(node))
            name = prefix + node.name
            yield Unit(path, name, node, tuple(node.body), inside, kind)
            pending.extend((one, f"{name}.", inside, kind) for one in reversed(node.body))
        else:
            pending.extend((one, prefix, scope, owner) for one in reversed([*_blocks(node)]))


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in ("body", "orelse", "finalbody"):
        yield from getattr(node, field, ())
    for field in ("handlers", "cases"):
        for block in getattr(node, field, ()):
            yield from block.body
