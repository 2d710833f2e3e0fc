"""Edits that leave every check of a test as it was."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator

from tests.surface.edits.text import Function, Kinds, Source, asserts, equalities

_UNSAFE = ("locals()", "exec(", "eval(", "globals()", "nonlocal ", "global ", "inspect.")


def _names(node: ast.AST, context: type[ast.expr_context]) -> list[ast.Name]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)]


def _locals(function: Function) -> set[str]:
    inner = [n for n in ast.walk(function) if isinstance(n, Function | ast.Lambda | ast.ClassDef)]
    arguments = {a.arg for n in inner for a in ast.walk(n) if isinstance(a, ast.arg)}
    bound = {n.id for statement in function.body for n in _names(statement, ast.Store)}
    imported = {
        (a.asname or a.name).partition(".")[0]
        for n in ast.walk(function)
        if isinstance(n, ast.Import | ast.ImportFrom)
        for a in n.names
    }
    return bound - arguments - imported


def _rename_locals(source: Source, function: Function) -> Iterator[str]:
    if any(word in source.segment(function) for word in _UNSAFE):
        return
    bound = _locals(function)
    if not bound or any(isinstance(n, ast.JoinedStr) for n in ast.walk(function)):
        return
    found = [
        n
        for statement in function.body
        for n in ast.walk(statement)
        if isinstance(n, ast.Name) and n.id in bound
    ]
    if any(isinstance(n, ast.ExceptHandler) and n.name in bound for n in ast.walk(function)):
        return
    yield source.replaced(*((n, f"{n.id}_again") for n in found))


def _flip(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        yield source.replaced((node.test, f"({source.segment(right)}) == ({source.segment(left)})"))


_OPPOSITES: dict[type[ast.cmpop], str] = {ast.NotEq: "==", ast.IsNot: "is", ast.NotIn: "in"}


def _negate(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        test = node.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            continue
        opposite = _OPPOSITES.get(type(test.ops[0]))
        if opposite is not None:
            left, right = source.segment(test.left), source.segment(test.comparators[0])
            yield source.replaced((test, f"not ({left}) {opposite} ({right})"))


def _message(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        start, _ = source.span(node.test)
        if source.text[start - 1] != "(":
            yield source.replaced((node, f"assert {source.segment(node.test)}, 'said anew'"))


def _name_subject(source: Source, function: Function) -> Iterator[str]:
    for node, left, _ in equalities(function):
        if isinstance(left, ast.Call):
            text = source.replaced((left, "answer_found"))
            edited = Source(text, ast.parse(text))
            start = edited.offset(node.lineno, node.col_offset)
            pad = " " * node.col_offset
            yield f"{text[:start]}answer_found = {source.segment(left)}\n{pad}{text[start:]}"


def _constant(source: Source, function: Function) -> Iterator[str]:
    for _, _, right in equalities(function):
        names = any(isinstance(n, ast.Name) for n in ast.walk(right))
        if isinstance(right, ast.Constant | ast.List | ast.Dict | ast.Tuple) and not names:
            text = source.replaced((right, "EXPECTED_HERE"))
            yield f"{text.rstrip()}\n\n\nEXPECTED_HERE = {source.segment(right)}\n"


def _extract_helper(source: Source, function: Function) -> Iterator[str]:
    runs = [
        list(group)
        for is_assert, group in itertools.groupby(
            function.body, key=lambda n: isinstance(n, ast.Assert)
        )
        if is_assert
    ]
    bound = _locals(function) | {a.arg for a in function.args.args}
    bound |= {n.name for n in ast.walk(function) if isinstance(n, Function | ast.ClassDef)}
    for run in runs:
        used = sorted({n.id for s in run for n in _names(s, ast.Load)} & bound)
        if any(isinstance(n, ast.NamedExpr | ast.Await) for s in run for n in ast.walk(s)):
            continue
        first, last = run[0], run[-1]
        start, end = source.span(first)[0], source.span(last)[1]
        text = f"{source.text[:start]}expect_here({', '.join(used)}){source.text[end:]}"
        pad = " " * first.col_offset
        body = source.text[start:end].replace(f"\n{pad}", "\n    ")
        yield f"{text.rstrip()}\n\n\ndef expect_here({', '.join(used)}):\n    {body}\n"


def _swap(source: Source, function: Function) -> Iterator[str]:
    for first, second in itertools.pairwise(function.body):
        pair = (first, second)
        if all(isinstance(n, ast.Assert) for n in pair) and not any(
            isinstance(inner, ast.NamedExpr | ast.Await | ast.Call)
            for n in pair
            for inner in ast.walk(n)
        ):
            yield source.replaced((first, source.segment(second)), (second, source.segment(first)))


def _split_and(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And):
            pad = "\n" + " " * node.col_offset
            parts = [f"assert ({source.segment(one)})" for one in node.test.values]
            yield source.replaced((node, pad.join(parts)))


def _join_and(source: Source, function: Function) -> Iterator[str]:
    for first, second in itertools.pairwise(function.body):
        if isinstance(first, ast.Assert) and isinstance(second, ast.Assert):
            start, end = source.span(first)[0], source.span(second)[1]
            left, right = source.segment(first.test), source.segment(second.test)
            yield f"{source.text[:start]}assert ({left}) and ({right}){source.text[end:]}"


def _merge_tuples(source: Source, function: Function) -> Iterator[str]:
    found = {id(node): (left, right) for node, left, right in equalities(function)}
    for first, second in itertools.pairwise(function.body):
        if id(first) in found and id(second) in found:
            start, end = source.span(first)[0], source.span(second)[1]
            sides = [
                ", ".join(source.segment(found[id(n)][k]) for n in (first, second)) for k in (0, 1)
            ]
            made = f"assert ({sides[0]}) == ({sides[1]})"
            yield f"{source.text[:start]}{made}{source.text[end:]}"


_BARE: dict[str, Callable[[list[str]], str]] = {
    "assertEqual": lambda a: f"assert ({a[0]}) == ({a[1]})",
    "assertNotEqual": lambda a: f"assert ({a[0]}) != ({a[1]})",
    "assertTrue": lambda a: f"assert ({a[0]})",
    "assertFalse": lambda a: f"assert not ({a[0]})",
    "assertIs": lambda a: f"assert ({a[0]}) is ({a[1]})",
    "assertIsNone": lambda a: f"assert ({a[0]}) is None",
    "assertIsNotNone": lambda a: f"assert ({a[0]}) is not None",
    "assertIn": lambda a: f"assert ({a[0]}) in ({a[1]})",
    "assertNotIn": lambda a: f"assert ({a[0]}) not in ({a[1]})",
    "assertIsInstance": lambda a: f"assert isinstance({a[0]}, {a[1]})",
    "assertGreater": lambda a: f"assert ({a[0]}) > ({a[1]})",
    "assertLess": lambda a: f"assert ({a[0]}) < ({a[1]})",
}


_SIDES = dict.fromkeys(("assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"), 1)


def _to_bare(source: Source, function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _BARE:
            continue
        given = [source.segment(one) for one in call.args]
        starred = any(isinstance(one, ast.Starred) for one in call.args)
        if not call.keywords and not starred and len(given) >= _SIDES.get(call.func.attr, 2):
            yield source.replaced((node, _BARE[call.func.attr](given)))


def _to_raises_as(source: Source, function: Function) -> Iterator[str]:
    for node in function.body:
        if isinstance(node, ast.With) and len(node.items) == 1:
            opened = node.items[0]
            if opened.optional_vars is None and "raises" in source.segment(opened.context_expr):
                shown = source.segment(opened.context_expr)
                yield source.replaced((opened.context_expr, f"{shown} as raised_here"))


REFACTORINGS: Kinds = {
    "rename_locals": _rename_locals,
    "flip": _flip,
    "negate": _negate,
    "message": _message,
    "name_subject": _name_subject,
    "constant": _constant,
    "extract_helper": _extract_helper,
    "swap": _swap,
    "split_and": _split_and,
    "join_and": _join_and,
    "merge_tuples": _merge_tuples,
    "to_bare": _to_bare,
    "raises_as": _to_raises_as,
}


def formatted(source: Source, *options: str) -> str | None:
    """Return the file as a formatter writes it, None where there is no formatter."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", *options, "-"]
    ran = subprocess.run(
        command, input=source.text, capture_output=True, text=True, timeout=60, check=False
    )
    return ran.stdout if ran.returncode == 0 else None
