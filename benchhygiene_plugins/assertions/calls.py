"""Calls: checks by their vocabulary, helpers by their bodies, everything else as it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene_plugins.assertions import expectations
from benchhygiene_plugins.assertions.bodies import run_closure
from benchhygiene_plugins.assertions.expressions import read, read_all
from benchhygiene_plugins.assertions.handing import unknown
from benchhygiene_plugins.assertions.measuring import REPETITIONS
from benchhygiene_plugins.assertions.objects import checking_method
from benchhygiene_plugins.assertions.scope import Owner
from benchhygiene_plugins.assertions.strength import is_constructor
from benchhygiene_plugins.assertions.terms import Term, constant, display, term
from benchhygiene_plugins.assertions.trace import Closure
from benchhygiene_plugins.assertions.verbs import (
    WARNS,
    is_expectation,
    last,
)
from benchhygiene_plugins.assertions.vocabulary import (
    MOCK,
    UNITTEST,
    Arguments,
    foreign,
    is_spoken,
    opaque,
    sounds_like_check,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.reading import Reading

_MOCKS = frozenset(("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock"))
NOTHING = constant(None)


@attrs.define(eq=False)
class Called:
    """One call: its syntax, what is called, and with what.

    Never changed once it is made: it is not frozen because that takes longer to make.
    """

    node: ast.Call
    name: str
    function: Term
    arguments: tuple[Term, ...]
    keywords: tuple[Term, ...]

    @property
    def parts(self) -> tuple[ast.Call, tuple[Term, ...], tuple[Term, ...]]:
        """Return the syntax and both kinds of arguments."""
        return self.node, self.arguments, self.keywords

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
    expected = expectations.follow(reading, node)
    if expected is not None:
        return expected
    method = _own_method(reading, node) if reading.owner is not None else None
    called = _called(reading, node)
    if method is not None:
        return run_closure(reading, method, *called.parts, bound=True)
    checking = checking_method(reading, called.function)
    if checking is not None:
        closure, *first = checking
        arguments = (*first, *called.arguments)
        return run_closure(reading, closure, node, arguments, called.keywords)
    if called.function.kind == "function" and isinstance(called.function.node, Closure):
        reading.trace.pending.pop(called.function.digest, None)
        return run_closure(reading, called.function.node, *called.parts)
    if called.function.kind == "lambda" and not _uses_arguments(called.function):
        return called.function.children[0]
    demanded = _demanded(reading, called)
    if demanded is not None:
        return demanded
    return unknown(reading, called)


def _uses_arguments(function: Term) -> bool:
    return any(part.kind == "argument" for part in function.subterms())


def _called(reading: Reading, node: ast.Call) -> Called:
    name, function = reading.meant(node.func)
    arguments = read_all(node.args, reading)
    keywords = _keywords(reading, node, name) if node.keywords else []
    if keywords and not function.has_product:
        keywords = [one for one in keywords if not _is_patience(one)]
    if function.kind == "call" and is_partial(function):
        name = str(function.children[1].node or function.children[1].value)
        arguments = (*_positional(function.children[2:]), *arguments)
        names = {one.value for one in keywords}
        keywords += [
            k for k in function.children[2:] if k.kind == "keyword" and k.value not in names
        ]
        keywords.sort(key=lambda one: one.value)
        function = function.children[1]
    if keywords:
        arguments, keywords = _in_order(reading, function, arguments, keywords)
    return Called(node, name, function, arguments, tuple(keywords))


def _keywords(reading: Reading, node: ast.Call, name: str) -> list[Term]:
    given = [term("keyword", read(k.value, reading), value=k.arg or "") for k in node.keywords]
    keywords = [k for k in _unpacked(given) if k.value != "name" or last(name) not in _MOCKS]
    if last(name) == "pedantic":
        keywords = [k for k in keywords if k.value not in REPETITIONS]
    keywords.sort(key=lambda one: one.value)
    return keywords


def _is_patience(keyword: Term) -> bool:
    """Return whether a named argument only says how many seconds at most to wait for others."""
    seconds = keyword.children[0].node
    return keyword.value == "timeout" and isinstance(seconds, int | float) and seconds >= 1


def _unpacked(keywords: list[Term]) -> Iterator[Term]:
    """Yield named arguments, those of a dict that the source spells out one by one."""
    for one in keywords:
        inner = one.children[0]
        if not one.value and inner.kind == "dict" and not (inner.children or inner.value):
            continue
        pairs = inner.children if inner.kind == "dict" and not inner.value else ()
        plain = [p for p in pairs if p.kind == "pair" and isinstance(p.children[0].node, str)]
        if one.value or not pairs or len(plain) != len(pairs):
            yield one
            continue
        for pair in plain:
            yield term("keyword", pair.children[1], value=str(pair.children[0].node))


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
    if any(not one.value for one in keywords):
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
        after = owner.holder(reading.chain) or owner.classes[0][0].name
    elif not isinstance(function.value, ast.Name) or reading.name(function.value).kind != "self":
        return None
    found = owner.method(function.attr, after)
    if found is None:
        return None
    return Closure(found[0], found[1], {}, reading.owner)


def _demanded(reading: Reading, called: Called) -> Term | None:
    """Note what a call of the vocabulary demands; None where it is no such call."""
    function, short = called.function, last(called.name) or called.function.value
    if is_expectation(called.name, short):
        return _in_call_form(reading, called)
    if not is_spoken(called.name, short):
        return None
    if function.kind == "attr" and short in UNITTEST:
        return _note(reading, called, UNITTEST[short](called.given))
    if function.kind == "attr" and short in MOCK:
        return _note(reading, called, MOCK[short](function.children[0], called.given))
    if function.kind in ("attr", "ref", "free", "enter"):
        made = foreign(called.name, called.given)
        if made is None and short in UNITTEST and function.kind == "ref":
            made = UNITTEST[short](_unbound(called).given)
        if made is None and sounds_like_check(short) and not _is_value(called):
            made = opaque(function, (*called.arguments, *called.keywords))
        return _note(reading, called, made) if made is not None else None
    return None


def _unbound(called: Called) -> Called:
    """Return a call without the object that a method is given by hand."""
    if called.arguments and called.arguments[0].kind == "self":
        return attrs.evolve(called, arguments=called.arguments[1:])
    return called


def _is_value(called: Called) -> bool:
    """Return whether a call that sounds like a check may only return something."""
    return not last(called.name).lstrip("_").lower().startswith("assert") and bool(
        called.function.has_product and called.function.kind != "attr"
    )


def _note(reading: Reading, called: Called, demand: Term | None) -> Term:
    if demand is None:
        demand = opaque(called.function, (*called.arguments, *called.keywords))
    written = called.node.args
    reading.demand(demand, called.node, (written[0], written[1]) if len(written) >= 2 else None)
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
    reading.trace.effect(body, reading.place(called.node), roots(body))
    reading.demand(term(word, kind, match, body), called.node)
    return term("excinfo", body)


def roots(call: Term) -> list[Term]:
    """Return the things that a call may change: what it is given, and a method's object."""
    found = [part for part in call.children if part.kind != "keyword"]
    found += [part.children[0] for part in call.children if part.kind == "keyword"]
    if found and found[0].kind == "attr":
        found[0] = found[0].children[0]
    return found
