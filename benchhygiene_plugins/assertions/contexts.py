"""What ``with`` puts around checks: a demand to raise, a net that catches, or nothing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Exit, Flow, Origin
from benchhygiene_plugins.assertions.definitions import own_nodes
from benchhygiene_plugins.assertions.expressions import read
from benchhygiene_plugins.assertions.files import FRESH, is_temporary
from benchhygiene_plugins.assertions.handlers import passes_on
from benchhygiene_plugins.assertions.scope import Owner
from benchhygiene_plugins.assertions.terms import Term, constant, term
from benchhygiene_plugins.assertions.trace import Closure
from benchhygiene_plugins.assertions.verbs import (
    RAISES,
    SUPPRESSES,
    TRANSPARENT,
    WARNS,
    catches_failures,
    last,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.execution import Run

_NOTHING = constant(None)


def enter(
    run: Run, items: list[ast.withitem], node: ast.With | ast.AsyncWith, flow: Flow
) -> tuple[Exit, Flow]:
    """Follow a ``with``, its items from the left."""
    if not items:
        return run.block(node.body, flow)
    first, rest = items[0], items[1:]
    opened = first.context_expr
    run.flow = flow
    if isinstance(opened, ast.Call):
        name = run.dotted(opened.func)
        if _is_replaced(run, name):
            name = ""
        if _is_one_of(name, RAISES) or _is_one_of(name, WARNS):
            return _demanding(run, opened, first.optional_vars, (rest, node), flow)
        if name in SUPPRESSES:
            return enter(run, rest, node, suppressed(run, opened, flow))
        if _is_one_of(name, TRANSPARENT):
            if first.optional_vars is not None and opened.args:
                run.bind(first.optional_vars, read(opened.args[0], run))
            return enter(run, rest, node, flow)
    value = read(opened, run)
    by = catching(run, value)
    inner = flow.caught(by) if by is not None else flow
    if first.optional_vars is not None:
        run.bind(first.optional_vars, FRESH if is_temporary(value) else term("enter", value))
    elif value.has_call:
        run.trace.effect(term("enter", value), run.place(opened), ())
    leaving, after = enter(run, rest, node, inner)
    return leaving, after if by is None else _outside(after, flow)


def _is_replaced(run: Run, name: str) -> bool:
    """Return whether the test's own classes mean something else by a method of unittest's."""
    owner = run.owner.node if run.owner is not None else None
    if not name.startswith("self.") or not isinstance(owner, Owner):
        return False
    found = owner.method(last(name))
    if found is None or last(name) not in RAISES | WARNS:
        return False
    calls = (node for node in own_nodes(found[0]) if isinstance(node, ast.Return))
    handed = [node.value.func for node in calls if isinstance(node.value, ast.Call)]
    return not any(isinstance(f, ast.Attribute) and f.attr == last(name) for f in handed)


def _outside(after: Flow, flow: Flow) -> Flow:
    return attrs.evolve(after, swallowed=flow.swallowed)


def _is_one_of(name: str, names: frozenset[str]) -> bool:
    return name in names or (name.startswith("self.") and last(name) in names)


def suppressed(run: Run, call: ast.Call, flow: Flow) -> Flow:
    """Return the flow inside ``suppress(...)``."""
    types = tuple(read(one, run) for one in call.args)
    if catches_failures(types):
        return flow.caught(f"suppress({', '.join(one.value or '…' for one in types)})")
    return flow.guarded(term("unless", *types), Origin.HANDLER)


def _demanding(
    run: Run,
    call: ast.Call,
    target: ast.expr | None,
    inside: tuple[list[ast.withitem], ast.With | ast.AsyncWith],
    flow: Flow,
) -> tuple[Exit, Flow]:
    name = run.dotted(call.func)
    word = "warns" if _is_one_of(name, WARNS) else "raises"
    kind, match = _expectation(run, call, name)
    recorded: list[Term] = []
    run.trace.recorders.append(recorded)
    inner = flow
    if word == "raises" and catches_failures(kind.children if kind.kind == "tuple" else (kind,)):
        inner = flow.caught(f"{last(name)}({kind.value or '…'})")
    if target is not None:
        run.bind(target, term("excinfo", value="open"))
    if word == "raises":
        run.trace.raising.append(recorded)
    leaving, _ = enter(run, inside[0], inside[1], inner)
    run.trace.recorders.pop()
    if word == "raises":
        run.trace.raising.pop()
    run.flow = flow
    run.demand(term(word, kind, match, *recorded), inside[1])
    if target is not None:
        run.bind(target, term("excinfo", *recorded))
    return (Exit.NEXT if leaving is Exit.FAIL else leaving), flow


def _expectation(run: Run, call: ast.Call, name: str) -> tuple[Term, Term]:
    given = [read(one, run) for one in call.args]
    named = {k.arg: read(k.value, run) for k in call.keywords if k.arg}
    kind = given[0] if given else named.get("expected_exception", named.get("exception", _NOTHING))
    if last(name) == "deprecated_call":
        return term("builtin", value="DeprecationWarning"), named.get("match", _NOTHING)
    match = named.get("match", named.get("expected_regex", _NOTHING))
    if "Regex" in name and len(given) > 1:
        match = given[1]
    extra = [
        term("keyword", v, value=k) for k, v in sorted(named.items()) if k in ("check", "level")
    ]
    return kind, (term("matching", match, *extra) if extra else match)


def catching(run: Run, manager: Term) -> str | None:
    """Return what makes a context manager of the tests swallow failures, if it does."""
    made = manager.children[0] if manager.kind in ("call", "generator") else manager
    if manager.kind == "call" and made.value in SUPPRESSES:
        return made.value if catches_failures(manager.children[1:]) else None
    if manager.kind == "generator" and made.kind == "call":
        made = made.children[0]
    if made.kind == "function" and isinstance(made.node, Closure):
        definition = made.node.definition
        if isinstance(definition, FunctionNode) and swallows_yield(run, definition):
            return f"{made.node.name}()"
    if made.kind == "class" and isinstance(made.node, ast.ClassDef) and _exit_is_true(made.node):
        return f"{made.value}.__exit__"
    return None


def swallows_yield(run: Run, definition: FunctionNode) -> bool:
    """Return whether what the body yields to may fail and nobody hears of it."""
    for node in own_nodes(definition):
        if isinstance(node, ast.Try | ast.TryStar) and _holds_yield(node.body):
            if any(isinstance(one, ast.Return) for one in node.finalbody):
                return True
            if any(_swallows(run, handler) for handler in node.handlers):
                return True
        elif isinstance(node, ast.With | ast.AsyncWith) and _holds_yield(node.body):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and _suppresses(run, call):
                    return True
    return False


def _suppresses(run: Run, call: ast.Call) -> bool:
    if run.dotted(call.func) not in SUPPRESSES:
        return False
    return catches_failures([read(one, run) for one in call.args])


def _holds_yield(body: list[ast.stmt]) -> bool:
    return any(isinstance(n, ast.Yield | ast.Await | ast.Call) for b in body for n in ast.walk(b))


def _swallows(run: Run, handler: ast.ExceptHandler) -> bool:
    if passes_on(run, handler.body):
        return False
    if handler.type is None:
        return True
    types = read(handler.type, run)
    return catches_failures(types.children if types.kind == "tuple" else (types,))


def _exit_is_true(definition: ast.ClassDef) -> bool:
    for member in definition.body:
        if isinstance(member, FunctionNode) and member.name in ("__exit__", "__aexit__"):
            returned = [n.value for n in own_nodes(member) if isinstance(n, ast.Return)]
            return any(value is not None and not _is_false(value) for value in returned)
    return False


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value
