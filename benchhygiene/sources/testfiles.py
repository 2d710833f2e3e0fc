"""Record the test files that a command collects, and the modules that they can import."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from benchhygiene.evidence.files import PathKind
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import ConfigSearch, is_below, parent_of
from benchhygiene.sources.walks import TreeWalk
from benchhygiene.sources.words import positional


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
    are recorded too. Each of the three parts has its own budget.
    """
    TreeWalk(recorder).list_modules((cwd, *_directories(recorder, import_path)))
    joined = (os.path.normpath(os.path.join(cwd, word)) for word in positional(words))
    named = [path for path in joined if recorder.look(path) is not None]
    walk = TreeWalk(recorder)
    walk.list_modules(_package_parents(recorder, named))
    walk.walk(_directories(recorder, named))
    rest = TreeWalk(recorder)
    mentioned = sorted(_directories(recorder, search.mentioned), key=_tests_first)
    if not named or search.measures_coverage:
        rest.walk((*(path for path in mentioned if is_below(path, cwd)), cwd))
    rest.list_modules(mentioned)
    rest.list_modules(_with_conftest(recorder, search.climbed))


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
