"""What the statements of a module or class do to the tests that are defined in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import (
    Applied,
    Instance,
    Kind,
    Known,
    Literal,
    Routine,
    Scope,
    Value,
)
from benchhygiene.inventory.names import Each
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.skip_markers import paths
from benchhygiene_plugins.skip_markers.bodies import Bodies
from benchhygiene_plugins.skip_markers.exemptions import Exemption, place_of
from benchhygiene_plugins.skip_markers.paths import Guards
from benchhygiene_plugins.skip_markers.vocabulary import marker

_PYTESTMARK = "pytestmark"
_ATTRIBUTES = {"__unittest_skip__": "skip.marker", "__unittest_expecting_failure__": "xfail.added"}
_STOPPING = ("skip.call", "skip.importorskip", "xfail.added")
_IMPORTED = 200  # files that importing one file may run
_EVERYTHING = "*"  # the target of a statement that marks whatever it finds
_DYNAMIC = frozenset(("globals", "vars", "locals", "dir", "getattr", "setattr", "inspect", "sys"))


@attrs.frozen(eq=False)
class Blocks:
    """Reads modules and classes of one tree, each once."""

    evaluator: Evaluator
    bodies: Bodies
    _modules: dict[str, tuple[Exemption, ...]] = attrs.field(
        factory=dict[str, tuple[Exemption, ...]]
    )
    _whole: dict[str, tuple[Exemption, ...]] = attrs.field(factory=dict[str, tuple[Exemption, ...]])
    _classes: dict[int, tuple[ast.AST, tuple[Exemption, ...]]] = attrs.field(
        factory=dict[int, tuple[ast.AST, tuple[Exemption, ...]]]
    )

    def of_module(self, path: str) -> tuple[Exemption, ...]:
        """Return what a module does to the tests in it; ``targets`` are the ones it names."""
        if path not in self._whole:
            self._whole[path] = (*self._own(path), *self._imports(path))
        return self._whole[path]

    def _own(self, path: str) -> tuple[Exemption, ...]:
        if path not in self._modules:
            body = self.evaluator.file(path).body
            found = (*self._of_body(body, Scope(path)), *self._imported(path))
            self._modules[path] = found
        return self._modules[path]

    def _imports(self, path: str) -> Iterator[Exemption]:
        """Yield what the files do that a module imports, when they stop the import."""
        scope = Scope(path)
        for statement, guards in paths.statements(self.evaluator.file(path).body):
            if isinstance(statement, ast.Import | ast.ImportFrom):
                found = tuple(self._on_import(statement, path))
                yield from self._guarded(found, guards, scope)

    def _on_import(self, statement: ast.Import | ast.ImportFrom, path: str) -> Iterator[Exemption]:
        pending, seen = [*self._homes(statement, path)], {path}
        while pending and len(seen) < _IMPORTED:
            home = pending.pop()
            if home in seen or not self.bodies.may_exempt(home):
                continue
            seen.add(home)
            found = self._own(home)
            yield from (one for one in found if one.rule in _STOPPING and not one.targets)
            for inner, _ in paths.statements(self.evaluator.file(home).body):
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    pending.extend(self._homes(inner, home))

    def _homes(self, statement: ast.Import | ast.ImportFrom, path: str) -> Iterator[str]:
        for module, level in _modules(statement):
            home = self.evaluator.modules.locate(path, module, level)
            if home is not None:
                yield home

    def _imported(self, path: str) -> Iterator[Exemption]:
        """Yield what a ``pytestmark`` from another file does."""
        bound = self.evaluator.bindings(path)
        own = bound.names.get(_PYTESTMARK, ())
        if any(isinstance(one, ast.expr) for one in own) or not (own or bound.stars):
            return
        node = ast.Name(_PYTESTMARK)
        for value in self.evaluator.name(path, _PYTESTMARK):
            if value != Known(_PYTESTMARK):
                at = place_of(node, path, self.evaluator)
                yield from self.bodies.marks.of_value(value, Scope(path), at)

    def of_class(self, kind: Kind) -> tuple[Exemption, ...]:
        """Return what a class and its bases in the tree do to the tests in it."""
        known = self._classes.get(id(kind.node))
        if known is None:
            found = [one for each in self.evaluator.lineage(kind) for one in self._of_one(each)]
            known = (kind.node, tuple(found))
            self._classes[id(kind.node)] = known
        return known[1]

    def _of_one(self, kind: Kind) -> Iterator[Exemption]:
        for decorator in kind.node.decorator_list:
            yield from self.bodies.marks.of_decorator(decorator, kind.scope)
        scope = kind.scope.inside(self.evaluator.local(kind.node))
        yield from self._of_body(kind.node.body, scope)

    def _of_body(self, body: Sequence[ast.stmt], scope: Scope) -> Iterator[Exemption]:
        yield from self.bodies.of_block(body, scope)
        defined = {one.name: one for one in body if isinstance(one, FunctionNode | ast.ClassDef)}
        for statement, guards in paths.statements(body):
            if isinstance(statement, ast.ClassDef):
                inner = scope.inside(self.evaluator.local(statement))
                yield from self._guarded(tuple(self._run(statement, inner)), guards, scope)
            if isinstance(statement, FunctionNode | ast.ClassDef):
                continue
            found = (*self._assigned(statement, scope), *self._applied(statement, scope, defined))
            yield from self._guarded(found, guards, scope)

    def _run(self, node: ast.ClassDef, scope: Scope) -> Iterator[Exemption]:
        """Yield what running a class body does: it stops the import of the whole module."""
        if not scope.frames[:-1]:
            yield from self.bodies.of_block(node.body, scope)

    def _guarded(
        self, found: Sequence[Exemption], guards: Guards, scope: Scope
    ) -> Iterator[Exemption]:
        if found:
            condition = paths.read(guards, scope, self.evaluator)
            both = (one.only_if(condition) for one in found)
            yield from (one for one in both if not one.condition.is_never)

    def _assigned(self, statement: ast.stmt, scope: Scope) -> Iterator[Exemption]:
        """Yield what a statement does that gives marks to a module, a class or a test."""
        if isinstance(statement, ast.Expr):
            yield from self._set(statement.value, scope)
            return
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if statement.value is None:
            return
        for target in targets:
            owner, name = _attribute(target)
            yield from self._given(owner, name, statement.value, scope, statement)

    def _set(self, node: ast.expr, scope: Scope) -> Iterator[Exemption]:
        """Yield what ``setattr(Test, "pytestmark", ...)`` and ``pytestmark.append`` do."""
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, name, value]):
                texts = self.evaluator.evaluate(name, scope)
                for text in texts:
                    if isinstance(text, Literal) and isinstance(text.value, str):
                        yield from self._given(
                            ast.unparse(owner), text.value, value, scope, ast.Expr(node)
                        )
            case ast.NamedExpr(target=ast.Name(id="pytestmark"), value=value):
                yield from self._given("", _PYTESTMARK, value, scope, ast.Expr(node))
            case _:
                return

    def _given(
        self, owner: str, name: str, value: ast.expr, scope: Scope, at: ast.stmt
    ) -> Iterator[Exemption]:
        targets = (owner,) if owner else ()
        if name == _PYTESTMARK:
            for one in self.bodies.marks.of_expression(value, scope):
                yield attrs.evolve(one, targets=targets)
        elif name in _ATTRIBUTES:
            truth = self.evaluator.evaluate(value, scope)
            if any(isinstance(one, Literal) and not one.value for one in truth):
                return
            place = place_of(value, scope.path, self.evaluator, at=at)
            rule = _ATTRIBUTES[name]
            is_xfail = rule == "xfail.added"
            yield Exemption(
                rule=rule, place=place, is_xfail=is_xfail, is_strict=is_xfail, targets=targets
            )

    def _applied(
        self, statement: ast.stmt, scope: Scope, defined: dict[str, FunctionNode | ast.ClassDef]
    ) -> Iterator[Exemption]:
        """Yield what a statement does that puts a marker on a test after its definition."""
        for expression in paths.expressions(statement):
            for call, _ in paths.calls(expression, ()):
                if not call.args or not self._is_subject(call.args[0]):
                    continue
                functions = self.evaluator.evaluate(call.func, scope)
                found = [one for f in functions for one in self._marking(f, call, scope)]
                if found:
                    targets = self._targets(statement, call, scope, defined)
                    yield from (attrs.evolve(one, targets=targets) for one in found if targets)

    def _is_subject(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)

    def _marking(self, function: Value, call: ast.Call, scope: Scope) -> Iterator[Exemption]:
        is_marker = isinstance(function, Known) and marker(function.name) is not None
        is_made = isinstance(function, Applied) and isinstance(function.function, Known)
        place = place_of(call, scope.path, self.evaluator)
        if (
            is_marker
            or (is_made and not _is_partial(function))
            or isinstance(function, Routine | Instance)
        ):
            yield from self.bodies.marks.of_value(function, scope, place)

    def _targets(
        self,
        statement: ast.stmt,
        call: ast.Call,
        scope: Scope,
        defined: dict[str, FunctionNode | ast.ClassDef],
    ) -> tuple[str, ...]:
        subject = call.args[0]
        texts = [ast.unparse(one) for one in (subject, *_targets_of(statement)) if _is_chain(one)]
        named = [text for text in texts if text.partition(".")[0] in defined]
        if not named and isinstance(subject, ast.Name):
            named = [name for name in self._elements(subject.id, scope) if name in defined]
        if named:
            return tuple(dict.fromkeys(named))
        words = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
        is_loop = isinstance(subject, ast.Name) and not defined.get(subject.id)
        is_bound = isinstance(statement, ast.Expr) or words & _DYNAMIC
        return (_EVERYTHING,) if is_bound and (is_loop or words & _DYNAMIC) else ()

    def _elements(self, name: str, scope: Scope) -> Iterator[str]:
        """Yield the names in what a loop over this name goes through."""
        found = scope.find(name)
        entries = found[0] if found else self.evaluator.bindings(scope.path).names.get(name, ())
        for entry in entries:
            if isinstance(entry, Each):
                nodes = ast.walk(entry.iterable)
                yield from (one.id for one in nodes if isinstance(one, ast.Name))


def _modules(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, int]]:
    """Yield the dotted names and levels of the modules that an import may run."""
    if isinstance(statement, ast.Import):
        yield from ((alias.name, 0) for alias in statement.names)
        return
    module = statement.module or ""
    yield module, statement.level
    for alias in statement.names:
        yield f"{module}.{alias.name}" if module else alias.name, statement.level


def _targets_of(statement: ast.stmt) -> Sequence[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else ()


def _is_chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_partial(value: Value) -> bool:
    return isinstance(value, Applied) and value.function == Known("functools.partial")


def _attribute(target: ast.expr) -> tuple[str, str]:
    """Return whose attribute is set, empty for the block's own, and which."""
    match target:
        case ast.Name():
            return "", target.id
        case ast.Attribute() if _is_chain(target):
            return ast.unparse(target.value), target.attr
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="globals" | "vars" | "locals")),
            slice=ast.Constant(value=str() as name),
        ):
            return "", name
        case _:
            return "", ""


def concerns(exemption: Exemption, qualname: str) -> bool:
    """Return whether what a block does is for the test of this qualified name in it."""
    if not exemption.targets:
        return True
    return any(
        target in (_EVERYTHING, qualname) or qualname.startswith(f"{target}.")
        for target in exemption.targets
    )
