"""What the names at the top of modules stand for, across the files of a tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

import attrs

from benchhygiene.inventory.bindings import Binding, Changed, Class, Function, Imported, Value
from benchhygiene.inventory.classes import ClassAt, Lineage, lineage
from benchhygiene.inventory.fixtures import Fixture, Fixtures
from benchhygiene.inventory.modules import External, Found, Module, Modules
from benchhygiene_plugins.performance_budgets.terms import (
    NOTHING,
    File,
    Kind,
    Known,
    Made,
    Ref,
    Routine,
    Row,
    Term,
)

Evaluate: TypeAlias = Callable[[ast.expr, str, dict[str, Term]], Term]
_DEEPEST = 40


def is_test_side(path: str) -> bool:
    """Return whether a file belongs to the tests rather than to the code under test."""
    *folders, name = path.split("/")
    if name == "conftest.py" or name.startswith(("test_", "bench_")):
        return True
    if name.endswith(("_test.py", "_tests.py", "_bench.py")):
        return True
    return any(
        one.startswith(("test", "bench", "perf")) or one.endswith("tests") for one in folders
    )


@attrs.define(eq=False)
class Names:
    """Looks names up in one tree; ``evaluate`` works out an expression of a file."""

    modules: Modules
    fixtures: Fixtures
    evaluate: Evaluate
    _known: dict[tuple[str, str], Term] = attrs.field(factory=dict[tuple[str, str], Term])
    _depth: int = 0

    def at(self, path: str, name: str) -> Term | None:
        """Return what a name at the top of a file stands for, None where it has none."""
        key = (path, name)
        if key not in self._known:
            if self._depth > _DEEPEST:
                return NOTHING
            self._known[key] = NOTHING  # made of itself until it is known
            self._depth += 1
            try:
                found = self._found(path, name)
            finally:
                self._depth -= 1
            if found is None:
                del self._known[key]
                return None
            self._known[key] = found
        return self._known[key]

    def _found(self, path: str, name: str) -> Term | None:
        module = self.modules.at(path)
        if module is None:
            return None
        binding = module.scope.names.get(name)
        if isinstance(binding, Function) and binding.wrappers:
            return self._wrapped(name, binding, module)
        if binding is not None:
            return self.bound(binding, path)
        target = self.modules.member(module, name) if module.scope.stars else None
        if target is None and len(module.scope.stars) == 1:
            return None
        return None if target is None else self._target(target, name)

    def bound(self, binding: Binding, path: str, owner: Term | None = None) -> Term:
        """Return the term of a binding of a file."""
        match binding:
            case Function():
                return self._function(binding, path, owner)
            case Class():
                return (
                    Kind(ClassAt(path, binding)) if is_test_side(path) else self._ref(binding, path)
                )
            case Imported():
                return self._target(self.modules.target(binding.name, path), binding.name)
            case Value(expression=ast.expr() as expression):
                before = {}
                if binding.previous is not None:
                    before = self._previous(expression, binding.previous, path)
                return self.evaluate(expression, path, before)
            case Changed():
                return self._changed(binding, path)
            case _:
                return NOTHING

    def _wrapped(self, name: str, binding: Function, module: Module) -> Term:
        """Return what a call has made of a function that is known by another name now."""
        plain = attrs.evolve(binding, wrappers=())
        for one in reversed(module.file.body):
            targets = one.targets if isinstance(one, ast.Assign) else ()
            if isinstance(one, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == name for target in targets
            ):
                own = {binding.definition.name: self.bound(plain, module.path)}
                found = self.evaluate(one.value, module.path, own)
                return found if isinstance(found, Routine | Made) else own[binding.definition.name]
        return self.bound(binding, module.path)

    def _previous(self, expression: ast.expr, before: Binding, path: str) -> dict[str, Term]:
        used = {one.id for one in ast.walk(expression) if isinstance(one, ast.Name)}
        scope = self.modules.at(path)
        names = scope.scope.names if scope is not None else {}
        own = [
            one
            for one in used
            if isinstance(now := names.get(one), Value) and now.expression is expression
        ]
        return {one: self.bound(before, path) for one in own}

    def _function(self, binding: Function, path: str, owner: Term | None) -> Term:
        if not is_test_side(path):
            return self._ref(binding, path)
        made: Term = Routine(binding.definition, path, {}, owner)
        decorators = [*reversed(binding.definition.decorator_list), *binding.wrappers]
        for one in decorators:
            made = self.evaluate(
                ast.Call(one, [ast.Name("<decorated>")], [], lineno=one.lineno, col_offset=0),
                path,
                {"<decorated>": made},
            )
        return made

    def _ref(self, binding: Function | Class, path: str) -> Ref:
        stem = path.rpartition("/")[2].removesuffix(".py")
        return Ref(f"{stem}.{binding.definition.name}")

    def _target(self, target: Found | Module | External, name: str) -> Term:
        match target:
            case Found():
                return self.bound(target.binding, target.path)
            case Module():
                return File(target.path)
            case External():
                return Ref(target.name)

    def _changed(self, binding: Changed, path: str) -> Term:
        before: Binding = binding
        while isinstance(before, Changed):
            before = before.previous
        return self.bound(before, path)

    def imported(self, name: str, path: str) -> Term:
        """Return what an import of a dotted name binds."""
        return self._target(self.modules.target(name, path), name)

    def lineage(self, kind: Kind) -> Lineage:
        """Return a class and its bases."""
        return lineage(self.modules, kind.at)

    def member(self, kind: Kind, name: str, owner: Term | None) -> Term | None:
        """Return what an attribute of a class is, a method bound to its owner."""
        found = self.lineage(kind).member(name)
        if found is None:
            return None
        at, binding = found
        if isinstance(binding, Value) and binding.expression is not None:
            own = {
                one.id: known
                for one in ast.walk(binding.expression)
                if isinstance(one, ast.Name)
                and one.id != name
                and one.id in at.binding.scope.names
                and (known := self.member(kind, one.id, None)) is not None
            }
            return self.evaluate(binding.expression, at.path, own)
        static = isinstance(binding, Function) and any(
            isinstance(one, ast.Name) and one.id == "staticmethod"
            for one in binding.definition.decorator_list
        )
        return self.bound(binding, at.path, None if static else (owner or kind))

    def fixture(self, name: str, path: str, classes: tuple[ClassAt, ...]) -> Fixture | None:
        """Return the fixture that a test of a file gets under a name."""
        layers = self.fixtures.layers(path, classes)
        return next((one[name] for one in reversed(layers) if name in one), None)

    def autouse(self, path: str, classes: tuple[ClassAt, ...]) -> list[Fixture]:
        """Return the fixtures every test of a file gets."""
        found: dict[str, Fixture] = {}
        for layer in self.fixtures.layers(path, classes):
            found.update({name: one for name, one in layer.items() if one.is_autouse})
        return list(found.values())


def text(term: Term) -> str:
    """Return a term's text, empty where it is none."""
    return term.value if isinstance(term, Known) and isinstance(term.value, str) else ""


def texts(term: Term) -> list[str]:
    """Return the texts in a term."""
    return [text(one) for one in term.parts] if isinstance(term, Row) else [text(term)]
