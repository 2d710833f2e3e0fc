"""Texts that are put together: by ``+``, ``%``, ``format`` or an f-string, it is one text."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator

from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.terms import LENT, Term, constant, term

_LARGEST = 10**30
_MOST = 64  # texts that are joined one by one
_PLAIN = "-1"  # how an f-string says that a value is formatted as it is


def text(parts: Iterable[Term]) -> Term:
    """Return the text of parts in their order; it is a constant where all of them are."""
    found: list[Term] = []
    for one in _opened(parts):
        last = found[-1].node if found else None
        if isinstance(last, str) and isinstance(one.node, str):
            found[-1] = constant(last + one.node)
        elif one.node != "" or one.kind != "const":
            found.append(one)
    if not found:
        return constant("")
    only = found[0]
    return only if len(found) == 1 and only.kind == "const" else term("fstring", *found)


def _opened(parts: Iterable[Term]) -> Iterator[Term]:
    for one in parts:
        inner = one
        if one.kind == "formatted" and len(one.children) == 1 and one.value == _PLAIN:
            (inner,) = one.children
        if inner.kind == "fstring":
            yield from inner.children
        elif inner.kind == "const" and _is_shown(inner.node):
            yield constant(str(inner.node))
        else:
            yield one


def _is_shown(value: object) -> bool:
    """Return whether a value is sure to look the same wherever it is put into a text."""
    return isinstance(value, str) or (type(value) is int and abs(value) < _LARGEST)


def is_text(one: Term) -> bool:
    """Return whether a term is surely a text."""
    return one.kind == "fstring" or (one.kind == "const" and isinstance(one.node, str))


def added(left: Term, right: Term) -> Term | None:
    """Return what adding comes to where one side is a text, so that both are."""
    if not (is_text(left) or is_text(right)):
        return None
    return text(map(_as_it_is, (left, right)))


def _as_it_is(one: Term) -> Term:
    return one if is_text(one) else term("formatted", one, value=_PLAIN)


def filled(pattern: Term, values: Term) -> Term | None:
    """Return what ``"... %s ..." % values`` comes to, None where it asks for more than texts."""
    if not isinstance(pattern.node, str) or values.kind in ("dict", "list"):
        return None
    parts = pattern.node.split("%s")
    given = values.children if values.kind == "tuple" else (values,)
    if any("%" in one for one in parts) or len(parts) != len(given) + 1:
        return None
    found = [constant(parts[0])]
    for value, rest in zip(given, parts[1:], strict=True):
        found += [_as_it_is(value), constant(rest)]
    return text(found)


def _is_position(name: str) -> bool:
    return len(name) < 4 and name.isascii() and name.isdecimal()


def formatted(call: Term) -> Term | None:
    """Return what ``"...".format(...)`` comes to, None where it looks into what it is given."""
    function, *arguments = call.children
    if function.kind != "attr" or function.value != "format":
        return None
    pattern = function.children[0].node
    if not isinstance(pattern, str) or any(one.kind == "starred" for one in arguments):
        return None
    named = {one.value: one.children[0] for one in arguments if one.kind == "keyword"}
    given = [one for one in arguments if one.kind != "keyword"]
    try:
        fields = list(string.Formatter().parse(pattern))
    except ValueError:
        return None
    found = list[Term]()
    for k, (before, name, spec, conversion) in enumerate(fields):
        found.append(constant(before))
        if name is None:
            continue
        value = named.get(name)
        position = k if name == "" else int(name) if _is_position(name) else len(given)
        if value is None and position < len(given):
            value = given[position]
        if value is None or "{" in (spec or ""):
            return None
        shown = str(ord(conversion)) if conversion else _PLAIN
        specs = (constant(spec),) if spec else ()
        found.append(term("formatted", value, *specs, value=shown))
    return text(found)


def joined(call: Term) -> Term | None:
    """Return what ``"...".join(...)`` comes to where the source spells out what is joined."""
    function, *given = call.children
    if function.value != "join" or not is_text(function.children[0]) or len(given) != 1:
        return None
    known = elements(given[0], _MOST) if given[0].kind in ("list", "tuple") else None
    if known is None or given[0].node == LENT:
        return None
    found = list[Term]()
    for one in known:
        found += [function.children[0], _as_it_is(one)]
    return text(found[1:])
