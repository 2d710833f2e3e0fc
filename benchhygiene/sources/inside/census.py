"""Whether the parts that decide what a test says are still the ones that were there first."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
import unittest
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import cast

from _pytest import config

_WHOLE = ("_pytest", "pytest", "pluggy", "unittest")
_HYPOTHESIS = ("hypothesis.core", "hypothesis._settings", "hypothesis.control")
_HOT = ("_pytest.runner", "_pytest.reports", "_pytest.python", "unittest.case", "builtins")
_STANDARD = ("os", "json", "math", "io")
_OURS = "benchhygiene.sources.inside"

Part = tuple[object, str, object, object]  # the owner, a name in it, what it is, and its code


class Census:
    """Everything callable in those modules and their classes, as it was before any test."""

    def __init__(self) -> None:
        _import_all()
        self._modules = {name: sys.modules[name] for name in _names()}
        self._first: dict[tuple[int, str], object] = {}
        self.renew()
        self._first = {(id(owner), name): value for owner, name, value, _ in self._parts}

    def renew(self) -> None:
        """Take what is there now: pytest and its plugins change some parts when they start."""
        parts = [(name, part) for name in self._modules for part in _parts(self._modules[name])]
        self._parts = [part for _, part in parts]
        self._hot = [part for name, part in parts if name in _HOT]
        self._preloaded = dict(sys.modules)

    def changed(self, *, fully: bool) -> list[str]:
        """Return the names of parts that are others by now; a quick look sees the most used."""
        parts = self._parts if fully else self._hot
        found = [_spelled(part) for part in parts if _differs(part, self._first)]
        if fully:
            found += [f"sys.modules[{name!r}]" for name in self._stubbed()]
        return sorted(set(found))

    def _stubbed(self) -> Iterator[str]:
        for name, module in self._preloaded.items():
            if name.startswith(_OURS) or "." in name:
                continue
            if sys.modules.get(name, module) is not module and name not in ("__main__",):
                yield name


def _import_all() -> None:
    """Import what pytest would import itself once it starts."""
    for name in config.default_plugins:
        with contextlib.suppress(ImportError):
            importlib.import_module(f"_pytest.{name}")


def _names() -> list[str]:
    return [
        name
        for name in sorted(sys.modules)
        if name.partition(".")[0] in _WHOLE
        or name in _HYPOTHESIS
        or name in _STANDARD
        or name in ("builtins", "hypothesis")
        or name.startswith(_OURS)
        or sys.modules[name] is unittest
    ]


def _parts(module: ModuleType) -> Iterator[Part]:
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            yield (module, name, value, None)
            if value.__module__ == module.__name__ and module is not builtins:
                for inner, method in list(vars(value).items()):
                    if callable(method) or isinstance(method, (staticmethod, classmethod)):
                        yield (value, inner, method, _code(cast("object", method)))
        elif callable(value) and name != "_":
            yield (module, name, value, _code(value))


def _code(value: object) -> object:
    function = getattr(value, "__func__", value)
    return function.__code__ if isinstance(function, FunctionType) else None


def _differs(part: Part, first: Mapping[tuple[int, str], object]) -> bool:
    owner, name, value, code = part
    now: object = vars(owner).get(name)
    if now is not value:  # pytest takes back what it put there when it ends
        return now is not first.get((id(owner), name))
    return code is not None and _code(value) is not code


def _spelled(part: Part) -> str:
    owner, name = part[0], part[1]
    within = owner.__module__ + "." if isinstance(owner, type) else ""
    return f"{within}{getattr(owner, '__qualname__', getattr(owner, '__name__', '?'))}.{name}"
