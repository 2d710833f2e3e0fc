"""What the marks on a test, on its classes and on its module parametrize."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from benchhygiene.inventory.bindings import Function, Scope, Value
from benchhygiene.inventory.classes import ClassAt, Lineage
from benchhygiene.inventory.fixtures import Fixtures, requested
from benchhygiene.inventory.modules import Found, Module, Modules
from benchhygiene.inventory.parameters import Axis, Parameters, axis_of
from benchhygiene.inventory.spelling import decorator_call
from benchhygiene.inventory.traces import digest, narrowings, trace

_Mark: TypeAlias = tuple[str, ast.expr]


@attrs.frozen(eq=False)
class Marks:
    """Reads marks and the fixtures they bring in."""

    modules: Modules
    fixtures: Fixtures

    def parameters(
        self,
        module: Module,
        path: str,
        function: Function,
        chain: Sequence[ClassAt],
        line: Lineage | None,
    ) -> Parameters:
        """Return the parameters of a test; ``path`` holds it, ``chain`` are its classes."""
        marks = [(path, one) for one in reversed(function.definition.decorator_list)]
        marks.extend((path, one) for one in function.wrappers)
        if line is not None and line.is_unittest:
            expanded = (axis for axis in self._axes(marks) if axis.kind == "expand")
            return Parameters(tuple(expanded))
        for at in (*(line.classes if line is not None else ()), *reversed(chain[:-1])):
            marks.extend(self._assigned(at.path, at.binding.scope))
            marks.extend((at.path, one) for one in reversed(at.definition.decorator_list))
        marks.extend(self._assigned(module.path, module.scope))
        marks = [(where, self._meant(where, node)) for where, node in marks]
        axes = list(self._axes(marks))
        filled = frozenset(name for axis in axes for name in axis.names)
        asked = (*self._used(marks), *self._requested(path, function, is_method=bool(chain)))
        classes = line.classes if line is not None else ()
        found = self.fixtures.axes(module.path, classes, asked, filled)
        return Parameters(tuple(self._traced(axis) for axis in (*found, *axes)))

    def _traced(self, axis: Axis) -> Axis:
        if axis.rows is not None or axis.expression is None:
            return axis
        made_of = trace(self.modules, axis.expression, axis.path)
        count = narrowings(self.modules, made_of, axis.path)
        return attrs.evolve(axis, trace=digest(made_of), narrowings=count)

    def _requested(self, path: str, function: Function, *, is_method: bool) -> list[str]:
        constants = self.modules.constants(path)
        decorators = [decorator_call(one)[0] for one in function.definition.decorator_list]
        named = [constants.resolved(one) for one in decorators]
        bound = is_method and "staticmethod" not in named
        return requested(function.definition, named, is_method=bound)

    def _used(self, marks: Iterable[_Mark]) -> Iterator[str]:
        """Yield the fixtures that ``usefixtures`` marks ask for."""
        for path, node in marks:
            named, call = decorator_call(node)
            constants = self.modules.constants(path)
            if call is not None and constants.resolved(named) == "pytest.mark.usefixtures":
                values = (constants.evaluator().value_or_opaque(one) for one in call.args)
                yield from (one for one in values if isinstance(one, str))

    def _axes(self, marks: Iterable[_Mark]) -> Iterator[Axis]:
        for path, node in marks:
            named, call = decorator_call(node)
            if call is not None:
                constants = self.modules.constants(path)
                axis = axis_of(call, constants.resolved(named), constants.evaluator(), path)
                if axis is not None:
                    yield axis

    def _meant(self, path: str, node: ast.expr) -> ast.expr:
        """Return the expression of a mark that was given a name first."""
        if isinstance(node, ast.Name | ast.Attribute):
            found = self.modules.meaning(node, path)
            if isinstance(found, Found) and isinstance(found.binding, Value):
                return found.binding.expression or node
        return node

    def _assigned(self, path: str, scope: Scope) -> Iterator[_Mark]:
        """Yield the marks of ``pytestmark``."""
        binding = scope.names.get("pytestmark")
        if isinstance(binding, Value) and binding.expression is not None:
            marks = binding.expression
            for one in marks.elts if isinstance(marks, ast.List | ast.Tuple) else [marks]:
                yield path, one
