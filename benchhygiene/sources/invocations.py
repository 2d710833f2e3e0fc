"""Photograph everything that decides what a pytest command in a workspace inherits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard, cast

from benchhygiene.errors import InputError
from benchhygiene.evidence.invocation import PytestInvocation
from benchhygiene.sources.installations import Installation, installation
from benchhygiene.sources.interpreters import Interpreter
from benchhygiene.sources.reading import Limits
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.search import ConfigSearch, is_below
from benchhygiene.sources.testfiles import record_test_files
from benchhygiene.sources.variables import import_path, relevant, words_of

_PYTHON = 'expected an interpreter, the directory of its environment, or a version such as "3.12"'


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
    followed = (*words, *words_of(variables))
    search.run(followed)
    record_test_files(recorder, search, cwd, followed, import_path(variables, cwd))
    chosen = None if python is None else _path(python, "python", _PYTHON)
    installed = _installation(cwd, variables, pytest, chosen, plugins)
    interpreter = installed.interpreter
    return PytestInvocation(
        cwd=cwd,
        args=words,
        environ=relevant(variables, (*words, variables.get("PYTEST_ADDOPTS", ""))),
        pytest=installed.pytest,
        python=interpreter.version,
        distributions=installed.distributions,
        complete=installed.complete,
        files=recorder.snapshot(),
        safe_path=_is_safe_path(variables, interpreter.version),
        unseen=recorder.unseen,
        notes=sorted((*recorder.notes(cwd), *_interpreter_notes(cwd, interpreter))),
    )


def _words(args: object) -> tuple[str, ...]:
    given = tuple(args) if _is_sequence(args) else (None,)
    words = tuple(word for word in given if isinstance(word, str))
    if len(words) != len(given):
        raise InputError(f"args: expected a sequence of words such as ['tests'], got {args!r}")
    return words


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _path(value: object, name: str, expected: str) -> str:
    path = os.fspath(cast("os.PathLike[str]", value)) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise InputError(f"{name} {value!r}: not a path; {expected}")
    return path


def _directory(workspace: str | os.PathLike[str]) -> str:
    """Return the physical path of the workspace: what ``os.getcwd()`` says in it."""
    expected = "expected an existing directory that can be read"
    name = _path(workspace, "workspace", expected)
    try:
        with os.scandir(name or "\0"):
            os.stat(os.path.join(name, os.curdir))  # refused where it cannot be entered
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
    on_path = (*first, *import_path(environ, cwd))
    return installation(environ, on_path, pytest=pytest, python=python, plugins=plugins)


def _interpreter_notes(cwd: str, interpreter: Interpreter) -> Iterator[str]:
    path = interpreter.path
    if path is not None and is_below(path, cwd):
        yield f"{os.path.relpath(path, cwd)!r} lies in the workspace and was not run"
    if interpreter.version.count(".") < 2:
        yield f"of Python {interpreter.version} only the minor version is known"
