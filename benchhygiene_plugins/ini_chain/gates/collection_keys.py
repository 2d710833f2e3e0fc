"""When collection asks for a key that says what is a test: only then does a bad value show.

Rules: ``pytest_ignore_collect`` and ``pytest_collect_file`` in ``_pytest/main.py`` and
``_pytest/python.py`` of each version, and what running them showed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from benchhygiene_plugins.ini_chain.configuration.files import USAGE_ERROR
from benchhygiene_plugins.ini_chain.configuration.search import upwards
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.collecting import parse_argument

COLLECTION_KEYS = frozenset({"python_files", "python_classes", "python_functions", "norecursedirs"})


def is_asked(situation: Situation, key: str) -> tuple[bool | None, int]:
    """Return whether the run asks for a collection key, None for unknown; and how it then ends."""
    nodes, typed = situation.suite.nodes, situation.pytest >= (9, 2, 0)
    if key == "norecursedirs":
        return _walks(situation)
    if key == "python_files":
        if typed:
            return True, USAGE_ERROR
        below = any(map(situation.files.is_dir, _paths(situation)))
        return (below and bool(nodes)) or _unless_unseen(situation), situation.collection_error
    if key == "python_functions":
        return bool(nodes) or None, situation.collection_error
    # An imported class is asked about as well, which the nodes do not tell.
    return any(
        node.classes and not node.is_unittest for node in nodes
    ) or None, situation.collection_error


def _unless_unseen(situation: Situation) -> bool | None:
    return None if situation.suite.unseen else False


def _paths(situation: Situation) -> tuple[str, ...]:
    startup = situation.startup
    return tuple(
        parse_argument(text, situation.cwd, situation.pytest).path for text in startup.paths
    )


def _walks(situation: Situation) -> tuple[bool | None, int]:
    """Say whether a directory is come upon that is not on the way to an argument.

    Pytest 8 and later list every directory from the confcutdir down to the argument; all versions
    list those below a directory argument.
    """
    paths = _paths(situation)
    inside = [_holds_directory(situation, path) for path in paths if situation.files.is_dir(path)]
    if situation.pytest < (8, 0, 0):
        return _any(inside), situation.collection_error
    passed = {above for path in paths for above in upwards(path)}
    listed = set(_way(situation, paths)) - {*filter(situation.files.is_dir, paths)}
    outside = [_holds_other(situation, directory, passed) for directory in sorted(listed)]
    if True in outside:
        return True, USAGE_ERROR
    return _any([*outside, *inside]), situation.collection_error


def _way(situation: Situation, paths: Iterable[str]) -> Iterator[str]:
    cut = situation.startup.confcutdir or situation.cwd
    for path in paths:
        for above in upwards(posixpath.dirname(path)):
            if above == cut or above.startswith(f"{cut}/"):
                yield above


def _holds_directory(situation: Situation, directory: str) -> bool | None:
    return _holds_other(situation, directory, frozenset())


def _holds_other(situation: Situation, directory: str, passed: Iterable[str]) -> bool | None:
    """Return whether the directory has one that is asked about, None where it was not listed."""
    files = situation.files
    for path in files.below(directory):
        if posixpath.dirname(path) != directory or path in passed or not files.is_dir(path):
            continue
        is_venv = files.is_file(f"{path}/pyvenv.cfg")
        if not is_venv and posixpath.basename(path) != "__pycache__":
            return True
    return False if files.is_listed(directory) else None


def _any(answers: Iterable[bool | None]) -> bool | None:
    given = set(answers)
    return True if True in given else None if None in given else False
