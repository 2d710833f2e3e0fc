"""What names and attributes stand for where a function is being followed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.inventory.canonical import name_free
from benchhygiene.inventory.python import FunctionNode, imported
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.assertions.checks import Flow
from benchhygiene_plugins.assertions.files import FRESH, is_temporary
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.modules import BUILTINS, Project, resolve, resolve_in_tests
from benchhygiene_plugins.assertions.records import field
from benchhygiene_plugins.assertions.terms import Term, fallback, term
from benchhygiene_plugins.assertions.trace import Closure, Trace

_OTHER_NAMES = {"datetime.UTC": "datetime.timezone.utc"}
_BASES = 12  # classes of a hierarchy that are looked through


@attrs.frozen(eq=False)
class Owner:
    """The classes a method is looked up in, the most derived first, each with its module."""

    classes: tuple[tuple[ast.ClassDef, Module], ...]
    _methods: dict[str, tuple[FunctionNode, Module] | None] = attrs.field(
        factory=dict[str, "tuple[FunctionNode, Module] | None"], init=False
    )
    _attributes: dict[str, tuple[ast.expr, Module] | None] = attrs.field(
        factory=dict[str, "tuple[ast.expr, Module] | None"], init=False
    )

    def method(self, name: str, after: str | None = None) -> tuple[FunctionNode, Module] | None:
        """Return the definition a method's name means, from behind a class where one is given."""
        if after is not None:
            return self._method(name, after)
        if name not in self._methods:
            self._methods[name] = self._method(name, None)
        return self._methods[name]

    def _method(self, name: str, after: str | None) -> tuple[FunctionNode, Module] | None:
        skipping = after is not None
        for definition, module in self.classes:
            if not skipping:
                member = module.methods(definition).get(name)
                if member is not None:
                    return member, module
            elif definition.name == after:
                skipping = False
        return None

    def holder(self, chain: Iterable[ast.AST]) -> str | None:
        """Return the class that has the innermost of some functions for a method."""
        for definition in reversed(tuple(chain)):
            for one, _ in self.classes:
                if any(member is definition for member in one.body):
                    return one.name
        return None

    def attribute(self, name: str) -> tuple[ast.expr, Module] | None:
        """Return the expression a class attribute is set to."""
        if name not in self._attributes:
            self._attributes[name] = self._attribute(name)
        return self._attributes[name]

    def _attribute(self, name: str) -> tuple[ast.expr, Module] | None:
        for definition, module in self.classes:
            for member in definition.body:
                if isinstance(member, ast.Assign | ast.AnnAssign) and member.value is not None:
                    targets = getattr(member, "targets", None) or [getattr(member, "target", None)]
                    if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                        return member.value, module
        return None


@attrs.define(eq=False)
class Scope:
    """The names of one function being followed, and everything around it."""

    trace: Trace
    module: Module
    names: dict[str, Term] = attrs.field(factory=dict[str, Term])
    owner: Term | None = None
    flow: Flow = attrs.field(factory=Flow)
    depth: int = 0
    chain: tuple[ast.AST, ...] = ()  # the functions that led here, the last is being followed

    def name(self, node: ast.Name) -> Term:
        """Return what a name stands for."""
        found = self.names.get(node.id)
        return found if found is not None else self.top_level(node.id)

    def top_level(self, name: str) -> Term:
        """Return what a name means at the top of the module."""
        known = self.trace.terms
        key = (self.module.path, name)
        if key not in known:
            known[key] = term("recursive", value=name)  # what a cycle of constants comes to
            known[key] = self._top_level(name)
        return known[key]

    def _top_level(self, name: str) -> Term:
        bindings = self.module.bindings.get(name, ())
        if not bindings:
            known = name in BUILTINS and name != "__file__"
            if name == "__file__":
                return term("free", value=name, product=True, node=self.module.path)
            return term("builtin" if known else "free", value=name, product=not known)
        *earlier, last = bindings
        if earlier and last not in self.module.source.body:
            meanings = dict.fromkeys(self._bound(name, one) for one in bindings)
            return next(iter(meanings)) if len(meanings) == 1 else term("several", *meanings)
        return self._bound(name, last)

    def _bound(self, name: str, statement: ast.stmt) -> Term:
        if isinstance(statement, FunctionNode):
            return self.function(Closure(statement, self.module))
        if isinstance(statement, ast.ClassDef):
            self.trace.project.homes_of[id(statement)] = self.module
            return term("class", value=name, node=statement)
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return self.imported(statement, name)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            return self._assigned(name, statement, statement.value)
        return term("bound", fallback(statement), value=name)

    def _assigned(self, name: str, statement: ast.stmt, value: ast.expr) -> Term:
        self.trace.muted += 1
        scope = type(self)(self.trace, self.module, depth=self.depth + 1)
        try:
            found = scope.read(value)
        except RecursionError:
            found = term("source", value=self.module.source.segment(value))
        finally:
            self.trace.muted -= 1
        if isinstance(statement, ast.Assign):
            scope.bind(statement.targets[0], found)
        return scope.names.get(name, found)

    def read(self, node: ast.expr) -> Term:
        """Return the term of an expression."""
        raise NotImplementedError

    def bind(self, target: ast.expr, value: Term) -> None:
        """Note what a target holds from now on."""
        raise NotImplementedError

    def imported(self, statement: ast.stmt, name: str) -> Term:
        """Return what an import binds a name to."""
        return self.reference(dict(imported(statement)).get(name, name))

    def reference(self, name: str) -> Term:
        """Return what a dotted name from an import stands for; the tests' own files are read."""
        project = self.trace.project
        if project.is_own(name):
            found = resolve_in_tests(project, name, self.module.path)
            if found is not None and self.depth < _BASES:
                scope = type(self)(self.trace, found[0], depth=self.depth + 1)
                return scope.top_level(found[1])
        if name not in project.references:
            project.references[name] = _reference(project, name)
        return project.references[name]

    def function(self, closure: Closure) -> Term:
        """Return the term of a function: what it does, whatever it is called."""
        known = self.trace.project.bodies
        # The module keeps the definition alive, so its id stays its own.
        key = id(closure.definition)
        if key not in known:
            known[key] = name_free(closure.definition)
        return term("function", value=known[key], node=closure)

    def attribute(self, node: ast.Attribute) -> Term:
        """Return what an attribute stands for."""
        base = self.read(node.value)
        return self.member(base, node.attr)

    def member(self, base: Term, name: str) -> Term:
        """Return an attribute of a value."""
        if self.trace.attributes:
            noted = self.trace.attributes.get(base.digest)
            if noted is not None and name in noted:
                return noted[name]
        if base.kind == "self" and self.owner is not None and isinstance(self.owner.node, Owner):
            found = self.owner.node.attribute(name)
            if found is not None:
                scope = type(self)(self.trace, found[1], depth=self.depth + 1)
                return scope.read(found[0]) if self.depth < _BASES else fallback(found[0])
        if base.kind == "ref":
            return self.reference(f"{base.node}.{name}")
        if base.kind == "excinfo" and name == "exception":
            name = "value"
        if name == "name" and is_temporary(base):
            return FRESH
        if base.kind == "call" and base.children[0].kind in ("class", "call"):
            held = field(base, name)
            if held is not None:
                return held
        return term("attr", base, value=name)

    def meant(self, node: ast.expr) -> tuple[str, Term]:
        """Return the dotted name an expression means, and what it stands for."""
        if isinstance(node, ast.Name):
            value = self.name(node)
            return _called(value, node.id), value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            base = self.name(node.value)
            name = f"{_called(base, node.value.id)}.{node.attr}"
            return name, self.member(base, node.attr)
        return self.dotted(node), self.read(node)

    def dotted(self, node: ast.expr) -> str:
        """Return the dotted name an expression means, empty where it has none."""
        if isinstance(node, ast.Name):
            return _called(self.name(node), node.id)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name):
                return f"{_called(self.name(node.value), node.value.id)}.{node.attr}"
            if not dotted(node):
                return node.attr
        first, dot, rest = dotted(node).partition(".")
        if not first:
            return ""
        return f"{_called(self.names.get(first) or self.top_level(first), first)}{dot}{rest}"


def _called(value: Term, name: str) -> str:
    """Return what a name's value is called where it comes from."""
    if value.kind == "ref":
        return str(value.node)
    if value.kind == "self":
        return "self"
    return value.value if value.kind == "builtin" else name


def _reference(project: Project, name: str) -> Term:
    name = f"unittest.{name}" if name.startswith("mock.") else name
    name = _OTHER_NAMES.get(name, name)
    shown = _without_modules(name, project.names) if project.is_own(name) else name
    return term("ref", value=shown, product=project.is_product(name), node=name)


def _without_modules(name: str, modules: frozenset[str]) -> str:
    parts = [part for part in name.split(".") if part]
    while len(parts) > 1 and parts[0] in modules:
        parts.pop(0)
    return ".".join(parts)


def hierarchy(
    definition: ast.ClassDef, module: Module, project: Project
) -> Iterator[tuple[ast.ClassDef, Module]]:
    """Yield a class and those it derives from, as far as the tree holds them."""
    queue = [(definition, module)]
    for one, home in queue:
        yield one, home
        for base in one.bases:
            found = _class(base, home, project)
            if found is not None and len(queue) < _BASES and found not in queue:
                queue.append(found)


def _class(base: ast.expr, module: Module, project: Project) -> tuple[ast.ClassDef, Module] | None:
    name = dotted(base)
    if name in module.classes:
        return module.classes[name], module
    full = module.source.resolved(base)
    if not full or not project.is_own(full):
        return None
    found = resolve(project, full, module.path)
    if found is None or found[1] not in found[0].classes:
        return None
    return found[0].classes[found[1]], found[0]
