"""The arguments that decorators give a test: what a property draws, and what ``patch`` puts in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from benchhygiene.inventory.collection import Node
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.expressions import read
from benchhygiene_plugins.assertions.terms import Term, term
from benchhygiene_plugins.assertions.verbs import last

_NEW_AT = {"patch": 1, "object": 2}  # where the replacement stands among the arguments


def injected(run: Run, node: Node, like: Node) -> dict[str, Term]:
    """Return what decorators bind, by what another node calls its arguments.

    Nothing where the test is not decorated: most are not.
    """
    holders = (node.definition, *reversed(node.classes))
    calls = [one for holder in holders for one in reversed(holder.decorator_list)]
    found = [one for one in calls if isinstance(one, ast.Call)]
    if not found:
        return {}
    free, kept = _arguments(node)
    others = [name for part in _arguments(like) for name in part]
    every = [*free, *kept]
    called = dict(zip(every, others if len(others) == len(every) else every, strict=True))
    drawn = {name for one in found for name in _drawn(run, one, free, kept)}
    names = {name: term("fixture", value=called[name]) for name in sorted(drawn)}
    names.update(zip(free, _patched(run, found), strict=False))
    return names


def _arguments(node: Node) -> tuple[list[str], list[str]]:
    """Return the arguments a test may be given by position, and those by name only."""
    arguments = node.definition.args
    every = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    free = every[1:] if node.classes and every else every
    return free, [one.arg for one in arguments.kwonlyargs]


def _drawn(run: Run, call: ast.Call, free: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    """Yield the arguments that a property draws: the last ones, and those it names."""
    if last(run.dotted(call.func)) != "given":
        return
    yield from free[len(free) - len(call.args) :] if call.args else ()
    yield from (k.arg for k in call.keywords if k.arg and (k.arg in free or k.arg in kept))


def _patched(run: Run, calls: Sequence[ast.Call]) -> Iterator[Term]:
    """Yield what each ``patch`` gives the test, the innermost first."""
    for call in calls:
        name = run.dotted(call.func)
        position = _NEW_AT.get(last(name))
        if position is None or "patch" not in name or len(call.args) > position:
            continue
        if any(k.arg in ("new", None) for k in call.keywords):
            continue
        run.trace.muted += 1
        value = read(call, run)
        run.trace.muted -= 1
        yield term("enter", value)
