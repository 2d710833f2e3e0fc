"""Edits after which a test lets more pass than it did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.surface.edits.text import Function, Kinds, Source, asserts, equalities


def _drop(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.replaced((node, "pass"))


def _to_call(source: Source, function: Function) -> Iterator[str]:
    for node, left, _ in equalities(function):
        yield source.replaced((node, source.segment(left)))


def _bare_comparison(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.replaced((node, source.segment(node.test)))


def _printed(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.replaced((node, f"print({source.segment(node.test)})"))


def _truthy(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        if not (isinstance(right, ast.Constant) and not right.value):
            yield source.replaced((node.test, f"({source.segment(left)})"))


def _not_none(source: Source, function: Function) -> Iterator[str]:
    for node, left, _ in equalities(function):
        yield source.replaced((node.test, f"({source.segment(left)}) is not None"))


def _membership(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        shown = f"({source.segment(left)}) in (({source.segment(right)}), None)"
        yield source.replaced((node.test, shown))


def _instance(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        shown = f"isinstance({source.segment(left)}, type({source.segment(right)}))"
        yield source.replaced((node.test, shown))


def _length(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        if isinstance(right, ast.List | ast.Tuple | ast.Dict):
            shown = f"len({source.segment(left)}) == len({source.segment(right)})"
            yield source.replaced((node.test, shown))


def _sorted(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        if isinstance(right, ast.List) and len(right.elts) > 1:
            shown = f"sorted({source.segment(left)}) == sorted({source.segment(right)})"
            yield source.replaced((node.test, shown))


def _or_true(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.replaced((node.test, f"({source.segment(node.test)}) or True"))


def _in_tuple(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.replaced((node, f"assert ({source.segment(node.test)}, 'holds')"))


def _with_itself(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        yield source.replaced((right, f"({source.segment(left)})"))
        del node


def _swallowed(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.indented(node, ["try:"], ["except AssertionError:", "    pass"])


def _suppressed(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        head = ["import contextlib", "with contextlib.suppress(Exception):"]
        yield source.indented(node, head, [])


def _guarded(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.indented(node, [f"if ({source.segment(node.test)}):"], [])


def _dead(source: Source, function: Function) -> Iterator[str]:
    for node in asserts(function):
        yield source.indented(node, ["if False:"], [])


def _returns_first(source: Source, function: Function) -> Iterator[str]:
    for node in list(asserts(function))[:1]:
        yield source.inserted(node, ["return"])


def _returns_on_failure(source: Source, function: Function) -> Iterator[str]:
    for node in list(asserts(function))[:1]:
        condition = " ".join(source.segment(node.test).splitlines())
        yield source.inserted(node, [f"if not ({condition}):", "    return"])


def _literal(source: Source, function: Function) -> Iterator[str]:
    for node, _, right in equalities(function):
        del node
        if isinstance(right, ast.Constant) and isinstance(right.value, int | str):
            if isinstance(right.value, bool):
                continue
            changed = right.value + 1 if isinstance(right.value, int) else f"{right.value}x"
            yield source.replaced((right, repr(changed)))


def _row_literal(source: Source, function: Function) -> Iterator[str]:
    for node, _, right in equalities(function):
        del node
        if isinstance(right, ast.List) and right.elts:
            last = right.elts[-1]
            if isinstance(last, ast.Constant) and type(last.value) in (int, str):
                changed = last.value + 1 if isinstance(last.value, int) else f"{last.value!s}x"
                yield source.replaced((last, repr(changed)))


def _overwritten(source: Source, function: Function) -> Iterator[str]:
    for node, left, right in equalities(function):
        if isinstance(left, ast.Name) and source.segment(left) != source.segment(right):
            shown = " ".join(source.segment(right).splitlines())
            yield source.inserted(node, [f"{left.id} = {shown}"])


def _approximate(source: Source, function: Function) -> Iterator[str]:
    for node, _, right in equalities(function):
        if isinstance(right, ast.Constant) and type(right.value) in (int, float):
            inserted = source.replaced((right, f"pytest.approx({right.value!r}, abs=10)"))
            yield inserted
        del node


def _raises(source: Source, function: Function) -> Iterator[tuple[ast.With, ast.Call]]:
    for node in function.body:
        if isinstance(node, ast.With) and len(node.items) == 1:
            opened = node.items[0].context_expr
            if isinstance(opened, ast.Call) and source.segment(opened.func) in (
                "pytest.raises",
                "self.assertRaises",
            ):
                yield node, opened


def _broadened(source: Source, function: Function) -> Iterator[str]:
    for _, call in _raises(source, function):
        if call.args and source.segment(call.args[0]) not in ("Exception", "BaseException"):
            yield source.replaced((call.args[0], "Exception"))


def _unmatched(source: Source, function: Function) -> Iterator[str]:
    for _, call in _raises(source, function):
        if any(k.arg == "match" for k in call.keywords):
            kept = ", ".join(source.segment(one) for one in call.args)
            yield source.replaced((call, f"{source.segment(call.func)}({kept})"))


def _not_raised(source: Source, function: Function) -> Iterator[str]:
    for node, call in _raises(source, function):
        if node.items[0].optional_vars is None and call.args:
            kept = source.segment(call.args[0])
            yield source.replaced((call, f"__import__('contextlib').suppress({kept})"))


def _raised_itself(source: Source, function: Function) -> Iterator[str]:
    for node, call in _raises(source, function):
        if call.args:
            pad = " " * node.body[-1].col_offset
            last = node.body[-1]
            shown = f"{source.segment(last)}\n{pad}raise {source.segment(call.args[0])}"
            yield source.replaced((last, shown))


def _unittest_dropped(source: Source, function: Function) -> Iterator[str]:
    for node in function.body:
        if isinstance(node, ast.Expr) and "self.assert" in source.segment(node)[:12]:
            yield source.replaced((node, "pass"))


def _unittest_true(source: Source, function: Function) -> Iterator[str]:
    for node in function.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr == "assertEqual":
                yield source.replaced((called, "self.assertTrue"))


WEAKENINGS: Kinds = {
    "drop": _drop,
    "to_call": _to_call,
    "bare_comparison": _bare_comparison,
    "printed": _printed,
    "truthy": _truthy,
    "not_none": _not_none,
    "membership": _membership,
    "instance": _instance,
    "length": _length,
    "sorted": _sorted,
    "or_true": _or_true,
    "in_tuple": _in_tuple,
    "with_itself": _with_itself,
    "swallowed": _swallowed,
    "suppressed": _suppressed,
    "guarded": _guarded,
    "dead": _dead,
    "returns_first": _returns_first,
    "returns_on_failure": _returns_on_failure,
    "literal": _literal,
    "row_literal": _row_literal,
    "overwritten": _overwritten,
    "approximate": _approximate,
    "broadened": _broadened,
    "unmatched": _unmatched,
    "not_raised": _not_raised,
    "raised_itself": _raised_itself,
    "unittest_dropped": _unittest_dropped,
    "unittest_true": _unittest_true,
}
