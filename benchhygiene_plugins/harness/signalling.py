"""Signals that end the process of the tests, or the one that started it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.harness import vocabulary
from benchhygiene_plugins.harness.deeds import Weight
from benchhygiene_plugins.harness.naming import UNKNOWN, Names
from benchhygiene_plugins.harness.steps import calls


def kills(name: str, call: ast.Call, scope: Scope, names: Names) -> Weight | None:
    """Return how much sending a signal weighs, None where it is sent to somebody else."""
    if name.startswith("psutil.Process()") and name.endswith((".kill", ".terminate", ".suspend")):
        return _of_object(call, scope, names)
    if name not in vocabulary.SENDING:
        return None
    if name == "signal.raise_signal":
        return _weight(call.args[0] if call.args else None, scope, names)
    if len(call.args) < 2 or not _is_own(call.args[0], scope, names):
        return None
    if _calls_any(call.args[0], scope, names, vocabulary.PARENTS):
        return Weight.GRAVE
    return _weight(call.args[1], scope, names)


def _of_object(call: ast.Call, scope: Scope, names: Names) -> Weight | None:
    made = call.func.value if isinstance(call.func, ast.Attribute) else call
    origin = names.evaluator.origin(made, scope)
    found = origin.expression
    if not isinstance(found, ast.Call):
        return None
    is_own = not found.args or any(_is_own(one, origin.scope, names) for one in found.args)
    return Weight.GRAVE if is_own else None


def _is_own(node: ast.expr, scope: Scope, names: Names) -> bool:
    if names.constant(node, scope) in (0, -1):
        return True
    return _calls_any(node, scope, names, vocabulary.OWN)


def _calls_any(node: ast.expr, scope: Scope, names: Names, wanted: frozenset[str]) -> bool:
    origin = names.evaluator.origin(node, scope)
    return any(
        not wanted.isdisjoint(names.of(one.call.func, origin.scope))
        for one in calls(origin.expression)
    )


def _weight(node: ast.expr | None, scope: Scope, names: Names) -> Weight | None:
    """Return how much a signal weighs that a process sends itself.

    What most programs catch is PLAUSIBLE: their handlers are tested so.
    """
    if node is None:
        return None
    signals = {*_signals(node, scope, names)}
    if signals & vocabulary.DEADLY:
        return Weight.GRAVE
    return Weight.PLAUSIBLE if signals & vocabulary.STOPPING else None


def _signals(node: ast.expr, scope: Scope, names: Names) -> Iterator[object]:
    yield from (one.rpartition(".")[2] for one in names.of(node, scope))
    value = names.constant(node, scope)
    if value is not UNKNOWN:
        yield value


def kills_by_shell(name: str, call: ast.Call, scope: Scope, names: Names) -> Weight | None:
    """Return how much a command weighs that kills the process of the tests by another program."""
    if not name.startswith(vocabulary.SHELLS):
        return None
    parts = [one for given in call.args[:1] for one in ast.walk(given)]
    texts = [one.value for one in parts if isinstance(one, ast.Constant)]
    words = " ".join(one for one in texts if isinstance(one, str))
    if vocabulary.KILLING.search(words) is None:
        return None
    is_own = "PPID" in words or "pytest" in words or "$$" in words
    own = any(_calls_any(given, scope, names, vocabulary.OWN) for given in call.args[:1])
    return Weight.GRAVE if is_own or own else None
