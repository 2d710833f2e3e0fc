"""The fingerprint of one check: its source without names of locals, formatting and direction.

Written with LibCST, and only for source that ``ast`` reads: LibCST can crash on what it refuses.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from benchhygiene.inventory.canonical import name_free_text
from benchhygiene.inventory.python import FunctionNode

if TYPE_CHECKING:
    import libcst

#: A longer check is hashed by its syntax tree: LibCST takes seconds for a large literal.
LONGEST = 20_000


@attrs.frozen
class Fingerprint:
    """The hash of one fact; ``is_exact`` is False where only its syntax tree could be hashed.

    Two of them say that two checks are the same, or not, only where both are exact or neither is.
    """

    digest: str
    is_exact: bool = True


def fingerprints(
    text: str, values: Mapping[str, str] | None = None, names: Collection[str] = ()
) -> tuple[Fingerprint, ...]:
    """Return the fingerprint of each fact in the source of one check, sorted.

    ``values`` gives the source of what names stand for: those are read through. What the other
    local ``names`` are called does not matter. Raises ValueError where the text is no statement
    that Python can read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(f"not a check: {type(error).__name__}") from None
    if len(text) > LONGEST:
        return (_by_tree(tree),)
    return _by_libcst(text, tree, values or {}, frozenset(names))


def _by_tree(tree: ast.Module) -> Fingerprint:
    return Fingerprint(_hashed(name_free_text(tree)), is_exact=False)


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _by_libcst(
    text: str, tree: ast.Module, values: Mapping[str, str], names: frozenset[str]
) -> tuple[Fingerprint, ...]:
    import libcst

    from benchhygiene.inventory.writing import written

    try:
        statement = libcst.parse_statement(text)
        facts = {
            Fingerprint(_hashed(one)) for one in written(statement, dict(_parsed(values)), names)
        }
    except (libcst.ParserSyntaxError, RecursionError):
        return (_by_tree(tree),)
    return tuple(sorted(facts, key=lambda one: one.digest))


def _parsed(values: Mapping[str, str]) -> Iterator[tuple[str, libcst.BaseExpression]]:
    import libcst

    for name, text in values.items():
        if len(text) <= LONGEST:
            yield name, libcst.parse_expression(text)


def readable(definition: FunctionNode, segment: Callable[[ast.expr], str]) -> Mapping[str, str]:
    """Return the source of each local that is assigned once, by a plain statement."""
    assigned: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.setdefault(node.id, []).append(None)
        elif isinstance(node, ast.arg):
            assigned.setdefault(node.arg, []).append(None)
    for statement in definition.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                assigned[target.id][0] = statement.value
    once = {name: found[0] for name, found in assigned.items() if len(found) == 1}
    return {name: segment(value) for name, value in once.items() if value is not None}
