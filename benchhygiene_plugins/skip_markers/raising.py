"""What raising an exception, or missing a module, does to the test that runs."""

from __future__ import annotations

import ast

from benchhygiene.inventory.conditions import NEVER, Condition, opaque
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.inlining import text_of
from benchhygiene.inventory.meanings import (
    Applied,
    Argument,
    Instance,
    Kind,
    Known,
    Scope,
    Value,
    Values,
)
from benchhygiene_plugins.skip_markers import vocabulary
from benchhygiene_plugins.skip_markers.vocabulary import Means


def raised(value: Value, evaluator: Evaluator) -> Means | None:
    """Return what raising a value does."""
    match value:
        case Known():
            return vocabulary.exception(value.name)
        case Applied(function=Known() as function):
            return vocabulary.exception(function.name)
        case Applied(function=Instance(kind=kind)) | (Kind() as kind):
            return _exception_class(kind, evaluator)
        case _:
            return None


def _exception_class(kind: Kind, evaluator: Evaluator) -> Means | None:
    for one in evaluator.lineage(kind):
        for base in one.node.bases:
            for value in evaluator.evaluate(base, one.scope):
                means = vocabulary.exception(value.name) if isinstance(value, Known) else None
                if means is not None:
                    return means
    return None


def expects_skip(statement: ast.stmt, scope: Scope, evaluator: Evaluator) -> bool:
    """Return whether a block stands there to see its body skip."""
    if not isinstance(statement, ast.With | ast.AsyncWith):
        return False
    given = (
        argument
        for item in statement.items
        if isinstance(item.context_expr, ast.Call)
        for argument in item.context_expr.args
    )
    return any(
        isinstance(value, Known) and vocabulary.exception(value.name) is not None
        for argument in given
        for value in _exceptions(argument, scope, evaluator)
    )


def _exceptions(node: ast.expr, scope: Scope, evaluator: Evaluator) -> Values:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(value for one in parts for value in evaluator.evaluate(one, scope))


def missing(arguments: tuple[Argument, ...], evaluator: Evaluator) -> Condition:
    """Return when ``importorskip`` skips: where the module, or its version, is missing."""
    given = [one.value for one in arguments if one.name in (None, "modname")][:1]
    texts = [text_of(one.expression, one.scope, evaluator) for one in given]
    wanted = [one.value for one in arguments if one.name == "minversion"]
    wanted += [one.value for one in arguments if one.name is None][1:2]
    versions = [text_of(one.expression, one.scope, evaluator) for one in wanted]
    name = texts[0] if texts else "?"
    result = NEVER if name.strip("'") in vocabulary.ALWAYS_THERE else opaque(f"no module {name}")
    for version in versions:
        if version != "None":
            result |= opaque(f"module {name} below {version}")
    return result
