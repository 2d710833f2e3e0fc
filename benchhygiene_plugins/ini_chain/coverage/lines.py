"""Say which lines of a source coverage.py counts.

Rules: coverage.py's ``parser.py`` and ``bytecode.py``. A line counts where the compiler's own line
table names it; a statement over several lines counts once, at its first; docstrings do not count.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import CodeType

import attrs

from benchhygiene_plugins.ini_chain.suite.source import walked

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@attrs.frozen(eq=False, repr=False)
class Lines:
    """The lines of one file that count.

    ``optional`` are counted by some versions of coverage only: ``...`` as a body, and what stands
    under ``if TYPE_CHECKING``. ``firsts`` maps a line to the first of its statement.
    """

    counted: frozenset[int]
    optional: frozenset[int]
    firsts: Mapping[int, int]

    def first(self, line: int) -> int:
        """Return the line at which the statement on a line counts."""
        return self.firsts.get(line, line)


@lru_cache(maxsize=128)
def counted_lines(tree: ast.Module, data: bytes) -> Lines | None:
    """Return the lines of a parsed source that count, None where the compiler refuses it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(tree, "source", "exec", dont_inherit=True)
        firsts = _firsts(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    silent = set(_docstrings(tree))
    lines = {firsts.get(line, line) for line in _compiled(code) if line not in silent}
    optional = {firsts.get(line, line) for line in _optional(tree)}
    return Lines(frozenset(lines - silent - optional), frozenset(lines & optional), firsts)


def _compiled(code: CodeType) -> Iterator[int]:
    pending = [code]
    while pending:
        one = pending.pop()
        if one.co_name == "__annotate__":
            continue  # annotations that Python 3.14 evaluates when asked for
        yield from (line for _, _, line in one.co_lines() if line)
        pending += [constant for constant in one.co_consts if isinstance(constant, CodeType)]


def _firsts(data: bytes) -> Mapping[int, int]:
    """Map every line of a statement over several lines to its first."""
    found: dict[int, int] = {}
    start = 0
    for token in tokenize.tokenize(io.BytesIO(data).readline):
        if token.type == tokenize.NEWLINE:
            if start:
                found |= dict.fromkeys(range(start, token.end[0] + 1), start)
            start = 0
        elif not start and token.string.strip() and _is_code(token):
            start = token.start[0]
    return found


def _is_code(token: tokenize.TokenInfo) -> bool:
    return token.type not in (tokenize.COMMENT, tokenize.ENCODING)


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in walked(tree):
        body = node.body if isinstance(node, _Defined | ast.Module) else []
        if body and isinstance(_constant(body[0]), str):
            yield from _span(body[0])


def _span(node: ast.stmt) -> range:
    return range(first_line(node), (node.end_lineno or node.lineno) + 1)


def first_line(node: ast.stmt) -> int:
    """Return the line a statement begins on, its decorators included."""
    decorators = node.decorator_list if isinstance(node, _Defined) else []
    return min((decorator.lineno for decorator in decorators), default=node.lineno)


def _optional(tree: ast.Module) -> Iterator[int]:
    for node in walked(tree):
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            yield from range(node.lineno, (node.body[-1].end_lineno or node.lineno) + 1)
        elif isinstance(node, _Defined) and _is_ellipsis(node.body[0]):
            yield from _span(node)
        elif isinstance(node, ast.stmt) and _is_ellipsis(node):
            yield node.lineno


def _is_ellipsis(node: ast.stmt) -> bool:
    return _constant(node) is ...


def _constant(node: ast.stmt) -> object:
    """Return the value of a literal that stands alone as a statement."""
    value = node.value if isinstance(node, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) else None


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"
