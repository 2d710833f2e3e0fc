"""Dotted names and values of expressions, as the names around them have it."""

from __future__ import annotations

import ast
import builtins
import math
import string
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.bindings import Binding, Changed, Class, Function, Imported, Value
from benchhygiene.inventory.comparisons import MODULE_NAME, VersionInfo
from benchhygiene.inventory.operations import COMPUTE
from benchhygiene.inventory.spelling import dotted
from benchhygiene.inventory.values import Budget, Evaluator, Opaque, Unknown

Find: TypeAlias = Callable[[str], Binding | None]
External: TypeAlias = Callable[[str], object]

_DEEPEST = 20
_ENUMERATIONS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
#: What every interpreter that runs a test agrees on.
_KNOWN: Mapping[str, object] = {
    "TYPE_CHECKING": False,
    "typing.TYPE_CHECKING": False,
    "typing_extensions.TYPE_CHECKING": False,
    "__debug__": True,
    "__name__": MODULE_NAME,
    "six.PY2": False,
    "six.PY3": True,
    "sys.version_info": VersionInfo(),
    "sys.version_info.major": 3,
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "math.nan": math.nan,
    **{
        f"string.{name}": cast("str", getattr(string, name))
        for name in ("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits")
    },
}
_NAMED = frozenset(name for name in dir(builtins) if callable(getattr(builtins, name)))


def unknown_outside(name: str) -> object:
    """Know nothing of other modules."""
    raise Unknown(name)


def resolved(node: ast.expr, find: Find, depth: int = 0) -> str:
    """Return an expression's dotted name, seen through imports and assignments.

    What the file itself defines begins with ``<local>``; empty for what has no dotted name.
    """
    name = dotted(node)
    if not name or depth > _DEEPEST:
        return ""
    first, dot, rest = name.partition(".")
    binding = find(first)
    if binding is None:
        return name
    if isinstance(binding, Imported):
        return f"{binding.name}{dot}{rest}"
    if isinstance(binding, Value) and isinstance(binding.expression, ast.Name | ast.Attribute):
        before = binding.previous

        def previous(one: str) -> Binding | None:
            return before if one == first else find(one)

        meant = resolved(binding.expression, previous, depth + 1)
        return f"{meant}{dot}{rest}" if meant else ""
    return f"<local>.{name}"


@attrs.define(eq=False)
class Constants:
    """Values of names and expressions: ``find`` knows the names, ``external`` other modules'."""

    find: Find
    external: External = unknown_outside
    budget: Budget = attrs.field(factory=Budget)
    _known: dict[int, tuple[Binding, object]] = attrs.field(
        factory=dict[int, "tuple[Binding, object]"], init=False
    )
    _computing: set[int] = attrs.field(factory=set[int], init=False)
    _unknown: set[str] = attrs.field(factory=set[str], init=False)

    def evaluator(self, variables: Mapping[str, object] | None = None) -> Evaluator:
        """Return what computes expressions that use these names."""
        return Evaluator(COMPUTE, self.named, self.resolved, self.budget, variables or {})

    def resolved(self, node: ast.expr) -> str:
        """Return an expression's dotted name."""
        return resolved(node, self.find)

    def named(self, name: str) -> object:
        """Return the value of a plain or dotted name. Raises Unknown."""
        first, dot, _ = name.partition(".")
        binding = None if dot else self.find(first)
        if binding is not None:
            return self.bound(binding)
        if name in _KNOWN:
            return _KNOWN[name]
        if name in _NAMED:
            return Opaque(name, name)
        if name in self._unknown:
            raise Unknown(name)
        try:
            return self.external(name)
        except Unknown:
            self._unknown.add(name)
            raise

    def bound(self, binding: Binding) -> object:
        """Return the value a name stands for. Raises Unknown."""
        if isinstance(binding, Function | Class):
            plain = not binding.definition.decorator_list and not binding.wrappers
            name = binding.definition.name
            members = self._members(binding) if isinstance(binding, Class) else None
            return Opaque(name, name if plain else None, members)
        if isinstance(binding, Imported):
            return _KNOWN[binding.name] if binding.name in _KNOWN else self.external(binding.name)
        if id(binding) in self._known:
            return self._known[id(binding)][1]
        if id(binding) in self._computing or not isinstance(binding, Value | Changed):
            raise Unknown("made of itself")
        self._computing.add(id(binding))
        try:
            found = self._computed(binding)
        finally:
            self._computing.discard(id(binding))
        # The binding is kept beside its value so that its id is not used again.
        self._known[id(binding)] = (binding, found)
        return found

    def _members(self, found: Class) -> tuple[Opaque, ...] | None:
        """Return the members of an enumeration, None for any other class."""
        bases = [self.resolved(base).rpartition(".")[2] for base in found.definition.bases]
        if not {*bases} & _ENUMERATIONS:
            return None
        name = found.definition.name
        values = {
            member: ast.dump(binding.expression)
            for member, binding in found.scope.names.items()
            if isinstance(binding, Value) and binding.expression and not member.startswith("_")
        }
        firsts = {value: member for member, value in reversed(values.items())}  # others are aliases
        loaded = ast.Load()
        return tuple(
            Opaque(ast.dump(ast.Attribute(ast.Name(name, loaded), member, loaded)))
            for member, value in values.items()
            if firsts[value] == member or value == "Call(func=Name(id='auto', ctx=Load()))"
        )

    def _computed(self, binding: Value | Changed) -> object:
        changes: list[Changed] = []
        base: Binding = binding
        while isinstance(base, Changed):
            changes.append(base)
            base = base.previous
        found = self._assigned(base) if isinstance(base, Value) else self.bound(base)
        for change in reversed(changes):
            found = self._after(change, found)
        return found

    def _assigned(self, value: Value) -> object:
        if value.expression is None:
            raise Unknown("not known what it is")
        evaluator = self.evaluator(value.variables)
        if value.previous is not None and isinstance(value.previous, Value | Changed):
            evaluator = self._knowing_previous(evaluator, value.expression, value.previous)
        return evaluator.value(value.expression)

    def _knowing_previous(
        self, evaluator: Evaluator, expression: ast.expr, previous: Binding
    ) -> Evaluator:
        before = self.bound(previous)
        own = {
            node.id: before
            for node in ast.walk(expression)
            if isinstance(node, ast.Name) and self._is_computing(node.id)
        }
        return evaluator.binding(own)

    def _is_computing(self, name: str) -> bool:
        found = self.find(name)
        while isinstance(found, Value | Changed):
            if id(found) in self._computing:
                return True
            found = found.previous
        return False

    def _after(self, change: Changed, found: object) -> object:
        """Return the container as the statement leaves it."""
        self.budget.spend(1)
        statement, evaluator = change.statement, self.evaluator(change.variables)
        if isinstance(statement, ast.AugAssign):
            return _added(found, evaluator.raw(statement.value), statement.op)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            index = evaluator.value(statement.targets[0].slice)
            return _stored(found, index, evaluator.value_or_opaque(statement.value))
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return _called(found, statement.value, evaluator)
        raise Unknown("not known how it is changed")


def _added(found: object, more: object, op: ast.operator) -> object:
    if isinstance(found, list) and isinstance(op, ast.Add) and isinstance(more, Iterable):
        cast("list[object]", found).extend(cast("Iterable[object]", more))
        return cast("object", found)
    if isinstance(found, tuple) and isinstance(op, ast.Add) and isinstance(more, tuple):
        return (*cast("tuple[object, ...]", found), *cast("tuple[object, ...]", more))
    if isinstance(found, dict) and isinstance(op, ast.BitOr) and isinstance(more, dict):
        return {**cast("dict[object, object]", found), **cast("dict[object, object]", more)}
    if isinstance(found, int) and isinstance(more, int) and isinstance(op, ast.Add | ast.Sub):
        return found + more if isinstance(op, ast.Add) else found - more
    if isinstance(found, str) and isinstance(more, str) and isinstance(op, ast.Add):
        return found + more
    raise Unknown("not known what is added to it")


def _stored(found: object, index: object, value: object) -> object:
    if isinstance(found, dict):
        cast("dict[object, object]", found)[index] = value
    elif isinstance(found, list) and isinstance(index, int):
        cast("list[object]", found)[index] = value
    else:
        raise Unknown("not known where it is stored")
    return cast("object", found)


def _called(found: object, call: ast.Call, evaluator: Evaluator) -> object:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    arguments = [evaluator.value_or_opaque(one) for one in call.args]
    if call.keywords:
        raise Unknown("not known how it is changed")
    if isinstance(found, list):
        return _changed_list(cast("list[object]", found), name, arguments, evaluator)
    if isinstance(found, frozenset) and name in ("add", "update"):
        more = arguments if name == "add" else evaluator.elements(arguments[0])
        return cast("frozenset[object]", found) | frozenset(more)
    if isinstance(found, dict):
        return _changed_dict(cast("dict[object, object]", found), name, arguments)
    raise Unknown("not known how it is changed")


def _changed_list(
    found: list[object], name: str, arguments: list[object], evaluator: Evaluator
) -> object:
    if name == "append":
        found.append(arguments[0])
    elif name == "extend":
        found.extend(evaluator.elements(arguments[0]))
    elif name == "insert" and isinstance(arguments[0], int):
        found.insert(arguments[0], arguments[1])
    elif name in ("pop", "remove", "clear", "reverse") and not _any_unknown(arguments):
        getattr(found, name)(*arguments)
    else:
        raise Unknown("not known how it is changed")
    return found


def _changed_dict(found: dict[object, object], name: str, arguments: list[object]) -> object:
    if name == "update" and isinstance(arguments[0], dict):
        found.update(cast("dict[object, object]", arguments[0]))
    elif name in ("pop", "clear") and not _any_unknown(arguments):
        getattr(found, name)(*arguments)
    else:
        raise Unknown("not known how it is changed")
    return found


def _any_unknown(arguments: list[object]) -> bool:
    return any(isinstance(one, Opaque) for one in arguments)
