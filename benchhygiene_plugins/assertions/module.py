"""One file of the tests, with what is defined at its top and where its parts stand."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene_plugins.assertions.checks import Place
from benchhygiene_plugins.assertions.definitions import (
    assigned_in,
    bound_names,
    fixtures_among,
    is_automatic,
    own_nodes,
    shallow,
)

_TEXT = 4000  # characters of a check's source that are kept


@attrs.frozen(slots=False, eq=False)
class Module:
    """One file of a tree with the definitions at its top."""

    path: str
    source: PythonFile
    _places: dict[tuple[ast.AST, bool], Place] = attrs.field(
        factory=dict["tuple[ast.AST, bool]", "Place"], init=False, repr=False
    )

    def methods(self, definition: ast.ClassDef) -> Mapping[str, FunctionNode]:
        """Return the methods of a class of this module, the first of a name."""
        known = self.source.derived(_methods)
        if definition not in known:
            members = (one for one in reversed(definition.body) if isinstance(one, FunctionNode))
            known[definition] = {one.name: one for one in members}
        return known[definition]

    def assigned_in(self, loop: ast.For | ast.AsyncFor | ast.While) -> frozenset[str]:
        """Return the names that a loop's body binds, nested functions left out."""
        known = self.source.derived(_assigned)
        if loop not in known:
            known[loop] = assigned_in(loop.body)
        return known[loop]

    def place(self, node: ast.stmt | ast.expr, *, head: bool = False) -> Place:
        """Return where a part of the source stands; ``head`` keeps its first line."""
        key = (node, head)
        if key not in self._places:
            text = self.source.segment(node)[:_TEXT]
            text = text.partition("\n")[0] if head else text
            self._places[key] = Place(self.path, node.lineno, self.source.column(node), text)
        return self._places[key]

    def fixtures_of(self, definition: ast.ClassDef) -> tuple[tuple[str, FunctionNode], ...]:
        """Return the fixtures of a class, by the names they are asked for under."""
        known = self.source.derived(_inner_fixtures)
        if definition not in known:
            known[definition] = tuple(fixtures_among(self.source, definition.body))
        return known[definition]

    def is_generator(self, definition: FunctionNode) -> bool:
        """Return whether the own body of a function of this module yields."""
        known = self.source.derived(_generators)
        if definition not in known:
            nodes = own_nodes(definition)
            known[definition] = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in nodes)
        return known[definition]

    @property
    def functions(self) -> Mapping[str, FunctionNode]:
        """Return each function at the top, the last of a name."""
        return self.source.derived(_functions)

    @property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """Return each class at the top, the last of a name."""
        return self.source.derived(_classes)

    @property
    def bindings(self) -> Mapping[str, tuple[ast.stmt, ...]]:
        """Return every statement at the top that binds a name, in the order of the file."""
        return self.source.derived(_bindings)

    @property
    def fixtures(self) -> Mapping[str, FunctionNode]:
        """Return the fixtures at the top, by the names they are asked for under."""
        return self.source.derived(_fixtures)

    @property
    def automatic(self) -> tuple[str, ...]:
        """Return the names of the fixtures at the top that are used without being asked for."""
        return self.source.derived(_automatic)


def _methods(source: PythonFile) -> dict[ast.ClassDef, Mapping[str, FunctionNode]]:
    """Return nothing yet: the methods of the file's classes are noted as they are asked for."""
    del source
    return {}


def _assigned(source: PythonFile) -> dict[ast.AST, frozenset[str]]:
    """Return nothing yet: what the file's loops bind is noted as it is asked for."""
    del source
    return {}


def _generators(source: PythonFile) -> dict[FunctionNode, bool]:
    """Return nothing yet: which of the file's functions yield is noted as they are asked for."""
    del source
    return {}


def _functions(source: PythonFile) -> Mapping[str, FunctionNode]:
    return {n.name: n for n in source.derived(_top) if isinstance(n, FunctionNode)}


def _classes(source: PythonFile) -> Mapping[str, ast.ClassDef]:
    return {n.name: n for n in source.derived(_top) if isinstance(n, ast.ClassDef)}


def _bindings(source: PythonFile) -> Mapping[str, tuple[ast.stmt, ...]]:
    found: dict[str, list[ast.stmt]] = {}
    for statement in source.derived(_top):
        for name in bound_names(statement):
            found.setdefault(name, []).append(statement)
    return {name: tuple(where) for name, where in found.items()}


def _inner_fixtures(
    source: PythonFile,
) -> dict[ast.ClassDef, tuple[tuple[str, FunctionNode], ...]]:
    """Return nothing yet: the fixtures of the file's classes are noted as they are asked for."""
    del source
    return {}


def _all_fixtures(source: PythonFile) -> tuple[tuple[str, FunctionNode], ...]:
    return tuple(fixtures_among(source, source.derived(_functions).values()))


def _fixtures(source: PythonFile) -> Mapping[str, FunctionNode]:
    return dict(reversed(source.derived(_all_fixtures)))


def _automatic(source: PythonFile) -> tuple[str, ...]:
    every = source.derived(_all_fixtures)
    return tuple(name for name, one in every if is_automatic(source, one))


def _top(source: PythonFile) -> tuple[ast.stmt, ...]:
    return tuple(shallow(source.body))
