"""The cheap facts of one file, made of its bytes alone: functions by span and hash, and its words.

One walk over the statements after ``ast.parse``, and no expression is looked into: what is equal
here need not be understood, and a file that lacks a word cannot mean what the word names.
"""

from __future__ import annotations

import ast
import bisect
import hashlib
import re
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode, parse

_WORD = re.compile(rb"[^\W\d]\w*|[\x80-\xff]+")
_DIGITS = b"0123456789"
_SPACED = bytes(
    code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(256)
)


@attrs.frozen
class FunctionSpan:
    """One function: its qualified name, lines from its first decorator on, and their hash.

    ``assertions`` counts the assert statements in it, those of inner functions included.
    """

    qualname: str
    first: int
    last: int
    digest: str
    assertions: int


@attrs.frozen
class FileIndex:
    """The functions of one file, outer before inner; ``error`` says why there are none."""

    functions: tuple[FunctionSpan, ...] = ()
    error: str | None = None


def index(data: bytes) -> FileIndex:
    """Return the index of a file's bytes; made for ``tree.derived``."""
    file = parse(data)
    if file.module is None:
        return FileIndex(error=file.error)
    return FileIndex(tuple(_spans(file.module, file.lines)))


def words(data: bytes) -> frozenset[bytes]:
    """Return every word in a file, in strings and comments too; made for ``tree.derived``."""
    if not data.isascii():
        return frozenset(_WORD.findall(data))
    found = frozenset(data.translate(_SPACED).split())  # the same, in a fraction of the time
    numbers = frozenset(word for word in found if word[0] in _DIGITS)
    if not numbers:
        return found
    names = frozenset(word.lstrip(_DIGITS) for word in numbers)
    return (found - numbers) | (names - {b""})


def _spans(module: ast.Module, lines: Sequence[bytes]) -> Iterator[FunctionSpan]:
    asserts: list[int] = []
    found: list[tuple[FunctionNode, str]] = []
    pending: list[tuple[ast.AST, str]] = [(module, "")]
    while pending:
        parent, prefix = pending.pop()
        for node in _statements(parent):
            if isinstance(node, ast.Assert):
                asserts.append(node.lineno)
            elif isinstance(node, FunctionNode):
                found.append((node, prefix + node.name))
                pending.append((node, f"{prefix}{node.name}.<locals>."))
            elif isinstance(node, ast.ClassDef):
                pending.append((node, f"{prefix}{node.name}."))
            elif isinstance(node, _COMPOUND):
                pending.append((node, prefix))
    asserts.sort()
    for node, name in sorted(found, key=lambda one: one[0].lineno):
        yield _span(node, name, lines, asserts)


_COMPOUND = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
)


def _statements(parent: ast.AST) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(parent, name, ())
    for name in ("handlers", "cases"):
        for block in getattr(parent, name, ()):
            yield from block.body


def _span(
    node: FunctionNode, name: str, lines: Sequence[bytes], asserts: Sequence[int]
) -> FunctionSpan:
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    last = node.end_lineno or node.lineno
    text = b"\n".join(lines[first - 1 : last])
    digest = hashlib.blake2b(text, digest_size=16).hexdigest()
    inside = bisect.bisect_right(asserts, last) - bisect.bisect_left(asserts, first)
    return FunctionSpan(name, first, last, digest, inside)
