"""The parameters of a function, and what a call gives them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.oracles.signs import Sign, dictionary, of_value, sign


def parameters(node: FunctionNode) -> Iterator[ast.arg]:
    """Yield the parameters that have a name of their own, and no star."""
    given = node.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)


def defaults_of(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Yield the parameters that have defaults, with them."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    tail = plain[len(plain) - len(given.defaults) :]
    yield from ((one.arg, default) for one, default in zip(tail, given.defaults, strict=True))
    for one, keyed in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if keyed is not None:
            yield one.arg, keyed


def bound(
    node: FunctionNode, arguments: Sequence[Sign], words: Mapping[str, Sign]
) -> dict[str, Sign] | None:
    """Return what a call's arguments give to the parameters, None where they do not fit."""
    given = node.args
    plain = [one.arg for one in (*given.posonlyargs, *given.args)]
    if len(arguments) > len(plain) and given.vararg is None:
        return None
    names = dict(zip(plain, arguments, strict=False))
    if given.vararg is not None:
        names[given.vararg.arg] = sign("tuple", *arguments[len(plain) :])
    known = {one.arg for one in parameters(node)}
    names.update({name: one for name, one in words.items() if name in known})
    if given.kwarg is not None:
        rest = ((of_value(n), one) for n, one in words.items() if n not in known)
        names[given.kwarg.arg] = dictionary(rest)
    return names


def bind_target(names: dict[str, Sign], target: ast.expr, value: Sign) -> None:
    """Bind the names of a target to a value and its parts."""
    if isinstance(target, ast.Name):
        names[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        for k, one in enumerate(target.elts):
            bind_target(names, one, sign("part", value, value=str(k)))
