"""Bound the coverage a run would measure, from the sources alone.

A line is certain where a passing suite must reach it, impossible where nothing that could run names
what it stands in, and open otherwise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.ini_chain.coverage.lines import Lines, first_line
from benchhygiene_plugins.ini_chain.suite.source import walked

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_WORD = re.compile(r"\w+")
#: Names in whose presence a passing test may end before its last line, or not be measured.
_LEAVES = frozenset(
    {"skip", "skipif", "skipTest", "SkipTest", "skipUnless", "skipIf", "importorskip", "xfail"}
    | {"expectedFailure", "exit", "_exit", "no_cover", "subTest"}
)
#: Names in whose presence a module may be left while it is imported.
_LEAVES_MODULE = frozenset({"importorskip", "allow_module_level", "SkipTest"})
#: Names with which code reaches functions that it does not name.
_REFLECTS = frozenset(
    {"getattr", "globals", "locals", "vars", "eval", "exec", "dir", "getmembers", "__dict__"}
    | {"attrgetter", "methodcaller", "__getattribute__", "getattr_static", "NodeVisitor", "pickle"}
)
#: How names begin that pytest, unittest and Python call by themselves.
_CALLED = ("pytest_", "setup", "teardown", "test", "__")


@attrs.frozen(eq=False, repr=False)
class Bounds:
    """How many lines count, how many of them certainly run and how many at most do.

    ``optional`` lines may count or not and run or not; ``idle`` ones may count and never run.
    """

    total: int = 0
    certain: int = 0
    possible: int = 0
    optional: int = 0
    idle: int = 0

    def __add__(self, other: Bounds) -> Bounds:
        """Return the bounds of two files together."""
        return Bounds(
            self.total + other.total,
            self.certain + other.certain,
            self.possible + other.possible,
            self.optional + other.optional,
            self.idle + other.idle,
        )

    @property
    def most(self) -> int:
        """Return how many lines count at most."""
        return self.total + self.optional + self.idle

    def percent(self) -> tuple[float, float]:
        """Return the lowest and the highest coverage in percent.

        Nothing to measure counts as 100, as coverage.py has it.
        """
        low = 100.0 * self.certain / self.most if self.most else 100.0
        whole = self.total + self.optional
        return low, 100.0 * (self.possible + self.optional) / whole if whole else 100.0


@attrs.frozen(eq=False, repr=False)
class Names:
    """Every name by which the code that may run could reach something.

    ``words`` are those that stand in strings.
    """

    identifiers: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> Names:
        """Return the names that occur in the trees."""
        found = [_names(tree) for tree in trees]
        return cls(
            frozenset[str]().union(*(names.identifiers for names in found)),
            frozenset[str]().union(*(names.words for names in found)),
        )

    def __or__(self, other: Names) -> Names:
        """Return the names of both."""
        return Names(self.identifiers | other.identifiers, self.words | other.words)

    def __contains__(self, name: object) -> bool:
        """Return whether anything could be reached by the name."""
        return name in self.identifiers or name in self.words

    @property
    def reflects(self) -> bool:
        """Return whether functions may be reached that are not named."""
        return not self.identifiers.isdisjoint(_REFLECTS)

    @property
    def may_leave(self) -> bool:
        """Return whether a passing test may end early."""
        return not self.identifiers.isdisjoint(_LEAVES)

    @property
    def may_leave_module(self) -> bool:
        """Return whether the import of a module may end early and the run still pass."""
        return not self.identifiers.isdisjoint(_LEAVES_MODULE)


@lru_cache(maxsize=128)
def _names(tree: ast.Module) -> Names:
    nodes = walked(tree)
    return Names(
        frozenset(name for node in nodes for name in _identifiers(node)),
        frozenset(word for node in nodes for word in _words(node)),
    )


def _identifiers(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
    elif isinstance(node, ast.ImportFrom):
        yield from (node.module or "").split(".")
    elif isinstance(node, ast.arg | ast.keyword) and node.arg:
        yield node.arg  # a fixture is reached through a parameter's name


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _WORD.findall(node.value)


def unloaded(lines: Lines) -> Bounds:
    """Return the bounds of a file that is measured although nothing imports it."""
    return Bounds(total=len(lines.counted), idle=len(lines.optional))


def loaded(
    tree: ast.Module, lines: Lines, names: Names, tests: Mapping[int, bool | None], *, certain: bool
) -> Bounds:
    """Return the bounds of a file that is imported, certainly or perhaps.

    ``tests`` maps the line of a test function to whether it is selected, None where nobody knows.
    """
    reached: set[int] = set()
    if certain and not names.may_leave_module:
        reached.update(_reached(tree.body))
    if certain and not (names.may_leave_module or names.may_leave):
        for test in _plain_tests(tree.body, tests):
            reached.update(_reached(test.body))
    sure = {lines.first(line) for line in reached} & lines.counted
    never = () if names.reflects else _never(tree.body, names, tests)
    idle = ({lines.first(line) for line in never} & lines.counted) - sure
    possible = len(lines.counted) - len(idle)
    return Bounds(len(lines.counted), len(sure), possible, optional=len(lines.optional))


def _reached(body: Sequence[ast.stmt]) -> Iterator[int]:
    """Yield the lines that run whenever the body is entered and nothing fails."""
    for node in body:
        yield from (first_line(node), node.lineno)
        if isinstance(node, ast.ClassDef):
            yield from _reached(node.body)
        elif isinstance(node, ast.With | ast.Try | ast.TryStar):
            # The rest may be left out: a manager or a handler may swallow an exception.
            yield from _reached(node.body[:1])
        if isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break) or _returns(node):
            return


def _returns(node: ast.stmt) -> bool:
    return any(isinstance(inner, ast.Return) for inner in _inside(node))


def _inside(*nodes: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes and what is below them, without the bodies of functions."""
    pending = list(nodes)
    while pending:
        one = pending.pop()
        yield one
        if not isinstance(one, _Function | ast.Lambda):
            pending += ast.iter_child_nodes(one)


def _plain_tests(
    body: Sequence[ast.stmt], tests: Mapping[int, bool | None]
) -> Iterator[ast.FunctionDef]:
    """Yield the selected tests whose own body pytest runs, once at least."""
    for node in body:
        if not isinstance(node, _Function | ast.ClassDef) or not _is_plain(node):
            continue
        if isinstance(node, ast.ClassDef):
            yield from _plain_tests(node.body, tests)
        elif isinstance(node, ast.FunctionDef) and tests.get(node.lineno) and not _yields(node):
            yield node


def _yields(node: ast.FunctionDef) -> bool:
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in _inside(*node.body))


def _is_plain(node: _Function | ast.ClassDef) -> bool:
    return all(_keeps_body(decorator) for decorator in node.decorator_list)


def _keeps_body(decorator: ast.expr) -> bool:
    """Return whether a decorator is a mark that leaves the test as it is."""
    call = decorator if isinstance(decorator, ast.Call) else None
    name = dotted(call.func if call is not None else decorator)
    if ".mark." not in f".{name}" or not name.endswith(".parametrize"):
        return ".mark." in f".{name}"
    values = call.args[1] if call is not None and len(call.args) > 1 else None
    listed = values.elts if isinstance(values, ast.List | ast.Tuple) else []
    return bool(listed) and not any(isinstance(item, ast.Starred) for item in listed)


def _never(
    body: Sequence[ast.stmt], names: Names, tests: Mapping[int, bool | None]
) -> Iterator[int]:
    """Yield the lines of function bodies that nothing can enter."""
    for node in body:
        if isinstance(node, _Function) and _is_unreachable(node, names, tests):
            yield from _body_lines(node)
        elif isinstance(node, ast.ClassDef):
            yield from _never_in_class(node, names, tests)


def _never_in_class(
    node: ast.ClassDef, names: Names, tests: Mapping[int, bool | None]
) -> Iterator[int]:
    """Whoever holds an object may call its methods; where nobody can, only tests are called."""
    methods = [inner for inner in node.body if isinstance(inner, _Function)]
    collected = any(method.lineno in tests for method in methods)
    known = bool(node.bases or node.keywords or node.decorator_list) or node.name in names
    for method in methods:
        considered = method.lineno in tests or not (collected or known)
        if considered and _is_unreachable(method, names, tests):
            yield from _body_lines(method)


def _is_unreachable(node: _Function, names: Names, tests: Mapping[int, bool | None]) -> bool:
    if node.name in names:
        return False
    if node.lineno in tests:
        return tests[node.lineno] is False
    return not node.decorator_list and not node.name.lower().startswith(_CALLED)


def _body_lines(node: _Function) -> Iterator[int]:
    yield from range(first_line(node.body[0]), (node.end_lineno or node.lineno) + 1)
