"""Record the test files that a command collects, and the modules that they can import."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator

from benchhygiene.evidence.files import PathKind
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import ConfigSearch, is_below, parent_of
from benchhygiene.sources.walks import TreeWalk
from benchhygiene.sources.words import positional

_IMPORTED = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z_][A-Za-z0-9_.]*)", re.MULTILINE)
_MOST_IMPORTED = 2_000  # directories


def record_test_files(
    recorder: PathRecorder,
    search: ConfigSearch,
    cwd: str,
    words: tuple[str, ...],
    import_path: tuple[str, ...],
) -> None:
    """Record what lies in and below the arguments, or below the working directory without any.

    Coverage counts files that nothing imports, so with it the working directory is walked anyway.
    Modules beside test files and conftests, and on the import path, can be imported by them and
    are recorded too, and so is what lies in the directories that their imports name. Each of the
    three parts has its own budget.
    """
    roots = [cwd, *_directories(recorder, import_path)]
    TreeWalk(recorder).list_modules(roots)
    joined = (os.path.normpath(os.path.join(cwd, word)) for word in positional(words))
    named = [path for path in joined if recorder.look(path) is not None]
    walk = TreeWalk(recorder)
    parents = [*_package_parents(recorder, named)]
    walk.list_modules(parents)
    walk.walk(_directories(recorder, named))
    rest = TreeWalk(recorder)
    mentioned = sorted(_directories(recorder, search.mentioned), key=_tests_first)
    if not named or search.measures_coverage:
        rest.walk((*(path for path in mentioned if is_below(path, cwd)), cwd))
    rest.list_modules(mentioned)
    rest.list_modules(_with_conftest(recorder, search.climbed))
    sought = dict.fromkeys((*roots, *parents, *mentioned))
    walk.list_modules(_imported_from(recorder, [one for one in sought if is_below(one, cwd)]))


def _imported_from(recorder: PathRecorder, roots: Collection[str]) -> list[str]:
    """Return the directories below the roots that imports name: packages need no ``__init__``."""
    texts = [
        entry.data
        for path, entry in recorder.entries.items()
        if path.endswith(".py") and any(is_below(path, root) for root in roots)
    ]
    names = {name.decode() for text in texts for name in _IMPORTED.findall(text or b"")}
    inside: dict[str, list[list[str]]] = {}
    for name in sorted(names):
        top, *below = name.split(".")
        inside.setdefault(top, []).append(below)
    found: dict[str, None] = {}
    for path in _children(recorder, roots):
        for parts in inside.get(os.path.basename(path), ()):
            found.update(dict.fromkeys(_on_the_way(recorder, path, parts)))
            if len(found) > _MOST_IMPORTED:
                recorder.note(f"stopped looking up imports after {_MOST_IMPORTED} directories")
                return [*found]
    return [*found]


def _children(recorder: PathRecorder, roots: Collection[str]) -> list[str]:
    """Return the directories right below the roots, which are listed."""
    return [
        path
        for path, entry in recorder.entries.items()
        if entry.kind is PathKind.DIRECTORY and os.path.dirname(path) in roots
    ]


def _on_the_way(recorder: PathRecorder, path: str, parts: Iterable[str]) -> Iterator[str]:
    """Yield the directory, and those further down as far as the parts lead into one."""
    yield path
    for part in parts:
        path = os.path.join(path, part)
        if recorder.look(path) is not PathKind.DIRECTORY:
            return
        yield path


def _directories(recorder: PathRecorder, paths: Iterable[str]) -> list[str]:
    return [path for path in paths if recorder.look(path) is PathKind.DIRECTORY]


def _tests_first(directory: str) -> tuple[bool, str]:
    return (not os.path.basename(directory).startswith("test"), directory)


def _package_parents(recorder: PathRecorder, paths: Iterable[str]) -> Iterator[str]:
    """Yield the directories of the paths, and those that their packages are imported from.

    pytest puts the first directory above that is no package on ``sys.path``.
    """
    for path in paths:
        directory = parent_of(recorder, path)
        yield directory
        while recorder.look(os.path.join(directory, "__init__.py")) is not None:
            directory = os.path.dirname(directory)
            yield directory


def _with_conftest(recorder: PathRecorder, directories: Iterable[str]) -> list[str]:
    names = ((each, os.path.join(each, "conftest.py")) for each in directories)
    return [each for each, conftest in names if recorder.look(conftest) is PathKind.FILE]
