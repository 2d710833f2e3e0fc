"""Parts of pytest's session that must be the pack's or pytest's own, and never the source's."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import cast

import pytest

from benchhygiene.sources.inside.places import CANDIDATE, TESTS, Places


def foreign_items(items: Iterable[pytest.Item], places: Places) -> Iterator[tuple[str, str]]:
    """Yield file and name of tests that run other code than the pack's file, or are served by it.

    A function that the source replaced in a test module has its code in the source; a module that
    an import hook of the source's made was not loaded by pytest's own.
    """
    seen: set[str] = set()
    for item in items:
        function = inspect.unwrap(getattr(item, "obj", None) or item.runtest)
        if isinstance(function, FunctionType):
            filename = function.__code__.co_filename
            if places.of(filename) == CANDIDATE:
                yield filename, item.nodeid
        name = getattr(getattr(item, "module", None), "__name__", "")
        if name and name not in seen:
            seen.add(name)
            if not _is_pytests_own(name):
                yield "", f"the importer of {item.nodeid.partition('::')[0]}"


def _is_pytests_own(module: str) -> bool:
    spec = getattr(sys.modules.get(module), "__spec__", None)
    home = type(getattr(spec, "loader", None)).__module__
    return home in ("_pytest.assertion.rewrite", "_frozen_importlib_external", "NoneType")


def foreign_hooks(config: pytest.Config, places: Places) -> Iterator[tuple[str, str]]:
    """Yield file and name of registered plugins whose code is the source's."""
    for plugin in cast("set[object]", config.pluginmanager.get_plugins()):
        filename = str(getattr(plugin, "__file__", None) or _file_of(type(plugin)))
        if places.of(filename) == CANDIDATE:
            yield filename, f"a pytest plugin, {type(plugin).__name__}"
    callers = cast("Mapping[str, object]", vars(config.pluginmanager.hook))
    for name, caller in sorted(callers.items()):
        registered = cast("Callable[[], list[object]]", getattr(caller, "get_hookimpls", list))()
        for each in registered:
            function: object = getattr(each, "function", None)
            code: object = getattr(getattr(function, "__func__", function), "__code__", None)
            filename = str(getattr(code, "co_filename", ""))
            if places.of(filename) == CANDIDATE:
                yield filename, name


def _file_of(kind: type) -> str:
    return str(getattr(sys.modules.get(kind.__module__), "__file__", "") or "")


def loaded_files(places: Places) -> list[str]:
    """Return the source's files that were imported, sorted."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    named = {str(file) for file in files if isinstance(file, str)}
    return sorted(
        places.relative(file)
        for file in named
        if places.of(file) == CANDIDATE and places.of(file) != TESTS
    )
