"""What the pack's tests need and promise, read off them without running anything."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.core.digest import digest
from benchhygiene.evidence.campaign import Binding
from benchhygiene.evidence.ledger import AllowedAction, Ledger
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.collection import CollectionRules, collect
from benchhygiene.sources.interpreters import locate
from benchhygiene.sources.replays.placement import Placement


def nodes_of(files: SourceTree, placed: Placement) -> tuple[str, ...]:
    """Return the nodes that pytest would collect from the pack's tests, parameters left out."""
    asked = tuple(f"{path}/" for path in placed.test_paths)
    moved = {
        target: files.entries[source]
        for target, source in placed.files.items()
        if target in placed.test_paths or target.startswith(asked)
    }
    tree = attrs.evolve(files, entries=moved, reader=_Moved(files, placed.files))
    return tuple(node.node_id for node in collect(tree, CollectionRules()).nodes)


@attrs.frozen
class _Moved:
    """Read a file by where it is laid."""

    files: SourceTree
    places: Mapping[str, str]

    def read(self, path: str, entry: object) -> bytes:
        """Return the bytes of the pack's file that is laid there."""
        return self.files.stored(self.places.get(path, path))


def imported(files: SourceTree, placed: Placement) -> frozenset[str]:
    """Return the top modules that the pack's Python files import, at any depth."""
    found: set[str] = set()
    for source in sorted({*placed.files.values()}):
        if source.endswith(".py"):
            found.update(_imports(files.stored(source)))
    return frozenset(found)


def _imports(data: bytes) -> Iterator[str]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # pytest itself will say so
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def installed(python: str) -> frozenset[str]:
    """Return the names of modules that an interpreter's package directories hold."""
    names = (name for folder in locate(python, {}).directories for name in os.listdir(folder))
    return frozenset(name.partition(".")[0] for name in names if "-" not in name)


def standard() -> frozenset[str]:
    """Return the names of the standard library's modules."""
    return sys.stdlib_module_names


def seed_of(pack: WitnessPack) -> int:
    """Return the seed of all property tests: of the pack, and nothing else."""
    name = pack.manifest_sha256 or digest(pack.files)
    return int.from_bytes(hashlib.sha256(f"seed:{name}".encode()).digest()[:8], "big")


def budgets_of(bindings: Iterable[Binding]) -> dict[str, dict[str, float]]:
    """Return what each property is asked, by its node."""
    found: dict[str, dict[str, float]] = {}
    for binding in bindings:
        if binding.node_id is not None:
            found[binding.node_id] = dict(binding.budget.amounts)
    return found


def rerun_of(ledger: Ledger | None, collected: Iterable[str]) -> tuple[str, ...]:
    """Return the collected nodes that the ledger speaks of as flaky, expired entries included."""
    if ledger is None:
        return ()
    flaky = [one for one in ledger.entries if one.allowed_action is AllowedAction.QUARANTINE]
    return tuple(node for node in collected if any(one.covers(node) for one in flaky))
