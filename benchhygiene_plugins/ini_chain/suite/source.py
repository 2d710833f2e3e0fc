"""Read facts off Python source without running it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import FileSnapshot
from benchhygiene.inventory.spelling import decorator_call, dotted

#: Larger sources are not parsed: what they hold is unknown.
SOURCE_LIMIT = 1_000_000
#: How many test files are parsed; beyond that the answer is not certain. As many trees are kept:
#: dozens of commands are resolved to find a correction, each reads the whole suite in the same
#: order, and a cache that cannot hold all of it never holds what is asked for next.
MOST_MODULES = 1_000


@attrs.frozen(eq=False, repr=False)
class Unparsed:
    """Say why a source has no tree: ``broken`` where Python itself would refuse it."""

    reason: str
    broken: bool


def parse(files: FileSnapshot, path: str) -> ast.Module | Unparsed:
    """Return the file's syntax tree, or why there is none."""
    try:
        data = files.read(path)
    except EvidenceUnavailable:
        entry = files.entries.get(path)
        reason = "was not read" if entry is None or entry.error is None else entry.error
        return Unparsed(reason, broken=False)
    return _parsed(data)


@lru_cache(maxsize=MOST_MODULES)
def _parsed(data: bytes) -> ast.Module | Unparsed:
    """Parse bytes once: one suite is judged for several commands and versions."""
    if len(data) > SOURCE_LIMIT:
        return Unparsed(f"{len(data)} bytes, more than {SOURCE_LIMIT}", broken=False)
    try:
        with warnings.catch_warnings():
            # An invalid escape in the candidate's source must not print in ours.
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
            # Some errors only the compiler finds; nothing is run.
            compile(tree, "<source>", "exec", dont_inherit=True)
            return tree
    except (SyntaxError, ValueError) as error:
        return Unparsed(f"does not parse: {error}", broken=True)
    except (RecursionError, MemoryError) as error:
        return Unparsed(f"too deeply nested to parse: {type(error).__name__}", broken=False)


@lru_cache(maxsize=MOST_MODULES)
def walked(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return every node of a tree, as ``ast.walk`` yields them."""
    return tuple(ast.walk(tree))


def imported_modules(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each module that importing this one must import, with its line.

    Imports under ``try`` or ``if`` and relative ones are left out: they may never run, or they are
    found in a package that is there.
    """
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module, node.lineno


def imported_members(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted name of each member that is imported from a module: it may be one itself."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions defined directly in a body."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@lru_cache(maxsize=MOST_MODULES)
def import_aliases(tree: ast.Module) -> Mapping[str, str]:
    """Return each local name that an import binds and the dotted name it stands for."""
    names: dict[str, str] = {}
    for node in walked(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                names[local] = alias.name if alias.asname else local
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def resolved(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """Return an expression's dotted name with its first part resolved through the imports."""
    name = dotted(node)
    first, dot, rest = name.partition(".")
    return f"{aliases.get(first, first)}{dot}{rest}"


def fixture_names(body: list[ast.stmt], aliases: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the fixtures that a module or class body defines."""
    for function in functions(body):
        for decorator in function.decorator_list:
            named, call = decorator_call(decorator)
            if resolved(named, aliases) in ("pytest.fixture", "pytest.yield_fixture"):
                yield _keyword_text(call, "name") or function.name


def _keyword_text(call: ast.Call | None, name: str) -> str | None:
    for keyword in call.keywords if call is not None else ():
        if keyword.arg == name and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return None


def constant(node: ast.expr | None) -> tuple[bool, object]:
    """Return whether an expression is a literal, and its value."""
    if node is None:
        return False, None
    try:
        return True, ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False, None
