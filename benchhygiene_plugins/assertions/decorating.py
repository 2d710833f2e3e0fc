"""Decorators of a test that keep its failure to themselves, or never call it."""

from __future__ import annotations

import ast

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import decorator_call
from benchhygiene_plugins.assertions.contexts import catching, swallows_yield
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.expressions import read
from benchhygiene_plugins.assertions.parametrizing import is_parametrization
from benchhygiene_plugins.assertions.trace import Closure

_FOREIGN = frozenset(("ref", "attr", "free"))


def swallowing_decorator(run: Run, node: Node) -> str | None:
    """Return the decorator of the tests' own that swallows a node's failures, if there is one."""
    for holder in (node.definition, *node.classes):
        for decorator in holder.decorator_list:
            named, call = decorator_call(decorator)
            run.trace.muted += 1
            made = read(named, run)
            # What parametrizes catches nothing, and its values are read elsewhere.
            if call is not None and made.kind in _FOREIGN and is_parametrization(run, call):
                run.trace.muted -= 1
                continue
            value = made if call is None else read(decorator, run)
            run.trace.muted -= 1
            if made.kind == "function" and isinstance(made.node, Closure):
                if _swallows(run, made.node):
                    return f"@{made.node.name}"
            elif catching(run, value) is not None:
                return f"@{catching(run, value)}"
    return None


def _swallows(run: Run, closure: Closure) -> bool:
    definition = closure.definition
    if not isinstance(definition, FunctionNode):
        return False
    inner = [definition, *(n for n in ast.walk(definition) if isinstance(n, FunctionNode))]
    scope = Run(run.trace, closure.module)
    return any(swallows_yield(scope, one) for one in inner)
