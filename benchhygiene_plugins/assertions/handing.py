"""What calls yield that check nothing: functions handed on, coroutines, values in one form."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from benchhygiene_plugins.assertions.bodies import execute, yielded
from benchhygiene_plugins.assertions.checks import Origin
from benchhygiene_plugins.assertions.elements import without_keys
from benchhygiene_plugins.assertions.files import plain
from benchhygiene_plugins.assertions.folding import NotFolded, fold
from benchhygiene_plugins.assertions.terms import Term, constant, display, term
from benchhygiene_plugins.assertions.trace import Closure, Pending
from benchhygiene_plugins.assertions.verbs import awaits, collects, handed_to, is_taken, last

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.calls import Called
    from benchhygiene_plugins.assertions.reading import Reading

_THROUGH = frozenset(("list", "tuple", "set", "sorted", "len", "iter", "frozenset"))
_RUNNABLE = frozenset(("coroutine", "generator", "task", "function"))


def unknown(reading: Reading, called: Called) -> Term:
    """Return what a call yields that checks nothing by itself."""
    function, taker = called.function, None
    if is_taken(function.value) or (function.kind == "attr" and _is_entered(function)):
        taker = handed_to(function)
        if taker is None and called.arguments and awaits(function):
            found = _awaited(reading, called)
            if found is not None:
                return found
    for one in called.arguments:
        if one.kind in _RUNNABLE:
            _hand_on(reading, one, function, taker)
    for keyword in called.keywords:
        if keyword.children[0].kind in _RUNNABLE:
            _hand_on(reading, keyword.children[0], function, taker)
    if function.kind == "attr" and function.children[0].kind == "future":
        return yielded(reading, function.children[0])
    made = _plainly(reading, called).term
    if taker is not None and "future" in taker:
        return _promise(reading, called, made)
    return _value(reading, function, made)


def _plainly(reading: Reading, called: Called) -> Called:
    """Return a call with functions that only return something as anonymous ones."""
    if any(one.kind == "function" for one in called.arguments):
        arguments = tuple(_anonymous(reading, one) for one in called.arguments)
        called = attrs.evolve(called, arguments=arguments)
    if any(one.children[0].kind == "function" for one in called.keywords):
        keywords = tuple(
            term("keyword", _anonymous(reading, one.children[0]), value=one.value)
            for one in called.keywords
        )
        called = attrs.evolve(called, keywords=keywords)
    return called


def _anonymous(reading: Reading, function: Term) -> Term:
    """Return the anonymous function that does the same as one that only returns something."""
    closure = function.node
    if not isinstance(closure, Closure) or closure.module is not reading.module:
        return function
    definition = closure.definition
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        return function
    *before, last = definition.body
    if not isinstance(last, ast.Return) or last.value is None or len(before) > 1:
        return function
    if any(not isinstance(getattr(one, "value", None), ast.Constant) for one in before):
        return function
    saved = reading.saved()
    reading.names = {**reading.names, **closure.names}
    written = ast.Lambda(definition.args, last.value)
    made = reading.closure(ast.copy_location(written, definition))
    reading.restore(saved)
    return made


def _value(reading: Reading, function: Term, made: Term) -> Term:
    """Return the one form that calls have which yield the same."""
    if function.kind == "builtin" and function.value == "getattr" and len(made.children) == 3:
        named = made.children[2].node
        if isinstance(named, str) and named.isidentifier():
            return reading.member(made.children[1], named)
    if function.kind == "builtin" and function.value in _THROUGH and len(made.children) == 2:
        return term("call", function, without_keys(made.children[1]))
    if function.kind == "attr" and all(one.kind == "const" for one in _operands(made)):
        computed = _computed(made)
        if computed is not made:
            return computed
    if _only_runs(function) and made.children[1:2] and made.children[1].kind == "call":
        return made.children[1]
    if function.value == "asyncio.gather" and all(c.kind == "call" for c in made.children[1:]):
        return display("list", made.children[1:])
    return plain(made, reading.trace.project) if made.kind == "call" else made


def _operands(call: Term) -> tuple[Term, ...]:
    return (*call.children[0].children, *call.children[1:])


def _computed(made: Term) -> Term:
    """Return what a method of a literal comes to."""
    try:
        value = fold(made)
    except NotFolded:
        return made
    return constant(value) if isinstance(value, int | float | str) else made


def _only_runs(function: Term) -> bool:
    """Return whether a call yields what the coroutine it is given does."""
    if function.kind == "ref":
        return function.value in ("asyncio.run", "asyncio.wait_for", "asyncio.shield")
    return function.kind == "attr" and function.value == "run_until_complete"


def _is_entered(method: Term) -> bool:
    return method.children[0].kind == "enter"


def _awaited(reading: Reading, called: Called) -> Term | None:
    """Return what running coroutines yields, None where the call is given none."""
    if not any(one.kind in ("coroutine", "task") for one in called.arguments):
        return None
    flow = reading.flow
    returned = called.given.named.get("return_exceptions")
    if returned is not None and returned.node is not False:
        reading.flow = flow.caught("gather(return_exceptions=True)")
    values = tuple(yielded(reading, one) for one in called.arguments)
    reading.flow = flow
    if last(called.function.value) == "gather":
        return term("list", *values)
    if last(called.function.value) in ("run", "run_until_complete", "wait_for", "shield"):
        return values[0]
    return term("call", called.function, *values, *called.keywords)


def _promise(reading: Reading, called: Called, made: Term) -> Term:
    """Return a future, whose checks count once somebody asks for its outcome."""
    future = term("future", made)
    for one in called.arguments[:1]:
        pending = reading.trace.pending.pop(one.digest, None)
        if pending is not None:
            kept = attrs.evolve(pending, arguments=called.arguments[1:])
            reading.trace.pending[future.digest] = kept
    return future


def _hand_on(reading: Reading, one: Term, function: Term, taker: str | None) -> None:
    """Follow a function or coroutine that a call is given."""
    trace = reading.trace
    if one.kind in ("coroutine", "generator", "task"):
        if (one.kind == "generator" and collects(function)) or (
            one.kind != "generator" and taker is None and awaits(function)
        ):
            yielded(reading, one)
        elif taker is not None and one.digest in trace.pending:
            pending = trace.pending[one.digest]
            flow = attrs.evolve(pending.flow, dead=reading.flow.dead).caught(taker)
            trace.pending[one.digest] = attrs.evolve(pending, flow=flow)
        return
    if one.kind != "function" or not isinstance(one.node, Closure):
        return
    waiting = trace.pending.pop(one.digest, None)
    if taker is not None:
        flow = reading.flow.caught(taker)
        trace.pending[one.digest] = Pending(one.node, (), (), flow)
    elif waiting is not None:
        flow = reading.flow.guarded(term("called_by", function), Origin.HANDED_ON)
        execute(reading, one.node, _nobody(one.node), (), flow)


def _nobody(closure: Closure) -> tuple[Term, ...]:
    return tuple(
        term("argument", value=f"handed:{k}") for k, _ in enumerate(closure.definition.args.args)
    )
