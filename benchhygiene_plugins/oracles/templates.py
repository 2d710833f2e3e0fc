"""Texts that are filled in by ``%`` or ``format``, written as the f-strings they amount to."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_PERCENT = re.compile(r"%(?!s)")
_BRACES = re.compile(r"[{}]")


def percent(node: ast.BinOp) -> ast.JoinedStr | None:
    """Return the f-string that ``text % right`` is, None where it has more than ``%s`` in it."""
    text = node.left.value if isinstance(node.left, ast.Constant) else None
    right = node.right
    if not isinstance(text, str) or isinstance(right, ast.Dict) or _PERCENT.search(text):
        return None
    return _joined(text.split("%s"), right.elts if isinstance(right, ast.Tuple) else [right])


def braces(node: ast.Call) -> ast.JoinedStr | None:
    """Return the f-string that ``text.format(...)`` is, None where more than ``{}`` is in it."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format"),
            args=given,
            keywords=[],
        ):
            pieces = text.split("{}")
            return None if any(map(_BRACES.search, pieces)) else _joined(pieces, given)
        case _:
            return None


def _joined(pieces: Sequence[str], given: Sequence[ast.expr]) -> ast.JoinedStr | None:
    if len(pieces) != len(given) + 1 or any(isinstance(one, ast.Starred) for one in given):
        return None
    values: list[ast.expr] = []
    for k, piece in enumerate(pieces):
        values += [ast.Constant(piece)] if piece else []
        values += [ast.FormattedValue(given[k], -1, None)] if k < len(given) else []
    return ast.fix_missing_locations(ast.JoinedStr(values, lineno=1, col_offset=0))
