"""What makes pytest, or whoever reads its output, believe another outcome."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.harness import guards as conditions
from benchhygiene_plugins.harness.deeds import Act, Deed, Weight, place_of
from benchhygiene_plugins.harness.naming import UNKNOWN, Names, attributes, root
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.statuses import Status, status
from benchhygiene_plugins.harness.steps import Step
from benchhygiene_plugins.harness.stores import Store
from benchhygiene_plugins.harness.units import Unit

_REPORTS = re.compile(r"_?(?:test_?)?(?:rep|reports?|outcome|result|call|callinfo|r)(?:_?\d)?")
_SESSIONS = re.compile(r".*(?:session|reporter|^tr$|config).*")
_FORCING = frozenset(("force_result", "force_exception"))
_STATS_METHODS = frozenset(("clear", "pop", "popitem", "update", "setdefault", "remove"))
_LIST_METHODS = frozenset(("clear", "pop", "remove", "extend", "append", "insert"))
_BAD = frozenset(("failed", "error", "errors"))


@attrs.frozen(eq=False)
class Reports:
    """Reads what the units of one tree do to reports."""

    names: Names

    def of_unit(self, unit: Unit, role: Role, stored: tuple[Store, ...]) -> Iterator[Deed]:
        """Yield what one piece of code does to outcomes, to the session and to statistics."""
        if not role.is_tests:
            return
        for store in stored:
            for act, what, says, weight in self._of_store(store, unit, role):
                yield self._deed(act, what, says, weight, store.node, store.step, unit)
        for step, one in unit.calls:
            for what, says in self._of_call(one.call, unit, role, step):
                yield self._deed(Act.REPORT, what, says, Weight.GRAVE, one.call, step, unit)

    def _deed(
        self, act: Act, what: str, says: str, weight: Weight, node: ast.AST, step: Step, unit: Unit
    ) -> Deed:
        place = place_of(unit.at or node, unit.path, self.names.evaluator)
        return Deed(act, what, says, place, unit.owner, weight, bool(step.guards))

    def _of_store(
        self, store: Store, unit: Unit, role: Role
    ) -> Iterator[tuple[Act, str, str, Weight]]:
        scope = unit.scope
        name = store.attribute
        if store.root in ("self", "cls") and not role.is_harness:
            return
        if _is_report(store, unit, role):
            found = self._outcome(store, scope)
            if found:
                yield Act.REPORT, f"report.{name}", found, Weight.GRAVE
            elif name == "?" and unit.hook and _names_outcome(store, unit):
                says = "attributes of a report are rewritten, its outcome among them"
                yield Act.REPORT, "report.outcome", says, Weight.GRAVE
        if name in ("exitstatus", "testsfailed") and store.root not in ("self", "cls"):
            yield from self._of_session(store, scope)
        if name in ("shouldfail", "shouldstop") and _is_session(store, unit):
            value = self.names.constant(store.value, scope)
            if name == "shouldfail" and value in (False, "", None):
                yield Act.REPORT, name, f"session.{name} is taken back", Weight.GRAVE
            elif name == "shouldstop" and value not in (False, "", None):
                yield Act.EXIT, name, "the session is stopped early", Weight.GRAVE
        is_near = role.is_harness or _is_session(store, unit)
        if is_near and _touches_stats(store.chain) and store.root not in ("self", "cls"):
            yield Act.REPORT, "stats", "the terminal's statistics are edited", Weight.GRAVE
        if name in ("xmlpath", "_xml", "reporter") and role.is_harness and "option" in store.chain:
            yield Act.REPORT, "junit", "the JUnit report is redirected", Weight.GRAVE

    def _of_session(self, store: Store, scope: Scope) -> Iterator[tuple[Act, str, str, Weight]]:
        found = status(store.value, scope, self.names) if store.value is not None else None
        if found in (Status.FAILURE, Status.PASSED_ON):
            return
        weight = Weight.GRAVE
        if conditions.is_nothing_collected(store.step.guards):
            weight = Weight.PLAUSIBLE
        if store.attribute == "testsfailed":
            yield Act.REPORT, "testsfailed", "the number of failed tests is rewritten", weight
        yield Act.EXIT, store.attribute, f"session.{store.attribute} is set to success", weight

    def _outcome(self, store: Store, scope: Scope) -> str:
        """Return what storing into a report does to its outcome, empty where it does nothing."""
        value, name = self.names.constant(store.value, scope), store.attribute
        is_gone = store.value is None
        match name:
            case "outcome":
                if value == "failed" or _is_own_outcome(store):
                    return ""
                return f"the outcome of a report is set to {value if value is not UNKNOWN else '?'}"
            case "longrepr" | "longreprtext" if not is_gone and value in (None, "", False):
                return "the failure of a report is taken away"
            case "passed" | "failed" | "skipped" if not is_gone and name != "failed":
                return f"{name} of a report is replaced"
            case "failed":
                return "" if value is True else "failed of a report is replaced"
            case "excinfo" | "_excinfo" | "_exception" | "_result":
                return f"{name} of a finished call is replaced"
            case "wasxfail" if not is_gone:
                return "a report is made an expected failure"
            case "__class__":
                return "a report is made an object of another class"
            case _:
                return ""

    def _of_call(
        self, call: ast.Call, unit: Unit, role: Role, step: Step
    ) -> Iterator[tuple[str, str]]:
        func = call.func
        word = func.attr if isinstance(func, ast.Attribute) else ""
        if word in _FORCING and role.is_harness and not self._forces_failure(word, call, unit):
            yield word, f"{word} puts another outcome in place of the hook's own"
        if (
            isinstance(func, ast.Attribute)
            and word in (_STATS_METHODS | _LIST_METHODS)
            and _touches_stats(attributes(func.value))
        ):
            yield from self._of_stats(word, func.value, unit, role)
        elif isinstance(func, ast.Attribute) and word in _LIST_METHODS | _STATS_METHODS:
            origin = self.names.evaluator.origin(func.value, unit.scope).expression
            if origin is not func.value and _touches_stats(attributes(origin)):
                yield from self._of_stats(word, origin, unit, role)
        for name in self.names.of(func, unit.scope):
            if name in ("pytest.TestReport", "_pytest.reports.TestReport", "pytest.CollectReport"):
                yield from self._of_report(call, unit)

    def _of_stats(
        self, word: str, base: ast.expr, unit: Unit, role: Role
    ) -> Iterator[tuple[str, str]]:
        first = root(base)
        is_own = first in ("self", "cls") or not _SESSIONS.match(first)
        if is_own and not (unit.hook or role.is_harness):
            return
        yield "stats", f"the terminal's statistics are edited ({word})"

    def _of_report(self, call: ast.Call, unit: Unit) -> Iterator[tuple[str, str]]:
        given = [*call.args, *(one.value for one in call.keywords)]
        texts = {text for one in given for text in self.names.texts(one, unit.scope)}
        if texts & {"passed", "skipped"}:
            yield "TestReport", "a report is made up"

    def _forces_failure(self, word: str, call: ast.Call, unit: Unit) -> bool:
        """Return whether what is forced is an exception, or the report that the hook has made."""
        first = call.args[0] if call.args else None
        if word == "force_exception":
            return self.names.constant(first, unit.scope) is not None and first is not None
        if isinstance(first, ast.Name):
            origin = self.names.evaluator.origin(first, unit.scope).expression
            made = origin.func if isinstance(origin, ast.Call) else None
            return isinstance(made, ast.Attribute) and made.attr == "get_result"
        return False


def _is_report(store: Store, unit: Unit, role: Role) -> bool:
    """Return whether what is stored into may be a report or the outcome of a hook."""
    if store.root in ("self", "cls") or not store.root:
        return False
    if unit.hook or role.is_harness:
        return True
    return _REPORTS.fullmatch(store.root) is not None and store.attribute != "passed"


def _names_outcome(store: Store, unit: Unit) -> bool:
    """Return whether a hook that sets attributes by computed names knows those of outcomes."""
    return _REPORTS.fullmatch(store.root) is not None and any(
        isinstance(one, ast.Constant) and one.value in ("outcome", "longrepr")
        for statement in unit.body
        for one in ast.walk(statement)
    )


def _is_session(store: Store, unit: Unit) -> bool:
    return bool(unit.hook) or _SESSIONS.match(store.root) is not None


def _is_own_outcome(store: Store) -> bool:
    """Return whether a report only gets what it, or its like, had."""
    return (
        isinstance(store.value, ast.Attribute)
        and store.value.attr == "outcome"
        and (root(store.value) == store.root)
    )


def _touches_stats(chain: tuple[str, ...]) -> bool:
    return "stats" in chain or "_stats" in chain
