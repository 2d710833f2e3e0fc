"""Record the test files that a command collects, and the modules that they can import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from benchhygiene.evidence.files import PathKind
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import ConfigSearch, is_below, parent_of
from benchhygiene.sources.walks import TreeWalk
from benchhygiene.sources.words import positional

_IMPORTED = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z_][A-Za-z0-9_.]*)", re.MULTILINE)

_MOST_IMPORTS = 10_000


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
    walk.list_modules(_imported_from(recorder, dict.fromkeys((*roots, *parents, *mentioned))))


def _imported_from(recorder: PathRecorder, roots: Iterable[str]) -> list[str]:
    """Return the directories below the roots that imports name: packages need no ``__init__``."""
    texts = [entry.data for path, entry in recorder.entries.items() if path.endswith(".py")]
    names = sorted({name.decode() for text in texts for name in _IMPORTED.findall(text or b"")})
    if len(names) > _MOST_IMPORTS:
        recorder.note(f"stopped looking up imports after {_MOST_IMPORTS} names")
    found: dict[str, None] = {}
    for name in names[:_MOST_IMPORTS]:
        for root in roots:
            found.update(dict.fromkeys(_directories_on(recorder, root, name.split("."))))
    return [*found]


def _directories_on(recorder: PathRecorder, root: str, parts: Sequence[str]) -> Iterator[str]:
    """Yield the directories on the way from a root, which is listed, to a module."""
    path = os.path.join(root, parts[0])
    for part in parts[1:]:
        if path not in recorder.entries or recorder.look(path) is not PathKind.DIRECTORY:
            return
        yield path
        path = os.path.join(path, part)
        recorder.look(path)
    if path in recorder.entries and recorder.look(path) is PathKind.DIRECTORY:
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
