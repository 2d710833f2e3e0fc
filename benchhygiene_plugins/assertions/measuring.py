"""Bounds on what a test has measured: how much of what is measured is for others to judge.

Of two bounds on a duration neither the clock's unit nor the number of samples tells which one asks
for more; that takes arithmetic, which the analyzer of performance budgets does. Here it counts that
there still is such a bound where there was one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.definitions import own_nodes
from benchhygiene_plugins.assertions.terms import Term
from benchhygiene_plugins.assertions.trace import Closure

#: What only says how often a benchmark runs.
REPETITIONS = frozenset(("rounds", "iterations", "warmup_rounds"))
_CLOCKS = frozenset(
    ("perf_counter", "monotonic", "process_time", "thread_time", "default_timer", "timeit")
)
_DEEP = 100  # parts within parts of what is measured
_NS = "_ns"
_DEEPEST = 4  # helpers within helpers that may read a clock


def without_measurements(
    lost: Sequence[Check], unused: Sequence[Check]
) -> tuple[list[Check], list[Check]]:
    """Return both sides without the bounds on durations that have one in their place."""
    left, right = list(lost), list(unused)
    for check in lost:
        if not is_measurement(check):
            continue
        for other in right:
            if other.is_effective and _allows(check, other) and _asks_alike(check, other):
                left.remove(check)
                right.remove(other)
                break
    return left, right


def _allows(old: Check, new: Check) -> bool:
    return all(guard in old.flow.guards for guard in new.flow.guards)


def _asks_alike(old: Check, new: Check) -> bool:
    """Return whether both bound how long something took, and from the same side."""
    return is_measurement(new) and _is_upper(old.fact) is _is_upper(new.fact)


def _is_upper(fact: Term) -> bool:
    small, _ = fact.children
    at_left = _is_duration(small)
    measured = small if at_left else fact.children[1]
    return at_left is not _is_inverse(measured)


def _is_inverse(one: Term) -> bool:
    """Return whether a value falls where a duration grows: a rate, or a negative number."""
    if one.depth > _DEEP:
        return False
    if one.kind == "unary" and one.value == "USub":
        return not _is_inverse(one.children[0])
    if one.kind != "binary" or one.value not in ("Div", "Mult", "FloorDiv"):
        return False
    first, second = one.children
    if one.value != "Mult" and _is_duration(second) and not _is_duration(first):
        return not _is_inverse(second)
    return _is_inverse(first) or (one.value == "Mult" and _is_inverse(second))


def is_measurement(check: Check) -> bool:
    """Return whether a check is a bound on how long something took."""
    return check.fact.kind in ("lt", "le") and _is_duration(check.fact)


def _is_duration(fact: Term) -> bool:
    return any(_reads_clock(part) for part in fact.subterms())


def _reads_clock(part: Term) -> bool:
    if part.kind == "ref":
        return _is_clock(part.value)
    if part.kind == "attr" and part.value == "stats":
        return any("bench" in one.value.lower() for one in part.subterms(20))
    if part.kind == "function" and isinstance(part.node, Closure):
        return _times(part.node, _DEEPEST)
    return False


def _is_clock(dotted: str) -> bool:
    module, _, name = dotted.rpartition(".")
    return name.removesuffix(_NS) in _CLOCKS or module == "timeit"


def _times(closure: Closure, depth: int) -> bool:
    """Return whether a function of the tests reads a clock, by itself or through its helpers."""
    definition = closure.definition
    if isinstance(definition, ast.Lambda) or not depth:
        return False
    for node in own_nodes(definition):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        named = function.attr if isinstance(function, ast.Attribute) else ""
        named = function.id if isinstance(function, ast.Name) else named
        if named.removesuffix(_NS) in _CLOCKS:
            return True
        inner = closure.module.functions.get(named)
        if inner is None or inner is definition:
            continue
        if _times(Closure(inner, closure.module), depth - 1):
            return True
    return False
