"""Whether anything runs the examples of a file."""

from __future__ import annotations

import fnmatch
import posixpath

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.rules import CollectionRules

_CALLS = (b"doctest.testmod", b"doctest.testfile", b"DocTestSuite", b"DocFileSuite", b"testmod(")
_OPTIONS = (
    b"--doctest-modules",
    b"--doctest-glob",
    b"-m doctest",
    b"doctest-plus",
    b"sphinx.ext.doctest",
)
_SCRIPTS = (".cfg", ".ini", ".toml", ".yml", ".yaml", ".sh", ".py", ".mk")
_NAMED = ("Makefile", "justfile", "noxfile.py", "conftest.py", "conf.py", "Jenkinsfile")
_LARGEST = 200_000  # bytes of a file that is searched for who runs examples


def is_run(tree: SourceTree, rules: CollectionRules, path: str) -> bool:
    """Return whether pytest's rules collect a file's examples, or a script or test runs them."""
    name = posixpath.basename(path)
    if path.endswith(".py"):
        if rules.doctest_modules and rules.is_reached(path):
            return True
    elif any(fnmatch.fnmatchcase(name, glob) for glob in rules.doctest_globs):
        return rules.is_reached(path)
    return tree.surveyed(_is_run_elsewhere)


def _is_run_elsewhere(tree: SourceTree) -> bool:
    return any(_runs(tree, path) for path in tree.files() if _may_run(path))


def _may_run(path: str) -> bool:
    name = posixpath.basename(path)
    if name in _NAMED:
        return True
    if not name.endswith(_SCRIPTS):
        return False
    is_python = name.endswith(".py")
    return not is_python or "test" in path


def _runs(tree: SourceTree, path: str) -> bool:
    found = tree.entries[path]
    if found.data is not None and len(found.data) > _LARGEST:
        return False
    try:
        data = tree.read(path)
    except EvidenceUnavailable:
        return False
    wanted = (*_CALLS, *_OPTIONS)
    return len(data) <= _LARGEST and any(each in data for each in wanted)
