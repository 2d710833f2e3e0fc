"""What ends a run of tests before its report: exits, signals, other programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import attrs

from benchhygiene.inventory.meanings import Applied, Instance, Kind, Known, Routine, Scope
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.harness import vocabulary
from benchhygiene_plugins.harness.deeds import Act, Deed, Weight, place_of
from benchhygiene_plugins.harness.forking import is_child, is_stubbed, mentions_fork
from benchhygiene_plugins.harness.naming import Names
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.signalling import kills, kills_by_shell
from benchhygiene_plugins.harness.statuses import Status, status
from benchhygiene_plugins.harness.steps import Called, Step, calls, expressions
from benchhygiene_plugins.harness.units import Unit, of_routine

_DEPTH = 5  # functions that call one another on the way to an exit
_ENTRIES = ("__init__", "__enter__", "__exit__", "__call__")


@attrs.frozen(eq=False)
class Ending:
    """One way in which a run ends: what it is called, with which status, and how surely.

    ``is_hard`` says that nothing can catch it.
    """

    what: str
    status: Status
    is_hard: bool = False
    weight: Weight = Weight.GRAVE


@attrs.frozen(eq=False)
class Exits:
    """Reads the units of one tree; remembers which functions end a run."""

    names: Names
    role: Callable[[str], Role]
    _known: dict[int, tuple[Routine, tuple[Deed, ...]]] = attrs.field(
        factory=dict[int, "tuple[Routine, tuple[Deed, ...]]"]
    )

    def of_unit(self, unit: Unit, role: Role, depth: int = 0) -> Iterator[Deed]:
        """Yield what ends the run in one piece of code."""
        for step in unit.steps:
            for ending, node, is_guarded in self._endings(step, unit, role, depth):
                judged = self._judged(ending, step, unit, role)
                if judged is None or is_stubbed(unit, ending.what):
                    continue
                yield Deed(
                    Act.EXIT,
                    ending.what,
                    f"{ending.what} ends the run with status {ending.status.value}",
                    place_of(unit.at or node, unit.path, self.names.evaluator),
                    unit.owner,
                    judged,
                    bool(step.guards) or is_guarded,
                )

    def _endings(
        self, step: Step, unit: Unit, role: Role, depth: int
    ) -> Iterator[tuple[Ending, ast.AST, bool]]:
        statement, scope = step.statement, unit.scope
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            for ending in self._raised(statement.exc, scope):
                yield ending, statement, False
        for expression in expressions(statement):
            found = [*calls(expression)]
            registers = any(_last(one.call) in vocabulary.REGISTRARS for one in found)
            for one in found:
                for ending in self._of_call(one, scope, registers=registers):
                    yield ending, one.call, one.is_guarded
                if role.is_tests and not one.is_delayed:
                    for ending in self._through(one.call, scope, depth):
                        yield ending, one.call, one.is_guarded
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and role.is_tests:
            yield from self._decorated(statement, scope, depth)

    def _decorated(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, depth: int
    ) -> Iterator[tuple[Ending, ast.AST, bool]]:
        for one in node.decorator_list:
            for routine in self.names.routines(one, scope):
                for ending in self._of_routine(routine, depth):
                    yield ending, node, False

    def _raised(self, node: ast.expr, scope: Scope) -> Iterator[Ending]:
        call = node if isinstance(node, ast.Call) else None
        named = self.names.of(call.func if call is not None else node, scope)
        bases = [*named, *self._bases(call.func if call is not None else node, scope)]
        for name in bases:
            if name == "SystemExit":
                yield Ending("raise SystemExit", status(_first(call), scope, self.names))
            elif name in vocabulary.SESSION_EXCEPTIONS:
                yield self._session(call, scope)

    def _bases(self, node: ast.expr, scope: Scope) -> Iterator[str]:
        """Yield the strangers that a class of the tree inherits from."""
        for kind in self.names.values(node, scope):
            if isinstance(kind, Kind):
                for one in self.names.evaluator.lineage(kind):
                    for base in one.node.bases:
                        yield from self.names.of(base, one.scope)

    def _of_call(self, one: Called, scope: Scope, *, registers: bool) -> Iterator[Ending]:
        call = one.call
        for name in self.names.of(call.func, scope):
            ending = self._named(name, call, scope)
            if ending is not None and (ending.is_hard or registers or not one.is_delayed):
                yield ending
        if _last(call) not in vocabulary.HARMLESS:
            yield from self._handed_over(call, scope)

    def _named(self, name: str, call: ast.Call, scope: Scope) -> Ending | None:
        if name == "os._exit":
            return Ending(name, status(_first(call), scope, self.names), is_hard=True)
        if name in vocabulary.HARD or vocabulary.REPLACING.fullmatch(name):
            return Ending(name, Status.UNKNOWN, is_hard=True)
        if vocabulary.NATIVE.fullmatch(name) and _is_native_exit(name, call):
            return Ending(name, Status.UNKNOWN, is_hard=True)
        if name in ("sys.exit", "exit", "quit"):
            return Ending(f"{name}()", status(_first(call), scope, self.names))
        if name in vocabulary.SESSION:
            return self._session(call, scope)
        weight = kills(name, call, scope, self.names) or kills_by_shell(
            name, call, scope, self.names
        )
        if weight is not None:
            return Ending(name, Status.UNKNOWN, is_hard=True, weight=weight)
        if name == "unittest.main" and _is_false(call, "exit"):
            return Ending("unittest.main(exit=False)", Status.ZERO, is_hard=True)
        return None

    def _session(self, call: ast.Call | None, scope: Scope) -> Ending:
        words = call.keywords if call is not None else []
        given = [one.value for one in words if one.arg == "returncode"]
        given = given or (call.args[1:2] if call is not None else [])
        own = status(given[0], scope, self.names) if given else Status.UNKNOWN
        return Ending("pytest.exit", own, is_hard=bool(given))

    def _handed_over(self, call: ast.Call, scope: Scope) -> Iterator[Ending]:
        """Yield the exits that a call is given to call later: ``atexit.register(os._exit, 0)``."""
        flat = [*call.args, *(word.value for word in call.keywords)]
        nested = [one for given in flat for one in getattr(given, "elts", [given])]
        for index, given in enumerate(nested):
            if not isinstance(given, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
                continue
            if isinstance(given, ast.Call) and not _is_lookup(given):
                continue
            for name in self.names.of(given, scope):
                if name in vocabulary.HARD or (
                    name in vocabulary.SOFT - {"SystemExit"}
                    and _last(call) in vocabulary.REGISTRARS
                ):
                    rest = _status_argument(nested[index + 1 :])
                    yield Ending(name, status(rest, scope, self.names), is_hard=True)

    def _through(self, call: ast.Call, scope: Scope, depth: int) -> Iterator[Ending]:
        """Yield how the functions of the tree end the run that a call calls or registers."""
        wanted = [call.func]
        if _last(call) in vocabulary.REGISTRARS:
            wanted += [*call.args, *(word.value for word in call.keywords)]
        for node in wanted:
            if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
                continue
            for value in self.names.values(node, scope):
                if isinstance(value, Routine):
                    yield from self._of_routine(value, depth)
                elif isinstance(value, Kind):
                    for name in _ENTRIES:
                        for one in self.names.evaluator.member(Instance(value), name, scope):
                            if isinstance(one, Routine):
                                yield from self._of_routine(one, depth)
                elif isinstance(value, Applied) and value.function == Known("functools.partial"):
                    for given in value.positional()[:1]:
                        for one in self.names.routines(given.expression, given.scope):
                            yield from self._of_routine(one, depth)

    def _of_routine(self, routine: Routine, depth: int) -> Iterator[Ending]:
        for deed in self._known_deeds(routine, depth):
            if deed.weight is Weight.GRAVE:
                what = deed.what.removesuffix(_BY_A_CALL)
                is_hard = not what.startswith(_SOFTLY)
                yield Ending(f"{what}{_BY_A_CALL}", Status.UNKNOWN, is_hard)

    def _known_deeds(self, routine: Routine, depth: int) -> tuple[Deed, ...]:
        if depth >= _DEPTH or isinstance(routine.node, ast.Lambda):
            return ()
        key = id(routine.node)
        if key not in self._known:
            self._known[key] = (routine, ())  # one that calls itself says no more
            role = self.role(routine.scope.path)
            found: tuple[Deed, ...] = ()
            if role.is_tests:
                unit = attrs.evolve(of_routine(self.names.evaluator, routine), hook="called")
                found = tuple(self.of_unit(unit, Role.CONFTEST, depth + 1))
            self._known[key] = (routine, found)
        return self._known[key][1]

    def _judged(self, ending: Ending, step: Step, unit: Unit, role: Role) -> Weight | None:
        """Return how much an ending weighs where it stands, None where it is nothing."""
        if ending.status is Status.PASSED_ON:
            return None
        if not role.is_tests:
            return self._in_source(ending, step, unit, role)
        if _is_main_guarded(step):
            is_said = ending.status is Status.ZERO and role is Role.TEST
            return ending.weight if is_said else None
        if ending.is_hard:
            if is_child(step, unit):
                return None
            weight = Weight.PLAUSIBLE if ending.status is Status.FAILURE else ending.weight
            return min(weight, ending.weight)
        if step.expects_exit:
            return None
        if unit.is_nested and not unit.hook:
            return None
        if ending.what == "pytest.exit":
            return Weight.PLAUSIBLE if step.guards else Weight.GRAVE
        if ending.status is Status.FAILURE:
            return Weight.PLAUSIBLE
        is_run = unit.is_run or unit.is_import_time
        if role is Role.SUPPORT and not unit.hook:
            is_run = False  # who calls it is told of it
        return Weight.GRAVE if is_run else Weight.PLAUSIBLE

    def _in_source(self, ending: Ending, step: Step, unit: Unit, role: Role) -> Weight | None:
        """Judge what the code under test does: a program may end, but not because it is tested."""
        if ending.what == "unittest.main(exit=False)":
            return Weight.GRAVE
        is_aware = any(self._asks_for_tests(test, unit) for test, _ in step.guards)
        if is_aware and ending.status in (Status.ZERO, Status.UNKNOWN):
            return Weight.GRAVE
        if role is Role.SCRIPT or _is_main_guarded(step) or ending.status is Status.FAILURE:
            return None
        if ending.is_hard and ending.status is Status.ZERO:
            forks = mentions_fork(self.names.evaluator.file(unit.path).text)
            return None if forks else Weight.GRAVE
        is_zero = ending.status is Status.ZERO or ending.is_hard
        return Weight.GRAVE if unit.is_import_time and is_zero and not step.expects_exit else None

    def _asks_for_tests(self, test: ast.expr, unit: Unit) -> bool:
        try:
            text = self.names.evaluator.file(unit.path).segment(test)
        except (IndexError, AttributeError):
            return False
        return vocabulary.TEST_AWARE.search(text) is not None


_BY_A_CALL = " by a call"
_SOFTLY = ("sys.exit", "exit", "quit", "raise SystemExit", "pytest.exit")


def _last(call: ast.Call) -> str:
    """Return the last word of what is called."""
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else dotted(func)


def _first(call: ast.Call | None) -> ast.expr | None:
    if call is None:
        return None
    words = (word.value for word in call.keywords if word.arg in ("status", "code"))
    return next(iter((*call.args, *words)), None)


def _is_lookup(call: ast.Call) -> bool:
    return _last(call) in ("getattr", "attrgetter", "partial") or isinstance(call.func, ast.Call)


def _is_false(call: ast.Call, name: str) -> bool:
    return any(
        word.arg == name and isinstance(word.value, ast.Constant) and not word.value.value
        for word in call.keywords
    )


def _status_argument(rest: list[ast.expr]) -> ast.expr | None:
    """Return the number that a registered exit will be called with."""
    flat = [one for given in rest for one in getattr(given, "elts", [given])]
    return next((one for one in flat if isinstance(one, ast.Constant | ast.Name)), None)


def _is_native_exit(name: str, call: ast.Call) -> bool:
    last = name.rpartition(".")[2]
    if last not in ("string_at", "memset"):
        return True
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Constant) and first.value == 0


def _is_main_guarded(step: Step) -> bool:
    return any(
        holds and any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test))
        for test, holds in step.guards
    )
