"""Why the sources and a real collection disagree about a node, as far as the sources tell.

A node that only the collection has is *told* where the inventory says that its file, class or name
may hold more than it shows; one that is not told is missed in silence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.bindings import Class, Function
from benchhygiene.inventory.classes import ClassAt, Lineage, lineage
from benchhygiene.inventory.collection import Collection, CollectionRules, Node, Unseen
from benchhygiene.inventory.modules import Found, Module, Modules
from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene.inventory.spelling import decorator_call


@attrs.define
class Kind:
    """One reason, the nodes it holds for, and how many of them the inventory is in doubt about."""

    reason: str
    nodes: list[str] = attrs.field(factory=list[str])
    told: int = 0


@attrs.frozen(eq=False)
class Disagreements:
    """Sorts the nodes of one side by kind."""

    tree: SourceTree
    rules: CollectionRules
    found: Collection
    modules: Modules
    known: Mapping[str, Node]

    @classmethod
    def of(cls, tree: SourceTree, rules: CollectionRules, found: Collection) -> Disagreements:
        """Return what sorts the disagreements with this collection."""
        return cls(tree, rules, found, Modules(tree, rules.pythonpath), found.by_id())

    def only_collected(self, node_ids: Iterable[str]) -> list[Kind]:
        """Return why these do not show in the sources, the most frequent reason first."""
        return _sorted((one, self.hidden(one), self.is_told(one)) for one in node_ids)

    def only_in_sources(self, node_ids: Iterable[str]) -> list[Kind]:
        """Return why these were not collected."""
        doubts = [one for one in self.found.unseen if not one.is_addition]
        return _sorted(
            (one, self.absent(one), bool(self.known[one].conditions) or _told(one, doubts))
            for one in node_ids
        )

    def is_told(self, node_id: str) -> bool:
        """Return whether the inventory says that there may be such a node."""
        return _told(node_id, self.found.unseen)

    def absent(self, node_id: str) -> str:
        """Return why a node of the sources may not exist."""
        node = self.known[node_id]
        if node.conditions:
            parts = (f"{ast.unparse(test)} is {held}" for test, held in node.conditions)
            return f"only where {' and '.join(dict.fromkeys(parts))}"
        for one in node.classes:
            for decorator in one.decorator_list:
                if self._changes_class(decorator, node.path):
                    return "a class decorator of the suite replaces the class or takes it away"
        return "nothing in the sources says so"

    def hidden(self, node_id: str) -> str:
        """Return why a node that was collected is not among those of the sources."""
        path, *classes, name = node_id.split("::")
        module = self.modules.at(path) if path in self.tree.entries else None
        if module is None or not self.rules.is_test_file(path):
            return "its file is no test file of the tree"
        if not classes:
            starred = [star for star, _ in module.scope.stars]
            return f"imported by * from {', '.join(starred)}" if starred else _unexplained()
        held = self._class(module, classes)
        if held is None:
            return _how_bound(module.file, classes[-1])
        return self._not_in(lineage(self.modules, held), held, name)

    def _class(self, module: Module, classes: list[str]) -> ClassAt | None:
        found = self.modules.member(module, classes[0])
        for name in classes[1:]:
            inner = found.binding if isinstance(found, Found) else None
            names = inner.scope.names if isinstance(inner, Class) else {}
            binding = names.get(name)
            found = Found(module.path, binding) if binding is not None else None
        if isinstance(found, Found) and isinstance(found.binding, Class):
            return ClassAt(found.path, found.binding)
        return None

    def _not_in(self, line: Lineage, held: ClassAt, name: str) -> str:
        if any(word.arg == "metaclass" for one in line.classes for word in one.definition.keywords):
            return "a metaclass adds it to the class"
        for one in line.classes:
            for decorator in one.definition.decorator_list:
                if self._changes_class(decorator, one.path):
                    return "a class decorator of the suite adds it"
        member = line.member(name)
        if member is not None and not isinstance(member[1], Function):
            return "its name stands for a value that is not followed (setattr, locals)"
        if any(one.binding.conditions for one in line.classes):
            return "another definition of the class or a base, under another condition, has it"
        if "?" in line.foreign:
            return "a call makes a base of its class"
        return "a base of its class is out of the tree" if line.foreign else _unexplained()

    def _changes_class(self, decorator: ast.expr, path: str) -> bool:
        found = self.modules.meaning(decorator_call(decorator)[0], path)
        return isinstance(found, Found) and isinstance(found.binding, Function)


def _told(node_id: str, doubts: Iterable[Unseen]) -> bool:
    """Return whether a doubt is about the node, or about the class at its head."""
    path, *classes, name = node_id.split("::")
    inside = "::".join((*classes, name))
    for one in doubts:
        start, end = one.pattern
        names = (name,) if one.prefix else (name, *classes[:1])
        matches = any(each.startswith(start) and each.endswith(end) for each in names)
        if one.path == path and inside.startswith(one.prefix) and matches:
            return True
    return False


def _how_bound(file: PythonFile, name: str) -> str:
    """Return how a class that is not known gets its name, going by the statements of its file."""
    statements = list(_statements(file.module)) if file.module else []
    for holder, statement in statements:
        if isinstance(statement, ast.ClassDef) and statement.name == name:
            return f"its class stands inside {holder}" if holder else _unexplained()
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            for target in statement.targets:
                names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
                if name in names:
                    several = len(names) > 1
                    return f"a call makes its class{', with others' if several else ''}"
    if any("globals()[" in ast.unparse(statement) for _, statement in statements):
        return "a loop or a function makes its class and writes it into globals()"
    return _unexplained()


def _statements(module: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield every statement of a file with what holds it: nothing, or a function."""
    pending: list[tuple[str, ast.AST]] = [("", module)]
    while pending:
        holder, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield holder, child
                inner = "a function" if isinstance(child, FunctionNode) else holder
                pending.append((inner, child))


def _unexplained() -> str:
    return "nothing in the sources says so"


def _sorted(told: Iterable[tuple[str, str, bool]]) -> list[Kind]:
    kinds: dict[str, Kind] = {}
    for node_id, reason, is_told in told:
        kind = kinds.setdefault(reason, Kind(reason))
        kind.nodes.append(node_id)
        kind.told += is_told
    return sorted(kinds.values(), key=lambda kind: (-len(kind.nodes), kind.reason))
