"""The ``load_tests`` protocol of unittest: a function that says which tests a module has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements


@attrs.frozen
class Loading:
    """A ``load_tests`` that does not hand on the tests it is given."""

    path: str
    line: int
    text: str


def loading(change: Change) -> Iterator[Loading]:
    """Yield each ``load_tests`` of the candidate's that newly leaves tests out."""
    for path in change.differing():
        found = _of_file(change.candidate, path)
        if found is not None and _of_file(change.parent, path) is None:
            yield found


def _of_file(tree: SourceTree, path: str) -> Loading | None:
    if not path.endswith(".py") or not tree.is_file(path):
        return None
    try:
        if b"load_tests" not in tree.derived(path, words):
            return None
        file = tree.derived(path, parse)
    except EvidenceUnavailable:
        return None
    for node in file.body:
        if isinstance(node, FunctionNode) and node.name == "load_tests":
            return _judged(file, path, node)
        if isinstance(node, ast.Assign) and _names(node) and not isinstance(node.value, ast.Name):
            return Loading(path, node.lineno, file.segment(node)[:500])
    return None


def _names(node: ast.Assign) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "load_tests" for one in node.targets)


def _judged(file: PythonFile, path: str, node: FunctionNode) -> Loading | None:
    """Return the finding where some way out does not return all that was given, or discovered."""
    given = [one.arg for one in node.args.args][1:2]
    whole = {*given}
    for one in statements(node.body, into_functions=False):
        if isinstance(one, ast.Assign) and _hands_on(one.value, whole):
            whole |= {target.id for target in one.targets if isinstance(target, ast.Name)}
        elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            whole |= _filled(one.value, whole)
    returns = [
        one for one in statements(node.body, into_functions=False) if isinstance(one, ast.Return)
    ]
    if returns and all(one.value is not None and _hands_on(one.value, whole) for one in returns):
        return None
    return Loading(path, node.lineno, file.definition_text(node)[:1_000])


def _filled(call: ast.Call, whole: set[str]) -> set[str]:
    """Return the suite that ``suite.addTests(tests)`` fills with everything."""
    function = call.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return set()
    fills = function.attr in ("addTests", "addTest")
    return (
        {function.value.id} if fills and any(_hands_on(one, whole) for one in call.args) else set()
    )


def _hands_on(node: ast.expr, whole: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in whole
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name == "discover":
            return True
        return name in ("TestSuite", "suiteClass") and any(
            _hands_on(one, whole) for one in node.args
        )
    if isinstance(node, ast.List | ast.Tuple):
        return any(_hands_on(one, whole) for one in node.elts)
    return False
