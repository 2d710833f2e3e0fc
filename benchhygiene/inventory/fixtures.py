"""Fixtures that parametrize the tests using them, found as pytest finds them."""

from __future__ import annotations

import ast
import functools
import posixpath
from collections.abc import Callable, Iterator, Sequence

import attrs

from benchhygiene.inventory.bindings import Function, Imported, Scope
from benchhygiene.inventory.classes import ClassAt
from benchhygiene.inventory.modules import Found, Modules
from benchhygiene.inventory.parameters import Axis, axis_of, fixture_axis
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import decorator_call
from benchhygiene.inventory.wrappers import FIXTURES

_PATCHES = ("unittest.mock.patch", "mock.patch")
_SCOPES = ("session", "package", "module", "class", "function")


def _no_axis() -> Axis | None:
    return None


@attrs.frozen(eq=False, slots=False)
class Fixture:
    """One fixture: what it asks for, whether every test gets it, and what it parametrizes.

    What it parametrizes is worked out when a test asks for it: of most fixtures none does.
    """

    name: str
    path: str
    definition: FunctionNode
    requests: tuple[str, ...]
    is_autouse: bool = False
    scope: int = len(_SCOPES) - 1
    parametrizes: Callable[[], Axis | None] = _no_axis

    @functools.cached_property
    def axis(self) -> Axis | None:
        """Return what it parametrizes, None where it is no more than a value."""
        return self.parametrizes()


@attrs.define(eq=False)
class Fixtures:
    """The fixtures of a tree's files, by the scopes that define them."""

    modules: Modules
    _by_scope: dict[int, tuple[Scope, dict[str, Fixture]]] = attrs.field(
        factory=dict[int, "tuple[Scope, dict[str, Fixture]]"], init=False
    )

    def axes(
        self,
        path: str,
        classes: Sequence[ClassAt],
        asked: Sequence[str],
        filled: frozenset[str],
    ) -> Iterator[Axis]:
        """Yield what the fixtures of a test parametrize; ``filled`` are the arguments marks fill.

        ``classes`` are those whose fixtures the test sees, ``asked`` the names it asks for.
        """
        layers = self.layers(path, classes)
        autouse = [one.name for layer in layers for one in layer.values() if one.is_autouse]
        closure = _closure((*autouse, *asked), layers, filled)
        for fixture in sorted(closure, key=lambda one: one.scope):
            if fixture.axis is not None:
                yield fixture.axis

    def layers(self, path: str, classes: Sequence[ClassAt]) -> list[dict[str, Fixture]]:
        """Return the fixtures a test sees, the farthest first."""
        found: list[dict[str, Fixture]] = []
        for directory in _above(path):
            conftest = posixpath.join(directory, "conftest.py")
            if self.modules.tree.is_file(conftest):
                found.append(self.of_module(conftest))
        if posixpath.basename(path) != "conftest.py":
            found.append(self.of_module(path))
        found.extend(self._of_scope(one.path, one.binding.scope) for one in reversed(classes))
        return [layer for layer in found if layer]

    def of_module(self, path: str) -> dict[str, Fixture]:
        """Return the fixtures a module defines or imports."""
        module = self.modules.at(path)
        return {} if module is None else self._of_scope(path, module.scope)

    def _of_scope(self, path: str, scope: Scope) -> dict[str, Fixture]:
        if id(scope) not in self._by_scope:
            made = {one.name: one for one in self._read(path, scope)}
            # The scope is kept beside its fixtures so that its id is not used again.
            self._by_scope[id(scope)] = (scope, made)
        return self._by_scope[id(scope)][1]

    def _read(self, path: str, scope: Scope) -> Iterator[Fixture]:
        for name, binding in scope.names.items():
            if isinstance(binding, Imported) and not (
                "fixture" in binding.name or self.modules.is_test_support(binding.name, path)
            ):
                continue
            if isinstance(binding, Function) and _is_plain(name, binding):
                continue
            found = self.modules.followed(Found(path, binding))
            if isinstance(found, Found) and isinstance(found.binding, Function):
                if name == "pytest_generate_tests":
                    yield from self._generated(found.path, found.binding)
                fixture = self._fixture(name, found.path, found.binding)
                if fixture is not None:
                    yield fixture

    def _generated(self, path: str, hook: Function) -> Iterator[Fixture]:
        """Yield what a hook's ``metafunc.parametrize`` calls do to the tests that ask for it."""
        for node in ast.walk(hook.definition):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            evaluator = self.modules.constants(path).evaluator()
            if node.func.attr == "parametrize":
                axis = axis_of(node, "pytest.mark.parametrize", evaluator, path)
                if axis is not None:
                    own = attrs.evolve(axis, kind="fixture")
                    made = functools.partial(_given, own)
                    yield Fixture(axis.names[0], path, hook.definition, (), parametrizes=made)

    def _fixture(self, name: str, path: str, function: Function) -> Fixture | None:
        for node in (*function.definition.decorator_list, *function.wrappers):
            named, call = decorator_call(node)
            constants = self.modules.constants(path)
            if constants.resolved(named) not in FIXTURES:
                continue
            requests = tuple(_arguments(function.definition))
            if call is None:
                return Fixture(name, path, function.definition, requests)
            words = {word.arg: word.value for word in call.keywords}
            evaluator = constants.evaluator()
            renamed = _text(words.get("name"))
            return Fixture(
                renamed or name,
                path,
                function.definition,
                requests,
                is_autouse="autouse" in words and evaluator.truth(words["autouse"]) is not False,
                scope=_scope(_text(words.get("scope"))),
                parametrizes=functools.partial(
                    fixture_axis, renamed or name, call, evaluator, path
                ),
            )
        return None


def _is_plain(name: str, function: Function) -> bool:
    """Return whether nothing decorates a function, and no hook goes by its name."""
    decorated = function.definition.decorator_list or function.wrappers
    return not decorated and name != "pytest_generate_tests"


def _given(axis: Axis) -> Axis:
    return axis


def _axis(fixture: Fixture) -> Axis | None:
    return fixture.axis


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _scope(name: str) -> int:
    return _SCOPES.index(name) if name in _SCOPES else len(_SCOPES) - 1


def _above(path: str) -> list[str]:
    directory, found = posixpath.dirname(path), [""]
    parts = directory.split("/") if directory else []
    found.extend("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return found


def _arguments(definition: FunctionNode) -> Iterator[str]:
    arguments = definition.args
    plain = [*arguments.posonlyargs, *arguments.args]
    for argument in plain[: len(plain) - len(arguments.defaults)]:
        yield argument.arg
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is None:
            yield argument.arg


def requested(definition: FunctionNode, named: Sequence[str], *, is_method: bool) -> list[str]:
    """Return the arguments of a test that fixtures or parameters must fill.

    ``named`` are the dotted names of its decorators: some of them fill arguments themselves.
    """
    asked = list(_arguments(definition))[1 if is_method else 0 :]
    for node, name in zip(definition.decorator_list, named, strict=True):
        call = decorator_call(node)[1]
        if call is None:
            continue
        if name == "hypothesis.given":
            given = {word.arg for word in call.keywords}
            asked = [one for one in asked[: len(asked) - len(call.args)] if one not in given]
        elif name.startswith(_PATCHES) and not _is_given_replacement(name, call):
            asked = asked[1:]
    return asked


def _is_given_replacement(name: str, call: ast.Call) -> bool:
    """Return whether a patch says what to put in place: it then passes no mock on."""
    expected = 3 if name.endswith(".object") else 2
    words = {word.arg for word in call.keywords}
    return len(call.args) >= expected or "new" in words or name.endswith((".dict", ".multiple"))


def _closure(
    asked: Sequence[str], layers: Sequence[dict[str, Fixture]], filled: frozenset[str]
) -> list[Fixture]:
    """Return the fixtures a test ends up with, in pytest's order."""
    found: dict[str, Fixture] = {}
    pending = list(reversed(asked))
    while pending:
        name = pending.pop()
        if name in found or name in filled:
            continue
        defined = [layer[name] for layer in layers if name in layer]
        if not defined:
            continue
        fixture = defined[-1]
        parametrized = fixture
        while len(defined) > 1 and name in parametrized.requests and parametrized.axis is None:
            defined.pop()  # an override that asks for what it overrides
            parametrized = defined[-1]
        if parametrized is not fixture:
            fixture = attrs.evolve(fixture, parametrizes=functools.partial(_axis, parametrized))
        found[name] = fixture
        pending.extend(reversed([one for one in fixture.requests if one != name]))
    return list(found.values())
