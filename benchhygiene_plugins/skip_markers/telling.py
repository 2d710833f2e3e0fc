"""Which functions cannot exempt anything, because no word in them leads to what does.

A function that is not told apart here is read; one that is, is not: most tests name nothing that
skips, nor anything of the tree that does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.index import words
from benchhygiene.inventory.meanings import Given, Scope
from benchhygiene.inventory.names import Imported, Opaque
from benchhygiene.inventory.python import FunctionNode, PythonFile, statements
from benchhygiene_plugins.skip_markers.vocabulary import (
    FRAMEWORK_WORDS,
    WORDS,
    may_exempt,
    names_framework,
)

# What looks names up by their spelling, or calls later what it is given.
_DYNAMIC = frozenset(
    b"partial getattr eval exec globals vars import_module __import__ __dict__".split()
)
_SPELLING = re.compile(b"|".join(WORDS))
_HARMLESS = re.compile(
    rb"\bpytest\.(?:raises|approx|warns|fixture|mark\.parametrize|param)\b"
    rb"|\bunittest\.(?:mock|TestCase|main)\b"
)


@attrs.frozen(eq=False)
class Known:
    """The words of one file that lead to what exempts, and the lines of classes that inherit it."""

    words: frozenset[bytes]
    spans: tuple[tuple[int, int], ...] = ()


@attrs.frozen(eq=False)
class Telling:
    """Tells which functions of one tree may exempt, by the words in them."""

    evaluator: Evaluator
    _read_files: dict[str, bool] = attrs.field(factory=dict[str, bool])
    _files: dict[str, Known] = attrs.field(factory=dict[str, Known])

    def is_read(self, path: str) -> bool:
        """Return whether functions of a file are looked into at all."""
        if path not in self._read_files:
            self._read_files[path] = "test" in path or self._names_framework(path)
        return self._read_files[path]

    def _names_framework(self, path: str) -> bool:
        """Return whether a file of the code under test, or one it imports, names a framework."""
        if not self._derived(path, may_exempt):
            return False
        if self._derived(path, names_framework):
            return True
        bound = self.evaluator.bindings(path)
        imported = (one for each in bound.names.values() for one in each)
        homes = {
            self.evaluator.modules.locate(path, one.module, one.level)
            for one in (*imported, *bound.stars)
            if isinstance(one, Imported)
        }
        return any(home and self._derived(home, names_framework) for home in homes)

    def _derived(self, path: str, derive: Callable[[bytes], bool]) -> bool:
        try:
            return self.evaluator.tree.derived(path, derive)
        except EvidenceUnavailable:
            return False

    def may_exempt(self, node: FunctionNode | ast.Lambda, path: str) -> bool:
        """Return whether a function of a file could exempt anything."""
        known = self.of_file(path)
        first, last = node.lineno, node.end_lineno or node.lineno
        if any(start <= first <= end for start, end in known.spans):
            return True
        lines = self.evaluator.file(path).lines[first - 1 : last]
        return _leads(b"\n".join(lines), known.words)

    def may_lead(self, called: ast.expr, scope: Scope) -> bool:
        """Return whether what is called, as it is spelled, could lead to what exempts."""
        known = self.of_file(scope.path)
        if any(start <= called.lineno <= end for start, end in known.spans):
            return True
        for node in ast.walk(called):
            if isinstance(node, ast.Attribute):
                if node.attr.encode(errors="surrogatepass") in known.words:
                    return True
            elif isinstance(node, ast.Name):
                if node.id.encode(errors="surrogatepass") in known.words:
                    if self._is_quiet_member(called, scope):
                        continue
                    return _HARMLESS.fullmatch(ast.unparse(called).encode(errors="replace")) is None
                found = scope.find(node.id)
                if found is not None and any(isinstance(one, Given | Opaque) for one in found[0]):
                    return node.id not in ("self", "cls")
            elif not isinstance(node, ast.expr_context | ast.Constant | ast.Call | ast.Subscript):
                return True
        return False

    def _is_quiet_member(self, called: ast.expr, scope: Scope) -> bool:
        """Return whether what is called is a module's, and that member leads to nothing.

        As with a name that is imported from the module, it is the member's own words that count.
        """
        member, module = called, getattr(called, "value", None)
        while isinstance(module, ast.Attribute):
            member, module = module, module.value
        if not isinstance(member, ast.Attribute) or not isinstance(module, ast.Name):
            return False
        if scope.find(module.id) is not None:
            return False
        bound = self.evaluator.bindings(scope.path).names.get(module.id, ())
        return bool(bound) and all(self._lacks(one, member.attr, scope.path) for one in bound)

    def _lacks(self, bound: object, member: str, path: str) -> bool:
        """Return whether an import binds a file of the tree in which no such member leads on."""
        if not isinstance(bound, Imported) or bound.name is not None:
            return False
        locate = self.evaluator.modules.locate
        home = locate(path, bound.module, bound.level)
        if home is None or locate(home, member, 1) is not None:
            return False
        return member.encode(errors="surrogatepass") not in self.of_file(home).words

    def of_file(self, path: str) -> Known:
        """Return what leads to what exempts in a file."""
        if path not in self._files:
            if not self.evaluator.tree.is_file(path) or not self.is_read(path):
                self._files[path] = _NOTHING
                return _NOTHING
            self._files[path] = self._read(path, ())  # for those it imports that import it
            self._files[path] = self._read(path, self._imported(path))
        return self._files[path]

    def _read(self, path: str, imported: Iterable[bytes]) -> Known:
        file = self.evaluator.file(path)
        seeds = {*file.derived(_seeds), *imported}
        mentions = file.derived(_mentions)
        pending = [*seeds]
        while pending:
            for name in mentions.get(pending.pop(), ()):
                if name not in seeds:
                    seeds.add(name)
                    pending.append(name)
        telling = frozenset(seeds)
        return Known(telling, tuple(_inheriting(file, telling)) if telling else ())

    def _imported(self, path: str) -> Iterator[bytes]:
        """Yield the names of a file that come from where something exempts."""
        bound = self.evaluator.bindings(path)
        for name, entries in bound.names.items():
            if any(isinstance(one, Imported) and self._is_telling(one, path) for one in entries):
                yield name.encode(errors="surrogatepass")
        for star in bound.stars:
            home = self.evaluator.modules.locate(path, star.module, star.level)
            if home is not None:
                yield from self.of_file(home).words

    def _is_telling(self, what: Imported, path: str) -> bool:
        if what == Imported("?"):
            return True
        inner = f"{what.module}.{what.name}" if what.module and what.name else what.name or ""
        locate = self.evaluator.modules.locate
        home = locate(path, what.module, what.level)
        inside = locate(path, inner, what.level) if what.name else home
        if inside is not None and self.of_file(inside).words:
            return True
        if what.name is not None and home is not None:
            return what.name.encode(errors="surrogatepass") in self.of_file(home).words
        return home is None and any(_tells(one.encode()) for one in re.findall(r"\w+", inner))


_NOTHING = Known(frozenset())


def _seeds(file: PythonFile) -> frozenset[bytes]:
    there = words(_HARMLESS.sub(b"", b"\n".join(file.lines)))
    return frozenset(word for word in there if _tells(word))


def _tells(word: bytes) -> bool:
    return word in FRAMEWORK_WORDS or word in _DYNAMIC or _SPELLING.search(word) is not None


def _leads(text: bytes, telling: frozenset[bytes]) -> bool:
    return not telling.isdisjoint(words(_HARMLESS.sub(b"", text)))


def _mentions(file: PythonFile) -> dict[bytes, set[bytes]]:
    """Return which names of a file are bound or defined by a text that has a word in it."""
    found: dict[bytes, set[bytes]] = {}
    for name, text in _definitions(file):
        for word in words(_HARMLESS.sub(b"", text)):
            found.setdefault(word, set()).add(name)
    return found


def _definitions(file: PythonFile) -> Iterator[tuple[bytes, bytes]]:
    for one in statements(file.body):
        names: Iterable[str] = ()
        if isinstance(one, FunctionNode | ast.ClassDef):
            names = (one.name,)
        elif isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.With | ast.For):
            names = _targets(one)
        first = one.lineno
        if isinstance(one, FunctionNode | ast.ClassDef) and one.decorator_list:
            first = one.decorator_list[0].lineno
        text = b"\n".join(file.lines[first - 1 : one.end_lineno])
        yield from ((name.encode(errors="surrogatepass"), text) for name in names)


def _targets(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def _inheriting(file: PythonFile, telling: frozenset[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the lines of the classes that inherit from, or are decorated with, what exempts."""
    for one in statements(file.body):
        if isinstance(one, ast.ClassDef):
            heads = (*one.bases, *one.decorator_list, *(each.value for each in one.keywords))
            text = b" ".join(file.segment(head).encode(errors="replace") for head in heads)
            if _leads(text, telling):
                yield one.lineno, one.end_lineno or one.lineno
