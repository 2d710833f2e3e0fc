"""Everything in the source that makes up a value, for values that cannot be worked out."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator

from benchhygiene.inventory.bindings import Binding, Changed, Value
from benchhygiene.inventory.constants import resolved
from benchhygiene.inventory.modules import Found, Modules

_MOST = 200
_NARROWING = frozenset(
    (
        "filter",
        "itertools.compress",
        "itertools.dropwhile",
        "itertools.filterfalse",
        "itertools.islice",
        "itertools.takewhile",
        "random.choice",
        "random.choices",
        "random.sample",
    )
)
_TAKING_AWAY = frozenset(("clear", "discard", "pop", "remove"))


def trace(modules: Modules, node: ast.expr, path: str) -> tuple[ast.AST, ...]:
    """Return the expression and the assignments and changes behind its names, nearest first."""
    found: dict[int, ast.AST] = {}
    pending: list[tuple[ast.AST, str]] = [(node, path)]
    while pending and len(found) < _MOST:
        one, where = pending.pop(0)
        if id(one) not in found:
            found[id(one)] = one
            pending.extend(_behind(modules, one, where))
    return tuple(found.values())


def _behind(modules: Modules, node: ast.AST, path: str) -> Iterator[tuple[ast.AST, str]]:
    module = modules.at(path)
    names = dict.fromkeys(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
    for name in names:
        binding = module.scope.names.get(name) if module is not None else None
        if binding is None:
            continue
        followed = modules.followed(Found(path, binding))
        if isinstance(followed, Found):
            for part in _parts(followed.binding):
                yield part, followed.path


def _parts(binding: Binding) -> Iterator[ast.AST]:
    one: Binding | None = binding
    while isinstance(one, Value | Changed):
        if isinstance(one, Changed):
            yield one.statement
        elif one.expression is not None:
            yield one.expression
        one = one.previous


def digest(nodes: Iterable[ast.AST]) -> str:
    """Return a hash of what a trace says."""
    text = "\n".join(map(ast.dump, nodes)).encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def narrowings(modules: Modules, nodes: Iterable[ast.AST], path: str) -> int:
    """Count what leaves elements out: slices, filters, conditions, samples, removals."""
    module = modules.at(path)
    find = (module.scope.names if module is not None else {}).get
    count = 0
    for node in nodes:
        for one in ast.walk(node):
            if isinstance(one, ast.Subscript):
                count += isinstance(one.slice, ast.Slice)
            elif isinstance(one, ast.comprehension):
                count += len(one.ifs)
            elif isinstance(one, ast.Call):
                method = isinstance(one.func, ast.Attribute) and one.func.attr in _TAKING_AWAY
                count += method or resolved(one.func, find) in _NARROWING
            else:
                count += isinstance(one, ast.IfExp | ast.Delete)
    return count
