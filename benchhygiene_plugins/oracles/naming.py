"""Which Python files among a tree's tests name a path."""

from __future__ import annotations

import posixpath

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.oracles.mentions import Mentions, Named, mentions, placed
from benchhygiene_plugins.oracles.territory import Territory

_MOST = 2_000  # test files that are read in full for the names in them


def naming(tree: SourceTree, path: str) -> tuple[str, ...]:
    """Return, sorted, the test files and conftests that name a path.

    Only files are read in full that hold the path's last part, or list a folder it lies in.
    """
    found = tree.surveyed(python_of_tests)
    name, folder = posixpath.basename(path), posixpath.basename(posixpath.dirname(path))
    wanted = [one.encode() for one in (name, folder) if one]
    likely = [one for one in found if _holds(tree, one, wanted)][:_MOST]
    return named(tree, likely).by(path)


def named(tree: SourceTree, files: list[str]) -> Named:
    """Return what these files name, and the folders that any of them builds."""
    known: dict[str, Mentions] = dict(tree.derived_all(files, mentions))
    built = (placed(one, posixpath.dirname(file)) for file in known for one in known[file].paths)
    return Named(known, frozenset(one for one in built if one))


def python_of_tests(tree: SourceTree) -> tuple[str, ...]:
    """Return the Python files among the tests; made for ``tree.surveyed``."""
    territory = tree.surveyed(Territory.of)
    return tuple(
        path
        for path in tree.files(".py")
        if territory.is_among_tests(path)
        or territory.rules.is_test_file(path)
        or posixpath.basename(path) == "conftest.py"
    )


def _holds(tree: SourceTree, path: str, wanted: list[bytes]) -> bool:
    try:
        data = tree.read(path)
    except EvidenceUnavailable:
        return False
    return any(one in data for one in wanted)
