"""The bodies of functions the tests call: followed where they run, kept where they wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Flow
from benchhygiene_plugins.assertions.expressions import read
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.terms import NONE, Term, constant, term
from benchhygiene_plugins.assertions.trace import Closure, Pending

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.reading import Reading

_DEEPEST = 6  # helpers within helpers that are followed


def yielded(reading: Reading, value: Term) -> Term:
    """Return what awaiting, joining or running through a value yields; its checks count now."""
    pending = reading.trace.pending.pop(value.digest, None)
    if pending is None:
        return value
    flow = reading.flow
    made = execute(reading, pending.closure, pending.arguments, pending.keywords, flow)
    return made if value.kind != "generator" else value


def run_closure(
    reading: Reading,
    closure: Closure,
    node: ast.Call,
    arguments: tuple[Term, ...],
    keywords: tuple[Term, ...],
    *,
    bound: bool = False,
) -> Term:
    """Return what calling a function of the tests yields, its body followed."""
    definition = closure.definition
    site = None if reading.depth else reading.place(node)
    if bound and not _is_static(definition):
        arguments = (term("self"), *arguments)
    if isinstance(definition, ast.Lambda):
        return term("call", reading.function(closure), *arguments, *keywords)
    lazy = _lazy_kind(closure.module, definition)
    if lazy is not None:
        value = term(lazy, term("call", reading.function(closure), *arguments, *keywords))
        flow = reading.flow.buried(f"in a {lazy} that nobody runs")
        reading.trace.pending[value.digest] = Pending(closure, arguments, keywords, flow)
        return value
    return execute(reading, closure, arguments, keywords, reading.flow.called_at(site))


def _is_static(definition: FunctionNode | ast.Lambda) -> bool:
    if isinstance(definition, ast.Lambda):
        return True
    return any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in definition.decorator_list
    )


def _lazy_kind(module: Module, definition: FunctionNode) -> str | None:
    if isinstance(definition, ast.AsyncFunctionDef):
        return "coroutine"
    return "generator" if module.is_generator(definition) else None


def execute(
    reading: Reading,
    closure: Closure,
    arguments: tuple[Term, ...],
    keywords: tuple[Term, ...],
    flow: Flow,
) -> Term:
    """Follow a function's body with these arguments; return what it returns."""
    definition = closure.definition
    is_deep = reading.depth >= _DEEPEST or _is_under_way(reading, closure, flow)
    if is_deep or isinstance(definition, ast.Lambda):
        return term("call", reading.function(closure), *arguments, *keywords)
    from benchhygiene_plugins.assertions.execution import Run

    inner = Run(
        reading.trace,
        closure.module,
        dict(closure.names),
        closure.owner or reading.owner,
        depth=reading.depth + 1,
        chain=(*reading.chain, definition),
    )
    _bind_parameters(inner, definition, arguments, keywords)
    recorders, reading.trace.recorders = reading.trace.recorders, [[]]
    raising, reading.trace.raising = reading.trace.raising, []
    effects, written = len(reading.trace.effects), len(reading.trace.written)
    inner.block(definition.body, flow.inside(closure.name))
    (inside,), reading.trace.recorders = reading.trace.recorders, recorders
    reading.trace.raising = raising
    returned = inner.returned
    if not recorders and not returned:
        return NONE
    made = term("call", reading.function(closure), *arguments, *keywords)
    if recorders:
        recorders[-1].extend(one for one in inside if one.kind == "raise")
        recorders[-1].append(made)
    if not returned:
        return NONE
    plain = len(returned) == 1 and returned[0][1].guards == flow.guards
    if plain and len(reading.trace.effects) != effects:
        # What it does on the way must stay visible: to what it returns, or in the call itself.
        plain = not returned[0][0].parts.isdisjoint(reading.trace.written[written:])
    if not plain or returned[0][1].loops != flow.loops:
        return made
    if recorders:
        recorders[-1][-1] = returned[0][0]
    return returned[0][0]


def _is_under_way(reading: Reading, closure: Closure, flow: Flow) -> bool:
    """Return whether a function is being followed already; what it overrides is another one."""
    if closure.name not in flow.helpers:
        return False
    overriding = reading.chain[-1] if reading.chain else None
    overrides = isinstance(overriding, FunctionNode) and overriding.name == closure.name
    return not overrides or closure.definition in reading.chain


def _bind_parameters(
    inner: Reading,
    definition: FunctionNode,
    arguments: tuple[Term, ...],
    keywords: tuple[Term, ...],
) -> None:
    parameters = definition.args
    positional = (*parameters.posonlyargs, *parameters.args)
    names = [one.arg for one in (*positional, *parameters.kwonlyargs)]
    given = dict(zip([one.arg for one in positional], arguments, strict=False))
    given.update((k.value, k.children[0]) for k in keywords if k.value in names)
    rest = tuple(k for k in keywords if k.value not in names)
    for name, value in _defaults(inner, definition):
        given.setdefault(name, value)
    for k, name in enumerate(names):
        inner.names[name] = given.get(name, term("missing", value=str(k)))
    if parameters.vararg is not None:
        inner.names[parameters.vararg.arg] = term("tuple", *arguments[len(positional) :])
    if parameters.kwarg is not None:
        pairs = (term("pair", constant(k.value), k.children[0]) for k in rest)
        inner.names[parameters.kwarg.arg] = term("dict", *pairs)


def _defaults(inner: Reading, definition: FunctionNode) -> Iterator[tuple[str, Term]]:
    parameters = definition.args
    positional = (*parameters.posonlyargs, *parameters.args)
    tail = positional[len(positional) - len(parameters.defaults) :]
    for parameter, default in zip(tail, parameters.defaults, strict=True):
        yield parameter.arg, read(default, inner)
    for parameter, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        if value is not None:
            yield parameter.arg, read(value, inner)
