"""What a module is made of, part by part: its definitions, their members, and the rest by name."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile, imported, statements
from benchhygiene_plugins.assertions.definitions import bound_names, fixtures_among

#: Stands for what a statement does that binds no name; no text has it for a word.
NAMELESS = "*"
#: Methods that are followed for every test of a class, though no test names them.
SET_UP = ("setUpClass", "setup_class", "setUp", "asyncSetUp", "setup_method", "setup")
TEAR_DOWN = ("tearDown", "asyncTearDown", "teardown_method", "teardown", "tearDownClass")
RUNNERS = ("run", "__call__", "_callTestMethod", "debug", "_callSetUp")

_UNASKED = frozenset((*SET_UP, *TEAR_DOWN, *RUNNERS))
# What Python allows in a name and ``\w`` does not is a word by itself.
_WORD = re.compile(r"\w+|[^\s\w!-~]")


@attrs.frozen(eq=False)
class Part:
    """A function at a module's top, a method, a class without its methods, or what binds a name.

    ``key`` tells where it stands, ``names`` are those under which other source can mean it.
    ``spot`` is where a function stands that nothing uses without naming it. ``is_automatic`` says
    of a fixture that the tests of its module use it without asking for it. ``owner`` is the class
    of a method that is found by its name on a test itself, and nowhere else.
    """

    key: str
    names: frozenset[str]
    text: str
    spot: tuple[int, int] | None = None
    is_automatic: bool = False
    owner: str = ""

    @property
    def top(self) -> str:
        """Return the name at the module's top that it belongs to."""
        return self.key.partition(".")[0]


def words(text: str) -> frozenset[str]:
    """Return the words of a text, spelt as Python spells the names in it."""
    return frozenset(_WORD.findall(text if text.isascii() else unicodedata.normalize("NFKC", text)))


def spelt(names: Iterable[str]) -> frozenset[str]:
    """Return words of which a text that mentions one of the names holds one; a name may be many."""
    return frozenset(word for name in names for word in words(name)) | ({NAMELESS} & {*names})


def parts(file: PythonFile) -> tuple[Part, ...]:
    """Return the parts of a file in their order; made for ``file.derived``."""
    return tuple(_parts(file, file.body, ()))


def mentions(file: PythonFile) -> Mapping[str, tuple[Part, ...]]:
    """Return the parts of a file by the words in their source; made for ``file.derived``."""
    found: dict[str, list[Part]] = {}
    for part in file.derived(parts):
        for word in words(part.text):
            found.setdefault(word, []).append(part)
    return {word: tuple(where) for word, where in found.items()}


def _parts(file: PythonFile, body: list[ast.stmt], classes: tuple[str, ...]) -> Iterator[Part]:
    asked = {id(one): name for name, one in fixtures_among(file, body)}
    for statement in body:
        if isinstance(statement, FunctionNode):
            yield _function(file, statement, classes, asked.get(id(statement)))
        elif isinstance(statement, ast.ClassDef):
            inner = (*classes, statement.name)
            yield Part(".".join(inner), frozenset((statement.name,)), _head(file, statement))
            yield from _parts(file, statement.body, inner)
        elif not _is_silent(statement):
            yield _other(file, statement, classes)


def _function(
    file: PythonFile, definition: FunctionNode, classes: tuple[str, ...], fixture: str | None
) -> Part:
    name, text = definition.name, _lines(file, _first(definition), definition.end_lineno)
    is_automatic = fixture is not None and "autouse" in text
    is_unasked = is_automatic or name in _UNASKED or name.startswith("__")
    names = (name, fixture or name, *(classes[-1:] if is_unasked else ()))
    spot = None if is_unasked else (definition.lineno, definition.col_offset)
    key = ".".join((*classes, name))
    owner = classes[-1] if classes and not is_unasked else ""
    return Part(key, frozenset(names), text, spot, is_automatic and not classes, owner)


def _other(file: PythonFile, statement: ast.stmt, classes: tuple[str, ...]) -> Part:
    # What a class holds beside its methods may be its constructor's parameters.
    names = frozenset((*_bound(statement), *classes[-1:])) or frozenset((NAMELESS,))
    key = f"{'.'.join(classes)}." if classes else min(names)
    return Part(key, names, _lines(file, statement.lineno, statement.end_lineno))


def _head(file: PythonFile, definition: ast.ClassDef) -> str:
    """Return the lines of a class before its body."""
    last = max(definition.lineno, _first(definition.body[0]) - 1)
    return _lines(file, _first(definition), last)


def _first(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", None)
    return int(decorators[0].lineno) if decorators else statement.lineno


def _lines(file: PythonFile, first: int, last: int | None) -> str:
    return b"\n".join(file.lines[first - 1 : last or first]).decode()


def _is_silent(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bound(statement: ast.stmt) -> Iterator[str]:
    for one in statements([statement], into_functions=False):
        yield from bound_names(one)
        yield from (name for name, _ in imported(one))
