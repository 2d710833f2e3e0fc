"""JSON Schemas that stand in the Python files of the tests, as constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.bindings import Scope, Value
from benchhygiene.inventory.comparisons import holds_unknown
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.oracles.contracts import Kind, Loosened, held
from benchhygiene_plugins.oracles.suppliers import may_be_schema
from benchhygiene_plugins.oracles.territory import Standing, Territory


def loosened_in_code(change: Change) -> Iterator[Loosened]:
    """Yield, by path and name, what the schemas in the tests' own code allow more than they did."""
    standing = change.parent.surveyed(Territory.of).standing
    trees = (change.parent, change.candidate)
    for path in change.differing():
        if not path.endswith(".py") or standing(path) is not Standing.CODE:
            continue
        if not all(tree.is_file(path) for tree in trees):
            continue
        old, new = (dict(_schemas(tree, path)) for tree in trees)
        for name, value in old.items():
            if name in new and new[name] != value:
                found = held(Kind.SCHEMA, value, new[name], path, "the parent's")
                if found.loosenings or found.unseen:
                    yield found


def _schemas(tree: SourceTree, path: str) -> Iterator[tuple[str, object]]:
    modules = Modules(tree)
    module = modules.at(path)
    if module is None or "type" not in module.file.text:
        return
    evaluator = modules.constants(path).evaluator()
    for name, expression in _dicts(module.scope, ""):
        try:
            value = evaluator.value(expression)
        except Unknown:
            continue
        if not holds_unknown(value):
            yield name, value


def _dicts(scope: Scope, prefix: str) -> Iterator[tuple[str, ast.Dict]]:
    for name, binding in scope.names.items():
        inner = getattr(binding, "scope", None)
        if isinstance(inner, Scope):
            yield from _dicts(inner, f"{prefix}{name}.")
        expression = binding.expression if isinstance(binding, Value) else None
        if isinstance(expression, ast.Dict) and may_be_schema(expression):
            yield f"{prefix}{name}", expression
