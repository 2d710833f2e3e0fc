"""Calls: checks by their vocabulary, helpers by their bodies, everything else as it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.checks import Flow, Origin
from benchhygiene_plugins.assertions.expressions import opened, read
from benchhygiene_plugins.assertions.scope import Owner
from benchhygiene_plugins.assertions.strength import is_constructor
from benchhygiene_plugins.assertions.terms import Term, constant, display, term
from benchhygiene_plugins.assertions.trace import Closure, Pending
from benchhygiene_plugins.assertions.verbs import RAISES, WARNS, awaits, collects, handed_to, last
from benchhygiene_plugins.assertions.vocabulary import (
    MOCK,
    UNITTEST,
    Arguments,
    foreign,
    opaque,
    sounds_like_check,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.reading import Reading

_DEEPEST = 6  # helpers within helpers that are followed
NOTHING = constant(None)


@attrs.frozen(eq=False)
class Called:
    """One call: its syntax, what is called, and with what."""

    node: ast.Call
    name: str
    function: Term
    arguments: tuple[Term, ...]
    keywords: tuple[Term, ...]

    @property
    def given(self) -> Arguments:
        """Return the arguments the way the vocabulary wants them."""
        named = {one.value: one.children[0] for one in self.keywords if one.value}
        return Arguments(self.arguments, named)

    @property
    def term(self) -> Term:
        """Return the call as a value."""
        if self.function.kind == "builtin" and not self.arguments:
            named = all(one.value for one in self.keywords)
            if self.function.value == "dict" and named:
                pairs = [term("pair", constant(k.value), k.children[0]) for k in self.keywords]
                pairs.sort(key=lambda one: one.children[0].digest)
                return display("dict", pairs)
            if self.function.value in ("list", "set", "tuple") and not self.keywords:
                return display(self.function.value, ())
        return term("call", self.function, *self.arguments, *self.keywords)


def follow(reading: Reading, node: ast.Call) -> Term:
    """Return what a call yields, having noted what it demands."""
    method = _own_method(reading, node)
    called = _called(reading, node)
    if method is not None:
        return run_closure(reading, method, called, bound=True)
    if called.function.kind == "function" and isinstance(called.function.node, Closure):
        reading.trace.pending.pop(called.function.digest, None)
        return run_closure(reading, called.function.node, called)
    demanded = _demanded(reading, called)
    if demanded is not None:
        return demanded
    return _unknown(reading, called)


def _called(reading: Reading, node: ast.Call) -> Called:
    name = reading.dotted(node.func)
    function = read(node.func, reading)
    arguments = tuple(opened(read(one, reading) for one in node.args))
    keywords = [term("keyword", read(k.value, reading), value=k.arg or "") for k in node.keywords]
    keywords.sort(key=lambda one: one.value)
    if is_partial(function):
        name = str(function.children[1].node or function.children[1].value)
        arguments = (*_positional(function.children[2:]), *arguments)
        given = {one.value for one in keywords}
        keywords += [
            k for k in function.children[2:] if k.kind == "keyword" and k.value not in given
        ]
        keywords.sort(key=lambda one: one.value)
        function = function.children[1]
    arguments, keywords = _in_order(reading, function, arguments, keywords)
    return Called(node, name, function, arguments, tuple(keywords))


def is_partial(function: Term) -> bool:
    """Return whether what is called is ``functools.partial(...)``."""
    if function.kind != "call" or len(function.children) < 2:
        return False
    return function.children[0].value in ("functools.partial", "partial")


def _positional(arguments: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(one for one in arguments if one.kind != "keyword")


def _in_order(
    reading: Reading, function: Term, arguments: tuple[Term, ...], keywords: list[Term]
) -> tuple[tuple[Term, ...], list[Term]]:
    """Put arguments given by name where the signature has them, if the tree holds it."""
    if not keywords or any(not one.value for one in keywords):
        return arguments, keywords
    project, here = reading.trace.project, reading.module.path
    names: tuple[str, ...] | None = None
    if function.kind == "ref":
        names = project.parameters(str(function.node), here)
    elif function.kind == "attr" and is_constructor(function.children[0]):
        made = function.children[0].children[0]
        names = project.parameters(f"{made.node}.{function.value}", here, method=True)
    if names is None:
        return arguments, keywords
    given = {one.value: one for one in keywords}
    for name in names[len(arguments) :]:
        if name not in given:
            break
        arguments = (*arguments, given.pop(name).children[0])
    return arguments, [one for one in keywords if one.value in given]


def _own_method(reading: Reading, node: ast.Call) -> Closure | None:
    """Return the method of the test's own classes that a call means."""
    owner = reading.owner.node if reading.owner is not None else None
    function = node.func
    if not isinstance(owner, Owner) or not isinstance(function, ast.Attribute):
        return None
    after = None
    if isinstance(function.value, ast.Call) and isinstance(function.value.func, ast.Name):
        if function.value.func.id != "super" or not owner.classes:
            return None
        after = owner.classes[0][0].name
    elif not isinstance(function.value, ast.Name) or reading.name(function.value).kind != "self":
        return None
    found = owner.method(function.attr, after)
    if found is None:
        return None
    return Closure(found[0], found[1], {}, reading.owner)


def _demanded(reading: Reading, called: Called) -> Term | None:
    """Note what a call of the vocabulary demands; None where it is no such call."""
    function, short = called.function, last(called.name) or called.function.value
    if called.name in RAISES or short in RAISES or called.name in WARNS or short in WARNS:
        return _in_call_form(reading, called)
    if function.kind == "attr" and short in UNITTEST:
        return _note(reading, called, UNITTEST[short](called.given))
    if function.kind == "attr" and short in MOCK:
        return _note(reading, called, MOCK[short](function.children[0], called.given))
    if function.kind in ("attr", "ref", "free", "enter"):
        made = foreign(called.name, called.given)
        if made is None and short in UNITTEST and function.kind == "ref":
            made = UNITTEST[short](called.given)
        if made is None and sounds_like_check(short) and not _is_value(called):
            made = opaque(function, (*called.arguments, *called.keywords))
        return _note(reading, called, made) if made is not None else None
    return None


def _is_value(called: Called) -> bool:
    """Return whether a call that sounds like a check may only return something."""
    return not last(called.name).lstrip("_").lower().startswith("assert") and bool(
        called.function.has_product and called.function.kind != "attr"
    )


def _note(reading: Reading, called: Called, demand: Term | None) -> Term:
    if demand is None:
        demand = opaque(called.function, (*called.arguments, *called.keywords))
    same = len(called.node.args) >= 2 and ast.dump(called.node.args[0]) == ast.dump(
        called.node.args[1]
    )
    reading.demand(demand, called.node, same_words=same)
    return NOTHING


def _in_call_form(reading: Reading, called: Called) -> Term | None:
    """Read ``raises(E, function, *arguments)``: None for the form that opens a context."""
    if len(called.arguments) < 2 or "Regex" in called.name:
        return None
    if last(called.name) in ("raises", "warns") and called.arguments[1].kind == "const":
        return None
    kind, function, *rest = called.arguments
    kept = tuple(k for k in called.keywords if k.value not in ("match", "msg"))
    match = called.given.named.get("match", NOTHING)
    body = (
        function.children[0] if function.kind == "lambda" else term("call", function, *rest, *kept)
    )
    word = "warns" if called.name in WARNS or last(called.name) in WARNS else "raises"
    reading.trace.effect(body, reading.place(called.node), body.children)
    reading.demand(term(word, kind, match, body), called.node)
    return term("excinfo", body)


def _unknown(reading: Reading, called: Called) -> Term:
    taker = handed_to(called.function)
    if taker is None and awaits(called.function) and called.arguments:
        found = _awaited(reading, called)
        if found is not None:
            return found
    for one in (*called.arguments, *(k.children[0] for k in called.keywords)):
        _hand_on(reading, one, called.function, taker)
    function = called.function
    if function.kind == "attr" and function.children[0].kind == "future":
        return yielded(reading, function.children[0])
    made = called.term
    if taker is not None and "future" in taker:
        return _promise(reading, called, made)
    return made


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
    pending = trace.pending.pop(one.digest, None)
    if taker is not None:
        flow = reading.flow.caught(taker)
        trace.pending[one.digest] = Pending(one.node, (), (), flow)
    elif pending is not None:
        flow = reading.flow.guarded(term("called_by", function), Origin.HANDED_ON)
        execute(reading, one.node, _nobody(one.node), (), flow)


def _nobody(closure: Closure) -> tuple[Term, ...]:
    return tuple(
        term("argument", value=f"handed:{k}") for k, _ in enumerate(closure.definition.args.args)
    )


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
    called: Called,
    *,
    bound: bool = False,
) -> Term:
    """Return what calling a function of the tests yields, its body followed."""
    definition = closure.definition
    arguments, keywords = called.arguments, called.keywords
    site = None if reading.depth else reading.place(called.node)
    if bound and not _is_static(definition):
        arguments = (term("self"), *arguments)
    function = reading.function(closure)
    made = term("call", function, *arguments, *keywords)
    if isinstance(definition, ast.Lambda):
        return made
    lazy = _lazy_kind(definition)
    if lazy is not None:
        value = term(lazy, made)
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


def _lazy_kind(definition: FunctionNode) -> str | None:
    if isinstance(definition, ast.AsyncFunctionDef):
        return "coroutine"
    return "generator" if is_generator(definition) else None


def is_generator(definition: FunctionNode) -> bool:
    """Return whether a function's own body yields."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(definition))


def own_nodes(definition: FunctionNode) -> Iterator[ast.AST]:
    """Yield the parts of a function's body, nested functions left out."""
    queue: list[ast.AST] = list(definition.body)
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.Lambda | ast.ClassDef):
            queue.extend(ast.iter_child_nodes(node))


def execute(
    reading: Reading,
    closure: Closure,
    arguments: tuple[Term, ...],
    keywords: tuple[Term, ...],
    flow: Flow,
) -> Term:
    """Follow a function's body with these arguments; return what it returns."""
    definition = closure.definition
    made = term("call", reading.function(closure), *arguments, *keywords)
    if isinstance(definition, ast.Lambda) or reading.depth >= _DEEPEST:
        return made
    if closure.name in flow.helpers:
        return made
    from benchhygiene_plugins.assertions.execution import Run

    inner = Run(
        reading.trace, closure.module, dict(closure.names), closure.owner, depth=reading.depth + 1
    )
    _bind_parameters(inner, definition, arguments, keywords)
    recorders, reading.trace.recorders = reading.trace.recorders, [[]]
    raising, reading.trace.raising = reading.trace.raising, []
    effects, chains = len(reading.trace.effects), dict(reading.trace.chains)
    inner.block(definition.body, flow.inside(closure.name))
    (inside,), reading.trace.recorders = reading.trace.recorders, recorders
    reading.trace.raising = raising
    returned = inner.returned
    if recorders:
        recorders[-1].extend(one for one in inside if one.kind == "raise")
        recorders[-1].append(made)
    if not returned:
        return NOTHING
    plain = len(returned) == 1 and returned[0][1].guards == flow.guards
    if plain and len(reading.trace.effects) != effects:
        # What it does on the way must stay visible: to what it returns, or in the call itself.
        changed = {d for d, one in reading.trace.chains.items() if chains.get(d) != one}
        plain = bool(changed & returned[0][0].parts)
    if not plain or returned[0][1].loops != flow.loops:
        return made
    if recorders:
        recorders[-1][-1] = returned[0][0]
    return returned[0][0]


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
