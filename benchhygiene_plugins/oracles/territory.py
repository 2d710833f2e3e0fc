"""Which files of a tree are fixtures: those among the tests, and those that go by their names."""

from __future__ import annotations

import enum
import posixpath
import re
from collections.abc import Mapping, Sequence

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.importers import Importers

_TEST_FOLDER = re.compile(
    r"(?:[a-z0-9]+[-_])?(?:unit)?tests?(?:[-_].*|data|suites?)?", re.IGNORECASE
)
_ORACLE_FOLDERS_WORDS = """
__snapshots__ .inline-snapshot __image_snapshots__ cassettes golden goldens testdata
"""
_ORACLE_FOLDERS = frozenset(_ORACLE_FOLDERS_WORDS.split())
_ORACLE_NAMES = re.compile(r"\.(?:ambr|snap|approved\.[^/]+|approved|golden)$", re.IGNORECASE)
_DATA_FOLDERS_WORDS = """
data datasets fixture fixtures sample samples golden goldens expected snapshots resources assets
input inputs output outputs testdata test_data test-data cassettes corpus approved __snapshots__
baseline baselines
"""
_DATA_FOLDERS = frozenset(_DATA_FOLDERS_WORDS.split())
_JUNK_FOLDERS = frozenset(("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".git"))
_JUNK = re.compile(
    r"(?:^|/)(?:\.DS_Store|\.git(?:ignore|attributes|keep|modules)|\.keep|\.coverage|py\.typed"
    r"|Thumbs\.db)$|\.py[co]$|\.sw[op]$|~$"
)
_DOCUMENT = re.compile(
    r"(?:^|/)(?:README|CHANGELOG|CHANGES|CONTRIBUTING|LICEN[CS]E|COPYING|NOTICE|AUTHORS|TODO"
    r"|HISTORY|NEWS)(?:[-.][^/]*)?$",
    re.IGNORECASE,
)
_PROSE = (".md", ".rst", ".adoc", ".markdown")
_SETTING = re.compile(
    r"(?:^|/)(?:[^/]*requirements[^/]*\.(?:txt|in|lock)|constraints[^/]*\.txt|pyproject\.toml"
    r"|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|\.coveragerc|mypy\.ini|\.?ruff\.toml|\.flake8"
    r"|\.pylintrc|pylintrc|Makefile|Dockerfile[^/]*|docker-compose[^/]*|\.editorconfig"
    r"|\.pre-commit-config\.yaml|noxfile\.py|setup\.py|poetry\.lock|uv\.lock|\.env)$"
)


class Standing(enum.Enum):
    """What a file is to the tests."""

    FIXTURE = "a fixture"
    PROSE = "documentation or settings, unless a test names it"
    CODE = "Python that the tests import"
    OUTSIDE = "not among the tests"
    IGNORED = "made by tools"


@attrs.frozen(eq=False)
class Territory:
    """Where the tests of one tree stand; which folders hold test files is told when asked."""

    tree: SourceTree
    rules: CollectionRules
    _modules: Mapping[str, Sequence[str]]
    _homes: dict[str, bool] = attrs.field(factory=dict[str, bool], init=False)

    @classmethod
    def of(cls, tree: SourceTree) -> Territory:
        """Return the territory of a tree's tests; made for ``tree.surveyed``."""
        modules: dict[str, list[str]] = {}
        for path in tree.files(".py"):
            modules.setdefault(path.rpartition("/")[0], []).append(path)
        return cls(tree, tree.surveyed(CollectionRules.of), modules)

    def is_among_tests(self, path: str) -> bool:
        """Return whether a path lies in a folder of tests."""
        folders = _folders(path)
        if any(is_test_folder(one) for one in folders):
            return True
        return any(self._is_home(one) for one in folders)

    def _is_home(self, folder: str) -> bool:
        """Return whether a folder holds test files, and at least as many as other modules."""
        if folder not in self._homes:
            paths = self._modules.get(folder, ())
            tests = sum(map(self.rules.is_test_file, paths))
            bare = sum(
                posixpath.basename(one) in ("conftest.py", "__init__.py")
                and not self.rules.is_test_file(one)
                for one in paths
            )
            self._homes[folder] = 0 < tests >= len(paths) - tests - bare
        return self._homes[folder]

    def standing(self, path: str) -> Standing:
        """Return what a file is to the tests, as far as its place and name tell."""
        parts = path.split("/")[:-1]
        if _JUNK_FOLDERS.intersection(parts) or _JUNK.search(path):
            return Standing.IGNORED
        among = self.is_among_tests(path)
        if path.endswith(".py"):
            return self._standing_of_code(path, among)
        if _ORACLE_NAMES.search(path) or _ORACLE_FOLDERS.intersection(parts):
            return Standing.FIXTURE
        if not among:
            return Standing.OUTSIDE
        return Standing.PROSE if self._is_prose(path) else Standing.FIXTURE

    def _standing_of_code(self, path: str, among: bool) -> Standing:
        if not among and not self.rules.is_test_file(path):
            is_conftest = posixpath.basename(path) == "conftest.py"
            return Standing.CODE if is_conftest else Standing.OUTSIDE
        return Standing.FIXTURE if self._is_unimported_data(path) else Standing.CODE

    def _is_unimported_data(self, path: str) -> bool:
        """Return whether a Python file is read as data: in a folder of data, imported by nobody."""
        name = posixpath.basename(path)
        if name in ("conftest.py", "__init__.py") or self.rules.is_test_file(path):
            return False
        if not _DATA_FOLDERS.intersection(path.split("/")[:-1]):
            return False
        return not self.tree.surveyed(Importers.of).naming(self.tree, path)

    def _is_prose(self, path: str) -> bool:
        """Return whether a file among the tests tells people or tools something, not the tests."""
        if _DOCUMENT.search(path):
            return True
        is_home = not _DATA_FOLDERS.intersection(path.split("/")[:-1])
        return is_home and (path.endswith(_PROSE) or _SETTING.search(path) is not None)


def is_test_folder(path: str) -> bool:
    """Return whether a folder is named as those of tests are."""
    return _TEST_FOLDER.fullmatch(posixpath.basename(path)) is not None


def is_paperwork(path: str) -> bool:
    """Return whether a file anywhere is documentation or settings of the project."""
    if _DOCUMENT.search(path) or _SETTING.search(path) or path.endswith(_PROSE):
        return True
    return (
        path.startswith((".github/", "docs/", ".circleci/", ".gitlab"))
        or _JUNK.search(path) is not None
    )


def is_oracle(path: str) -> bool:
    """Return whether a file, by its name or folder, holds what is expected of the code."""
    parts = {part.lower() for part in path.split("/")[:-1]}
    words = set(re.split(r"[-_.]", posixpath.basename(path).lower()))
    expected = {"golden", "goldens", "expected", "approved", "snapshots", "__snapshots__"}
    named = {"golden", "expected", "approved", "snapshot", "expect"}
    return bool(parts & expected or words & named or _ORACLE_NAMES.search(path))


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
