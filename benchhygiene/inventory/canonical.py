"""What a function does, whatever it and its locals are called."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from typing import cast

from benchhygiene.inventory.python import FunctionNode, statements

_IGNORED = frozenset(
    ("lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "type_comment")
)
_ANNOTATIONS = frozenset(("annotation", "returns", "type_params"))


def name_free(definition: FunctionNode | ast.Lambda) -> str:
    """Return a hash of what a function does, whatever it and its locals are called.

    Decorators, annotations and the docstring do not count; names from outside do.
    """
    names = {name: f"${k}" for k, name in enumerate(local_names(definition))}
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    parts = [_written(definition.args, names)]
    parts += [_written(one, names) for one in _without_docstring(body)]
    # A coroutine function does something else than a function with the same body.
    text = "\n".join((type(definition).__name__, *parts))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def shape(definition: FunctionNode) -> tuple[str, ...]:
    """Return what is equal wherever ``name_free`` is, for a fraction of the time."""
    inside = statements(cast("list[ast.stmt]", _without_docstring(definition.body)))
    return (type(definition).__name__, *(type(one).__name__ for one in inside))


def name_free_text(tree: ast.AST) -> str:
    """Return a tree in a form that formatting, quotes and positions have no part in."""
    return _written(tree, {})


def _without_docstring(body: list[ast.stmt] | list[ast.expr]) -> list[ast.AST]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return list(body[1:]) if isinstance(first.value.value, str) else list(body)
    return list(body)


def local_names(definition: FunctionNode | ast.Lambda) -> Iterator[str]:
    """Yield the names a function binds, in the order in which the source first binds them."""
    seen: set[str] = set()
    for node in _in_order(definition):
        name = _bound(node)
        if name is not None and name not in seen:
            seen.add(name)
            yield name


def _bound(node: ast.AST) -> str | None:
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.ExceptHandler | FunctionNode | ast.ClassDef):
        return node.name
    return None


def _in_order(definition: FunctionNode | ast.Lambda) -> Iterator[ast.AST]:
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    stack: list[ast.AST] = [*reversed(body), definition.args]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _written(root: ast.AST, names: Mapping[str, str]) -> str:
    """Return a tree in prefix form, without recursion: source may be nested deeply."""
    out: list[str] = []
    stack: list[object] = [root]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Constant):
            out.append(f"{type(one.value).__name__}:{_literal(one.value)}")
        elif isinstance(one, ast.AST):
            out.append(type(one).__name__)
            stack.append(_END)
            stack.extend(reversed([_renamed(one, f, v, names) for f, v in _fields(one)]))
        elif isinstance(one, list):
            members = cast("list[object]", one)
            out.append(f"[{len(members)}")
            stack.extend(reversed(members))
        else:
            out.append(repr(one))
    return " ".join(out)


_END = "."


def _literal(value: object) -> str:
    return f"{value:x}" if isinstance(value, int) else repr(value)


def _fields(node: ast.AST) -> Iterator[tuple[str, object]]:
    for name, value in ast.iter_fields(node):
        if name not in _IGNORED and name not in _ANNOTATIONS:
            yield name, value


def _renamed(node: ast.AST, name: str, value: object, names: Mapping[str, str]) -> object:
    if not isinstance(value, str):
        return value
    binds = isinstance(node, ast.Name | ast.arg | ast.ExceptHandler | FunctionNode | ast.ClassDef)
    return names.get(value, value) if binds and name in ("id", "arg", "name") else value
