"""The elements of an iterable that the source spells out."""

from __future__ import annotations

from benchhygiene_plugins.assertions.terms import Term, constant, term

_DISPLAYS = frozenset(("list", "tuple", "set"))
_SAME_EACH = frozenset(("enumerate", "list", "tuple", "iter", "reversed", "sorted"))
_SAME_ELEMENTS = frozenset(("list", "tuple", "iter", "frozenset", "set"))


def without_keys(iterable: Term) -> Term:
    """Return a mapping for its keys, where they are only run through."""
    if iterable.kind == "call" and len(iterable.children) == 1:
        function = iterable.children[0]
        if function.kind == "attr" and function.value == "keys":
            return function.children[0]
    return iterable


def each_of(iterable: Term) -> Term:
    """Return what a loop runs through, whatever order or numbers it adds."""
    for _ in range(8):
        if iterable.kind != "call" or len(iterable.children) != 2:
            return iterable
        function, inner = iterable.children
        if function.kind != "builtin" or inner.kind in ("keyword", "starred"):
            return iterable
        if function.value in _SAME_EACH:
            iterable = inner
        elif function.value == "range" and inner.kind == "call" and len(inner.children) == 2:
            if inner.children[0].kind != "builtin" or inner.children[0].value != "len":
                return iterable
            iterable = inner.children[1]
        else:
            return iterable
    return iterable


def each_element(iterable: Term) -> Term:
    """Return what a loop's target holds in any one round."""
    over = each_of(iterable)
    if iterable.kind == "call" and iterable.children[0].kind == "builtin":
        name = iterable.children[0].value
        if name == "range" and over != iterable:
            return term("index", over)
        if name == "enumerate" and over != iterable:
            return term("tuple", term("index", over), term("element", over))
    return term("element", over)


def elements(iterable: Term, limit: int) -> tuple[Term, ...] | None:
    """Return what iterating yields, None where the source does not say or it is too much."""
    found = _elements(iterable, limit)
    return found if found is not None and len(found) <= limit else None


def _elements(iterable: Term, limit: int) -> tuple[Term, ...] | None:
    if iterable.kind in _DISPLAYS:
        whole = bool(iterable.children) or not iterable.value
        starred = any(one.kind in ("starred", "perhaps") for one in iterable.children)
        return iterable.children if whole and not starred else None
    if iterable.kind == "dict":
        pairs = iterable.children
        plain = all(one.kind == "pair" for one in pairs) and not iterable.value
        return tuple(one.children[0] for one in pairs) if plain else None
    if iterable.kind == "item":
        return _sliced(iterable, limit)
    if iterable.kind == "const" and isinstance(iterable.node, str):
        return tuple(constant(one) for one in iterable.node[: limit + 1])
    return _called(iterable, limit) if iterable.kind == "call" else None


def _sliced(one: Term, limit: int) -> tuple[Term, ...] | None:
    base, index = one.children
    if index.kind != "slice" or not all(part.kind == "const" for part in index.children):
        return None
    found = _elements(base, limit * 4)
    if found is None:
        return None
    bounds = [part.node for part in index.children]
    if not all(bound is None or isinstance(bound, int) for bound in bounds):
        return None
    start, stop, step = (bound if isinstance(bound, int) else None for bound in bounds)
    return found[slice(start, stop, step)] if step != 0 else None


def _called(one: Term, limit: int) -> tuple[Term, ...] | None:
    function, *arguments = one.children
    if function.kind == "attr" and not arguments:
        return _of_dict(function)
    arguments = [a for a in arguments if a.kind != "keyword" or a.value != "strict"]
    if function.kind != "builtin" or any(a.kind in ("keyword", "starred") for a in arguments):
        return None
    if function.value == "map" and len(arguments) == 2 and arguments[0].kind == "ref":
        over = _elements(arguments[1], limit)
        return None if over is None else tuple(term("call", arguments[0], one) for one in over)
    if function.value == "range":
        return _range(arguments, limit)
    inner = [_elements(argument, limit) for argument in arguments]
    if any(found is None for found in inner):
        return None
    return _combined(function.value, [found for found in inner if found is not None])


def _combined(name: str, inner: list[tuple[Term, ...]]) -> tuple[Term, ...] | None:
    if name == "zip" and inner:
        return tuple(term("tuple", *row) for row in zip(*inner, strict=False))
    if len(inner) != 1:
        return None
    (found,) = inner
    if name == "enumerate":
        return tuple(term("tuple", constant(k), one) for k, one in enumerate(found))
    if name == "reversed":
        return found[::-1]
    return found if name in _SAME_ELEMENTS else None


def _of_dict(method: Term) -> tuple[Term, ...] | None:
    base = method.children[0]
    if base.kind != "dict" or base.value or any(one.kind != "pair" for one in base.children):
        return None
    if method.value == "items":
        return tuple(term("tuple", *one.children) for one in base.children)
    which = {"keys": 0, "values": 1}.get(method.value)
    return None if which is None else tuple(one.children[which] for one in base.children)


def _range(arguments: list[Term], limit: int) -> tuple[Term, ...] | None:
    bounds = [one.node for one in arguments if isinstance(one.node, int)]
    if len(bounds) != len(arguments) or not 1 <= len(bounds) <= 3 or (bounds[2:] == [0]):
        return None
    numbers = range(*bounds)
    few = numbers[: limit + 1]  # the whole may be too long to be measured
    return tuple(constant(n) for n in few) if len(few) <= limit else None
