"""Say why the tests of a module cannot be listed with certainty from its source."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.ini_chain.suite.naming import Names
from benchhygiene_plugins.ini_chain.suite.source import resolved

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_UNITTEST = ("unittest.TestCase", "unittest.IsolatedAsyncioTestCase", "unittest.case.TestCase")
_INERT_BASES = ("abc.ABC", "typing.Protocol", "typing.Generic")
#: Decorators that leave a test a test, by how their names begin.
_KNOWN_DECORATORS = (
    "pytest.mark.",
    "pytest.fixture",
    "pytest.hookimpl",
    "unittest.mock.patch",
    "mock.patch",
    "unittest.skip",
    "unittest.expectedFailure",
    "hypothesis.",
    "functools.wraps",
    "functools.lru_cache",
    "functools.cache",
    "staticmethod",
    "classmethod",
    "contextlib.",
    "freezegun.",
    "responses.activate",
)
_DYNAMIC = ("exec", "eval", "setattr", "globals", "vars", "locals", "pytest.skip", "type")


@attrs.frozen(eq=False, repr=False)
class NodeDoubts:
    """Look through one module for what decides at run time which tests there are."""

    tree: ast.Module
    aliases: Mapping[str, str]
    names: Names

    def first(self) -> str | None:
        """Return the first reason, None where the list is exact."""
        return next(self._all(), None)

    def _all(self) -> Iterator[str]:
        local = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        yield from self._body(self.tree.body)
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                yield from self._class(node, local, 0)
            elif isinstance(node, _Function):
                yield from self._function(node)

    def _body(self, body: Sequence[ast.stmt]) -> Iterator[str]:
        for node in body:
            line = node.lineno
            if isinstance(node, _Function | ast.ClassDef):
                continue
            inner = tuple(ast.walk(node))
            if any(map(self._binds_test, inner)):
                yield f"line {line} may or may not define tests"
            elif any(isinstance(part, ast.Call) and self._is_dynamic(part) for part in inner):
                yield f"line {line} may define or skip tests when it runs"

    def _binds_test(self, node: ast.AST) -> bool:
        if isinstance(node, _Function | ast.ClassDef):
            return True
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
            return "*" in names or any(map(self._is_imported_test, names))
        if isinstance(node, ast.Assign):
            return any(self._is_test_target(target) for target in node.targets)
        if isinstance(node, ast.AnnAssign):
            return self._is_test_target(node.target)
        if isinstance(node, ast.Delete):
            return any(self._is_test_target(target) for target in node.targets)
        return isinstance(node, ast.NamedExpr) and self._is_test_target(node.target)

    def _is_imported_test(self, name: str) -> bool:
        """Return whether an imported name may be collected here too."""
        if self.aliases.get(name, name) in _UNITTEST:
            return False  # it has no test methods of its own
        return name.endswith("TestCase") or self._is_test_name(name)

    def _is_test_target(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Tuple | ast.List):
            return any(map(self._is_test_target, target.elts))
        name = dotted(target).rpartition(".")[2]
        return self._is_test_name(name) or name in ("__test__", "__all__")

    def _is_test_name(self, name: str) -> bool:
        return self.names.is_function(name) or self.names.is_class(name)

    def _is_dynamic(self, value: ast.Call) -> bool:
        name = resolved(value.func, self.aliases)
        return name in _DYNAMIC or name == "pytest.importorskip" or name.startswith("setattr")

    def _function(self, node: _Function) -> Iterator[str]:
        if node.name == "pytest_generate_tests":
            yield "pytest_generate_tests may add parameters"
        if any(map(self._is_parametrized_fixture, node.decorator_list)):
            yield f"the fixture {node.name} has parameters"
        if not self.names.is_function(node.name):
            return
        yield from self._decorators(node.decorator_list)
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node)):
            yield f"line {node.lineno} is a generator, which is no test"

    def _is_parametrized_fixture(self, decorator: ast.expr) -> bool:
        named, call = decorator_call(decorator)
        words = call.keywords if call is not None else []
        is_fixture = resolved(named, self.aliases) == "pytest.fixture"
        return is_fixture and any(word.arg == "params" for word in words)

    def _decorators(self, decorators: Sequence[ast.expr]) -> Iterator[str]:
        for decorator in decorators:
            name = resolved(decorator_call(decorator)[0], self.aliases)
            if not name.startswith(_KNOWN_DECORATORS):
                yield f"what {name or 'a decorator'} makes of line {decorator.lineno} is not known"

    def _class(
        self, node: ast.ClassDef, local: Mapping[str, ast.ClassDef], depth: int
    ) -> Iterator[str]:
        kind = class_kind(node, local, self.aliases, depth)
        if kind == "plain" and not self.names.is_class(node.name):
            return
        if kind == "unknown":
            yield f"the class {node.name} inherits tests that are not followed"
        yield from self._decorators(node.decorator_list)
        yield from self._body(node.body)
        methods = [inner.name for inner in node.body if isinstance(inner, _Function)]
        if kind == "unittest" and "runTest" in methods:
            yield f"the class {node.name} has a runTest"
        for inner in node.body:
            if isinstance(inner, _Function):
                yield from self._function(inner)
            elif isinstance(inner, ast.ClassDef) and depth < 20:
                yield from self._class(inner, local, depth + 1)


def class_kind(
    node: ast.ClassDef,
    local: Mapping[str, ast.ClassDef],
    aliases: Mapping[str, str],
    depth: int = 0,
) -> str:
    """Return ``unittest``, ``plain`` (no inherited tests) or ``unknown``."""
    if node.keywords:
        return "unknown"
    kinds = {_base_kind(base, local, aliases, depth) for base in node.bases}
    if kinds <= {"plain"}:
        return "plain"
    return "unittest" if kinds == {"unittest"} else "unknown"


def _base_kind(
    base: ast.expr,
    local: Mapping[str, ast.ClassDef],
    aliases: Mapping[str, str],
    depth: int,
) -> str:
    name = resolved(base.value if isinstance(base, ast.Subscript) else base, aliases)
    if name in _UNITTEST:
        return "unittest"
    if name in _INERT_BASES or isinstance(getattr(builtins, name, None), type):
        return "plain"
    found = local.get(name)
    if found is None or depth > 20:
        return "unknown"
    inner = class_kind(found, local, aliases, depth + 1)
    has_tests = any(
        isinstance(member, _Function) and not member.name.startswith("_") for member in found.body
    )
    # An empty local base hands on its kind; one with methods may hand on tests.
    return "unknown" if has_tests or _has_init(found) else inner


def _has_init(node: ast.ClassDef) -> bool:
    return any(
        isinstance(member, _Function) and member.name in ("__init__", "__new__")
        for member in node.body
    )
