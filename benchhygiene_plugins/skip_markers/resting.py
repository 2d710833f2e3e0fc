"""Which names of one file may mean something else because others do."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import FunctionNode, PythonFile, statements
from benchhygiene.inventory.spelling import dotted

# What finds names by their spelling: it may stand for any of them.
_DYNAMIC = frozenset(b"getattr attrgetter globals locals vars __dict__".split())
#: Functions that run for tests which do not name them begin so.
FOR_ALL = ("pytest_", "setup", "setUp", "teardown", "tearDown", "asyncSetUp", "asyncTearDown")
_HARMLESS = (
    "staticmethod",
    "classmethod",
    "property",
    "contextmanager",
    "contextlib.contextmanager",
)
_PLAIN_BASES = ("object", "unittest.TestCase", "TestCase")


@attrs.frozen(eq=False)
class Unit:
    """One thing that a file defines, and the words in it; ``is_for_all`` where no one names it."""

    names: tuple[str, ...]
    words: frozenset[bytes]
    is_for_all: bool = False
    is_method: bool = False


@attrs.frozen(eq=False)
class Units:
    """What a file defines; ``derived`` classes inherit from other files, which may call them."""

    units: tuple[Unit, ...]
    derived: frozenset[str]


def resting(names: Iterable[str], files: Iterable[PythonFile]) -> frozenset[bytes] | None:
    """Return the words by which a test may use one of these names, at once or through others.

    None where it may use them without naming anything: by a fixture, a setup or a hook.
    """
    several = [file.derived(_units) for file in files]
    pending = {name.encode(errors="surrogatepass") for name in names} | _DYNAMIC
    found: set[bytes] = set()
    left = [unit for one in several for unit in one.units]
    while pending:
        found |= pending
        joined = [unit for unit in left if not pending.isdisjoint(unit.words)]
        left = [unit for unit in left if pending.isdisjoint(unit.words)]
        if any(unit.is_for_all for unit in joined):
            return None
        named = {name for unit in joined for name in unit.names}
        if any(unit.is_method for unit in joined):
            named.update(name for one in several for name in one.derived)
        pending = {name.encode(errors="surrogatepass") for name in named} - found
    return frozenset(found)


def _units(file: PythonFile) -> Units:
    found: list[Unit] = []
    derived: set[str] = set()
    own = {one.name for one in file.body if isinstance(one, ast.ClassDef)}
    for one in file.body:
        if isinstance(one, ast.ClassDef):
            found.extend(_of_class(one, file))
            if any(dotted(base) not in (*_PLAIN_BASES, *own) for base in one.bases):
                derived.add(one.name)
        elif isinstance(one, FunctionNode):
            is_for_all = one.name.startswith(FOR_ALL) or not _is_plain(one)
            found.append(Unit((one.name,), words(_source(one, file)), is_for_all=is_for_all))
        elif not isinstance(one, ast.Import | ast.ImportFrom):
            found.append(_of_statement(one, file))
    return Units(tuple(found), frozenset(derived))


def _of_class(node: ast.ClassDef, file: PythonFile) -> Iterator[Unit]:
    heads = (*node.decorator_list, *node.bases, *(one.value for one in node.keywords))
    texts = [file.segment(one).encode(errors="replace") for one in heads]
    for one in node.body:
        if isinstance(one, FunctionNode):
            # Nobody names what runs by itself: it belongs to whoever names the class.
            is_named = not one.name.startswith(("__", *FOR_ALL)) and _is_plain(one)
            names = (one.name,) if is_named else (one.name, node.name)
            yield Unit(names, words(_source(one, file)), is_method=True)
        else:
            texts.append(_source(one, file))
    yield Unit((node.name,), words(b"\n".join(texts)))


def _is_plain(node: FunctionNode) -> bool:
    """Return whether a function is called only where it is named: it is no fixture, nor a hook."""
    is_test = node.name.startswith("test")
    return is_test or all(dotted(one) in _HARMLESS for one in node.decorator_list)


def _of_statement(node: ast.stmt, file: PythonFile) -> Unit:
    """Return what a statement at the top does: where it binds one name, that is all it does."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return Unit((name,), words(_source(node, file)), is_for_all=name.startswith("pytest"))
        case _:
            inside = statements([node])
            names = (one.name for one in inside if isinstance(one, FunctionNode | ast.ClassDef))
            return Unit(tuple(names), words(_source(node, file)), is_for_all=True)


def _source(node: ast.stmt, file: PythonFile) -> bytes:
    first = node.lineno
    if isinstance(node, FunctionNode | ast.ClassDef) and node.decorator_list:
        first = node.decorator_list[0].lineno
    return b"\n".join(file.lines[first - 1 : node.end_lineno])
