"""What part a file of a tree plays in a run of its tests."""

from __future__ import annotations

import ast
import enum
import posixpath

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements

_TEST_DIRECTORIES = frozenset(("test", "tests", "testing", "unittests", "unit_tests", "specs"))
_SCRIPTS = frozenset(
    ("__main__.py", "setup.py", "noxfile.py", "tasks.py", "manage.py", "fabfile.py")
)
_SCRIPT_DIRECTORIES = frozenset(("bin", "scripts", "tools", "examples", "benchmarks", "ci", ".ci"))
SITE = frozenset(("sitecustomize.py", "usercustomize.py"))


class Role(enum.Enum):
    """Who imports a file, and when."""

    TEST = "test"
    CONFTEST = "conftest"
    PLUGIN = "plugin"
    SUPPORT = "support"
    SITE = "site"
    SCRIPT = "script"
    SOURCE = "source"

    @property
    def is_harness(self) -> bool:
        """Return whether pytest itself loads the file to be told what to do."""
        return self in (Role.CONFTEST, Role.PLUGIN, Role.SITE)

    @property
    def is_tests(self) -> bool:
        """Return whether the file belongs to the tests, not to what they test."""
        return self not in (Role.SOURCE, Role.SCRIPT)


def role(tree: SourceTree, path: str, rules: CollectionRules) -> Role:
    """Return the part that a Python file plays."""
    name = posixpath.basename(path)
    if name == "conftest.py":
        return Role.CONFTEST
    if name in SITE:
        return Role.SITE
    if rules.is_test_file(path):
        return Role.TEST
    if _has_hooks(tree, path):
        return Role.PLUGIN
    folders = posixpath.dirname(path).lower().split("/")
    if not _TEST_DIRECTORIES.isdisjoint(folders) or name.startswith(("test_", "conftest")):
        return Role.SUPPORT
    if name in _SCRIPTS or not _SCRIPT_DIRECTORIES.isdisjoint(folders):
        return Role.SCRIPT
    return Role.SOURCE


def _has_hooks(tree: SourceTree, path: str) -> bool:
    try:
        return tree.derived(path, _mentions_hooks) and tree.derived(path, parse).derived(_hooks)
    except EvidenceUnavailable:
        return False


def _mentions_hooks(data: bytes) -> bool:
    return b"pytest_" in data


def _hooks(file: PythonFile) -> bool:
    return any(
        one.name.startswith("pytest_") and one.name != "pytest_plugins"
        for one in statements(file.body)
        if isinstance(one, FunctionNode)
    ) or any(
        isinstance(target, ast.Name) and target.id.startswith("pytest_")
        for one in file.body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if not (isinstance(target, ast.Name) and target.id == "pytest_plugins")
    )
