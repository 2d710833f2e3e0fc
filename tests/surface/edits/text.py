"""Replace parts of a source by their places in its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import attrs

Function = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Edit:
    """One automatic edit: what kind it is, where, and the whole file after it."""

    kind: str
    where: str
    text: str


@attrs.frozen(eq=False)
class Source:
    """A file that edits are made to."""

    text: str
    tree: ast.Module

    @classmethod
    def of(cls, data: bytes) -> Source | None:
        """Return a file, None where it is not plain enough to be edited by columns."""
        try:
            text = data.decode("ascii")
            return cls(text, ast.parse(text))
        except (SyntaxError, ValueError):
            return None

    def offset(self, line: int, column: int) -> int:
        return len("".join(self.text.splitlines(keepends=True)[: line - 1])) + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.offset(node.lineno, node.col_offset), end

    def segment(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def replaced(self, *parts: tuple[ast.AST, str]) -> str:
        """Return the text with these parts written anew."""
        spans = sorted(((*self.span(node), new) for node, new in parts), reverse=True)
        text = self.text
        for start, end, new in spans:
            text = text[:start] + new + text[end:]
        return text

    def inserted(self, before: ast.stmt, lines: list[str]) -> str:
        """Return the text with lines at a statement's depth in front of it."""
        start = self.offset(before.lineno, 0)
        pad = " " * before.col_offset
        return self.text[:start] + "".join(f"{pad}{line}\n" for line in lines) + self.text[start:]

    def indented(self, node: ast.stmt, head: list[str], tail: list[str]) -> str:
        """Return the text with a statement put below a compound one."""
        pad = " " * node.col_offset
        body = f"\n{pad}    ".join(self.segment(node).split(f"\n{pad}"))
        lines = [*head, f"    {body}", *tail]
        return self.replaced((node, f"\n{pad}".join(lines)))


def tests(source: Source) -> Iterator[tuple[str, Function]]:
    """Yield the test functions of a file with their qualified names."""
    for node in source.tree.body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            for member in node.body:
                if isinstance(member, Function) and member.name.startswith("test"):
                    yield f"{node.name}.{member.name}", member


def own_statements(function: Function) -> Iterator[ast.stmt]:
    """Yield the statements right below a function."""
    yield from function.body


def asserts(function: Function) -> Iterator[ast.Assert]:
    """Yield the assert statements right below a function."""
    for node in own_statements(function):
        if isinstance(node, ast.Assert):
            yield node


def equalities(function: Function) -> Iterator[tuple[ast.Assert, ast.expr, ast.expr]]:
    """Yield the assert statements that are one ``==``, with their sides."""
    for node in asserts(function):
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            yield node, test.left, test.comparators[0]


Maker: TypeAlias = Callable[[Source, Function], Iterator[str]]
Kinds: TypeAlias = Mapping[str, Maker]


def parses(text: str) -> bool:
    """Return whether an edit left a file that Python reads."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
