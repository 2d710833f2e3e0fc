"""Find out what an interpreter is and where its packages are, without running it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.reading import read_regular

_EXECUTABLE = re.compile(r"(?:python|pypy|graalpy)[0-9.]*[tdw]?(?:\.exe)?", re.IGNORECASE)
_LIBRARY = re.compile(r"(?:python|pypy|graalpy)([0-9]+\.[0-9]+)t?")
_PATCHLEVEL = re.compile(r'^#define\s+PY_VERSION\s+"([^"+]+)', re.MULTILINE)
_CONDA = re.compile(r"python-([0-9]+\.[0-9]+\.[0-9]+)-.*\.json")
_RELEASE = re.compile(r"[0-9]+\.[0-9]+(?:\.[0-9]+)?(?:(?:a|b|rc)[0-9]+)?")
_EXPECTED = (
    "expected a Python interpreter such as .venv/bin/python, or the directory of its environment"
)


@attrs.frozen(eq=False, repr=False)
class Interpreter:
    """A Python version and the directories it finds installed packages in, in import order.

    ``path`` is where it was found, None for the one that runs us. ``is_stated`` says that only the
    version was given, and the directories are those of the one that runs us.
    """

    version: str
    directories: tuple[str, ...]
    path: str | None = None
    is_stated: bool = False


def running(environ: Mapping[str, str]) -> Interpreter:
    """Return the interpreter that runs us."""
    import site

    directories = site.getsitepackages()
    if site.ENABLE_USER_SITE and not environ.get("PYTHONNOUSERSITE"):
        directories = [site.getusersitepackages(), *directories]
    return Interpreter(_running_version(), tuple(directories))


def _running_version() -> str:
    return sys.version.split()[0].rstrip("+")  # a build between two releases has a plus sign


def locate(python: str, environ: Mapping[str, str]) -> Interpreter:
    """Return what the interpreter, or environment directory, at a path is.

    Raises InputError where it is neither.
    """
    path = _existing(python)
    root = _environment_root(path)
    if root is not None:
        version, directories = _virtual(python, root, environ)
    elif os.path.isdir(path):
        version, directories = _base(python, path, "", environ)
    else:
        version, directories = _executable(python, path, environ)
    return Interpreter(version, directories, path)


def _existing(python: str) -> str:
    import shutil

    path = python
    if os.path.basename(python) == python and not os.path.exists(python):
        path = shutil.which(python) or python
    if not python or not os.path.exists(path):
        raise InputError(f"interpreter {python!r}: no such file; {_EXPECTED}")
    return os.path.abspath(path)


def _executable(python: str, path: str, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return version and directories of an interpreter outside any virtual environment."""
    real = os.path.realpath(path)
    names = (os.path.basename(path), os.path.basename(real))
    if not os.path.isfile(path) or not any(map(_EXECUTABLE.fullmatch, names)):
        raise InputError(f"interpreter {python!r}: not a Python interpreter; {_EXPECTED}")
    if not os.access(path, os.X_OK):
        raise InputError(f"interpreter {python!r}: not executable; {_EXPECTED}")
    named = _LIBRARY.match(names[1])
    return _base(python, _prefix(os.path.dirname(real)), named.group(1) if named else "", environ)


def _prefix(folder: str) -> str:
    """Return the prefix of an interpreter that lies in a folder: on Windows the folder itself."""
    return os.path.dirname(folder) if os.path.basename(folder) in ("bin", "Scripts") else folder


def _environment_root(path: str) -> str | None:
    """Return the virtual environment's directory, found as ``site`` finds it: links unfollowed."""
    folder = os.path.dirname(path)
    places = (path,) if os.path.isdir(path) else (folder, os.path.dirname(folder))
    return next((p for p in places if os.path.isfile(os.path.join(p, "pyvenv.cfg"))), None)


def _virtual(python: str, root: str, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return version and directories of a virtual environment, from its ``pyvenv.cfg``."""
    settings = dict(_settings(_text(os.path.join(root, "pyvenv.cfg"))))
    prefix = _prefix(os.path.join(root, settings.get("home", "")))
    stated = _RELEASE.match(settings.get("version") or settings.get("version_info", ""))
    version = stated.group() if stated else _only_library(root)
    if version.count(".") == 1:
        version = _exact_version(prefix, version)
    own = _site_directories(root, version)
    if not own:
        raise InputError(f"interpreter {python!r}: no site-packages in {root!r}; {_EXPECTED}")
    if settings.get("include-system-site-packages", "").lower() == "true":
        own += (*_user_directories(version, environ), *_site_directories(prefix, version))
    return version, own


def _settings(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        key, separator, value = line.partition("=")
        if separator:
            yield key.strip().lower(), value.strip()


def _base(
    python: str, prefix: str, minor: str, environ: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """Return version and directories of an installed Python, from its prefix."""
    minor = minor or _only_library(prefix)
    directories = _site_directories(prefix, minor)
    if not directories:
        raise InputError(f"interpreter {python!r}: no lib/pythonX.Y in {prefix!r}; {_EXPECTED}")
    version = _exact_version(prefix, minor)
    return version, (*_user_directories(version, environ), *directories)


def _only_library(prefix: str) -> str:
    """Return the minor version of the only standard library below a prefix, else nothing."""
    matches = map(_LIBRARY.fullmatch, _names(os.path.join(prefix, "lib")))
    minors = {match.group(1) for match in matches if match}
    return minors.pop() if len(minors) == 1 else ""


def _exact_version(prefix: str, minor: str) -> str:
    """Return the full version where the prefix tells it: conda's record, or the C headers."""
    for name in _names(os.path.join(prefix, "conda-meta")):
        if (match := _CONDA.fullmatch(name)) and match.group(1).startswith(f"{minor}."):
            return match.group(1)
    for flavour in (f"python{minor}", f"python{minor}t"):
        header = _text(os.path.join(prefix, "include", flavour, "patchlevel.h"))
        if match := _PATCHLEVEL.search(header):
            return match.group(1)
    ours = os.path.realpath(prefix) == os.path.realpath(sys.base_prefix)
    return _running_version() if ours and _running_version().startswith(f"{minor}.") else minor


def _site_directories(prefix: str, version: str) -> tuple[str, ...]:
    """Return the existing package directories of a prefix, Debian's ``dist-packages`` included."""
    minor = ".".join(version.split(".")[:2])
    libraries = [name for name in _names(os.path.join(prefix, "lib")) if _is_library(name, minor)]
    places = [f"lib/{name}/site-packages" for name in libraries]
    places += [f"lib64/{name}/site-packages" for name in libraries]
    places += [f"local/lib/python{minor}/dist-packages"]
    places += ["lib/python3/dist-packages", f"lib/python{minor}/dist-packages"] if libraries else []
    places += ["Lib/site-packages"]
    found = (os.path.join(prefix, place) for place in places)
    return tuple({os.path.realpath(path): path for path in found if os.path.isdir(path)}.values())


def _is_library(name: str, minor: str) -> bool:
    match = _LIBRARY.fullmatch(name)
    return match is not None and match.group(1) == minor


def _user_directories(version: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    if environ.get("PYTHONNOUSERSITE"):
        return ()
    base = environ.get("PYTHONUSERBASE") or os.path.join(environ.get("HOME", "~"), ".local")
    return _site_directories(os.path.expanduser(base), version)


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        return read_regular(path, 1 << 16).decode(errors="replace")
    except OSError:
        return ""


def prefixes(python: str) -> tuple[str, ...]:
    """Return the directories an interpreter is made of: its environment, and the one below it.

    Raises InputError where it is no interpreter.
    """
    path = locate(python, {}).path or sys.executable
    found = [_prefix(os.path.dirname(os.path.realpath(path)))]
    root = _environment_root(path)
    if root is not None:
        home = dict(_settings(_text(os.path.join(root, "pyvenv.cfg")))).get("home", "")
        found += [root, _prefix(os.path.join(root, home))]
    return tuple(dict.fromkeys(map(os.path.abspath, found)))
