"""See through the names in an expression: constants, aliases and locals become what they mean."""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from typing import cast

import attrs

from benchhygiene.inventory.calling import returned
from benchhygiene.inventory.conditions import Condition, condition, opaque
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Delayed,
    Entry,
    Given,
    Kind,
    Known,
    Literal,
    Routine,
    Scope,
)
from benchhygiene.inventory.names import Each, Imported, Opaque
from benchhygiene.inventory.python import FunctionNode

_DEPTH = 40
_NODES = 600  # nodes an inlined expression may have
_NAMED = re.compile(r"Name\(id='\w*'")
_ELEMENT = ast.Constant(...)


@attrs.define(eq=False)
class _Inliner:
    evaluator: Evaluator
    left: int = _NODES

    def expression(self, node: ast.expr, scope: Scope, depth: int = 0) -> ast.expr:
        self.left -= 1
        if self.left < 0 or depth > _DEPTH:
            return ast.Name("...")
        match node:
            case ast.Name():
                return self._name(node, scope, depth + 1)
            case ast.NamedExpr():
                return self.expression(node.value, scope, depth + 1)
            case ast.Attribute():
                return self._attribute(node, scope, depth + 1)
            case ast.Call(args=[], keywords=[]):
                return self._called(node, scope, depth + 1)
            case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return node
            case _:
                return self._copied(node, scope, depth + 1)

    def _copied(self, node: ast.expr, scope: Scope, depth: int) -> ast.expr:
        made = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                parts = cast("list[object]", value)
                setattr(made, name, [self._part(one, scope, depth) for one in parts])
            else:
                setattr(made, name, self._part(value, scope, depth))
        return made

    def _part(self, one: object, scope: Scope, depth: int) -> object:
        if isinstance(one, ast.expr):
            return self.expression(one, scope, depth)
        if isinstance(one, ast.keyword):
            return ast.keyword(one.arg, self.expression(one.value, scope, depth))
        return one

    def _name(self, node: ast.Name, scope: Scope, depth: int) -> ast.expr:
        found = scope.find(node.id)
        if found is None:
            bound = self.evaluator.bindings(scope.path)
            entries: tuple[Entry, ...] = tuple(bound.names.get(node.id, ()))
            inner = Scope(scope.path)
            if not entries and bound.stars:
                return self._valued(node, scope)
        else:
            entries, inner = found
        if len(entries) == 0:
            return ast.Name(node.id)
        if len(entries) > 1:
            return ast.Name(f"many_{_digest(entries)}")
        return self._entry(node, entries[0], inner, depth)

    def _entry(self, node: ast.Name, entry: Entry, scope: Scope, depth: int) -> ast.expr:
        match entry:
            case Given(source=Delayed() as source):
                return self.expression(source.expression, source.scope, depth)
            case Each():
                rows = self.expression(entry.iterable, scope, depth)
                return ast.Subscript(rows, _ELEMENT)
            case Imported() | Given():
                return self._valued(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return ast.Name(f"{entry.name}_{_digest(entry)}")
            case ast.expr():
                return self.expression(entry, scope, depth)
            case Opaque():
                return ast.Name(node.id)
            case _:
                return ast.Name(node.id)

    def _valued(self, node: ast.expr, scope: Scope) -> ast.expr:
        """Return what an imported name stands for, by its value."""
        values = self.evaluator.evaluate(node, scope)
        if len(values) != 1:
            return ast.Name("_".join(["many", *_names(node)]))
        return _spelled(values[0]) or self._source(node, scope) or ast.Name("_".join(_names(node)))

    def _source(self, node: ast.expr, scope: Scope) -> ast.expr | None:
        """Return the expression that an imported constant is assigned in its own file."""
        if not isinstance(node, ast.Name):
            return None
        bound = self.evaluator.bindings(scope.path).names.get(node.id, ())
        what = bound[0] if bound else None
        if not isinstance(what, Imported) or what.name is None:
            return None
        home = self.evaluator.modules.locate(scope.path, what.module, what.level)
        if home is None:
            return None
        return self.expression(ast.Name(what.name), Scope(home), _DEPTH // 2)

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> ast.expr:
        values = self.evaluator.evaluate(node, scope)
        spelled = _spelled(values[0]) if len(values) == 1 else None
        if spelled is not None and not isinstance(spelled, ast.Constant):
            return spelled
        return ast.Attribute(self.expression(node.value, scope, depth), node.attr)

    def _called(self, node: ast.Call, scope: Scope, depth: int) -> ast.expr:
        """Put what a function without arguments returns in the place of its call."""
        for value in self.evaluator.evaluate(node.func, scope)[:1]:
            if isinstance(value, Routine):
                results = list(returned(value.node))
                is_plain = isinstance(value.node, ast.Lambda) or len(value.node.body) <= 2
                if len(results) == 1 and is_plain:
                    inner = self.evaluator.frame_of(value, ())
                    return self.expression(results[0], inner, depth)
        return self._copied(node, scope, depth)


def _spelled(value: object) -> ast.expr | None:
    match value:
        case Known() if "(" not in value.name:
            return _chain(value.name)
        case Literal():
            return ast.Constant(value.value)
        case Routine(node=ast.FunctionDef() | ast.AsyncFunctionDef() as node):
            return ast.Name(f"{node.name}_{_digest(node)}")
        case Kind():
            return ast.Name(value.node.name)
        case _:
            return None


def _chain(name: str) -> ast.expr:
    first, *rest = name.split(".")
    found: ast.expr = ast.Name(first)
    for part in rest:
        found = ast.Attribute(found, part)
    return found


def _names(node: ast.expr) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def _digest(node: FunctionNode | tuple[Entry, ...]) -> str:
    """Return a name for what is defined, so that another body or value is another question.

    The names in it do not count: a local may be renamed.
    """
    parts = node if isinstance(node, tuple) else node.body
    texts = (ast.dump(one) if isinstance(one, ast.AST) else type(one).__name__ for one in parts)
    text = _NAMED.sub("", "\n".join(texts))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=6).hexdigest()


def inlined(node: ast.expr, scope: Scope, evaluator: Evaluator) -> ast.expr:
    """Return the expression with its names seen through, within bounds."""
    return _Inliner(evaluator).expression(node, scope)


def condition_of(node: ast.expr, scope: Scope, evaluator: Evaluator) -> Condition:
    """Return the normal form of a condition; one opaque text where it is too deeply nested."""
    try:
        return condition(inlined(node, scope, evaluator))
    except RecursionError:
        return opaque("too deeply nested to read")


def text_of(node: ast.expr, scope: Scope, evaluator: Evaluator) -> str:
    """Return the text of an expression with its names seen through."""
    try:
        return ast.unparse(inlined(node, scope, evaluator))
    except RecursionError:
        return "too deeply nested to read"
