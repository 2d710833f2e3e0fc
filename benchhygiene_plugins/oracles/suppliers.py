"""What supplies tests with data in one file: fixtures, set-up methods, factories, helpers."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.inventory.bindings import Class, Function, Scope, Value
from benchhygiene.inventory.classes import ClassAt
from benchhygiene.inventory.fixtures import Fixtures
from benchhygiene.inventory.modules import Module
from benchhygiene.inventory.python import FunctionNode, PythonFile, statements
from benchhygiene.inventory.spelling import decorator_call, dotted

SETUPS_WORDS = """
setUp setUpClass setUpModule asyncSetUp setUpTestData setup_method setup_class setup_module
setup_function setup setup_package setUpPackage
"""
SETUPS = frozenset(SETUPS_WORDS.split())
_TEARDOWNS = re.compile(r"(?:async)?_?tear_?down", re.IGNORECASE)
_FACTORY = re.compile(r"(?:Factory|Builder|Fake|Stub|Dummy|Mother|Recipe)", re.IGNORECASE)
_MAKING = re.compile(
    r"_*(?:a?make|mk|build|create|new|gen|generate|sample|fake|dummy|load|read|seed|populate|fill"
    r"|fixture|factory|rows?|users?|orders?|items?|records?|data|example|given|some|any|an?)(?:_|$)"
    r"|_*\w+_(?:factory|rows|data|records|samples|examples|fixtures?)$"
)
_CLOCKS_WORDS = """
perf_counter perf_counter_ns monotonic process_time time timeit Timer benchmark
"""
_CLOCKS = frozenset(_CLOCKS_WORDS.split())
_FOREIGN = ("hypothesis", "given", "contextlib", "functools.wraps")
_ASSERTING = ("assert", "check", "verify", "expect", "approx", "isclose", "allclose", "raises")
_PREDICATES = frozenset(("all", "any", "isinstance", "math.isclose", "isclose", "bool"))


class Role(enum.Enum):
    """What a supplier is."""

    FIXTURE = "fixture"
    SETUP = "set-up"
    FACTORY = "factory"
    HELPER = "helper"
    CONSTANT = "constant"


@attrs.frozen(eq=False)
class Supplier:
    """One function or value that supplies tests with something.

    ``name`` is the fixture's, or the last part of ``qualname``. ``attributes`` are what its class
    gives every instance. ``value`` is a constant's expression.
    """

    qualname: str
    role: Role
    path: str
    line: int
    name: str = ""
    definition: FunctionNode | None = None
    value: ast.expr | None = None
    is_autouse: bool = False
    attributes: Mapping[str, ast.expr] = attrs.field(factory=dict[str, ast.expr])


def suppliers(module: Module, fixtures: Fixtures, *, with_constants: bool) -> dict[str, Supplier]:
    """Return a file's suppliers by their qualified names."""
    found = [*_of_scope(module, module.scope, "", fixtures)]
    if with_constants:
        found += _constants(module)
    return {one.qualname: one for one in found}


def _of_scope(
    module: Module, scope: Scope, prefix: str, fixtures: Fixtures, owner: Class | None = None
) -> Iterator[Supplier]:
    classes = [] if owner is None else [ClassAt(module.path, owner)]
    layers = fixtures.layers(module.path, classes)
    known = {one.definition: one for layer in layers for one in layer.values()}
    attributes = {} if owner is None else _attributes(owner)
    for name, binding in scope.names.items():
        if isinstance(binding, Function):
            definition = binding.definition
            is_wrapped = bool(definition.decorator_list or binding.wrappers)
            fixture = known.get(definition) if is_wrapped else None
            qualname = f"{prefix}{name}"
            if fixture is not None and fixture.path == module.path:
                yield Supplier(
                    qualname, Role.FIXTURE, module.path, definition.lineno, fixture.name,
                    definition, is_autouse=fixture.is_autouse, attributes=attributes,
                )  # fmt: skip
                continue
            role = _role(name, definition, module.file, owner)
            if role is not None:
                yield Supplier(
                    qualname, role, module.path, definition.lineno, name, definition,
                    attributes=attributes,
                )  # fmt: skip
        elif isinstance(binding, Class):
            inner = f"{prefix}{name}."
            yield from _of_scope(module, binding.scope, inner, fixtures, binding)
            yield from _members(module, binding, inner)


def _attributes(owner: Class) -> dict[str, ast.expr]:
    return {
        name: one.expression
        for name, one in owner.scope.names.items()
        if isinstance(one, Value) and one.expression is not None and one.previous is None
    }


def _members(module: Module, owner: Class, prefix: str) -> Iterator[Supplier]:
    """Yield what a class that makes data sets for all it makes, and Django's list of fixtures."""
    is_factory = _is_factory(owner)
    if not is_factory and "fixtures" not in owner.scope.names:
        return
    for name, value in _attributes(owner).items():
        if (is_factory and not name.startswith("__")) or name == "fixtures":
            yield Supplier(
                f"{prefix}{name}", Role.FACTORY, module.path, value.lineno, name, value=value
            )


def _is_factory(owner: Class) -> bool:
    if _has_tests(owner):
        return False
    bases = (dotted(one) for one in owner.definition.bases)
    return bool(_FACTORY.search(owner.definition.name)) or any(map(_FACTORY.search, bases))


def _has_tests(owner: Class) -> bool:
    return any(name.startswith("test") for name in owner.scope.names)


def _role(
    name: str, definition: FunctionNode, file: PythonFile, owner: Class | None
) -> Role | None:
    """Return what a function that is no fixture supplies, None where others judge it."""
    if name in SETUPS:
        return Role.SETUP
    if name.startswith(("test", "pytest_")) or _TEARDOWNS.match(name):
        return None
    names = [file.resolved(decorator_call(one)[0]) for one in definition.decorator_list]
    if any(one.startswith(_FOREIGN) for one in names):
        return None
    if owner is not None:
        is_made = _is_factory(owner)
        if is_made and name.startswith("__") and name not in ("__init__", "__call__", "__iter__"):
            return None
        if is_made:
            return Role.FACTORY
    if _is_judge(definition, file):
        return None
    return Role.FACTORY if _MAKING.match(name) else Role.HELPER


def _is_judge(definition: FunctionNode, file: PythonFile) -> bool:
    """Return whether a helper judges, measures or wraps what it is given, and supplies nothing."""
    own = {one.arg for one in (*definition.args.posonlyargs, *definition.args.args)}
    own |= {one.arg for one in definition.args.kwonlyargs} - {"self", "cls"}
    returned = [one.value for one in statements(definition.body) if isinstance(one, ast.Return)]
    if returned and all(one is None or _is_verdict(one) for one in returned):
        return True
    for node in (one for each in definition.body for one in ast.walk(each)):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            last = name.rpartition(".")[2]
            if name in own or last in _CLOCKS or last.startswith(_ASSERTING):
                return True
    return any(word in definition.name.lower() for word in ("assert", "check", "verify"))


def _is_verdict(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare | ast.BoolOp):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool) or node.value is None
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Call) and dotted(node.func) in _PREDICATES


_NO_DATA_WORDS = """
pytestmark pytest_plugins collect_ignore collect_ignore_glob
"""
_NO_DATA = frozenset(_NO_DATA_WORDS.split())
_NO_DATA_CALLS = (
    "logging", "typing", "re.", "hypothesis", "pytest.mark", "pytest.param",
    "collections.namedtuple", "functools", "importlib", "TypeVar", "NewType", "os.environ", "sys",
)  # fmt: skip


def may_be_schema(node: ast.Dict) -> bool:
    """Return whether a dict is spelled like a JSON Schema."""
    words = {one.value for one in node.keys if isinstance(one, ast.Constant)}
    return "$schema" in words or ("type" in words and bool(words & {"properties", "required"}))


def _constants(module: Module) -> Iterator[Supplier]:
    """Yield the values at the top of a module of the tests' own that hold data.

    Single numbers are left out: they are limits and sizes, which others judge.
    """
    for name, binding in module.scope.names.items():
        if not isinstance(binding, Value) or binding.expression is None or name in _NO_DATA:
            continue
        if name.startswith("__") or binding.previous is not None or binding.variables:
            continue
        node = binding.expression
        if isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
            continue
        if isinstance(node, ast.UnaryOp | ast.Lambda | ast.Name | ast.Attribute):
            continue
        if isinstance(node, ast.Dict) and may_be_schema(node):
            continue  # a contract, which may be tightened
        called = module.file.resolved(node.func) if isinstance(node, ast.Call) else ""
        if called.startswith(_NO_DATA_CALLS):
            continue
        yield Supplier(name, Role.CONSTANT, module.path, binding.line, name, value=node)
