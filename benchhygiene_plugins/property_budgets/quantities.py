"""Numbers, dates, collections and texts that a budget or a strategy is given, worked out."""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeAlias, cast

import attrs

from benchhygiene.inventory.constants import Constants
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.inlining import inlined
from benchhygiene.inventory.meanings import Delayed, Literal
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.operations import COMPUTE
from benchhygiene.inventory.spelling import dotted
from benchhygiene.inventory.values import Budget, Opaque, Unknown
from benchhygiene.inventory.values import Evaluator as Computer
from benchhygiene_plugins.property_budgets.following import Follower, TooMuch, plain_name
from benchhygiene_plugins.property_budgets.places import plain_text

#: Phases and health checks in the order of ``hypothesis/_settings.py`` (6.100 to 6.170).
PHASES = ("explicit", "reuse", "generate", "target", "shrink", "explain")
HEALTH_CHECKS = (
    "data_too_large",
    "filter_too_much",
    "too_slow",
    "large_base_example",
    "function_scoped_fixture",
    "differing_executors",
    "nested_given",
)
_OLD_CHECKS = ("return_value", "not_a_test_method")
_MEMBERS: Mapping[str, object] = {
    "hypothesis.Phase": PHASES,
    "hypothesis.HealthCheck": HEALTH_CHECKS,
    **{f"hypothesis.Phase.{one}": one for one in PHASES},
    **{f"hypothesis.HealthCheck.{one}": one for one in (*HEALTH_CHECKS, *_OLD_CHECKS)},
}
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")


class _Maker(Protocol):
    """A type of numbers or dates."""

    def __call__(self, *values: object, **words: object) -> object: ...


_MAKERS: Mapping[str, object] = {
    "datetime.timedelta": datetime.timedelta,
    "datetime.date": datetime.date,
    "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
}
_FAILURES = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
_LONGEST = 200  # characters of a number that is given as a text
_STEPS = 100_000


@attrs.frozen
class Unread:
    """A quantity that nobody can tell, by its text with the names seen through."""

    text: str


Quantity: TypeAlias = object


@attrs.frozen(eq=False)
class Quantities:
    """Works out the quantities of one tree."""

    evaluator: Evaluator
    follower: Follower
    modules: Modules

    def several(self, at: Delayed) -> tuple[Quantity, ...]:
        """Return what an expression may amount to: one quantity for each branch."""
        try:
            roots = self.follower.roots(at)
        except (TooMuch, RecursionError):
            return (Unread("too much to follow"),)
        whole = self._alternatives(at) if len(roots) <= 1 else ()
        if whole and not any(map(_is_partly_unread, whole)):
            return whole
        found: list[Quantity] = []
        for one in roots or (at,):
            found.extend(x for x in self._alternatives(one) if not _is_among(x, found))
        is_less = any(map(_is_partly_unread, found))
        is_told = whole and not any(isinstance(one, Unread) for one in whole)
        return whole if is_less and is_told else tuple(found)

    def _alternatives(self, at: Delayed) -> tuple[Quantity, ...]:
        try:
            return (self.value(at),)
        except Unknown:
            values = self.evaluator.evaluate(at.expression, at.scope)
            known = tuple(one.value for one in values if isinstance(one, Literal))
            is_whole = bool(values) and len(known) == len(values)
            return known if is_whole else (Unread(self.text(at)),)

    def value(self, at: Delayed) -> Quantity:
        """Return what an expression amounts to. Raises Unknown where nobody can tell."""
        if isinstance(at.expression, ast.Constant):
            return at.expression.value
        try:
            return self._in_module(at)
        except Unknown:
            return self._inlined(at)

    def _in_module(self, at: Delayed) -> Quantity:
        """Compute with the module's names as it leaves them, lists that grow included."""
        if any(frame.names for frame in at.scope.frames):
            raise Unknown("inside a function")
        constants = self.modules.constants(at.scope.path)
        return _computed(at.expression, _Names(constants))

    def _inlined(self, at: Delayed) -> Quantity:
        try:
            node = ast.fix_missing_locations(inlined(at.expression, at.scope, self.evaluator))
        except RecursionError as error:
            raise Unknown("too deeply nested") from error
        return _computed(node, _Names(self.modules.constants(at.scope.path)))

    def text(self, at: Delayed) -> str:
        """Return an expression's text with its names seen through."""
        try:
            return plain_text(ast.unparse(inlined(at.expression, at.scope, self.evaluator)))
        except (RecursionError, AttributeError):
            return "too deeply nested to read"


def _is_partly_unread(one: Quantity) -> bool:
    """Return whether something in a quantity is not known; its root may tell more."""
    if isinstance(one, tuple | frozenset):
        return any(isinstance(each, Opaque) for each in cast("Iterable[object]", one))
    return isinstance(one, Unread)


def _is_among(one: Quantity, several: Iterable[Quantity]) -> bool:
    return any(type(one) is type(other) and one == other for other in several)


@attrs.frozen(eq=False)
class _Names:
    constants: Constants

    def resolved(self, node: ast.expr) -> str:
        found = self.constants.resolved(node)
        return plain_name(found if found and "<local>" not in found else dotted(node))

    def named(self, name: str) -> object:
        plain = plain_name(name)
        if plain in _MEMBERS:
            return _MEMBERS[plain]
        found = self.constants.named(name)
        if isinstance(found, Opaque) and found.text in _MEMBERS:
            return _MEMBERS[found.text]
        return found


def _computed(node: ast.expr, names: _Names) -> Quantity:
    def lookup(name: str) -> object:
        try:
            return names.named(name)
        except Unknown:
            resolved = names.resolved(_chain(name))
            if resolved in _MEMBERS:
                return _MEMBERS[resolved]
            raise

    computer = Computer(_COMPUTE, lookup, names.resolved, Budget(_STEPS))
    found = computer.value(node)
    if isinstance(found, Opaque) and found.members is not None:
        return found.members
    if isinstance(found, Opaque):
        raise Unknown(found.text)
    return _frozen(found)


def _chain(name: str) -> ast.expr:
    first, *rest = name.split(".")
    node: ast.expr = ast.Name(first)
    for part in rest:
        node = ast.Attribute(node, part)
    return node


def _frozen(found: object) -> object:
    """Return a value that nothing can change, lists as tuples."""
    if isinstance(found, list | tuple):
        return tuple(map(_frozen, cast("Iterable[object]", found)))
    return found


def _call(computer: Computer, node: ast.expr) -> object:
    call = cast("ast.Call", node)
    name = computer.resolve(call.func)
    if name in _ENVIRONMENT and len(call.args) == 2:
        return computer.raw(call.args[1])
    if name in _ENVIRONMENT and len(call.args) == 1:
        return None
    if name == "hypothesis.HealthCheck.all":
        return HEALTH_CHECKS
    if name in _MAKERS:
        return _made(computer, call, _MAKERS[name])
    return COMPUTE[ast.Call](computer, node)


def _made(computer: Computer, call: ast.Call, maker: object) -> object:
    given = [computer.raw(one) for one in call.args]
    words = {one.arg: computer.raw(one.value) for one in call.keywords if one.arg}
    if len(words) != len(call.keywords):
        raise Unknown("called with words that are not known")
    plain = (int, float, str, datetime.date)
    for one in (*given, *words.values()):
        if not isinstance(one, plain) or (isinstance(one, str) and len(one) > _LONGEST):
            raise Unknown("made of what is not known")
    try:
        return cast("_Maker", maker)(*given, **words)
    except _FAILURES as error:
        raise Unknown(type(error).__name__) from error


def _member(computer: Computer, node: ast.expr) -> object:
    """Look an attribute up; those of dates have no value here."""
    name = computer.resolve(node)
    if name in ("datetime.date.min", "datetime.date.max"):
        return getattr(datetime.date, name.rpartition(".")[2])
    if name in ("datetime.datetime.min", "datetime.datetime.max"):
        return getattr(datetime.datetime, name.rpartition(".")[2])
    if name in ("sys.maxsize", "sys.maxunicode"):
        return 2**63 - 1 if name == "sys.maxsize" else 0x10FFFF
    return COMPUTE[ast.Attribute](computer, node)


_COMPUTE = {
    **COMPUTE,
    ast.Call: _call,
    ast.Attribute: _member,
}
