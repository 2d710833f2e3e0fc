"""What a function draws and assumes: a composite strategy, or a test that draws from ``data()``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.canonical import local_names
from benchhygiene.inventory.importers import importing
from benchhygiene.inventory.index import words
from benchhygiene.inventory.inlining import inlined
from benchhygiene.inventory.meanings import Argument, Delayed, Known, Routine, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.property_budgets.building import Builder
from benchhygiene_plugins.property_budgets.following import plain_name
from benchhygiene_plugins.property_budgets.outlines import outline
from benchhygiene_plugins.property_budgets.places import Place, place_of
from benchhygiene_plugins.property_budgets.predicates import conjuncts
from benchhygiene_plugins.property_budgets.strategies import COMPOSITE, Strategies, Strategy

_ASSUME = "hypothesis.assume"
_REJECT = "hypothesis.reject"
_WORDS = frozenset((b"assume", b"reject"))
_DEEPEST = 4  # functions that call one another


@attrs.frozen(eq=False)
class Assumption:
    """One condition that inputs must meet, with names of locals replaced by where they come from.

    ``text`` is as it is written, ``node`` where.
    """

    meaning: str
    text: str
    path: str
    line: int = 1


@attrs.frozen(eq=False)
class Body:
    """What a function draws, in order, and what it assumes."""

    draws: tuple[Strategies, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    calls: tuple[ast.Call, ...] = ()


@attrs.frozen(eq=False)
class Drawing:
    """Reads functions that draw."""

    builder: Builder
    known: dict[int, tuple[Routine, tuple[Assumption, ...]]] = attrs.field(
        factory=dict[int, "tuple[Routine, tuple[Assumption, ...]]"]
    )

    def of_composite(self, routine: Routine, arguments: tuple[Argument, ...]) -> Strategy:
        """Return the strategy that a composite function makes when it is called so."""
        drawn = Argument(None, Delayed(ast.Name("draw"), Scope("")))
        scope = self.builder.follower.frame_of(routine, (drawn, *arguments))
        first = next((one.arg for one in arguments_of(routine.node)), "draw")
        drawers = frozenset((first,))
        body = self.of_function(routine.node, scope, drawers)
        parts = {f"draw {index}": several for index, several in enumerate(body.draws)}
        return Strategy(
            COMPOSITE,
            {"rest": outline(routine.node, body.calls)},
            parts,
            conditions=tuple(one.meaning for one in body.assumptions),
            text=getattr(routine.node, "name", COMPOSITE),
            place=self._place(routine),
        )

    def _place(self, routine: Routine) -> Place | None:
        evaluator = self.builder.follower.evaluator
        if not isinstance(routine.node, FunctionNode):
            return None
        return place_of(routine.node, routine.scope.path, evaluator)

    def of_function(
        self,
        node: FunctionNode | ast.Lambda,
        scope: Scope,
        drawers: frozenset[str],
        depth: int = 0,
    ) -> Body:
        """Return what a function draws with these names, and what it assumes."""
        names = _numbered(node)
        calls = [one for one in _inside(node) if isinstance(one, ast.Call)]
        draws = [one for one in calls if _is_draw(one, drawers)]
        strategies = tuple(
            self.builder.strategies(Delayed(one.args[0], scope)) for one in draws if one.args
        )
        assumed = tuple(self._assumed(node, scope, names, depth))
        return Body(strategies, assumed, tuple(draws))

    def _assumed(
        self, node: FunctionNode | ast.Lambda, scope: Scope, names: dict[str, str], depth: int
    ) -> Iterator[Assumption]:
        evaluator = self.builder.follower.evaluator
        for call, guards in _guarded(node):
            for value in evaluator.evaluate(call.func, scope)[:2]:
                if isinstance(value, Known):
                    yield from self._named(plain_name(value.name), call, guards, scope, names)
                elif isinstance(value, Routine) and depth < _DEEPEST:
                    yield from self._called(value, depth)

    def _called(self, routine: Routine, depth: int) -> tuple[Assumption, ...]:
        """Return what a function of the tree assumes that is called here."""
        evaluator = self.builder.follower.evaluator
        if routine.scope.path not in evaluator.tree.surveyed(assuming):
            return ()
        key = id(routine.node)
        if key not in self.known and not self.builder.follower.is_composite(routine):
            self.known[key] = (routine, ())  # one that calls itself assumes nothing more
            scope = evaluator.frame_of(routine, ())
            body = self.of_function(routine.node, scope, frozenset(), depth + 1)
            self.known[key] = (routine, body.assumptions)
        return self.known[key][1] if key in self.known else ()

    def _named(
        self,
        name: str,
        call: ast.Call,
        guards: tuple[tuple[ast.expr, bool], ...],
        scope: Scope,
        names: dict[str, str],
    ) -> Iterator[Assumption]:
        if name == _ASSUME and call.args:
            wanted = self._seen_through(call.args[0], scope, names)
            for one in conjuncts(wanted):
                yield Assumption(one, ast.unparse(call), scope.path, call.lineno)
        elif name == _REJECT and guards:
            test, holds = guards[-1]
            for one in conjuncts(self._seen_through(test, scope, names), holds=not holds):
                yield Assumption(one, ast.unparse(call), scope.path, call.lineno)
        elif name == _REJECT:
            yield Assumption("False", ast.unparse(call), scope.path, call.lineno)

    def _seen_through(self, node: ast.expr, scope: Scope, names: dict[str, str]) -> ast.expr:
        """Return a condition with constants seen through, and locals by their order."""
        spelled = _Locals(names)
        written: ast.expr = spelled.visit(_copied(node))
        found = inlined(written, Scope(scope.path), self.builder.follower.evaluator)
        return _copied(found)


def _numbered(node: FunctionNode | ast.Lambda) -> dict[str, str]:
    return {name: f"${index}" for index, name in enumerate(local_names(node))}


class _Locals(ast.NodeTransformer):
    """Call locals by their order."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(_spelled(self.names.get(node.id, node.id)), ast.Load())


def _spelled(name: str) -> str:
    return f"local_{name[1:]}" if name.startswith("$") else name


def local_name(index: int) -> str:
    """Return what the local of this place in a function is called in a condition."""
    return f"local_{index}"


def _copied(node: ast.expr) -> ast.expr:
    return ast.fix_missing_locations(copy.deepcopy(node))


def _is_draw(call: ast.Call, drawers: frozenset[str]) -> bool:
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == "draw":
        return isinstance(func.value, ast.Name) and func.value.id in drawers
    return isinstance(func, ast.Name) and func.id in drawers


def assuming(tree: SourceTree) -> frozenset[str]:
    """Return the files that assume something, or import what does; made for ``surveyed``."""
    texts = tree.derived_all(tree.files(".py"), words)
    own = [path for path, found in texts if not _WORDS.isdisjoint(found)]
    return importing(tree, own) | frozenset(own)


def _inside(node: FunctionNode | ast.Lambda) -> Iterator[ast.AST]:
    """Yield what stands in a function's body, in the order of the source."""
    stack: list[ast.AST] = [*reversed(node.body)] if isinstance(node.body, list) else [node.body]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(list(ast.iter_child_nodes(one))))


def _guarded(
    node: FunctionNode | ast.Lambda,
) -> Iterator[tuple[ast.Call, tuple[tuple[ast.expr, bool], ...]]]:
    """Yield each call in a function with the conditions it stands under, outermost first."""
    body: list[ast.AST] = [*node.body] if isinstance(node.body, list) else [node.body]
    stack: list[tuple[ast.AST, tuple[tuple[ast.expr, bool], ...]]]
    stack = [(one, ()) for one in reversed(body)]
    while stack:
        one, guards = stack.pop()
        if isinstance(one, ast.Call):
            yield one, guards
        if isinstance(one, ast.If):
            stack.extend((each, (*guards, (one.test, False))) for each in reversed(one.orelse))
            stack.extend((each, (*guards, (one.test, True))) for each in reversed(one.body))
            stack.append((one.test, guards))
        else:
            stack.extend((each, guards) for each in reversed(list(ast.iter_child_nodes(one))))
