"""Find what a name stands for across the files of a tree, as imports would."""

from __future__ import annotations

import ast
import posixpath
import weakref
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.bindings import Binding, Imported, Scope, Value
from benchhygiene.inventory.constants import Constants, resolved
from benchhygiene.inventory.namespaces import module_scope
from benchhygiene.inventory.python import PythonFile, parse
from benchhygiene.inventory.values import Unknown

_DEEPEST = 30


@attrs.frozen(eq=False)
class Module:
    """One parsed file of the tree."""

    path: str
    file: PythonFile
    scope: Scope


@attrs.frozen(eq=False)
class Found:
    """A definition or value, and the file that holds it."""

    path: str
    binding: Binding


@attrs.frozen(eq=False)
class External:
    """A dotted name that leads out of the tree."""

    name: str


Target: TypeAlias = Found | Module | External


@attrs.define(eq=False)
class Modules:
    """The Python files of a tree; ``pythonpath`` are directories that imports search first."""

    tree: SourceTree
    pythonpath: tuple[str, ...] = ()
    _constants: dict[str, Constants] = attrs.field(factory=dict[str, Constants], init=False)
    #: Facts about classes, kept by the id of what is beside them; see ``classes.lineage``.
    lines: dict[int, tuple[Binding, object]] = attrs.field(
        factory=dict[int, "tuple[Binding, object]"], init=False
    )
    _located: dict[tuple[str, str], str | None] = attrs.field(
        factory=dict[tuple[str, str], "str | None"], init=False
    )
    _rooted: dict[str, tuple[str, ...]] = attrs.field(
        factory=dict[str, tuple[str, ...]], init=False
    )

    def at(self, path: str) -> Module | None:
        """Return the module of a file, None where its bytes cannot be had."""
        try:
            file = self.tree.derived(path, parse)
        except EvidenceUnavailable:
            return None
        return Module(path, file, file.derived(module_scope))

    def locate(self, name: str, importer: str) -> str | None:
        """Return the file that a module name means to the file that imports it."""
        where = (name, posixpath.dirname(importer))
        if where not in self._located:
            self._located[where] = self._locate(name, importer)
        return self._located[where]

    def _locate(self, name: str, importer: str) -> str | None:
        dots = len(name) - len(name.lstrip("."))
        below = "/".join(part for part in name[dots:].split(".") if part)
        for root in self._roots(importer, dots):
            base = f"{root}/{below}" if root and below else root or below
            for path in (f"{base}.py", f"{base}/__init__.py" if base else "__init__.py"):
                if self.tree.is_file(path):
                    return path
        return None

    def is_test_support(self, name: str, importer: str) -> bool:
        """Return whether an imported name comes from among the tests, not the code under test."""
        dots = len(name) - len(name.lstrip("."))
        module, _, last = name[dots:].rpartition(".")
        for one in (module, last and f"{module}.{last}".lstrip(".")):
            path = self.locate("." * dots + one, importer) if one or dots else None
            if path is not None:
                same = posixpath.dirname(path) == posixpath.dirname(importer)
                return same or "test" in path.lower()
        return False

    def _roots(self, importer: str, dots: int) -> Sequence[str]:
        directory = posixpath.dirname(importer)
        if dots:
            for _ in range(dots - 1):
                directory = posixpath.dirname(directory)
            return (directory,)
        if directory not in self._rooted:
            self._rooted[directory] = (*dict.fromkeys(self._absolute_roots(directory)),)
        return self._rooted[directory]

    def _absolute_roots(self, directory: str) -> Iterator[str]:
        for path in self.pythonpath:
            plain = posixpath.normpath(path)
            yield "" if plain == "." else plain
        package = directory
        while package and self.tree.is_file(posixpath.join(package, "__init__.py")):
            package = posixpath.dirname(package)
        yield from (package, "", "src", "lib", "tests", "test")

    def target(self, name: str, importer: str, depth: int = 0) -> Target:
        """Return what a dotted name means to a file."""
        dots = len(name) - len(name.lstrip("."))
        parts = name[dots:].split(".")
        for end in range(len(parts), -1, -1):
            path = self.locate("." * dots + ".".join(parts[:end]), importer)
            module = None if path is None or (end == 0 and not dots) else self.at(path)
            if module is not None:
                return self._inside(module, parts[end:], name, depth)
        return External(name)

    def _inside(self, module: Module, parts: list[str], name: str, depth: int) -> Target:
        parts = [part for part in parts if part]
        if not parts:
            return module
        found = self.member(module, parts[0], depth + 1)
        for part in parts[1:]:
            if isinstance(found, Module):
                found = self.member(found, part, depth + 1)
            elif isinstance(found, Found):
                scope = getattr(found.binding, "scope", None)
                inner = scope.names.get(part) if isinstance(scope, Scope) else None
                found = None if inner is None else Found(found.path, inner)
        return found if found is not None else External(name)

    def member(self, module: Module, name: str, depth: int = 0) -> Target | None:
        """Return what a name of a module stands for, followed to where it is defined."""
        if depth > _DEEPEST:
            return None
        binding = module.scope.names.get(name)
        if binding is not None:
            return self.followed(Found(module.path, binding), depth)
        for star, _ in reversed(module.scope.stars):
            path = self.locate(star, module.path)
            other = None if path is None or path == module.path else self.at(path)
            if other is not None and not name.startswith("_"):
                found = self.member(other, name, depth + 1)
                if found is not None:
                    return found
        if posixpath.basename(module.path) == "__init__.py":
            path = self.locate(f".{name}", module.path)
            return None if path is None else self.at(path)
        return None

    def followed(self, found: Found, depth: int = 0) -> Target:
        """Return what a binding leads to through imports and plain assignments."""
        binding = found.binding
        if depth > _DEEPEST:
            return found
        if isinstance(binding, Imported):
            return self.target(binding.name, found.path, depth + 1)
        if isinstance(binding, Value) and isinstance(binding.expression, ast.Name | ast.Attribute):
            before = binding.previous
            if isinstance(before, Imported) and isinstance(binding.expression, ast.Name):
                return self.followed(Found(found.path, before), depth + 1)
            return self.meaning(binding.expression, found.path, depth + 1) or found
        return found

    def meaning(self, node: ast.expr, path: str, depth: int = 0) -> Target | None:
        """Return what an expression in a file stands for, None where it has no dotted name."""
        module = self.at(path)
        if module is None or depth > _DEEPEST:
            return None
        name = resolved(node, module.scope.names.get)
        if not name:
            return None
        if not name.startswith("<local>."):
            first, _, rest = name.partition(".")
            known = first not in module.scope.names and self.member(module, first, depth + 1)
            if isinstance(known, Found | Module) and not rest:
                return known  # through a star import
            return self.target(name, path, depth + 1)
        parts = name.split(".")[1:]
        return self._inside(module, parts, name, depth + 1)

    def constants(self, path: str) -> Constants:
        """Return the values of a file's names, those it imports from the tree included."""
        if path not in self._constants:
            module = self.at(path)
            names = module.scope.names if module is not None else {}
            own = weakref.ref(self)

            def outside(name: str) -> object:
                # Held on to from here, all that was read would be left to the garbage collector.
                modules = own()
                if modules is None:
                    raise Unknown(name)
                return modules._value(name, path)

            self._constants[path] = Constants(names.get, outside)
        return self._constants[path]

    def _value(self, name: str, path: str) -> object:
        found = self.target(name, path)
        if isinstance(found, External) and "." not in name:
            module = self.at(path)
            starred = self.member(module, name) if module is not None else None
            found = starred if starred is not None else found
        if not isinstance(found, Found) or isinstance(found.binding, Imported):
            raise Unknown(name)
        return self.constants(found.path).bound(found.binding)


def public_names(modules: Modules, other: Module) -> Iterator[str]:
    """Yield the names that ``from other import *`` brings, each module's once."""
    seen: set[str] = set()
    pending = [other]
    while pending:
        module = pending.pop()
        if module.path in seen:
            continue
        seen.add(module.path)
        try:
            listed = modules.constants(module.path).evaluator()
            chosen = listed.elements(listed.value(ast.Name("__all__", lineno=1)))
            yield from (one for one in chosen if isinstance(one, str))
        except Unknown:
            yield from (one for one in module.scope.names if not one.startswith("_"))
            located = (modules.locate(star, module.path) for star, _ in module.scope.stars)
            inner = [modules.at(path) for path in located if path is not None]
            pending += [one for one in reversed(inner) if one is not None]
