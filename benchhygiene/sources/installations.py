"""Decide which pytest, Python and distributions a prediction is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.invocation import Distribution
from benchhygiene.sources.distributions import installed, normalize, with_path_files
from benchhygiene.sources.interpreters import Interpreter, locate, running

# PEP 440, without epochs
_VERSION = re.compile(
    r"[0-9]+(?:\.[0-9]+)*(?:(?:a|b|rc)[0-9]+)?(?:\.post[0-9]+)?(?:\.dev[0-9]+)?(?:\+[\w.-]+)?"
)
_PYTHON_VERSION = re.compile(r"[0-9]+\.[0-9]+(?:\.[0-9]+(?:(?:a|b|rc)[0-9]+)?)?")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


@attrs.frozen(eq=False, repr=False)
class Installation:
    """What will run the tests; ``complete`` says that no other distribution is there."""

    pytest: str
    interpreter: Interpreter
    distributions: tuple[Distribution, ...]
    complete: bool


def installation(
    environ: Mapping[str, str],
    on_path: tuple[str, ...],
    *,
    pytest: str | None,
    python: str | None,
    plugins: Mapping[str, str] | None,
) -> Installation:
    """Return what was stated, completed by what the interpreter's metadata tells.

    ``on_path`` are directories that come before the interpreter's own on ``sys.path``. Raises
    InputError for versions that are none, and where no pytest is stated or found.
    """
    _require_versions(pytest, plugins)
    interpreter = _interpreter(python, environ)
    if pytest is not None and plugins is not None:
        return Installation(pytest, interpreter, tuple(_stated(plugins)), complete=True)
    found = installed((*on_path, *with_path_files(interpreter.directories)))
    there = _version_of("pytest", found)
    if (version := pytest or there) is None:
        raise InputError(_no_pytest(python))
    if plugins is not None:
        found = tuple(_stated(plugins))
    elif there != version:  # another environment, which we know only by resemblance
        found = tuple(each for each in found if normalize(each.name) != "pytest")
    complete = plugins is not None or (there == version and not interpreter.is_stated)
    return Installation(version, interpreter, found, complete)


def _interpreter(python: str | None, environ: Mapping[str, str]) -> Interpreter:
    if python is None:
        return running(environ)
    if not _PYTHON_VERSION.fullmatch(python):
        return locate(python, environ)
    ours = running(environ)
    return attrs.evolve(ours, version=python, is_stated=python != ours.version)


def _stated(plugins: Mapping[str, str]) -> Iterator[Distribution]:
    for name in sorted(plugins, key=normalize):
        yield Distribution(name, plugins[name])


def _version_of(name: str, distributions: tuple[Distribution, ...]) -> str | None:
    return next((each.version for each in distributions if normalize(each.name) == name), None)


def _no_pytest(python: str | None) -> str:
    where = "beside benchhygiene" if python is None else f"for {python!r}"
    return (
        f"pytest is not installed {where}; expected --python PATH, the environment that runs the "
        "tests, or else --pytest VERSION with --plugin NAME=VERSION for each plugin that is "
        "there (from Python: python, pytest and plugins)"
    )


def _require_versions(pytest: object, plugins: object) -> None:
    """Refuse what is no version; callers without a type checker hand in numbers and lists."""
    if pytest is not None and not (_is_version(pytest) and "." in str(pytest)):
        raise InputError(f'pytest {pytest!r}: expected a version such as "8.4.2"')
    if plugins is None:
        return
    if not isinstance(plugins, Mapping):
        raise InputError(
            f'plugins {plugins!r}: expected versions by name such as {{"pytest-cov": "7.1.0"}}'
        )
    for name, version in cast("Mapping[object, object]", plugins).items():
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise InputError(f'plugin {name!r}: expected a distribution name such as "pytest-cov"')
        if not _is_version(version):
            raise InputError(f'plugin {name} {version!r}: expected a version such as "7.1.0"')


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None
