"""Which files a change may take tests from: those that differ, and those that use what differs."""

from __future__ import annotations

import ast
import hashlib
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.importers import Importers, import_text
from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements
from benchhygiene.inventory.rules import CollectionRules
from benchhygiene.inventory.spelling import decorator_call, dotted

_ROWS = (
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
    ast.GeneratorExp,
    ast.BinOp,
    ast.Subscript,
    ast.Call,
    ast.Lambda,
    ast.Name,
)


def reach(change: Change, rules: CollectionRules) -> tuple[str, ...]:
    """Return, sorted, the paths whose tests a change may touch.

    A file that is the same on both sides counts where it uses a base class, a decorator, a fixture
    or rows that a differing file has changed.
    """
    differing = change.differing()
    found = dict.fromkeys(differing)
    frontier = {
        path: names
        for path in differing
        if path.endswith(".py") and (names := _changed_names(change, path, rules))
    }
    if frontier:
        found.update(dict.fromkeys(_dependents(change, frontier, found)))
    return tuple(sorted(found))


def using(change: Change, names: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the files, the same on both sides, that may use these names of differing files."""
    return _dependents(change, names, dict.fromkeys(change.differing()))


def _changed_names(change: Change, path: str, rules: CollectionRules) -> frozenset[str]:
    old, new = _exports(change.parent, path, rules), _exports(change.candidate, path, rules)
    return frozenset(name for name in {*old, *new} if old.get(name) != new.get(name))


def _exports(tree: SourceTree, path: str, rules: CollectionRules) -> Mapping[str, str]:
    """Return a hash of each thing in a module that decides what other files collect."""
    if not tree.is_file(path):
        return {}
    try:
        file = tree.derived(path, parse)
    except EvidenceUnavailable:
        return {}
    return {name: _hash(parts) for name, parts in _exported(file, rules)}


def _hash(parts: Iterable[str]) -> str:
    text = "\n".join(parts).encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def _exported(file: PythonFile, rules: CollectionRules) -> Iterator[tuple[str, list[str]]]:
    for node in statements(file.body, into_functions=False):
        if isinstance(node, ast.ClassDef):
            yield node.name, [*_class_parts(file, node, rules)]
        elif isinstance(node, FunctionNode):
            is_test = rules.is_function(node.name)
            if is_test or _decides(node):
                body: list[ast.stmt] = [] if is_test else _body(node)
                parts: list[ast.expr | ast.stmt] = [*node.decorator_list, *body]
                yield node.name, [file.segment(one) for one in parts]
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            value = node.value
            if isinstance(value, _ROWS):
                for name in _assigned(node):
                    yield name, [file.segment(value)]


def _body(node: FunctionNode) -> list[ast.stmt]:
    return [] if _is_fixture(node) else node.body


def _is_fixture(node: FunctionNode) -> bool:
    named = (decorator_call(one)[0] for one in node.decorator_list)
    return any(dotted(one).endswith("fixture") for one in named)


def _decides(node: FunctionNode) -> bool:
    """Return whether a function may be a fixture or a decorator, which has another one inside."""
    if node.decorator_list or node.name == "pytest_generate_tests":
        return True
    return any(
        isinstance(one, FunctionNode)
        or (isinstance(one, ast.Return) and isinstance(one.value, ast.Lambda | ast.Constant | None))
        for one in statements(node.body)
    )


def _class_parts(file: PythonFile, node: ast.ClassDef, rules: CollectionRules) -> Iterator[str]:
    yield from (file.segment(one) for one in (*node.bases, *node.decorator_list))
    for inner in node.body:
        if isinstance(inner, FunctionNode):
            if rules.is_function(inner.name) or inner.name.startswith(("test", "__", "pytest")):
                yield inner.name
            yield from (file.segment(one) for one in inner.decorator_list)
        elif not isinstance(inner, ast.Expr):
            yield file.segment(inner)


def _assigned(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                yield one.id


def _dependents(
    change: Change, frontier: Mapping[str, frozenset[str]], known: Mapping[str, object]
) -> Iterator[str]:
    """Yield the files that import what has changed, through other files too."""
    tree = change.parent
    reached: set[str] = set()
    pending = dict(frontier)
    while pending:
        path, names = pending.popitem()
        wanted = frozenset(name.encode() for name in names if name.isascii())
        is_plain = len(wanted) == len(names)
        for other in _near(tree, path):
            if other in reached or other in known:
                continue
            if is_plain and not _may_use(tree, path, other, wanted):
                continue
            reached.add(other)
            pending[other] = names
    yield from sorted(reached)


def _near(tree: SourceTree, path: str) -> Iterable[str]:
    """Return the files that a module can bear on: those below a conftest, or importers."""
    if posixpath.basename(path) != "conftest.py":
        return tree.surveyed(Importers.of).naming(tree, path)
    below = posixpath.dirname(path)
    return [one for one in tree.files(".py") if not below or one.startswith(f"{below}/")]


def _may_use(tree: SourceTree, path: str, other: str, wanted: frozenset[bytes]) -> bool:
    is_conftest = posixpath.basename(path) == "conftest.py"
    if is_conftest and b"pytest_generate_tests" in wanted:
        return True
    try:
        if not is_conftest and b"*" in tree.derived(other, import_text):
            return True
        return not wanted.isdisjoint(tree.derived(other, words))
    except EvidenceUnavailable:
        return False
