"""One Python file: its text, its syntax tree, and where in the text a part of the tree stands."""

from __future__ import annotations

import ast
import functools
import gc
import importlib.util
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar, cast

import attrs

from benchhygiene.inventory.revisions import revised
from benchhygiene.inventory.spelling import dotted

#: A larger source is not parsed: what it holds is not known.
SOURCE_LIMIT = 16_000_000

#: To quote a line with a syntax error, CPython opens the file it was told the source is from.
#: Nothing can be there: a name such as "<unknown>" could be a file of the working directory.
_NOWHERE = f"{ast.__file__}/source.py"

T = TypeVar("T")
FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen(slots=False, eq=False, repr=False)
class PythonFile:
    """What one file's bytes are to Python.

    ``module`` is None where there is no tree, and ``error`` then says why. ``is_broken`` says that
    Python refuses the file too; otherwise it is only that nobody here can tell.
    """

    text: str = ""
    module: ast.Module | None = None
    error: str | None = None
    is_broken: bool = False
    _derived: dict[object, object] = attrs.field(factory=dict[object, object], init=False)

    def derived(self, derive: Callable[[PythonFile], T]) -> T:
        """Return what a pure function makes of this file; made once."""
        if derive not in self._derived:
            self._derived[derive] = derive(self)
        return cast("T", self._derived[derive])

    @property
    def body(self) -> list[ast.stmt]:
        """Return the module's statements, none where there is no tree."""
        return self.module.body if self.module is not None else []

    @functools.cached_property
    def lines(self) -> tuple[bytes, ...]:
        """Return the lines as the UTF-8 that a tree's column offsets count in."""
        return tuple(line.encode() for line in self.text.split("\n"))

    @functools.cached_property
    def aliases(self) -> Mapping[str, str]:
        """Return each name an import anywhere in the file binds, and the dotted name it means.

        A relative import keeps its leading dots: ``from ..a import b`` makes ``b`` mean ``..a.b``.
        """
        names: dict[str, str] = {}
        for statement in statements(self.body):
            names.update(imported(statement))
        return names

    @functools.cached_property
    def constants(self) -> Mapping[str, ast.expr]:
        """Return the expression each module-level name is assigned last."""
        found: dict[str, ast.expr] = {}
        for node in self.body:
            if isinstance(node, ast.Assign):
                found.update((t.id, node.value) for t in node.targets if isinstance(t, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.update({node.target.id: node.value} if node.value is not None else {})
        return found

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """Return the source text of a part of the tree, as it was written."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = node.col_offset, node.end_col_offset
        if first == last:
            return self.lines[first][start:end].decode(errors="replace")
        middle = self.lines[first + 1 : last]
        parts = (self.lines[first][start:], *middle, self.lines[last][:end])
        return b"\n".join(parts).decode(errors="replace")

    def definition_text(self, node: FunctionNode | ast.ClassDef) -> str:
        """Return a definition's source with its decorators."""
        if not node.decorator_list:
            return self.segment(node)
        first = node.decorator_list[0].lineno - 1
        last = (node.end_lineno or node.lineno) - 1
        parts = (*self.lines[first:last], self.lines[last][: node.end_col_offset])
        return b"\n".join(parts).decode(errors="replace").lstrip()

    def column(self, node: ast.expr | ast.stmt) -> int:
        """Return where a part begins in its line, counted from 1 in characters."""
        line = self.lines[node.lineno - 1][: node.col_offset]
        return len(line.decode(errors="replace")) + 1

    def resolved(self, node: ast.expr) -> str:
        """Return ``a.b.c`` for a name or attribute chain, its first part seen through the imports.

        Empty for any other expression. A call's name is that of ``node.func``.
        """
        first, dot, rest = dotted(node).partition(".")
        return f"{self.aliases.get(first, first)}{dot}{rest}"


def _parsed(data: bytes, before: PythonFile | None = None) -> PythonFile:
    if len(data) > SOURCE_LIMIT:
        return PythonFile(error=f"{len(data)} bytes, more than {SOURCE_LIMIT}")
    try:
        text = importlib.util.decode_source(data)
    except (SyntaxError, UnicodeError, LookupError) as error:
        return PythonFile(error=f"cannot be decoded: {_reason(error)}", is_broken=True)
    try:
        with warnings.catch_warnings():
            # An invalid escape in the candidate's source must not print in ours.
            warnings.simplefilter("ignore")
            tree = None if before is None else revised(before.module, before.text, text, _tree)
            return PythonFile(text, _tree(text) if tree is None else tree)
    except (SyntaxError, ValueError) as error:
        return PythonFile(text, error=f"does not parse: {_reason(error)}", is_broken=True)
    except (RecursionError, MemoryError) as error:
        return PythonFile(text, error=f"too deeply nested to parse: {type(error).__name__}")


@attrs.frozen
class Parsing:
    """Makes a PythonFile of a file's bytes, from another version's where that is less work."""

    def __call__(self, data: bytes) -> PythonFile:
        """Return what the bytes are to Python; made for ``tree.derived``."""
        return _parsed(data)

    def revised(self, before: PythonFile, data: bytes) -> PythonFile:
        """Return the same as without ``before``, which may be of any other bytes."""
        return _parsed(data, before)


#: Return what a file's bytes are to Python; made for ``tree.derived``.
parse = Parsing()


def _tree(text: str) -> ast.Module:
    """Parse without the garbage collector: among many trees it takes most of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        tree = compile(text, _NOWHERE, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    finally:
        if was_enabled:
            gc.enable()
    return cast("ast.Module", tree)


def _reason(error: Exception) -> str:
    """Return what was wrong in words that hold no text of the file."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno})" if error.lineno else error.msg
    return str(error) if type(error) is ValueError else type(error).__name__


def imported(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the names a statement imports, each with the dotted name it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            yield local, alias.name if alias.asname else local
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        separator = "." if node.module else ""
        for alias in node.names:
            yield alias.asname or alias.name, f"{module}{separator}{alias.name}"


def statements(body: Iterable[ast.stmt], *, into_functions: bool = True) -> Iterator[ast.stmt]:
    """Yield every statement of a body and below it in source order, without recursion.

    What stands inside functions and classes can be left out.
    """
    pending = [iter(body)]
    while pending:
        node = next(pending[-1], None)
        if node is None:
            pending.pop()
            continue
        yield node
        if into_functions or not isinstance(node, FunctionNode | ast.ClassDef):
            pending.append(_inner(node))


def _inner(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for inner in getattr(node, field, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                yield from inner.body


def dumped(node: ast.expr | ast.stmt) -> str:
    """Return a text that equal syntax shares; for what is nested too deeply, where it stands."""
    try:
        return ast.dump(node)
    except RecursionError:
        return f"{node.lineno}:{node.col_offset}-{node.end_lineno}:{node.end_col_offset}"
