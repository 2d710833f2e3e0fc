"""The rules on size and names that no linter of ours knows."""

from __future__ import annotations

import ast
import pathlib
import statistics
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PACKAGES = ("benchhygiene", "benchhygiene_plugins")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
VAGUE = {"util", "utils", "helper", "helpers", "manager", "common", "context", "data", "info"}

LINES_PER_FILE = 350
MEDIAN_LINES_PER_FUNCTION = 10
LONG_FUNCTION = 35
SHARE_OF_LONG_FUNCTIONS = 0.05


def _tree(path: pathlib.Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _definitions(path: pathlib.Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines, its docstring left out."""
    first, last = function.lineno, function.end_lineno or function.lineno
    doc = function.body[0] if ast.get_docstring(function, clean=False) is not None else None
    if doc is None:
        return last - first + 1
    return last - first + 1 - ((doc.end_lineno or doc.lineno) - doc.lineno + 1)


def test_there_is_something_to_look_at() -> None:
    assert ROOT / "benchhygiene" / "errors.py" in MODULES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short_and_named_for_what_they_hold(path: pathlib.Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LINES_PER_FILE
    assert path.stem.strip("_") not in VAGUE


def test_functions_are_short() -> None:
    lengths = [_lines(function) for path in MODULES for function in _definitions(path)]
    long = sum(length >= LONG_FUNCTION for length in lengths)
    assert statistics.median(lengths) < MEDIAN_LINES_PER_FUNCTION
    assert long <= SHARE_OF_LONG_FUNCTIONS * len(lengths)


def test_no_class_looks_like_a_test_to_pytest() -> None:
    named = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test")
    ]
    assert named == []


def test_only_the_orchestrator_catches_everything() -> None:
    broad = [
        str(path.relative_to(ROOT))
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    ]
    assert set(broad) <= {"benchhygiene/core/orchestrator.py"}
    assert len(broad) <= 1


def _is_broad(caught: ast.expr | None) -> bool:
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"})
        for name in names
    )
