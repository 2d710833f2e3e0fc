"""Which functions yield, and which decorators need not be followed."""

from __future__ import annotations

import ast


def hides(decorator: ast.expr) -> bool:
    """Return whether a decorator is pytest's or an interpreter's own, by its last word."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("fixture", "wraps", "staticmethod", "classmethod", "contextmanager", "property")


def is_generator(node: ast.AST) -> bool:
    """Return whether a function yields."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return False
    return any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node))
