"""How parts of a syntax tree are spelled; light enough to be imported for one question."""

from __future__ import annotations

import ast


def dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` for a name or attribute chain, empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def decorator_call(node: ast.expr) -> tuple[ast.expr, ast.Call | None]:
    """Split a decorator into what is named and, where it is called, the call."""
    return (node.func, node) if isinstance(node, ast.Call) else (node, None)
