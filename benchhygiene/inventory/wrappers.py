"""What decorators make of a test function: itself, no function at all, or one that does nothing."""

from __future__ import annotations

import ast
import builtins
import enum
from collections.abc import Iterable, Iterator, Sequence

import attrs

from benchhygiene.inventory.bindings import Changed, Class, Function, Value
from benchhygiene.inventory.modules import Found, Modules
from benchhygiene.inventory.python import FunctionNode, PythonFile, statements
from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene.inventory.values import Unknown

FIXTURES = frozenset(
    ("pytest.fixture", "pytest.yield_fixture", "pytest_asyncio.fixture", "_pytest.fixtures.fixture")
)
#: These give back no function, so pytest finds nothing to call.
_NO_FUNCTIONS = frozenset(
    (
        "property",
        "functools.cached_property",
        "functools.singledispatchmethod",
        "abc.abstractproperty",
    )
)
_KEEP = frozenset(("staticmethod", "classmethod"))
_RETURN_NONE = frozenset(("add", "append", "clear", "extend", "insert", "remove", "update"))
_DEEPEST = 5


class Fate(enum.Enum):
    """What became of a decorated function."""

    FIXTURE = "a fixture decorator makes it a fixture"
    SWALLOWED = "a decorator puts something in its place that is no function"
    REPLACED = "a decorator puts a function in its place that never calls it"


@attrs.frozen(eq=False)
class Wrappers:
    """Judge decorators; those of other distributions are taken to hand on what they are given."""

    modules: Modules
    # Thousands of classes may share one decorator. A definition is kept with what was made of it,
    # so that its id is not used again.
    _fates: dict[tuple[int, bool, int], tuple[FunctionNode, Fate | None]] = attrs.field(
        factory=dict[tuple[int, bool, int], tuple[FunctionNode, "Fate | None"]], init=False
    )
    _givers: dict[tuple[int, bool, int], tuple[FunctionNode, bool]] = attrs.field(
        factory=dict[tuple[int, bool, int], tuple[FunctionNode, bool]], init=False
    )

    def fate(self, path: str, function: Function) -> Fate | None:
        """Return what the decorators make of a function, None where it stays what it is."""
        applied = (*reversed(function.definition.decorator_list), *function.wrappers)
        return self._first(path, applied)

    def class_fate(self, path: str, found: Class) -> Fate | None:
        """Return what the decorators make of a class.

        One that wraps what it is given in a function leaves no class for pytest to look into.
        """
        applied = (*reversed(found.definition.decorator_list), *found.wrappers)
        fate = self._first(path, applied)
        if fate is None and any(self._makes_function(path, node, 0) for node in applied):
            return Fate.SWALLOWED
        return fate

    def writer(self, path: str, found: Class) -> ast.expr | None:
        """Return the first decorator that may give tests to the class, or take some away.

        That is a function of the tree that writes to an attribute called like a test, or uses
        ``setattr`` or ``delattr``.
        """
        return next(
            (one for one in found.definition.decorator_list if self._writes(path, one)), None
        )

    def _writes(self, path: str, node: ast.expr) -> bool:
        found = self.modules.meaning(decorator_call(node)[0], path)
        if not isinstance(found, Found) or not isinstance(found.binding, Function):
            return False
        module = self.modules.at(found.path)
        return module is not None and found.binding.line in module.file.derived(_writers)

    def _makes_function(self, path: str, node: ast.expr, depth: int) -> bool:
        """Return whether a decorator surely gives back a function of its own."""
        named, call = decorator_call(node)
        if isinstance(named, ast.Lambda):
            return isinstance(named.body, ast.Lambda)
        found = self.modules.meaning(named, path)
        if not isinstance(found, Found) or not isinstance(found.binding, Function):
            return False
        definition = found.binding.definition
        key = (id(definition), call is not None, depth)
        if key not in self._givers:
            gives = self._gives_function(found.path, definition, call is not None, depth)
            self._givers[key] = (definition, gives)
        return self._givers[key][1]

    def _gives_function(
        self, path: str, definition: FunctionNode, called: bool, depth: int
    ) -> bool:
        if depth > _DEEPEST or not isinstance(definition, ast.FunctionDef):
            return False
        inner, rebound = _nested(definition), _assigned(definition)
        given = [
            inner.get(node.id) if isinstance(node, ast.Name) and node.id not in rebound else node
            for node in _returned(definition)
        ]
        if not called:
            return bool(given) and all(isinstance(one, FunctionNode | ast.Lambda) for one in given)
        return bool(given) and all(
            self._gives_function(path, one, False, depth + 1)
            if isinstance(one, FunctionNode)
            else isinstance(one, ast.expr) and self._makes_function(path, one, depth + 1)
            for one in given
        )

    def _first(self, path: str, nodes: Iterable[ast.expr]) -> Fate | None:
        fates = (self._effect(path, node, 0) for node in nodes)
        return next((fate for fate in fates if fate is not None), None)

    def _effect(self, path: str, node: ast.expr, depth: int) -> Fate | None:
        named, call = decorator_call(node)
        if isinstance(named, ast.Lambda):
            return _of_lambda(named) if call is None else None
        name = self.modules.constants(path).resolved(named)
        if name in FIXTURES:
            return Fate.FIXTURE
        if name in _NO_FUNCTIONS or (name not in _KEEP and _is_builtin(name)):
            return Fate.SWALLOWED
        if isinstance(named, ast.Attribute) and named.attr in _RETURN_NONE and call is None:
            return self._method(path, named)
        found = self.modules.meaning(named, path)
        if not isinstance(found, Found) or depth > _DEEPEST:
            return None
        if isinstance(found.binding, Function):
            definition = found.binding.definition
            key = (id(definition), call is not None, depth)
            if key not in self._fates:
                fate = self._function(found.path, definition, call is not None, depth)
                self._fates[key] = (definition, fate)
            return self._fates[key][1]
        if isinstance(found.binding, Class):
            return self._class(found.path, found.binding, call is not None, depth)
        return self._value(found, call is not None, depth)

    def _method(self, path: str, named: ast.Attribute) -> Fate | None:
        """Judge ``@registry.append``: a method of a plain container gives back nothing."""
        try:
            holder = self.modules.constants(path).evaluator().value(named.value)
        except Unknown:
            return None
        return Fate.SWALLOWED if isinstance(holder, list | dict | frozenset) else None

    def _value(self, found: Found, called: bool, depth: int) -> Fate | None:
        """Judge ``skipper = lambda f: None`` and ``mark = make_decorator(1)``."""
        binding = found.binding
        if isinstance(binding, Changed) or not isinstance(binding, Value) or called:
            return None
        if binding.expression is None or not isinstance(binding.expression, ast.Call):
            return None
        return self._effect(found.path, binding.expression, depth + 1)

    def _class(self, path: str, found: Class, called: bool, depth: int) -> Fate | None:
        names = found.scope.names
        if called:
            call = names.get("__call__")
            if isinstance(call, Function):
                return self._function(path, call.definition, False, depth + 1, skips=1)
            return None
        text = {inner.id for inner in ast.walk(found.definition) if isinstance(inner, ast.Name)}
        attributes = {
            inner.attr for inner in ast.walk(found.definition) if isinstance(inner, ast.Attribute)
        }
        if found.definition.bases or {"update_wrapper", "__wrapped__", "wraps"} & (
            text | attributes
        ):
            return None
        return Fate.SWALLOWED

    def _function(
        self, path: str, definition: FunctionNode, called: bool, depth: int, skips: int = 0
    ) -> Fate | None:
        if depth > _DEEPEST or not isinstance(definition, ast.FunctionDef):
            return None
        if _is_generator(definition):
            return None
        returned = list(_returned(definition))
        inner = _nested(definition)
        if called:
            return self._factory(path, returned, inner, depth)
        return _of_returned(definition, returned, inner, skips)

    def _factory(
        self,
        path: str,
        returned: Sequence[ast.expr | None],
        inner: dict[str, FunctionNode],
        depth: int,
    ) -> Fate | None:
        """Judge a function that makes the decorator."""
        fates: list[Fate | None] = []
        for node in returned:
            if isinstance(node, ast.Lambda):
                fates.append(_of_lambda(node))
            elif isinstance(node, ast.Name) and node.id in inner:
                fates.append(self._function(path, inner[node.id], False, depth + 1))
            elif node is None or isinstance(node, ast.Constant):
                fates.append(Fate.SWALLOWED)
            else:
                fates.append(self._effect(path, node, depth + 1))
        if not returned:
            return Fate.SWALLOWED
        return next((fate for fate in fates if fate is not None), None)


def _of_lambda(node: ast.Lambda) -> Fate | None:
    own = {argument.arg for argument in node.args.args}
    if isinstance(node.body, ast.Constant):
        return Fate.SWALLOWED
    if isinstance(node.body, ast.Lambda) and not own & _names(node.body):
        return Fate.REPLACED
    return None


def _of_returned(
    definition: ast.FunctionDef,
    returned: Sequence[ast.expr | None],
    inner: dict[str, FunctionNode],
    skips: int,
) -> Fate | None:
    if not returned or any(node is None or isinstance(node, ast.Constant) for node in returned):
        return Fate.SWALLOWED
    arguments = definition.args.args[skips:]
    given = arguments[0].arg if arguments else ""
    for node in returned:
        if isinstance(node, ast.Lambda) and given not in _names(node):
            return Fate.REPLACED
        if isinstance(node, ast.Name) and node.id in inner:
            body = inner[node.id].body
            if given and not any(given in _names(one) for one in body):
                return Fate.REPLACED
    return None


def _returned(definition: ast.FunctionDef) -> Iterator[ast.expr | None]:
    for statement in _own_statements(definition.body):
        if isinstance(statement, ast.Return):
            yield statement.value


def _own_statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function without those of the functions in it."""
    for statement in body:
        yield statement
        if not isinstance(statement, FunctionNode | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _own_statements(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _own_statements(handler.body)


def _assigned(definition: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns to."""
    return {
        inner.id
        for inner in ast.walk(definition)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }


def _writers(file: PythonFile) -> frozenset[int]:
    """Return the lines of the functions that may write to, or delete, a test of a class."""
    return frozenset(
        one.lineno
        for one in (file.module.body if file.module is not None else ())
        if isinstance(one, FunctionNode) and any(map(_writes_tests, ast.walk(one)))
    )


def _writes_tests(node: ast.AST) -> bool:
    """Return whether a piece of source may write to, or delete, an attribute that is a test."""
    if isinstance(node, ast.Attribute):
        named = node.attr.startswith("test") or node.attr == "__test__"
        return named and not isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Name) and node.id in ("setattr", "delattr")


def _nested(definition: ast.FunctionDef) -> dict[str, FunctionNode]:
    return {one.name: one for one in statements(definition.body) if isinstance(one, FunctionNode)}


def _is_generator(definition: ast.FunctionDef) -> bool:
    pending: list[ast.AST] = list(definition.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, FunctionNode | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _is_builtin(name: str) -> bool:
    return bool(name) and callable(getattr(builtins, name, None))


def is_fixture_decorator(modules: Modules, path: str, node: ast.expr) -> bool:
    """Return whether a decorator makes a fixture of what it decorates."""
    named = decorator_call(node)[0]
    return bool(dotted(named)) and modules.constants(path).resolved(named) in FIXTURES
