"""Which statements of a conftest a session depends on.

Most of a large conftest are fixtures, and the data they are made of. No hook reads them, but to
compute the parameters of one may mean to follow half a library: that is left out here where it
can make no difference to what is played. A statement is left out only where

- pytest looks at none of the names it binds (``pytest_...``, ``collect_ignore``);
- no statement that is played says one of these names, not even as an attribute or in quotes;
- neither what it computes, nor what that may call in the same file, says a word by which the
  command line or the environment is changed or a module is not read to its end, or a name of the
  module that a statement says which is played: it can change nothing that one of these reads.

What it calls in other files of the tree could do the same. Where that must be ruled out, what says
a name that comes from the tree is played. Otherwise it is left out where no hook reads anything
from the tree: what is done to other modules is then seen by none.

The names have values all the same: they are computed from their bindings where one is asked for,
as those of every module are that is imported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile

_LOOKED_AT = frozenset(("collect_ignore", "collect_ignore_glob", "pytest_plugins"))
#: By these a name may be read or bound that is not spelled out: nothing is left out beside them.
UNSPELLED = frozenset(
    (
        "globals",
        "locals",
        "vars",
        "setattr",
        "delattr",
        "exec",
        "eval",
        "__dict__",
        "modules",
        "specname",
    )
)
#: By these more is changed than names, or a module is not read to its end.
EFFECTS = frozenset(
    (
        "argv",
        "environ",
        "putenv",
        "unsetenv",
        "PYTEST_ADDOPTS",
        "importorskip",
        "skip",
        "exit",
        "fail",
    )
)
#: Hooks that are called when it is settled which tests are run: a session is not played so far.
_LATER = (
    "pytest_report_",
    "pytest_runtest_",
    "pytest_terminal_summary",
    "pytest_sessionfinish",
    "pytest_unconfigure",
    "pytest_assertrepr_compare",
    "pytest_fixture_",
    "pytest_warning_recorded",
)
_OUTSIDE = sys.stdlib_module_names | {"pytest", "_pytest"}


@attrs.frozen(eq=False)
class _Part:
    """One statement at a module's top: what it binds, and what it says.

    ``computing`` are the words said by what is computed when the statement is run; ``words`` are
    all that it says: the others may count when what it binds is called. ``is_ending`` says that
    it may end the module; ``origin`` where an import takes its names from.
    """

    statement: ast.stmt
    names: frozenset[str]
    words: frozenset[str]
    computing: frozenset[str] = frozenset()
    is_ending: bool = False
    origin: str | None = None

    @property
    def is_looked_at(self) -> bool:
        """Return whether pytest looks at one of the names."""
        return any(
            name in _LOOKED_AT or (name.startswith("pytest_") and not name.startswith(_LATER))
            for name in self.names
        )

    @property
    def is_ours(self) -> bool:
        """Return whether it is an import of what may be in the tree."""
        return self.origin is not None and self.origin not in _OUTSIDE


@attrs.frozen(eq=False)
class Bodies:
    """A module's statements that count: at any rate, and where other files' effects are known.

    ``reads_tree`` says that a hook of the module may read what comes from other modules.
    """

    strict: Sequence[ast.stmt]
    lean: Sequence[ast.stmt]
    reads_tree: bool


def bodies(file: PythonFile) -> Bodies:
    """Return the statements that a session may depend on; made for ``file.derived``."""
    parts = [_part(statement) for statement in file.body]
    said = frozenset(word for part in parts for word in part.words)
    ours = frozenset(name for part in parts if part.is_ours for name in part.names)
    reached = _reached(parts)
    changing = EFFECTS | UNSPELLED | _declared(file.body)
    lean = _played(parts, reached, changing)
    if "*" in said or any(part.words & UNSPELLED for part in lean):
        return Bodies(file.body, file.body, reads_tree=True)
    reads_tree = "pytest_plugins" in said or any(not ours.isdisjoint(one.words) for one in lean)
    strict = _played(parts, reached, changing | ours)
    return Bodies(_statements(strict), _statements(lean), reads_tree)


def _statements(parts: Iterable[_Part]) -> Sequence[ast.stmt]:
    return tuple(part.statement for part in parts)


def _played(
    parts: Sequence[_Part], reached: Mapping[int, frozenset[str]], changing: frozenset[str]
) -> Sequence[_Part]:
    """Return, in order, the parts that count.

    They are what pytest looks at and what reaches a changing word; what binds a name that one of
    them says; and what reaches, when it is computed, a name that one of them reads.
    """
    seeds = [part for part in parts if part.is_looked_at or part.is_ending]
    found = {id(part) for part in seeds}
    said = frozenset(word for part in seeds for word in part.words)
    while True:
        touching = changing | _state(parts, said)
        more = [
            part
            for part in parts
            if id(part) not in found
            and not (said.isdisjoint(part.names) and touching.isdisjoint(reached[id(part)]))
        ]
        if not more:
            return [part for part in parts if id(part) in found]
        found.update(map(id, more))
        said = said.union(*(part.words for part in more))


def _state(parts: Sequence[_Part], said: frozenset[str]) -> frozenset[str]:
    """Return the said names of the module that hold what could be changed."""
    outside = (part for part in parts if part.origin is not None and not part.is_ours)
    plain = frozenset(name for part in outside for name in part.names)
    return frozenset(name for part in parts for name in part.names & said) - plain


def _declared(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Return the names of the module that functions bind."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names)


def _reached(parts: Sequence[_Part]) -> Mapping[int, frozenset[str]]:
    """Return, by the part's id, the words of what it computes and may call in the same file."""
    said: dict[str, frozenset[str]] = {}
    for part in parts:
        for name in part.names:
            said[name] = said.get(name, frozenset()) | part.words
    return {id(part): _followed(part.computing, said) for part in parts}


def _followed(words: frozenset[str], said: Mapping[str, frozenset[str]]) -> frozenset[str]:
    found, pending = words, list(words)
    while pending:
        more = said.get(pending.pop(), frozenset()) - found
        found |= more
        pending += more
    return found


def _part(statement: ast.stmt) -> _Part:
    words = frozenset(_words((statement,)))
    bound = frozenset(_bound(statement))
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return _Part(statement, bound, words, origin=_origin(statement))
    computed = _computed(statement)
    if computed is not None:
        return _Part(statement, bound, words, frozenset(_words(computed)))
    is_ending = any(isinstance(node, ast.Raise) for node in _inner(statement))
    return _Part(statement, bound, words, words, is_ending)


def _origin(statement: ast.Import | ast.ImportFrom) -> str:
    """Return the first part of the name that an import takes from; empty for the tree's own."""
    if isinstance(statement, ast.ImportFrom):
        return "" if statement.level else (statement.module or "").partition(".")[0]
    firsts = {one.name.partition(".")[0] for one in statement.names}
    return firsts.pop() if len(firsts) == 1 or firsts <= _OUTSIDE else ""


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield every name that a statement may bind in its module."""
    for node in _inner(statement):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias(name=name, asname=other):
                yield (other or name).partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case _:
                pass


def _inner(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without what is inside the functions and classes of it."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, FunctionNode | ast.ClassDef):
            pending += node.decorator_list
        else:
            pending += ast.iter_child_nodes(node)


def _computed(statement: ast.stmt) -> Sequence[ast.AST] | None:
    """Return what is computed where a statement does nothing but bind names, else None.

    What is inside a function or class is then not computed, or not in this module's names.
    """
    if any(isinstance(node, ast.NamedExpr) for node in ast.walk(statement)):
        return None
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return (*statement.decorator_list, statement.args)
        case ast.ClassDef():
            return _computed_by_class(statement)
        case ast.Assign(targets=targets) if all(isinstance(one, ast.Name) for one in targets):
            return (statement.value,)
        case ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            return (value,)
        case _:
            return None


def _computed_by_class(node: ast.ClassDef) -> Sequence[ast.AST]:
    """Return what is computed to make a class, and those of its methods that this may call."""
    methods = [one for one in node.body if isinstance(one, FunctionNode)]
    found: list[ast.AST] = [*node.decorator_list, *node.bases, *node.keywords]
    found += [one for one in node.body if not isinstance(one, FunctionNode)]
    for method in methods:
        found += [*method.decorator_list, method.args]
    said = frozenset(_words(found))
    while called := [one for one in methods if one.name in said]:
        methods = [one for one in methods if one not in called]
        found += called
        said = frozenset(_words(found))
    return found


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name, attribute and quoted name in some nodes."""
    for top in nodes:
        for node in ast.walk(top):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name
                case ast.Constant(value=str(text)) if text.isidentifier():
                    yield text
                case ast.alias(name=name, asname=other):
                    yield from (*name.split("."), other or name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    yield from names
                case _:
                    pass
