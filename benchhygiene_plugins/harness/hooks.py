"""Hooks that answer for pytest: say that a test has run, or keep its failure to themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.python import statements
from benchhygiene_plugins.harness import guards as conditions
from benchhygiene_plugins.harness.bodies import swallowing
from benchhygiene_plugins.harness.deeds import Act, Deed, Place, Weight, place_of
from benchhygiene_plugins.harness.naming import UNKNOWN, Names, attributes
from benchhygiene_plugins.harness.statuses import Status, status
from benchhygiene_plugins.harness.steps import Step, calls
from benchhygiene_plugins.harness.units import Unit

#: What the first true answer of is taken for the deed itself.
_DECIDING = frozenset(
    ("pytest_runtest_protocol", "pytest_pyfunc_call", "pytest_runtestloop", "pytest_runtest_loop")
)
#: What a test's failure comes out of.
_RUNNING = _DECIDING | {
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
    "pytest_fixture_setup",
    "pytest_make_collect_report",
}
#: Names by which a hook runs a test itself.
_RUNS = frozenset(
    [
        "obj",
        "runtest",
        "runtestprotocol",
        "call_and_report",
        "call_runtest_hook",
        "pytest_runtest_protocol",
        "pytest_runtest_call",
        "pytest_pyfunc_call",
        "function",
        "testfunction",
        "_testfunction",
        "pytest_runtestloop",
    ]
)
_ASKING = frozenset(
    [
        "getattr",
        "hasattr",
        "isinstance",
        "len",
        "print",
        "get_closest_marker",
        "iter_markers",
        "str",
        "repr",
        "pytest_runtest_logstart",
        "pytest_runtest_logfinish",
        "pytest_runtest_logreport",
        "type",
        "id",
        "TestReport",
        "CallInfo",
        "iscoroutinefunction",
        "is_coroutine",
        "append",
        "add",
        "from_item_and_call",
    ]
)


@attrs.frozen(eq=False)
class Hooks:
    """Reads the hooks of one tree."""

    names: Names

    def of_unit(self, unit: Unit) -> Iterator[Deed]:
        """Yield what a hook answers for pytest."""
        if not unit.hook or unit.hook == "called":
            return
        if unit.hook in _DECIDING and not unit.is_wrapper:
            yield from self._deciding(unit)
        if unit.hook in _RUNNING:
            yield from self._swallowed(unit)
        if unit.hook == "pytest_cmdline_main" or unit.hook == "pytest_cmdline_parse":
            yield from self._main(unit)
        if unit.hook == "pytest_report_teststatus":
            yield from self._words(unit)
        if unit.hook == "pytest_runtest_makereport":
            yield from self._made(unit)

    def _deed(
        self,
        unit: Unit,
        what: str,
        says: str,
        node: ast.AST,
        step: Step | None = None,
        act: Act = Act.REPORT,
        weight: Weight = Weight.GRAVE,
    ) -> Deed:
        place: Place = place_of(unit.at or node, unit.path, self.names.evaluator)
        guarded = bool(step.guards) if step is not None else False
        return Deed(act, what, says, place, unit.owner, weight, guarded)

    def _returned(self, unit: Unit) -> Iterator[tuple[Step, ast.expr]]:
        for step in unit.steps:
            if isinstance(step.statement, ast.Return) and step.statement.value is not None:
                yield step, step.statement.value

    def _deciding(self, unit: Unit) -> Iterator[Deed]:
        """Yield the answers that say a test, or all of them, has run when nothing has."""
        first = _first_run(unit)
        for step, value in self._returned(unit):
            constant = self.names.constant(value, unit.scope)
            if constant is not UNKNOWN and not constant:
                continue
            if first is not None and first <= step.statement.lineno:
                continue
            if _runs_here(value, unit):
                continue
            what = f"{unit.hook} returns"
            says = f"{unit.hook} says that the test has run, and it has not"
            yield self._deed(unit, what, says, step.statement, step)

    def _swallowed(self, unit: Unit) -> Iterator[Deed]:
        for statement in swallowing(unit.body, lambda node: _is_run(node, unit)):
            what = f"{unit.hook} swallows"
            says = f"{unit.hook} keeps the failure of a test to itself"
            yield self._deed(unit, what, says, statement)

    def _main(self, unit: Unit) -> Iterator[Deed]:
        if unit.is_wrapper and unit.hook == "pytest_cmdline_parse":
            return
        for step, one in unit.calls:
            if attributes(one.call.func)[:1] == ("force_result",):
                says = f"{unit.hook} answers with another status than the run's"
                yield self._deed(unit, "force_result", says, one.call, step, Act.EXIT)
        for step, value in self._returned(unit):
            constant = self.names.constant(value, unit.scope)
            if constant is None or status(value, unit.scope, self.names) is not Status.ZERO:
                continue
            says = f"{unit.hook} answers with status 0 in place of a run"
            yield self._deed(unit, f"{unit.hook} returns 0", says, step.statement, step, Act.EXIT)

    def _words(self, unit: Unit) -> Iterator[Deed]:
        """Yield the words for an outcome that are those of another one."""
        for step, value in self._returned(unit):
            for row in [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]:
                if not isinstance(row, ast.Tuple) or not row.elts:
                    continue
                guards = step.guards
                if isinstance(value, ast.IfExp):
                    guards = (*guards, (value.test, row is value.body))
                texts = [self._word(one, unit) for one in row.elts]
                wrong = self._claims(texts) and not _is_passed(guards)
                if wrong or (texts[0] == "skipped" and conditions.says(guards, "failed")):
                    says = "a report is shown under the words of another outcome"
                    yield self._deed(unit, "teststatus", says, step.statement, step)

    def _word(self, node: ast.expr, unit: Unit) -> object:
        if isinstance(node, ast.Tuple) and node.elts:
            return self.names.constant(node.elts[0], unit.scope)
        return self.names.constant(node, unit.scope)

    def _claims(self, texts: list[object]) -> bool:
        if texts[0] in ("passed", "xpassed", ""):
            return True
        return len(texts) > 2 and texts[0] is not UNKNOWN and texts[2] == "PASSED"

    def _made(self, unit: Unit) -> Iterator[Deed]:
        """Yield the reports that a hook makes itself and hands on with a changed call."""
        if unit.is_wrapper:
            return
        for step, value in self._returned(unit):
            named = self.names.constant(value, unit.scope)
            if named is None:
                continue
            origin = self.names.evaluator.origin(value, unit.scope).expression
            honest = isinstance(origin, ast.Call) and _passes_call(origin, unit)
            if not honest:
                says = "a report is made up in place of pytest's"
                yield self._deed(unit, "makereport returns", says, step.statement, step)


def _passes_call(node: ast.Call, unit: Unit) -> bool:
    """Return whether a report is made of just what the hook was given."""
    last = attributes(node.func)[:1] or (getattr(node.func, "id", ""),)
    if last[0] not in ("from_item_and_call", "pytest_runtest_makereport", "make_report"):
        return False
    given = [getattr(one, "id", "") for one in (*node.args, *(k.value for k in node.keywords))]
    return all(one in unit.parameters for one in given)


def _is_passed(guards: tuple[tuple[ast.expr, bool], ...]) -> bool:
    return conditions.says(guards, "passed") or conditions.mentions(guards, "wasxfail", "skipped")


def _first_run(unit: Unit) -> int | None:
    """Return the line at which a hook first runs the test itself."""
    lines = [one.call.lineno for _, one in unit.calls if _is_run(one.call, unit)]
    return min(lines, default=None)


def _runs_here(value: ast.expr, unit: Unit) -> bool:
    return any(_is_run(one.call, unit) for one in calls(value))


def _is_run(node: ast.AST, unit: Unit) -> bool:
    """Return whether a part of a hook runs the test, or lets the others do so."""
    if isinstance(node, ast.Yield | ast.YieldFrom):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = [*attributes(node.func)[:1], getattr(node.func, "id", "")]
    if any(one in _ASKING for one in called):
        return False
    if any(one in _RUNS for one in (*called, *attributes(node.func)[:2])):
        return True
    given = {*unit.parameters[:1], *_derived(unit)}
    if isinstance(node.func, ast.Name) and node.func.id in given:
        return True
    return any(
        isinstance(one, ast.Name) and one.id in given
        for arg in (*node.args, *(word.value for word in node.keywords))
        for one in ast.walk(arg)
    )


def _derived(unit: Unit) -> Iterator[str]:
    """Yield the names that a hook gives to parts of what it was given."""
    first = unit.parameters[:1]
    for statement in statements(unit.body):
        if isinstance(statement, ast.Assign):
            inside = {one.id for one in ast.walk(statement.value) if isinstance(one, ast.Name)}
            if inside & {*first}:
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        yield target.id
