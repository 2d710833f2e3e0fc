"""Whether the parts that decide what a test says are still the ones that were there first."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
import unittest
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import cast

from _pytest import config

_WHOLE = ("_pytest", "pytest", "pluggy", "unittest")
_HYPOTHESIS = ("hypothesis.core", "hypothesis._settings", "hypothesis.control")
_HOT = ("_pytest.runner", "_pytest.reports", "unittest.case", "builtins")
_STANDARD = ("os", "json", "math", "io")
_OURS = "benchhygiene.sources.inside"


class Part:
    """One callable: where it is kept, under which name, what it is, and the code it runs."""

    __slots__ = ("code", "function", "name", "owner", "space", "value")

    def __init__(self, owner: object, name: str, value: object) -> None:
        self.owner, self.name, self.value = owner, name, value
        self.space = cast("Mapping[str, object]", vars(owner))
        function: object = getattr(value, "__func__", value)
        self.function = function if isinstance(function, FunctionType) else None
        self.code: CodeType | None = self.function.__code__ if self.function else None

    @property
    def spelled(self) -> str:
        """Return its full name."""
        owner = self.owner
        within = owner.__module__ + "." if isinstance(owner, type) else ""
        name: str = getattr(owner, "__qualname__", getattr(owner, "__name__", "?"))
        return f"{within}{name}.{self.name}"


class Census:
    """Everything callable in those modules and their classes, as it was before any test."""

    def __init__(self) -> None:
        _import_all()
        self._modules = {name: sys.modules[name] for name in _names()}
        self._parts: list[Part] = []
        self._hot: list[Part] = []
        self.renew()
        self._first = {(id(part.owner), part.name): part.value for part in self._parts}

    def renew(self) -> None:
        """Take what is there now: pytest and its plugins change some parts when they start."""
        parts = [(name, part) for name in self._modules for part in _parts(self._modules[name])]
        self._parts = [part for _, part in parts]
        self._hot = [part for name, part in parts if name in _HOT and _is_hot(part)]
        self._preloaded = dict(sys.modules)

    def changed(self, *, fully: bool) -> list[str]:
        """Return the names of parts that are others by now; a quick look sees the most used."""
        found: list[str] = []
        for part in self._parts if fully else self._hot:
            function = part.function
            if part.space.get(part.name) is not part.value:
                if not self._is_back(part):
                    found.append(part.spelled)
            elif function is not None and function.__code__ is not part.code:
                found.append(part.spelled)
        if fully:
            found += [f"sys.modules[{name!r}]" for name in self._stubbed()]
        return sorted(set(found))

    def _is_back(self, part: Part) -> bool:
        """Return whether it is what it was at first: pytest takes back what it put there."""
        return part.space.get(part.name) is self._first.get((id(part.owner), part.name))

    def _stubbed(self) -> Iterator[str]:
        for name, module in self._preloaded.items():
            is_ours = name.startswith(_OURS) or "." in name or name == "__main__"
            if not is_ours and sys.modules.get(name, module) is not module:
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
        or name in (*_HYPOTHESIS, *_STANDARD, "builtins", "hypothesis")
        or name.startswith(_OURS)
        or sys.modules[name] is unittest
    ]


def _parts(module: ModuleType) -> Iterator[Part]:
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            yield Part(module, name, value)
            if value.__module__ == module.__name__ and module is not builtins:
                for inner, method in list(vars(value).items()):
                    if callable(method) or isinstance(method, (staticmethod, classmethod)):
                        yield Part(value, inner, cast("object", method))
        elif callable(value) and name != "_":
            yield Part(module, name, value)


def _is_hot(part: Part) -> bool:
    """Return whether a test of any kind depends on it: exceptions and dunders seldom do."""
    return not isinstance(part.value, type) and not part.name.startswith("__")
