"""Gates that end tests by the clock: pytest-timeout's options and keys.

Rules: pytest-timeout's ``pytest_timeout.py`` and what running it showed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.nodes import Node
from benchhygiene_plugins.ini_chain.suite.source import constant, resolved

#: Seconds below which even a test that does nothing may be too slow.
_HOPELESS = 0.02
#: Seconds below which collecting and running a few tests may be too slow.
_SWIFT = 1.0
#: Seconds that a test without a sleep is taken to stay under.
_AMPLE = 5.0


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield the timeouts in force."""
    if not situation.is_loaded("pytest-timeout"):
        return
    yield from _method(situation)
    for option, text, origin in _limits(situation):
        try:
            seconds = float(text)
        except ValueError:
            reason = f"{option} {text!r} is no number of seconds"
            yield _effect(option, text, origin, reason, fails=True, status=3)
            continue
        session = "session" in option
        if seconds > 0 or session:
            what = "a run" if session else "a test"
            reason = f"{what} that takes longer than {text} s fails"
            # A session has no time off: even 0 is a limit there.
            fails = True if seconds <= 0 else _too_slow(situation, seconds)
            if session and fails is False and seconds < _SWIFT:
                fails = None
            yield _effect(option, text, origin, reason, fails=fails, status=1)


def _method(situation: Situation) -> Iterator[Effect]:
    found = situation.settings.find("timeout_method")
    if found is not None and found.value not in ("signal", "thread", ""):
        reason = f"timeout_method expects signal or thread, got {found.value!r}"
        origin = situation.key_origin("timeout_method")
        value = str(found.value)
        yield _effect("timeout_method", value, origin, reason, fails=True, status=3)


def _limits(situation: Situation) -> Iterator[tuple[str, str, Origin]]:
    variable = situation.startup.invocation.variable("PYTEST_TIMEOUT")
    for dest, key in (("timeout", "timeout"), ("session_timeout", "session_timeout")):
        given = situation.last(dest)
        found = situation.settings.find(key)
        if given is not None:
            yield given.name, given.value or "", given.word.origin
        elif dest == "timeout" and variable:
            yield "PYTEST_TIMEOUT", variable, Origin(OriginKind.VARIABLE, "PYTEST_TIMEOUT")
        elif found is not None and str(found.value).strip():
            yield key, str(found.value), situation.key_origin(key)


def _too_slow(situation: Situation, seconds: float) -> bool | None:
    slept = [_slept(situation, node) for node in situation.suite.nodes]
    if any(value > seconds for value in slept):
        return True
    return None if seconds < _HOPELESS or (seconds < _AMPLE and _does_much(situation)) else False


def _does_much(situation: Situation) -> bool:
    """Return whether the tests do more than a few literal steps."""
    return bool(situation.imports.foreign or situation.imports.doubts or situation.suite.unseen)


def _slept(situation: Situation, node: Node) -> float:
    module = situation.suite.modules[node.path]
    total = 0.0
    for statement in node.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            known, value = constant(call.args[0]) if call.args else (False, None)
            if resolved(call.func, module.aliases) == "time.sleep" and isinstance(
                value, int | float
            ):
                total += value if known else 0.0
    return total


def _effect(
    option: str, value: str, origin: Origin, reason: str, *, fails: bool | None, status: int
) -> Effect:
    kind = EffectKind.FAILS
    return Effect("ini.stops_early", kind, option, value, origin, reason, fails, status)
