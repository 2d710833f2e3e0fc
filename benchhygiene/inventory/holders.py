"""Which module or class an expression such as ``globals()`` or ``sys.modules[__name__]`` is."""

from __future__ import annotations

import ast
from typing import cast

from benchhygiene.inventory.bindings import Class, Scope, Value
from benchhygiene.inventory.frames import Frame
from benchhygiene.inventory.walk import Walk


def object_of(walk: Walk, frame: Frame, node: ast.expr) -> Frame | Scope | None:
    """Return the module or class whose attributes an expression gives access to."""
    if isinstance(node, ast.Name):
        found = frame.find(node.id)
        if isinstance(found, Class):
            return found.scope
        if isinstance(found, Value) and found.expression is not None:
            return (
                None
                if isinstance(found.expression, ast.Name)
                else object_of(walk, frame, found.expression)
            )
        return None
    holder = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        holder = node.func.value  # sys.modules.get(__name__)
    if holder is not None and walk.resolved(holder, frame) == "sys.modules":
        return walk.module
    is_import = isinstance(node, ast.Call) and bool(node.args)
    if is_import and walk.resolved(cast("ast.Call", node).func, frame) in (
        "importlib.import_module",
        "__import__",
    ):
        named = walk.resolved(cast("ast.Call", node).args[0], frame)
        return walk.module if named == "__name__" else None
    return None


def namespace_of(walk: Walk, frame: Frame, node: ast.expr) -> Frame | Scope | None:
    """Return the module or class whose names a dictionary such as ``globals()`` holds."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return object_of(walk, frame, node.value)
    if isinstance(node, ast.Name):
        found = frame.find(node.id)
        if isinstance(found, Value) and isinstance(found.expression, ast.Call):
            return namespace_of(walk, frame, found.expression)
    if not isinstance(node, ast.Call):
        return None
    name = walk.resolved(node.func, frame)
    if name == "globals" and not node.args:
        return walk.module
    if name in ("vars", "locals") and not node.args:
        return frame if not frame.is_call else None
    if name == "vars" and len(node.args) == 1:
        return object_of(walk, frame, node.args[0])
    return None
