"""Follow the imports of test modules through the workspace, without running anything."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs

from benchhygiene_plugins.ini_chain.starting.installed import Modules
from benchhygiene_plugins.ini_chain.starting.startup import Startup
from benchhygiene_plugins.ini_chain.suite.collecting import Suite
from benchhygiene_plugins.ini_chain.suite.import_search import ImportSearch
from benchhygiene_plugins.ini_chain.suite.source import (
    Unparsed,
    imported_members,
    imported_modules,
    parse,
)

#: How many local modules are followed; what lies behind them is unknown.
_FOLLOWED = 200


@attrs.frozen(eq=False, repr=False)
class Imports:
    """What importing the test modules pulls in.

    ``local`` are the workspace's own modules that get imported, with their trees. ``missing`` names
    (file, module, line) that cannot be found; ``doubts`` says what could not be told. ``foreign``
    are modules from outside the standard library and the workspace; ``failing`` are local modules
    that raise when imported, with the line, and ``shadowed`` names that ``pythonpath`` may have
    given another meaning.
    """

    local: Mapping[str, ast.Module]
    missing: tuple[tuple[str, str, int], ...]
    foreign: frozenset[str]
    doubts: tuple[str, ...]
    failing: tuple[tuple[str, int], ...] = ()
    shadowed: tuple[str, ...] = ()

    @classmethod
    def of(cls, startup: Startup, suite: Suite, mode: str) -> Imports:
        """Return the imports of a suite, following local modules."""
        roots = (*(facts.path for facts in startup.conftests), *suite.modules)
        walk = _Walk(startup, mode, roots)
        for path, module in suite.modules.items():
            walk.follow(path, module.tree)
        failing = tuple(
            (path, node.lineno)
            for path, tree in walk.local.items()
            for node in tree.body
            if isinstance(node, ast.Raise)
        )
        foreign, doubts = frozenset(walk.foreign), tuple(walk.doubts)
        shadowed = tuple(dict.fromkeys(walk.shadowed))
        return cls(walk.local, tuple(walk.missing), foreign, doubts, failing, shadowed)


@attrs.define(eq=False, repr=False, slots=False)
class _Walk:
    startup: Startup
    mode: str
    roots: tuple[str, ...]
    local: dict[str, ast.Module] = attrs.field(factory=dict[str, ast.Module])
    missing: list[tuple[str, str, int]] = attrs.field(factory=list[tuple[str, str, int]])
    foreign: set[str] = attrs.field(factory=set[str])
    doubts: list[str] = attrs.field(factory=list[str])
    shadowed: list[str] = attrs.field(factory=list[str])

    def follow(self, path: str, tree: ast.Module) -> None:
        pending = [(path, path, tree)]
        while pending:
            origin, current, module = pending.pop()
            for found in self._imported(origin, current, module):
                if found in self.local:
                    continue
                if len(self.local) >= _FOLLOWED:
                    self.doubts.append("more local modules than are followed")
                    return
                parsed = parse(self.startup.invocation.files, found)
                if isinstance(parsed, Unparsed):
                    self.doubts.append(f"{posixpath.basename(found)}: {parsed.reason}")
                    continue
                self.local[found] = parsed
                pending.append((origin, found, parsed))

    def _imported(self, origin: str, current: str, module: ast.Module) -> Iterator[str]:
        """Yield the local files that a module imports, as a whole or as members of packages."""
        for name, line in imported_modules(module):
            found = self._find(origin, current, name, line)
            if found is not None:
                yield found
        modules = Modules(self.startup.invocation, self._directories(origin))
        for name in imported_members(module):
            if not modules.is_standard(name.partition(".")[0]) and (found := modules.file(name)):
                yield found

    def _find(self, origin: str, current: str, name: str, line: int) -> str | None:
        """Return the local file a module comes from; note what is missing or foreign."""
        top = name.partition(".")[0]
        modules = Modules(self.startup.invocation, self._directories(origin))
        if modules.is_standard(top):
            return None
        local = modules.local(top)
        if local is not None:
            self._note_shadowing(origin, top)
            return modules.file(name) or local
        available = modules.has(name)
        if available and (found := modules.file(name)):
            return found
        if available is False and current == origin:
            self.missing.append((current, name, line))
        elif available is not True:
            self.doubts.append(f"whether {top} can be imported")
        else:
            self.foreign.add(top)
        return None

    def _note_shadowing(self, origin: str, name: str) -> None:
        """Doubt a module that ``pythonpath`` puts before another one of the same name."""
        found = {
            path
            for directory in self._directories(origin)
            for tail in (f"{name}/__init__.py", f"{name}.py")
            if self.startup.invocation.files.is_file(path := posixpath.join(directory, tail))
        }
        if len(found) > 1 and self.startup.in_force.find("pythonpath") is not None:
            self.shadowed.append(name)

    @cached_property
    def _search(self) -> ImportSearch:
        return self.startup.imports

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        found = (self._search.directories(path)[0] for path in self.roots)
        return tuple(dict.fromkeys(found))

    def _directories(self, origin: str) -> tuple[str, ...]:
        """Return where imports are looked up: unless in importlib mode, every loaded root too."""
        own = self._search.directories(origin)
        if self.mode == "importlib":
            return own[1:]
        return tuple(dict.fromkeys((*own, *self._roots)))
