"""Write a pair's suites in another style: in classes, with unittest, or with coroutines.

Tests that stand at the top of a module go into a class at its end, with every statement that
names one; their ids change with them, in whatever file names them. An edit stays the edit it is.
"""

from __future__ import annotations

import enum
import functools
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import attrs
import libcst as cst
import libcst.matchers as m

from tests.surface.corpus import Entry, Expected, Pair, Tree
from tests.surface.named_tests import tests_of
from tests.surface.unittest_style import as_case

_BY_TEXT = re.compile(r"\b(?:globals|vars|exec|eval)\(|sys\.modules|__dict__|__name__\]")

_Node = TypeVar("_Node", bound=cst.CSTNode)


class Style(enum.Enum):
    """How the tests of a suite are written."""

    CLASSES = "classes"
    UNITTEST = "unittest"
    ASYNC = "async"
    ASYNC_UNITTEST = "async-unittest"

    @property
    def is_case(self) -> bool:
        return self in (Style.UNITTEST, Style.ASYNC_UNITTEST)

    @property
    def is_async(self) -> bool:
        return self in (Style.ASYNC, Style.ASYNC_UNITTEST)

    @property
    def prefix(self) -> str:
        """Return what comes between the path of a moved test and its name."""
        if self is Style.ASYNC:
            return ""
        return "Cases::" if self.is_case else "TestOuter::TestInner::"


class Unfit(Exception):
    """A pair that the style cannot say."""


@attrs.frozen
class Restyled(Pair):
    """A pair whose suites are written in another style."""

    style: Style
    moved: Mapping[str, frozenset[str]]
    before: Mapping[str, str]
    after: Mapping[str, str]

    @property
    def id(self) -> str:
        return f"{self.family}/{self.name}-{self.style.value}"

    @property
    def parent(self) -> Tree:
        return dict(self.before)

    @property
    def edited(self) -> Tree:
        return dict(self.after)


def restyled(pair: Pair, style: Style) -> Restyled:
    """Return the pair in a style; raises Unfit where the style has no such tests."""
    before, after = pair.parent, pair.edited
    moved = {
        path: tests_of(before.get(path, ""), text, for_unittest=style.is_case)
        for path, text in _modules(after)
    }
    moved |= {
        path: tests_of(text, "", for_unittest=style.is_case)
        for path, text in _modules(before)
        if path not in moved
    }
    names = _Names(style, moved)
    if not names.says(pair):
        raise Unfit(f"{pair.id}: its tests stay as they are")
    fields = {field.name: getattr(pair, field.name) for field in attrs.fields(Pair)}
    fields["expected"] = tuple(map(names.expected, pair.expected))
    fields["ledger"] = tuple(map(names.entry, pair.ledger))
    return Restyled(
        **fields, style=style, moved=moved, before=names.tree(before), after=names.tree(after)
    )


@attrs.frozen
class _Names:
    """Which tests move, and what that makes of their ids."""

    style: Style
    moved: Mapping[str, frozenset[str]]

    def says(self, pair: Pair) -> bool:
        """Return whether some test of a module that matters is written in the style."""
        left = (one.node for one in pair.expected if one.node is not None)
        if self.style is not Style.ASYNC and any(self._stays(node) for node in left):
            return False
        return any(self.moved.values())

    def _stays(self, node: str) -> bool:
        path, _, name = node.partition("::")
        is_function = "::" not in name and name.startswith("test")
        return path in self.moved and is_function and not self._moves(path, name)

    def expected(self, one: Expected) -> Expected:
        return attrs.evolve(one, node=None if one.node is None else self.node(one.node))

    def entry(self, one: Entry) -> Entry:
        renamed = None if one.renamed_to is None else self.node(one.renamed_to)
        return attrs.evolve(one, node=self.node(one.node), renamed_to=renamed)

    def node(self, node: str) -> str:
        path, _, rest = node.partition("::")
        name = rest.partition("[")[0]
        return f"{path}::{self.style.prefix}{rest}" if self._moves(path, name) else node

    def _moves(self, path: str, name: str) -> bool:
        return "::" not in name and name in self.moved.get(path, frozenset())

    def tree(self, tree: Mapping[str, str]) -> Tree:
        return {path: self._text(path, text) for path, text in tree.items()}

    def _text(self, path: str, text: str) -> str:
        if path in self.moved:
            if self.moved[path] and _BY_TEXT.search(text):
                raise Unfit(f"{path}: binds names by their text")
            text = _module(text, self.style, self.moved[path])
        return re.sub(r"([\w/]*test_\w+\.py)::(test_\w+)", self._named, text)

    def _named(self, found: re.Match[str]) -> str:
        base, name = posixpath.basename(found[1]), found[2]
        moves = any(
            name in names for path, names in self.moved.items() if path.endswith(f"/{base}")
        )
        return f"{found[1]}::{self.style.prefix}{name}" if moves else found[0]


def _modules(tree: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path, text in tree.items():
        if path.startswith("tests/") and re.fullmatch(r"test_\w+\.py", posixpath.basename(path)):
            yield path, text


@functools.lru_cache(maxsize=4096)
def _module(text: str, style: Style, moved: frozenset[str]) -> str:
    module = cst.parse_module(text)
    stay: list[cst.BaseStatement | cst.SimpleStatementLine] = []
    go: list[cst.BaseStatement | cst.SimpleStatementLine] = []
    for statement in module.body:
        (go if _names_one(statement, moved) else stay).append(statement)
    if style is Style.ASYNC:
        body: Sequence[cst.BaseStatement | cst.SimpleStatementLine] = module.body
    else:
        body = (*map(_in_style(style), stay), *_classes(go, style))
    changed = module.with_changes(body=body)
    if style.is_async:
        changed = _visited(changed, _Coroutines(style))
    if style.is_case:
        changed = as_case(changed)
    return _imported(changed.code, style)


def _in_style(style: Style):  # type: ignore[no-untyped-def]
    def convert(statement: cst.BaseStatement) -> cst.BaseStatement:
        if style.is_case and isinstance(statement, cst.ClassDef) and _takes_only_self(statement):
            return statement.with_changes(bases=[cst.Arg(_base(style))])
        return statement

    return convert


def _takes_only_self(given: cst.ClassDef) -> bool:
    methods = [one for one in given.body.body if isinstance(one, cst.FunctionDef)]
    return (
        not given.bases
        and given.name.value.startswith("Test")
        and all(len(one.params.params) == 1 for one in methods)
    )


def _names_one(statement: cst.CSTNode, moved: frozenset[str]) -> bool:
    if isinstance(statement, cst.ClassDef):
        return False
    if isinstance(statement, cst.FunctionDef):
        return statement.name.value in moved
    functions = m.findall(statement, m.FunctionDef())
    names = m.findall(statement, m.Name())
    return any(
        isinstance(one, cst.FunctionDef) and one.name.value in moved for one in functions
    ) or any(isinstance(one, cst.Name) and one.value in moved for one in names)


def _base(style: Style) -> cst.BaseExpression:
    name = "IsolatedAsyncioTestCase" if style.is_async else "TestCase"
    return cst.parse_expression(f"unittest.{name}")


def _classes(go: Sequence[cst.BaseStatement], style: Style) -> Iterator[cst.ClassDef]:
    if not go:
        return
    body = [_visited(one, _Methods(style)) for one in go]
    blank = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    if style.is_case:
        yield cst.ClassDef(
            cst.Name("Cases"),
            cst.IndentedBlock(body),
            [cst.Arg(_base(style))],
            leading_lines=blank,
        )
        return
    inner = cst.ClassDef(cst.Name("TestInner"), cst.IndentedBlock(body))
    yield cst.ClassDef(cst.Name("TestOuter"), cst.IndentedBlock([inner]), leading_lines=blank)


def _visited(node: _Node, visitor: cst.CSTTransformer) -> _Node:
    changed = node.visit(visitor)
    if not isinstance(changed, type(node)):
        raise Unfit("a statement that goes")
    return changed


@attrs.define(slots=False)
class _Methods(cst.CSTTransformer):
    """Give the outermost functions ``self``."""

    style: Style
    depth: int = 0

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self.depth += 1

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        self.depth -= 1
        if self.depth:
            return updated_node
        given = updated_node.params
        first = cst.Param(cst.Name("self"))
        return updated_node.with_changes(params=given.with_changes(params=[first, *given.params]))


@attrs.define(slots=False)
class _Coroutines(cst.CSTTransformer):
    """Make every test a coroutine that gives way once before it does anything."""

    style: Style
    depth: int = 0

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self.depth += 1

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        self.depth -= 1
        is_test = not self.depth and re.match(r"_?test", updated_node.name.value)
        if (
            not is_test
            or updated_node.asynchronous
            or not isinstance(updated_node.body, cst.IndentedBlock)
        ):
            return updated_node
        if m.findall(updated_node.body, m.Yield()):
            return updated_node
        lines = list(updated_node.body.body)
        at = 1 if updated_node.get_docstring() is not None else 0
        lines.insert(at, cst.parse_statement("await asyncio.sleep(0)"))
        marks = list(updated_node.decorators)
        if self.style is Style.ASYNC:
            marks.append(cst.Decorator(cst.parse_expression("pytest.mark.asyncio")))
        return updated_node.with_changes(
            asynchronous=cst.Asynchronous(),
            body=updated_node.body.with_changes(body=lines),
            decorators=marks,
        )


def _imported(text: str, style: Style) -> str:
    wanted = ["import asyncio"] if "asyncio.sleep(0)" in text else []
    wanted += ["import unittest"] if style.is_case and "unittest." in text else []
    wanted += ["import pytest"] if "pytest." in text else []
    missing = [line for line in wanted if not re.search(rf"(?m)^{line}$", text)]
    if not missing:
        return text
    lines = text.splitlines(keepends=True)
    module = cst.parse_module(text)
    at = _after_docstring(module)
    return "".join((*lines[:at], *(f"{line}\n" for line in missing), *lines[at:]))


def _after_docstring(module: cst.Module) -> int:
    """Return how many lines a module's docstring and future imports take."""
    code, taken = "", len(module.header)
    for statement in module.body:
        one = cst.Module([statement]).code
        is_text = m.matches(statement, m.SimpleStatementLine([m.Expr(m.SimpleString())]))
        if not is_text and "__future__" not in one:
            break
        code += one
    return taken + code.count("\n") if code else 0
