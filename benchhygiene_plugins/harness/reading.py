"""Everything that the Python files of one tree do to the harness."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.asking import STEPS
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Frame
from benchhygiene.inventory.names import bindings
from benchhygiene_plugins.harness import roles
from benchhygiene_plugins.harness.deeds import Act, Deed, Place
from benchhygiene_plugins.harness.exits import Exits
from benchhygiene_plugins.harness.hooks import Hooks
from benchhygiene_plugins.harness.naming import Names
from benchhygiene_plugins.harness.patches import Patches
from benchhygiene_plugins.harness.printing import Printing
from benchhygiene_plugins.harness.reports import Reports
from benchhygiene_plugins.harness.rewriting import Rewriting
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.stores import stores
from benchhygiene_plugins.harness.stubs import Stubs
from benchhygiene_plugins.harness.units import Unit, units
from benchhygiene_plugins.harness.vocabulary import MENTIONS

_BOUND = 600_000  # evaluations that reading one file may cost
_LONGEST = 20_000  # characters of a text that is run
_RUNNING = frozenset(("exec", "eval", "compile"))


def _everything(path: str) -> None:
    del path


@attrs.frozen(eq=False)
class Reader:
    """Reads the Python files of one tree, each once.

    ``only`` says which names at the top of a file are worth reading, by default all.
    """

    tree: SourceTree
    rules: CollectionRules
    names: Names
    only: Callable[[str], Container[str] | None] = _everything
    _roles: dict[str, Role] = attrs.field(factory=dict[str, Role])
    _deeds: dict[str, tuple[Deed, ...]] = attrs.field(factory=dict[str, tuple[Deed, ...]])

    @classmethod
    def of(
        cls,
        tree: SourceTree,
        rules: CollectionRules,
        only: Callable[[str], Container[str] | None] = _everything,
    ) -> Reader:
        """Return a reader of the tree, by rules that are often another's."""
        return cls(tree, rules, Names(Evaluator.of(tree)), only)

    def role(self, path: str) -> Role:
        """Return the part that a file plays."""
        if path not in self._roles:
            self._roles[path] = roles.role(self.tree, path, self.rules)
        return self._roles[path]

    def deeds(self, path: str) -> tuple[Deed, ...]:
        """Return what a Python file does, in the order of its pieces."""
        if path not in self._deeds:
            self._deeds[path] = tuple(self._read(path))
        return self._deeds[path]

    def _read(self, path: str) -> Iterator[Deed]:
        if not self.tree.is_file(path):
            return
        try:
            if not self.tree.derived(path, _is_worth_reading):
                return
        except EvidenceUnavailable as error:
            yield self.unseen(path, str(error).removeprefix(f"{path}: "))
            return
        file = self.names.evaluator.file(path)
        if file.error is not None:
            if self.role(path).is_tests:
                yield self.unseen(path, file.error)
            return
        try:
            yield from self._of_units(path)
        except RecursionError:
            yield self.unseen(path, "its source is too deeply nested to read")

    def unseen(self, path: str, reason: str) -> Deed:
        """Return the doubt about a file."""
        return Deed(Act.UNSEEN, reason, reason, Place(path))

    def _of_units(self, path: str) -> Iterator[Deed]:
        own = self.role(path)
        exits = Exits(self.names, self.role)
        progress = self.names.evaluator.progress
        begun = progress.steps
        for unit in self._with_texts(path):
            progress.bound = STEPS if progress.steps - begun < _BOUND // 4 else 200
            if progress.steps - begun > _BOUND:
                yield self.unseen(path, "its names take too long to follow")
                break
            stored = tuple(stores(unit, self.names))
            yield from exits.of_unit(unit, own)
            yield from Patches(self.names).of_unit(unit, own, stored)
            yield from Reports(self.names).of_unit(unit, own, stored)
            yield from Hooks(self.names).of_unit(unit)
            yield from Printing(self.names).of_unit(unit, own)
            yield from Rewriting(self.names).of_unit(unit, own, stored)
            yield from Stubs(self.names, self.role).of_unit(unit, own, stored)
        progress.bound = STEPS
        if path in self.names.cut and own.is_tests:
            yield self.unseen(path, "its names are too deeply nested to follow")

    def _with_texts(self, path: str) -> Iterator[Unit]:
        """Yield the pieces of a file, and after each the texts that it runs as code."""
        for unit in units(self.names.evaluator, path, self.only(path)):
            yield unit
            for _, one in unit.calls:
                if one.call.args and _RUNNING & {*self.names.of(one.call.func, unit.scope)}:
                    yield from self._run(one.call, unit)

    def _run(self, call: ast.Call, unit: Unit) -> Iterator[Unit]:
        for text in self.names.texts(call.args[0], unit.scope):
            body = _parsed(text)
            if body is not None:
                frame = Frame(dict(bindings(body).names))
                scope = unit.scope.inside(frame)
                yield attrs.evolve(unit, body=body, scope=scope, at=call)


def _parsed(text: str) -> list[ast.stmt] | None:
    if len(text) > _LONGEST:
        return None
    try:
        return ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_worth_reading(data: bytes) -> bool:
    # Where letters may be others than they seem, or encoded, no word is known to be missing.
    return MENTIONS.search(data) is not None or not data.isascii() or b"coding" in data[:400]


def deeds_of(tree: SourceTree, rules: CollectionRules) -> Iterator[Deed]:
    """Yield what every Python file of a tree does to the harness."""
    reader = Reader.of(tree, rules)
    for path in tree.files(".py"):
        yield from reader.deeds(path)
