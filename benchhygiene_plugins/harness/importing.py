"""Where a tree's imports are searched, and what they find there."""

from __future__ import annotations

import ast
import bisect
import posixpath
import re
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.importers import Importers
from benchhygiene.inventory.python import parse, statements

_BINARY = (".so", ".pyd", ".dll")
_USUAL = ("", "src", "lib")
_LOOKED_AT = 2_000  # files below a directory that are asked whether they are tests
_PYTHONPATH = re.compile(
    r"PYTHONPATH[\"']?\s*(?:D:|R:)?[:=]+\s*[\"']?(?P<value>[^\s\"',;#]{1,500})"
)
_SETTINGS = ("pytest.ini", ".pytest.ini", "tox.ini", "pyproject.toml", "setup.cfg", "pytest.toml")


@attrs.frozen(eq=False)
class Imports:
    """Answers which file of a tree a top-level module name means.

    ``inserted`` are the directories that code puts first.
    """

    tree: SourceTree
    rules: CollectionRules
    inserted: tuple[str, ...] = ()
    _paths: list[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_paths", [*self.tree.entries])

    def below(self, directory: str) -> Sequence[str]:
        """Return the paths below a directory, the first of them."""
        if not directory:
            return self._paths[:_LOOKED_AT]
        start = bisect.bisect_left(self._paths, f"{directory}/")
        end = bisect.bisect_left(self._paths, f"{directory}0")
        return self._paths[start : min(end, start + _LOOKED_AT)]

    def base(self, path: str) -> str:
        """Return the first directory above a file that is no package."""
        directory = posixpath.dirname(path)
        while directory and self.tree.is_file(posixpath.join(directory, "__init__.py")):
            directory = posixpath.dirname(directory)
        return directory

    def is_test_root(self, directory: str) -> bool:
        """Return whether pytest puts the directory first, for the tests in it."""
        return any(
            self.base(path) == directory
            for path in self.below(directory)
            if path.endswith(".py") and _is_test_name(posixpath.basename(path))
        )

    def pythonpath(self) -> tuple[str, ...]:
        """Return the directories that settings have Python search, in order."""
        given = (*self.rules.pythonpath, *_from_environment(self.tree))
        return tuple(dict.fromkeys(_plain(one) for one in given))

    def rank(self, directory: str) -> tuple[int, int]:
        """Return how early a directory is searched; the lowest is first."""
        if directory in self.inserted:
            return 0, self.inserted.index(directory)
        if directory and self.is_test_root(directory):
            return 1, 0
        listed = self.pythonpath()
        if directory in listed:
            return 2, listed.index(directory)
        return 3, _USUAL.index(directory) if directory in _USUAL else 9

    def is_searched(self, directory: str) -> bool:
        """Return whether imports look into the directory at all."""
        return self.rank(directory) < (3, 9)

    def found(self, name: str, directory: str) -> str | None:
        """Return the file of a module that lies in a directory, by Python's own order."""
        stem = posixpath.join(directory, name) if directory else name
        package = f"{stem}/__init__.py"
        if self.tree.is_file(package):
            return package
        start = bisect.bisect_left(self._paths, f"{stem}.")
        for path in self._paths[start : start + 50]:
            if not path.startswith(f"{stem}."):
                break
            if path.endswith(_BINARY) and self.tree.is_file(path):
                return path
        for path in (f"{stem}.py", f"{stem}.pyc"):
            if self.tree.is_file(path):
                return path
        return None

    def providers(self, name: str) -> list[tuple[tuple[int, int], str]]:
        """Return every file that a name may mean, the one that is found first in front."""
        roots = dict.fromkeys((*self.inserted, *self.pythonpath(), *_USUAL))
        found = ((self.rank(root), self.found(name, root)) for root in roots)
        return sorted((rank, path) for rank, path in found if path is not None)

    def importers(self, name: str) -> Iterator[str]:
        """Yield the files that import a module by this name, and not relatively."""
        importers = self.tree.surveyed(Importers.of)
        for path in importers.naming(self.tree, f"{name}.py"):
            if self._imports(path, name):
                yield path

    def _imports(self, path: str, name: str) -> bool:
        try:
            body = self.tree.derived(path, parse).body
        except EvidenceUnavailable:
            return False
        return any(name in _modules(one) for one in statements(body))

    def declares(self, name: str) -> bool:
        """Return whether the project says that it depends on a distribution of this name."""
        wanted = re.compile(rf"(?<![\w-]){re.escape(name).replace('_', '[-_]')}(?![\w-])", re.I)
        for path in self._paths:
            folder, file = posixpath.split(path)
            if folder.count("/") > 0 or not _declares(file):
                continue
            try:
                if wanted.search(self.tree.read(path)[:200_000].decode(errors="replace")):
                    return True
            except EvidenceUnavailable:
                continue
        return False


def _modules(node: ast.stmt) -> Iterator[str]:
    """Yield the top-level modules that a statement imports, those of relative imports apart."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        yield node.module.partition(".")[0]


def _declares(name: str) -> bool:
    return name in ("pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "environment.yml") or (
        name.startswith("requirements") and name.endswith((".txt", ".in"))
    )


def _is_test_name(name: str) -> bool:
    return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py")


def _plain(path: str) -> str:
    plain = posixpath.normpath(path.strip("\"'")) if path else "."
    return "" if plain == "." else plain


def _from_environment(tree: SourceTree) -> Iterator[str]:
    """Yield what settings put into PYTHONPATH."""
    for name in _SETTINGS:
        if not tree.is_file(name):
            continue
        try:
            text = tree.read(name)[:500_000].decode(errors="replace")
        except EvidenceUnavailable:
            continue
        if "PYTHONPATH" in text:
            for found in _PYTHONPATH.finditer(text):
                for part in found["value"].split(":"):
                    relative = re.sub(r"^(?:\{toxinidir\}|\$\{?\w+\}?|\{\w+\})/?", "", part)
                    if relative and not relative.startswith("/"):
                        yield relative
