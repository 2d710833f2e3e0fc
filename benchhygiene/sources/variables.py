"""Choose the environment variables that are evidence; all others may be secrets and stay out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from benchhygiene.sources.words import split, variables_in

_PREFIXES = ("PYTEST_", "COVERAGE_", "COV_CORE_")
_NAMES = frozenset(
    {
        "BUILD_NUMBER",
        "CI",
        "COLUMNS",
        "DJANGO_SETTINGS_MODULE",
        "FORCE_COLOR",
        "NO_COLOR",
        "PYTHONASYNCIODEBUG",
        "PYTHONBREAKPOINT",
        "PYTHONDEVMODE",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
        "PYTHONHOME",
        "PYTHONIOENCODING",
        "PYTHONNOUSERSITE",
        "PYTHONOPTIMIZE",
        "PYTHONPATH",
        "PYTHONPYCACHEPREFIX",
        "PYTHONSAFEPATH",
        "PYTHONUSERBASE",
        "PYTHONUTF8",
        "PYTHONWARNINGS",
        "PY_COLORS",
        "TERM",
    }
)
_OWN = frozenset({"PYTEST_CURRENT_TEST", "PYTEST_VERSION"})  # a running pytest sets them itself


def relevant(environ: Mapping[str, str], words: Iterable[str]) -> dict[str, str]:
    """Return the variables that pytest, coverage or Python act on, or that a word refers to."""
    named = {name for word in words for name in variables_in(word)}
    return {
        name: value
        for name, value in environ.items()
        if name not in _OWN and (name.startswith(_PREFIXES) or name in _NAMES or name in named)
    }


def import_path(environ: Mapping[str, str], cwd: str) -> tuple[str, ...]:
    """Return the directories that ``PYTHONPATH`` names."""
    parts = environ.get("PYTHONPATH", "").split(os.pathsep)
    return tuple(os.path.normpath(os.path.join(cwd, part)) for part in parts if part)


def words_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of the variables that can name options, modules or files."""
    plugins = environ.get("PYTEST_PLUGINS", "").split(",")
    rcfile = environ.get("COVERAGE_RCFILE", "")
    words = (*split(environ.get("PYTEST_ADDOPTS", "")), *plugins, rcfile)
    return tuple(word for word in words if word)
