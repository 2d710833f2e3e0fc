"""What the names of a file are bound to, and which file of a tree a dotted name means."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.python import FunctionNode

#: How many bindings of one name are looked at.
KEPT = 40
# Never taken for a file of the tree: a file of this name that shadows it is another question.
_FOREIGN = frozenset(("_pytest", "py", "pytest", "unittest", "sys", "os", "platform", "functools"))
_ROOTS = ("", "src", "lib", "python")


@attrs.frozen
class Imported:
    """What an import binds: a module, or ``name`` of a module; ``level`` counts leading dots."""

    module: str
    level: int = 0
    name: str | None = None


#: What a name is bound to that is bound too often.
ANYTHING = Imported("?")


@attrs.frozen(eq=False)
class Each:
    """One element, nobody knows which, of what an expression gives."""

    iterable: ast.expr


@attrs.frozen
class Opaque:
    """Something that no expression stands for: an argument, an exception, a context's value."""


Bound: TypeAlias = ast.expr | FunctionNode | ast.ClassDef | Imported | Each | Opaque


@attrs.frozen(eq=False)
class Bindings:
    """The names that one body binds, each with what it may be, and its star imports in order."""

    names: Mapping[str, tuple[Bound, ...]] = attrs.field(factory=dict[str, "tuple[Bound, ...]"])
    stars: tuple[Imported, ...] = ()


def bindings(body: Iterable[ast.stmt]) -> Bindings:
    """Return what a body binds each name to, one after the other or under conditions.

    Which binding is in force depends on when it is asked for, so all of them are given. A name with
    more than are kept may be anything.
    """
    names: dict[str, list[Bound]] = {}
    stars: list[Imported] = []
    pending = [iter(body)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
            continue
        for name, bound in _bound_by(statement):
            known = names.setdefault(name, [])
            if len(known) <= KEPT:
                known.append(bound if len(known) < KEPT else ANYTHING)
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            stars.append(Imported(statement.module or "", statement.level))
        pending.append(_inner(statement))
    return Bindings({name: tuple(bound) for name, bound in names.items()}, tuple(stars))


def _inner(statement: ast.stmt) -> Iterator[ast.stmt]:
    for block in _blocks(statement):
        yield from block


def _blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """Yield the blocks that run in the namespace the statement stands in."""
    if isinstance(statement, FunctionNode | ast.ClassDef):
        return
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, ())
    for field in ("handlers", "cases"):
        for inner in getattr(statement, field, ()):
            yield inner.body


def _bound_by(statement: ast.stmt) -> Iterator[tuple[str, Bound]]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name, statement
        case ast.Import() | ast.ImportFrom():
            yield from _imports(statement)
        case ast.Assign():
            for target in statement.targets:
                yield from _assigned(target, statement.value)
        case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value):
            yield from _assigned(statement.target, value)
        case ast.For() | ast.AsyncFor():
            yield from _elements(statement.target, statement.iter)
        case ast.With() | ast.AsyncWith():
            for item in statement.items:
                yield from _unknown(item.optional_vars)
        case ast.Expr(value=ast.NamedExpr(target=target, value=value)):
            yield target.id, value
        case _:
            return


def _imports(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Bound]]:
    if isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            if alias.name != "*":
                found = Imported(statement.module or "", statement.level, alias.name)
                yield alias.asname or alias.name, found
        return
    for alias in statement.names:
        first = alias.name.partition(".")[0]
        yield alias.asname or first, Imported(alias.name if alias.asname else first)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Bound]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            for one, part in zip(target.elts, value.elts, strict=True):
                yield from _assigned(one, part)
        else:
            for one in target.elts:
                yield from _unknown(one)


def _elements(target: ast.expr, iterable: ast.expr) -> Iterator[tuple[str, Bound]]:
    if isinstance(target, ast.Name):
        yield target.id, Each(iterable)
    else:
        yield from _unknown(target)


def _unknown(target: ast.expr | None) -> Iterator[tuple[str, Bound]]:
    if target is None:
        return
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id, Opaque()


@attrs.frozen(eq=False)
class Modules:
    """Which file of a tree a dotted name means to a file that imports it."""

    tree: SourceTree
    _known: dict[tuple[str, int, str], str | None] = attrs.field(
        factory=dict[tuple[str, int, str], "str | None"]
    )

    def locate(self, path: str, module: str, level: int = 0) -> str | None:
        """Return the file of the module as the file at ``path`` imports it, None for a stranger.

        An absolute name is looked for beside the importing file, in every directory above it, and
        in the usual source roots: what pytest puts on ``sys.path`` is among them.
        """
        folder = posixpath.dirname(path)
        key = (folder, level, module)
        if key not in self._known:
            self._known[key] = next(self._found(folder, module, level), None)
        return self._known[key]

    def _found(self, folder: str, module: str, level: int) -> Iterator[str]:
        if not level and module.partition(".")[0] in _FOREIGN:
            return
        tail = module.replace(".", "/")
        for base in _bases(folder, level):
            stem = posixpath.join(base, tail) if tail else base
            for name in (f"{stem}.py", posixpath.join(stem, "__init__.py")):
                if self.tree.is_file(name):
                    yield name


def _bases(folder: str, level: int) -> Iterator[str]:
    if level:
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        yield folder
        return
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield from _ROOTS
