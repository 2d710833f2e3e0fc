"""What the top of a module binds, each name with a hash of its source and the words in it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import FunctionNode, PythonFile, imported, parse, statements

#: Stands for what a module does without binding a name.
EVERYTHING = "*"
_SILENT = (ast.Pass, ast.Global)


@attrs.frozen(eq=False)
class Outline:
    """The names at the top of one module; ``EVERYTHING`` is what stands there without a name.

    ``digests`` has each class's methods apart, as ``Class.method``, and what a name is bound to
    otherwise than by a definition as ``name.=``.
    """

    digests: Mapping[str, bytes] = attrs.field(factory=dict[str, bytes])
    mentions: Mapping[bytes, frozenset[str]] = attrs.field(factory=dict[bytes, frozenset[str]])

    def resting_on(self, names: Iterable[str]) -> frozenset[str]:
        """Return the names whose source mentions any of these, at once or through others."""
        pending = [*names]
        found: set[str] = set()
        while pending:
            word = pending.pop().encode(errors="surrogatepass")
            further = self.mentions.get(word, frozenset[str]()) - found
            found |= further
            pending.extend(further)
        return frozenset(found)


def outline(tree: SourceTree, path: str) -> Outline:
    """Return the outline of a file; raises EvidenceUnavailable as ``tree.read`` does."""
    file = tree.derived(path, parse)
    if file.module is None:
        return Outline({EVERYTHING: _digest([tree.read(path)])})
    return file.derived(_outline)


def _outline(file: PythonFile) -> Outline:
    sources: dict[str, list[bytes]] = {}
    mentions: dict[bytes, set[str]] = {}
    for statement in file.body:
        names = _names(statement)
        for name, text in _parts(file, statement, names):
            sources.setdefault(name, []).append(text)
        for word in words(_source(file, statement)):
            mentions.setdefault(word, set()).update(names)
    return Outline(
        {name: _digest(texts) for name, texts in sources.items()},
        {word: frozenset(names) for word, names in mentions.items()},
    )


def _parts(
    file: PythonFile, statement: ast.stmt, names: Iterable[str]
) -> Iterator[tuple[str, bytes]]:
    if not isinstance(statement, ast.ClassDef):
        kind = "" if isinstance(statement, FunctionNode) else ".="
        yield from ((name + kind, _source(file, statement)) for name in names)
        return
    heads = (*statement.decorator_list, *statement.bases, *(k.value for k in statement.keywords))
    yield statement.name, b"\0".join(file.segment(head).encode(errors="replace") for head in heads)
    for member in statement.body:
        inner = f".{member.name}" if isinstance(member, FunctionNode) else ""
        yield statement.name + inner, _source(file, member)


def _digest(texts: Sequence[bytes]) -> bytes:
    return hashlib.blake2b(b"\0".join(texts), digest_size=16).digest()


def _source(file: PythonFile, statement: ast.stmt) -> bytes:
    """Return the lines of a statement, its decorators' included."""
    first = statement.lineno
    if isinstance(statement, FunctionNode | ast.ClassDef) and statement.decorator_list:
        first = statement.decorator_list[0].lineno
    return b"\n".join(file.lines[first - 1 : statement.end_lineno])


def _names(statement: ast.stmt) -> tuple[str, ...]:
    """Return the names that a statement at the top binds, ``EVERYTHING`` where it binds none."""
    found = tuple(dict.fromkeys(_bound(statement)))
    is_silent = isinstance(statement, _SILENT) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )
    return found or (() if is_silent else (EVERYTHING,))


def _bound(statement: ast.stmt) -> Iterator[str]:
    for one in statements([statement], into_functions=False):
        if isinstance(one, FunctionNode | ast.ClassDef):
            yield one.name
        elif isinstance(one, ast.Import | ast.ImportFrom):
            yield from (name for name, _ in imported(one))
        elif isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            yield from (
                node.id
                for target in targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            )
