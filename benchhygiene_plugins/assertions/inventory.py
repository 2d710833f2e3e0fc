"""The checks of every test of a tree, as facts: nothing is judged here."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager

import attrs

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.collection import CollectionRules, Node, collect
from benchhygiene.inventory.fingerprints import Fingerprint, fingerprints, readable
from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.following import Follower
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.assertions.strength import Strength, strength


@attrs.frozen
class InventoriedCheck:
    """One check of one node.

    ``text`` is its source, ``fact`` what it demands with locals, constants and helpers read
    through, cut for reading. ``helpers`` lead to it from the node, ``conditions`` and ``loops`` are
    what it runs under. ``void`` says why it never fails, ``swallowed`` who catches its failure,
    ``dead`` why it is never reached. ``digest`` names the fact within this tree's inventory.
    """

    node_id: str
    path: str
    line: int
    text: str
    fact: str
    strength: Strength
    digest: str
    conditions: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    void: str | None = None
    swallowed: str | None = None
    dead: str | None = None
    is_exact: bool = True
    _module: Module | None = attrs.field(default=None, eq=False, repr=False)
    _node: Node | None = attrs.field(default=None, eq=False, repr=False)

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Return the fingerprint of each fact in the check's source, made when asked for.

        Locals of the node that are assigned once and the module's constants are read through. Of a
        check that is a block, or that cannot be read alone, there is none.
        """
        values, names = dict[str, str](), list[str]()
        if self._module is not None and self._node is not None and not self.helpers:
            definition = self._node.definition
            source = self._module.source
            values = {name: source.segment(one) for name, one in source.constants.items()}
            values.update(readable(definition, source.segment))
            names = [one.arg for one in definition.args.args]
        try:
            return fingerprints(self.text, values, names)
        except ValueError:
            return ()


@attrs.frozen
class NodeChecks:
    """One node with its checks in the order in which they would run.

    ``is_complete`` is False where there is more in it than is followed.
    """

    node_id: str
    path: str
    line: int
    checks: tuple[InventoriedCheck, ...]
    is_complete: bool = True


@attrs.frozen
class Inventory:
    """Every node of a tree with its checks; ``unseen`` are the files that could not be read."""

    nodes: tuple[NodeChecks, ...]
    unseen: tuple[tuple[str, str], ...] = ()

    @property
    def checks(self) -> tuple[InventoriedCheck, ...]:
        """Return the checks of all nodes."""
        return tuple(check for node in self.nodes for check in node.checks)


def inventory(tree: SourceTree, paths: Iterable[str] | None = None) -> Inventory:
    """Return the checks of every test in a tree, or in these files of it."""
    with _collector_paused():
        collection = collect(tree, CollectionRules.of(tree), paths)
        project = Project(tree)
        nodes = tuple(_nodes(Follower(project), project, collection.nodes))
    return Inventory(nodes, tuple((one.path, one.reason) for one in collection.unseen))


@contextmanager
def _collector_paused() -> Generator[None]:
    """Pause the garbage collector: nearly all that is made is kept, and walked through in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _nodes(follower: Follower, project: Project, nodes: Iterable[Node]) -> Iterator[NodeChecks]:
    for node in nodes:
        followed = follower.follow(node)
        if followed is None:
            continue
        module = project.module(node.definition_path)
        checks = tuple(_entry(node, check, module) for check in followed.checks)
        yield NodeChecks(node.node_id, node.path, node.line, checks, not followed.overflowed)


def _entry(node: Node, check: Check, module: Module | None) -> InventoriedCheck:
    return InventoriedCheck(
        node.node_id,
        check.place.path,
        check.place.line,
        check.place.text,
        repr(check.fact),
        Strength.NOTHING if check.void else strength(check.fact),
        check.fact.digest.hex(),
        tuple(repr(guard.condition) for guard in check.flow.guards),
        tuple(map(repr, check.flow.loops)),
        check.flow.helpers,
        check.void,
        check.flow.swallowed,
        check.flow.dead,
        check.is_exact,
        module,
        node,
    )
