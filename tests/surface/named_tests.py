"""Find the tests of a module that a style can say."""

from __future__ import annotations

import ast


def tests_of(before: str, after: str, *, for_unittest: bool) -> frozenset[str]:
    """Return the names of the tests of two versions, with what a lost one is called now."""
    old, new = _functions(before), _functions(after)
    tests = {name for name in (*old, *new) if name.startswith("test")}
    lost = {name.removeprefix("test_") for name in tests if name in old and name not in new}
    tests |= {name for name in new if name not in old and any(core in name for core in lost)}
    if for_unittest:
        tests -= {name for name in tests if not (old.get(name, True) and new.get(name, True))}
    return frozenset(tests)


def _functions(text: str) -> dict[str, bool]:
    """Return the functions outside classes, and whether unittest could call them."""
    pending: list[ast.AST] = list(ast.parse(text).body)
    found: dict[str, bool] = {}
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = found.get(node.name, True) and _is_callable(node)
        elif not isinstance(node, ast.ClassDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return found


def _is_callable(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether every parameter is drawn or a row's, so that no fixture is asked for."""
    names = {one.arg for one in function.args.args}
    marks = [ast.unparse(one) for one in function.decorator_list]
    if any("given(" in mark for mark in marks):
        return not any("parametrize" in mark for mark in marks)
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and "parametrize" in ast.unparse(mark.func):
            is_plain = len(mark.args) == 2 and isinstance(mark.args[0], ast.Constant)
            if (
                not is_plain
                or "pytest.param" in ast.unparse(mark)
                or "indirect" in ast.unparse(mark)
            ):
                return False
            names -= {each.strip() for each in str(mark.args[0].value).split(",")}  # type: ignore[attr-defined]
    return not names
