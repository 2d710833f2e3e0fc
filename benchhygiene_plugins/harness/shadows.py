"""Files that imports find in place of a library, of Python's own modules, or of what is tested."""

from __future__ import annotations

import ast
import posixpath
import sys
from collections.abc import Callable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.meanings import Kind, Known, Routine, Value
from benchhygiene.inventory.names import Imported
from benchhygiene.inventory.python import parse
from benchhygiene_plugins.harness import frameworks
from benchhygiene_plugins.harness.deeds import Act, Deed, Place
from benchhygiene_plugins.harness.importing import Imports
from benchhygiene_plugins.harness.insertions import Insertion, insertions
from benchhygiene_plugins.harness.reading import Reader
from benchhygiene_plugins.harness.roles import SITE, Role

_MODULES = (".py", ".so", ".pyd", ".pyc")
_SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "pytest.toml")
_STANDARD = sys.stdlib_module_names
_FRAMEWORKS = frozenset(one.partition(".")[0] for one in frameworks.MODULES) | {
    "numpy", "attr", "attrs", "mock", "freezegun", "xdist", "pytest_mock", "coverage",
}  # fmt: skip
#: Names that are no module anybody else has.
_OWN = frozenset(("conftest", "__init__", "setup", "tests", "test", "__main__", "noxfile"))


@attrs.frozen(eq=False)
class Shadows:
    """Holds what imports find in a candidate against what they found in its parent."""

    change: Change
    old: Reader
    new: Reader

    def all(self) -> Iterator[Deed]:
        """Yield the modules that a candidate puts in front of others."""
        added = [*self._added()]
        fresh = self._insertions()
        settings = [*self._settings()]
        if added or fresh or settings:
            before = Imports(self.change.parent, self.old.rules, self._inserted(self.old))
            rules = CollectionRules.of(self.change.candidate) if settings else self.new.rules
            after = Imports(self.change.candidate, rules, self._inserted(self.new))
            seen: set[str] = set()
            for path in added:
                for deed in self._of_file(path, before, after):
                    seen.add(path)
                    yield deed
            yield from self._of_roots(fresh, settings, before, after)
        yield from self._diverted(frozenset(added))

    def _added(self) -> Iterator[str]:
        for path in self.change.differing():
            is_new = not self.change.parent.is_file(path) and self.change.candidate.is_file(path)
            if is_new and path.endswith(_MODULES) and posixpath.basename(path) not in SITE:
                yield path

    def _insertions(self) -> list[Insertion]:
        """Return the directories that differing files newly put on the path."""
        found: list[Insertion] = []
        for path in self.change.differing():
            if path.endswith(".py") and self.new.role(path).is_tests:
                known = {one.directory for one in _insertions(self.old, path)}
                found += [one for one in _insertions(self.new, path) if one.directory not in known]
        return found

    def _inserted(self, reader: Reader) -> tuple[str, ...]:
        """Return what the tests' files put on the path, those that differ and the conftests."""
        paths = {one for one in self.change.differing() if one.endswith(".py")}
        paths |= set(reader.tree.files("conftest.py"))
        tests = [one for one in sorted(paths) if reader.role(one).is_tests]
        found = (each.directory for one in tests for each in _insertions(reader, one))
        return tuple(dict.fromkeys(found))

    def _settings(self) -> Iterator[str]:
        """Yield the files of settings that differ in a word about the path."""
        for path in self.change.differing():
            is_settings = posixpath.basename(path) in _SETTINGS
            sides = (self.change.parent, self.change.candidate)
            if is_settings and any(_says_path(tree, path) for tree in sides):
                yield path

    def _of_file(self, path: str, before: Imports, after: Imports) -> Iterator[Deed]:
        for root in dict.fromkeys((*after.inserted, after.base(path), *after.pythonpath())):
            name = _top(path, root)
            if not name or name in _OWN or not after.is_searched(root):
                continue
            if after.found(name, root) != path and posixpath.basename(path) != "__init__.py":
                continue
            shadowed = self._shadowed(name, path, root, before, after)
            if shadowed:
                says = f"imports of {name} find this file in place of {shadowed}"
                yield Deed(Act.SHADOW, f"module {name}", says, Place(path, 1))
                return

    def _shadowed(self, name: str, path: str, root: str, before: Imports, after: Imports) -> str:
        """Return what a new file hides, empty where it hides nothing."""
        if self._only_tests(path, root, name, after):
            return ""
        found = before.providers(name)
        if found:
            home = found[0][1]
            if home == path or not self.change.candidate.is_file(home):
                return ""
            if self.old.role(home).is_tests and home.endswith(".py"):
                return ""
            first = after.providers(name)
            wins = after.rank(root) < _rank_of(first, home) or (
                after.found(name, root) == path and posixpath.dirname(home) == root
            )
            return home if wins else ""
        is_tests = after.rank(root) <= (1, 99)
        is_near = is_tests or not root or next(before.importers(name), None)
        if name in _FRAMEWORKS and is_near:
            return f"the library {name}"
        if name in _STANDARD:
            users = next(after.importers(name), None) if is_tests else None
            users = users or next(before.importers(name), None)
            return f"Python's own {name}" if users else ""
        if next(before.importers(name), None) is None:
            return ""
        is_library = is_tests or before.declares(name) or not path.endswith(".py")
        return f"the library {name}" if is_library else ""

    def _only_tests(self, path: str, root: str, name: str, after: Imports) -> bool:
        """Return whether a new package holds nothing but tests."""
        directory = f"{root}/{name}" if root else name
        if not path.startswith(f"{directory}/"):
            return False
        tree = self.change.candidate
        inner = [one for one in after.below(directory) if one.endswith(".py")]
        return all(
            self.new.role(one) in (Role.TEST, Role.CONFTEST) or _is_empty(tree, one)
            for one in inner
        )

    def _of_roots(
        self, fresh: list[Insertion], settings: list[str], before: Imports, after: Imports
    ) -> Iterator[Deed]:
        """Yield the places that have imports look into other directories first."""
        places = [(one.directory, Place(one.path, one.line, 1, one.text)) for one in fresh]
        if before.pythonpath() != after.pythonpath():
            line = f"pythonpath = {' '.join(one or '.' for one in after.pythonpath())}"
            places += [
                (directory, Place(path, None, None, line))
                for path in settings
                for directory in after.pythonpath()
            ]
        for directory, place in places:
            hidden = sorted(self._hidden(directory, before, after))
            if hidden:
                name, home = hidden[0]
                says = f"{directory or '.'} comes first on the path: {name} is not {home} any more"
                yield Deed(Act.SHADOW, f"path {directory}", says, place)

    def _hidden(self, directory: str, before: Imports, after: Imports) -> Iterator[tuple[str, str]]:
        names = {_top(path, directory) for path in after.below(directory)}
        for name in sorted(names - {""} - _OWN):
            now = after.found(name, directory)
            if now is None or self._only_tests(now, directory, name, after):
                continue
            then = before.providers(name)
            if then:
                home = then[0][1]
                first = after.providers(name)
                is_other = bool(first) and first[0][1] == now != home
                if is_other and self.change.candidate.is_file(home):
                    yield name, home
            elif name in _FRAMEWORKS or (
                (name in _STANDARD or before.declares(name) or not self.change.parent.is_file(now))
                and next(before.importers(name), None) is not None
            ):
                yield name, f"the library {name}"

    def _diverted(self, added: frozenset[str]) -> Iterator[Deed]:
        """Yield the names that a test now imports from a new file among the tests."""
        for path in self.change.differing():
            both = self.change.parent.is_file(path) and self.change.candidate.is_file(path)
            if both and path.endswith(".py") and self.new.role(path).is_tests:
                yield from self._diverted_in(path, added)

    def _diverted_in(self, path: str, added: frozenset[str]) -> Iterator[Deed]:
        old, new = self.old.names.evaluator, self.new.names.evaluator
        before, after = old.bindings(path).names, new.bindings(path).names
        for name in sorted(before.keys() & after.keys()):
            entry = after[name][-1]
            if not isinstance(entry, Imported) or entry in before[name]:
                continue
            homes = {_home(one) for one in new.name(path, name)} & added
            then = old.name(path, name)
            if not homes or not then or not _is_foreign(then, self.old.role):
                continue
            home = min(str(one) for one in homes)
            if self.new.role(home).is_tests:
                says = f"{name} comes from {home} now, not from what is tested"
                yield Deed(Act.SHADOW, f"import {name}", says, Place(path, 1))
                yield Deed(Act.SHADOW, f"stub {name}", says, Place(home, 1))


def _is_foreign(values: tuple[Value, ...], role: Callable[[str], Role]) -> bool:
    """Return whether something is a library's, or of the code under test."""
    for one in values:
        home = _home(one)
        if home is not None and role(home).is_tests:
            return False
        if home is None and not isinstance(one, Known):
            return False
    return True


def _home(value: Value) -> str | None:
    if isinstance(value, Routine | Kind):
        return value.scope.path
    return None


def _top(path: str, root: str) -> str:
    """Return the name of the module, or of the package, that a file below a directory is of."""
    if root and not path.startswith(f"{root}/"):
        return ""
    first, slash, rest = path[len(root) + 1 if root else 0 :].partition("/")
    if slash:
        return first if rest == "__init__.py" else ""
    return first.partition(".")[0] if first.endswith(_MODULES) else ""


def _rank_of(found: list[tuple[tuple[int, int], str]], home: str) -> tuple[int, int]:
    return next((rank for rank, path in found if path == home), (9, 9))


def _is_empty(tree: SourceTree, path: str) -> bool:
    if posixpath.basename(path) != "__init__.py":
        return False
    try:
        body = tree.derived(path, parse).body
    except EvidenceUnavailable:
        return False
    return all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in body)


def _says_path(tree: SourceTree, path: str) -> bool:
    if not tree.is_file(path):
        return False
    try:
        return b"python" in tree.read(path).lower()
    except EvidenceUnavailable:
        return False


def _insertions(reader: Reader, path: str) -> tuple[Insertion, ...]:
    try:
        data = reader.tree.read(path) if reader.tree.is_file(path) else b""
    except EvidenceUnavailable:
        return ()
    if not any(word in data for word in (b"sys", b"addsitedir", b"syspath")):
        return ()
    if b"path" not in data and b"addsitedir" not in data:
        return ()
    try:
        return tuple(insertions(reader.names, path))
    except RecursionError:
        return ()
