"""Which tests a change has added, or given another body, where that is all that it has done.

What stands around such a test reads as it did, so that every other test of its file means what it
did, and need not be looked at. Where a test may matter to anything but itself, or may not be all
that differs, nothing is said, and the whole file is looked at.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements
from benchhygiene.inventory.rules import CollectionRules

_OF_SETTINGS = (".py", ".cfg", ".ini", ".toml")
_OF_MANY = ("conftest.py", "__init__.py")
#: What runs, or is read, for tests that do not name it; settings can make a test of it, too.
UNASKED = ("setup", "setUp", "teardown", "tearDown", "asyncSetUp", "asyncTearDown", "pytest", "__")


@attrs.frozen(eq=False)
class Edited:
    """One function with another body, or without ``old`` one that was not there."""

    qualname: str
    old: FunctionNode | None
    new: FunctionNode


def edited(change: Change, rules: CollectionRules) -> Mapping[str, tuple[Edited, ...]] | None:
    """Return by path the tests that are new or other; None where anything else may differ.

    Other files are those that hold neither Python nor settings.
    """
    found: dict[str, tuple[Edited, ...]] = {}
    if rules.doctest_modules:  # a docstring is a test of its own then
        return None
    for path in change.differing():
        if not path.endswith(_OF_SETTINGS):
            continue
        own = _of_file(change, path, rules)
        if own is None:
            return None
        found[path] = own
    return found


def _of_file(change: Change, path: str, rules: CollectionRules) -> tuple[Edited, ...] | None:
    if path.endswith(_OF_MANY) or not rules.is_test_file(path):
        return None
    if not (change.parent.is_file(path) and change.candidate.is_file(path)):
        return None
    try:
        old, new = (tree.derived(path, parse) for tree in (change.parent, change.candidate))
    except EvidenceUnavailable:
        return None
    if old.module is None or new.module is None:
        return None
    try:
        found = tuple(_Comparison(old, new).edited())
    except _Different:
        return None
    return found if all(_stands_alone(one, old, new, rules) for one in found) else None


class _Different(Exception):
    """Say that more than the bodies of functions differs."""


@attrs.frozen(eq=False)
class _Comparison:
    """Two readings of one file; statements are the same where their lines are."""

    old: PythonFile
    new: PythonFile

    def edited(self) -> Iterator[Edited]:
        """Yield the functions that are new or other; raise _Different for other differences."""
        for old, new in self._pairs(self.old.body, self.new.body):
            if not (isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef)):
                yield self._function("", old, new)
                continue
            self._require_same_head(old, new)
            for one, other in self._pairs(old.body, new.body):
                yield self._function(f"{old.name}.", one, other)

    def _pairs(
        self, old: Sequence[ast.stmt], new: Sequence[ast.stmt]
    ) -> Iterator[tuple[ast.stmt | None, ast.stmt]]:
        """Pair the statements that differ in their order; those of new names have no other."""
        defined = {one.name for one in old if isinstance(one, FunctionNode | ast.ClassDef)}
        left = iter(old)
        for other in new:
            if isinstance(other, FunctionNode) and other.name not in defined:
                yield None, other
                continue
            one = next(left, None)
            if one is None:
                raise _Different
            if one is not other and _lines(self.old, one) != _lines(self.new, other):
                yield one, other
        if next(left, None) is not None:
            raise _Different

    def _function(self, prefix: str, old: ast.stmt | None, new: ast.stmt) -> Edited:
        if not isinstance(new, FunctionNode) or not isinstance(old, FunctionNode | None):
            raise _Different
        if old is not None:
            self._require_same_head(old, new)
        return Edited(prefix + new.name, old, new)

    def _require_same_head(
        self, old: FunctionNode | ast.ClassDef, new: FunctionNode | ast.ClassDef
    ) -> None:
        """Require that all before the body is the same text, and stands on lines of its own."""
        if type(old) is not type(new) or _head(self.old, old) != _head(self.new, new):
            raise _Different


def _first(node: ast.stmt) -> int:
    """Return the line that a statement begins on, its decorators' included."""
    if isinstance(node, FunctionNode | ast.ClassDef) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _lines(file: PythonFile, node: ast.stmt) -> tuple[bytes, ...]:
    return file.lines[_first(node) - 1 : node.end_lineno]


def _head(file: PythonFile, node: FunctionNode | ast.ClassDef) -> tuple[bytes, ...]:
    """Return the lines before a definition's body; raise _Different where the body shares one."""
    inner = node.body[0]
    first = _first(inner)
    if file.lines[first - 1][: inner.col_offset].strip() not in (b"", b"@"):
        raise _Different
    return file.lines[_first(node) - 1 : first - 1]


def _stands_alone(one: Edited, old: PythonFile, new: PythonFile, rules: CollectionRules) -> bool:
    """Return whether a function can matter to its own test only, as far as its file tells.

    No other place names it, as one that calls it, or uses it for a fixture, a decorator or rows,
    would; and none but functions name its class, as one that inherits from it would.
    """
    owner, _, name = one.qualname.rpartition(".")
    if not (rules.is_function(name) or name.startswith("test")) or name.startswith(UNASKED):
        return False
    if _is_named(name, new.text) or (_is_named(name, old.text) if one.old else name in old.text):
        return False
    if not _is_bound_once(name, owner, new):
        return False
    if owner and _is_named(owner, old.derived(_skeleton), "class"):
        return False
    # An import gives names of the whole file their meaning, wherever it stands.
    return not (_has_imports(one.old) or _has_imports(one.new)) or old.aliases == new.aliases


def _has_imports(node: FunctionNode | None) -> bool:
    inside = statements(node.body) if node is not None else ()
    return any(isinstance(one, ast.Import | ast.ImportFrom) for one in inside)


def _is_named(name: str, text: str, word: str = "def") -> bool:
    """Return whether a text holds a name otherwise than to define it."""
    if not name.isascii():
        return True
    if not text.isascii():  # Python reads other letters as these
        text = unicodedata.normalize("NFKC", text)
    if text.count(name) < 2:
        return False
    defined = len(re.findall(rf"\b{word}[ \t]+{name}\b", text))
    return len(re.findall(rf"\b{name}\b", text)) > defined


def _is_bound_once(name: str, owner: str, file: PythonFile) -> bool:
    body = file.body
    if owner:
        classes = [one for one in body if isinstance(one, ast.ClassDef) and one.name == owner]
        body = classes[0].body if len(classes) == 1 else []
    inside = statements(body, into_functions=False)
    return sum(isinstance(one, FunctionNode) and one.name == name for one in inside) == 1


def _skeleton(file: PythonFile) -> str:
    """Return the text of a file without the bodies of its functions."""
    kept: list[bytes] = []
    at = 0
    for first, last in sorted(_bodies(file.body)):
        if first > at:
            kept.extend(file.lines[at : first - 1])
        at = max(at, last)
    kept.extend(file.lines[at:])
    return b"\n".join(kept).decode()


def _bodies(body: Sequence[ast.stmt]) -> Iterator[tuple[int, int]]:
    """Yield the lines of the bodies of functions, of those that share none with their head."""
    for one in statements(body, into_functions=False):
        if isinstance(one, ast.ClassDef):
            yield from _bodies(one.body)
        elif isinstance(one, FunctionNode) and _first(one.body[0]) > one.lineno:
            yield _first(one.body[0]), one.end_lineno or one.lineno
