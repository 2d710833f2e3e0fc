"""Photograph everything that decides what a pytest command in a workspace inherits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from benchhygiene.errors import InputError
from benchhygiene.evidence.files import PathKind
from benchhygiene.evidence.invocation import PytestInvocation
from benchhygiene.sources.installations import Installation, installation
from benchhygiene.sources.reading import Limits
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import ConfigSearch, parent_of
from benchhygiene.sources.variables import relevant, words_of
from benchhygiene.sources.walks import TreeWalk
from benchhygiene.sources.words import positional


def invocation(
    workspace: str | os.PathLike[str],
    args: Sequence[str] = (),
    *,
    environ: Mapping[str, str] | None = None,
    pytest: str | None = None,
    python: str | os.PathLike[str] | None = None,
    plugins: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> PytestInvocation:
    """Return the evidence on ``python -m pytest ARGS`` run in the workspace.

    Nothing of the workspace or of the environment is run. ``environ`` defaults to this process's
    variables; only those that matter to pytest are kept. ``pytest`` predicts for that version.
    ``python`` is an interpreter, its environment's directory, or a bare version; by default the
    interpreter that runs us. ``plugins`` states every distribution installed there, by version.
    Raises InputError where the workspace is no readable directory, or a version or interpreter is
    none.
    """
    variables = dict(os.environ) if environ is None else dict(environ)
    words = _words(args)
    cwd = _directory(workspace)
    recorder = PathRecorder(limits or Limits())
    search = ConfigSearch(recorder, cwd, variables)
    search.run((*words, *words_of(variables)))
    _record_sources(recorder, search, cwd, words, variables)
    kept = relevant(variables, (*words, variables.get("PYTEST_ADDOPTS", "")))
    interpreter = None if python is None else os.fspath(python)
    installed = _installation(cwd, variables, pytest, interpreter, plugins)
    return PytestInvocation(
        cwd=cwd,
        args=words,
        environ=kept,
        pytest=installed.pytest,
        python=installed.python,
        distributions=installed.distributions,
        complete=installed.complete,
        files=recorder.snapshot(),
        safe_path=_is_safe_path(variables, installed.python),
        notes=sorted((*recorder.notes, *installed.notes, *_location_note(cwd, interpreter))),
    )


def _words(args: Sequence[str]) -> tuple[str, ...]:
    if isinstance(args, str):
        raise InputError(f"args: expected words such as ['tests'], not one string: {args!r}")
    return tuple(map(os.fspath, args))


def _directory(workspace: str | os.PathLike[str]) -> str:
    """Return the physical path of the workspace: what ``os.getcwd()`` says in it."""
    name = os.fspath(workspace)
    expected = "expected an existing directory that can be read"
    try:
        with os.scandir(name or "\0"):
            return os.path.realpath(name)
    except FileNotFoundError:
        problem = "no such directory"
    except NotADirectoryError:
        problem = "not a directory"
    except ValueError:
        problem = "not a path"
    except OSError as error:
        problem = error.strerror or type(error).__name__
    raise InputError(f"workspace {name!r}: {problem}; {expected}")


def _record_sources(
    recorder: PathRecorder,
    search: ConfigSearch,
    cwd: str,
    words: tuple[str, ...],
    environ: Mapping[str, str],
) -> None:
    """Record the test files, and the modules beside them that they may import."""
    walk = TreeWalk(recorder, cwd)
    walk.list_modules(cwd)
    named = [os.path.normpath(os.path.join(cwd, word)) for word in positional(words)]
    named = [path for path in named if recorder.look(path) is not None]
    for path in named:
        walk.list_modules(parent_of(recorder, path))
    walk.walk(path for path in named if recorder.look(path) is PathKind.DIRECTORY)
    if not named:
        walk.walk((*_directories(recorder, search.mentioned), cwd))
    for path in _directories(recorder, search.mentioned):
        walk.list_modules(path)
    for path in _import_path(cwd, environ):
        if recorder.look(path) is PathKind.DIRECTORY:
            walk.list_modules(path)


def _directories(recorder: PathRecorder, paths: Iterable[str]) -> list[str]:
    """Return which of the paths are directories, likely homes of tests first."""
    found = {path for path in paths if recorder.look(path) is PathKind.DIRECTORY}
    return sorted(found, key=lambda path: (not os.path.basename(path).startswith("test"), path))


def _import_path(cwd: str, environ: Mapping[str, str]) -> list[str]:
    parts = environ.get("PYTHONPATH", "").split(os.pathsep)
    return [os.path.normpath(os.path.join(cwd, part)) for part in parts if part]


def _is_safe_path(environ: Mapping[str, str], python: str) -> bool:
    minor = tuple(int(part) for part in python.split(".")[:2])
    return bool(environ.get("PYTHONSAFEPATH")) and minor >= (3, 11)


def _installation(
    cwd: str,
    environ: Mapping[str, str],
    pytest: str | None,
    python: str | None,
    plugins: Mapping[str, str] | None,
) -> Installation:
    # ``python -m pytest`` also finds metadata, and so plugins, in the working directory.
    first = () if environ.get("PYTHONSAFEPATH") else (cwd,)
    on_path = (*first, *_import_path(cwd, environ))
    return installation(environ, on_path, pytest=pytest, python=python, plugins=plugins)


def _location_note(cwd: str, python: str | None) -> tuple[str, ...]:
    if python is None or os.sep not in python:
        return ()
    path = os.path.abspath(python)
    if os.path.commonpath((cwd, path)) != cwd:
        return ()
    return (f"the interpreter {os.path.relpath(path, cwd)} lies in the workspace; it was not run",)
