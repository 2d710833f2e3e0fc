"""Say in unittest's words what a module says in pytest's."""

from __future__ import annotations

import attrs
import libcst as cst
import libcst.matchers as m

_RELATIONS: dict[type[cst.BaseCompOp], str] = {
    cst.Equal: "assertEqual",
    cst.NotEqual: "assertNotEqual",
    cst.In: "assertIn",
    cst.NotIn: "assertNotIn",
    cst.Is: "assertIs",
    cst.IsNot: "assertIsNot",
    cst.LessThan: "assertLess",
    cst.LessThanEqual: "assertLessEqual",
    cst.GreaterThan: "assertGreater",
    cst.GreaterThanEqual: "assertGreaterEqual",
}


def as_case(module: cst.Module) -> cst.Module:
    """Return a module whose methods check through ``self``."""
    changed = module.visit(_Checks())
    assert isinstance(changed, cst.Module)
    return changed


@attrs.define(slots=False)
class _Checks(cst.CSTTransformer):
    """Write ``self.assertX`` for assert and ``pytest.raises`` where there is a ``self``."""

    inside: tuple[bool, ...] = ()

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        self.inside = (*self.inside, False)

    def leave_ClassDef(  # noqa: N802
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.ClassDef:
        self.inside = self.inside[:-1]
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        has_self = any(one.name.value == "self" for one in node.params.params)
        self.inside = (*self.inside, has_self or (self._has_self() and not node.params.params))

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        has_self = self._has_self()
        self.inside = self.inside[:-1]
        return _with_subtests(updated_node) if has_self else updated_node

    def _has_self(self) -> bool:
        return self.inside[-1:] == (True,)

    def leave_Assert(  # noqa: N802
        self, original_node: cst.Assert, updated_node: cst.Assert
    ) -> cst.Assert | cst.Expr:
        if not self._has_self():
            return updated_node
        name, values = _said(updated_node.test)
        given = [
            cst.Arg(value.with_changes(lpar=(), rpar=()) if _is_plain(value) else value)
            for value in values
        ]
        if updated_node.msg is not None:
            given.append(cst.Arg(updated_node.msg))
        return cst.Expr(cst.Call(cst.parse_expression(f"self.{name}"), given))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if not self._has_self() or not m.matches(updated_node.func, _attribute("raises")):
            return updated_node
        positional = [one for one in updated_node.args if one.keyword is None]
        matched = [one for one in updated_node.args if one.keyword is not None]
        if len(positional) != 1 or any(
            one.keyword.value != "match" for one in matched if one.keyword
        ):
            return updated_node
        if not matched:
            return updated_node.with_changes(func=cst.parse_expression("self.assertRaises"))
        return updated_node.with_changes(
            func=cst.parse_expression("self.assertRaisesRegex"),
            args=[positional[0], cst.Arg(matched[0].value)],
        )


def _is_plain(value: cst.BaseExpression) -> bool:
    return not isinstance(value, cst.Tuple | cst.GeneratorExp | cst.NamedExpr)


def _attribute(name: str) -> m.Attribute:
    return m.Attribute(m.Name("pytest"), m.Name(name))


def _said(test: cst.BaseExpression) -> tuple[str, tuple[cst.BaseExpression, ...]]:
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        name = _RELATIONS.get(type(target.operator))
        if name is not None:
            return name, (test.left, target.comparator)
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return "assertFalse", (test.expression,)
    return "assertTrue", (test,)


def _with_subtests(function: cst.FunctionDef) -> cst.FunctionDef:
    """Turn the rows of parametrize marks into loops round the body."""
    marks = [one for one in function.decorators if _rows(one) is not None]
    if not marks or not isinstance(function.body, cst.IndentedBlock):
        return function
    body = function.body
    names: set[str] = set()
    for mark in reversed(marks):
        target, rows = _rows(mark) or ("", cst.Name("None"))
        names |= {each.strip() for each in target.split(",")}
        loop = cst.parse_statement(f"for {target} in ROWS:\n    with self.subTest():\n        pass")
        assert isinstance(loop, cst.For)
        assert isinstance(loop.body, cst.IndentedBlock)
        with_ = loop.body.body[0]
        assert isinstance(with_, cst.With)
        inside = loop.body.with_changes(body=[with_.with_changes(body=body)])
        body = cst.IndentedBlock([loop.with_changes(iter=rows, body=inside)])
    kept = [one for one in function.params.params if one.name.value not in names]
    return function.with_changes(
        body=body,
        decorators=[one for one in function.decorators if one not in marks],
        params=function.params.with_changes(params=kept),
    )


def _rows(mark: cst.Decorator) -> tuple[str, cst.BaseExpression] | None:
    call = mark.decorator
    if not isinstance(call, cst.Call) or len(call.args) < 2:
        return None
    if "parametrize" not in cst.Module([]).code_for_node(call.func):
        return None
    names = call.args[0].value
    if not isinstance(names, cst.SimpleString):
        return None
    return str(names.evaluated_value), call.args[1].value
