"""What a collection holds: nodes, definitions that were passed over, and what could not be seen."""

from __future__ import annotations

import ast
import enum
from collections.abc import Container, Mapping

import attrs

from benchhygiene.inventory.parameters import Parameters
from benchhygiene.inventory.python import FunctionNode


class Reason(enum.Enum):
    """Why something that looks like a test is not collected."""

    SHADOWED = "a later definition of the same name wins"
    REWRITTEN = "its name is written over through globals() or setattr()"
    REBOUND = "its name is given to something else later"
    DELETED = "its name is deleted later"
    DEAD = "it stands where the module never gets to"
    NAME = "its name does not match python_functions"
    CLASS_NAME = "its class's name does not match python_classes"
    CONSTRUCTOR = "its class has a constructor"
    SWITCHED_OFF = "__test__ is false"
    ABSTRACT = "its class is abstract"
    FIXTURE = "a fixture decorator makes it a fixture"
    SWALLOWED = "a decorator puts something in its place that is no function"
    FILE = "pytest does not collect the file"
    FAILS = "its module fails when it is imported"
    NESTED = "it stands inside a function, or a class pytest does not look into"


@attrs.frozen(eq=False)
class Node:
    """One test, without its parameters.

    ``path`` is where pytest collects it and ``definition_path`` where its function stands: another
    file for what is inherited or imported. ``classes`` are the classes of the node id, outermost
    first, ``qualname`` joins their names and the test's own. ``conditions`` are unknown tests, with
    their outcome, that its definition depends on. ``is_replaced`` says that a decorator puts a
    function in its place that never calls it.
    """

    node_id: str
    path: str
    definition_path: str
    qualname: str
    definition: FunctionNode
    classes: tuple[ast.ClassDef, ...] = ()
    parameters: Parameters = attrs.field(factory=Parameters)
    is_unittest: bool = False
    conditions: tuple[tuple[ast.expr, bool], ...] = ()
    is_replaced: bool = False

    @property
    def name(self) -> str:
        """Return the last part of the node id."""
        return self.qualname.rpartition(".")[2]

    @property
    def line(self) -> int:
        """Return the line of the function's ``def``."""
        return self.definition.lineno


@attrs.frozen(eq=False)
class PassedOver:
    """A function that looks like a test, or did, and is not collected.

    ``line`` is where the reason stands; ``node_id`` is the id it would have.
    """

    node_id: str
    path: str
    qualname: str
    definition: FunctionNode
    reason: Reason
    line: int
    classes: tuple[ast.ClassDef, ...] = ()


@attrs.frozen
class Unseen:
    """Something of a file that is not known, and why.

    ``is_broken`` says that Python refuses the file. ``prefix`` begins the node ids that are in
    doubt, ``pattern`` is the beginning and end of their last names, and ``hides`` says that
    whatever it binds is no test that can fail. ``is_addition`` says that there may be more tests
    than are known; otherwise there may be fewer.
    """

    path: str
    reason: str
    is_broken: bool = False
    line: int | None = None
    prefix: str = ""
    pattern: tuple[str, str] = ("", "")
    hides: bool = False
    is_addition: bool = False

    @property
    def is_whole_file(self) -> bool:
        """Return whether nothing of the file is known."""
        return self.line is None and not self.prefix and self.pattern == ("", "")

    def concerns(self, node: Node) -> bool:
        """Return whether the node may be one of those in doubt."""
        inside = node.node_id.partition("::")[2]
        start, end = self.pattern
        return (
            node.path == self.path
            and inside.startswith(self.prefix)
            and node.name.startswith(start)
            and node.name.endswith(end)
        )


@attrs.frozen
class Doctest:
    """One doctest item: its node id, the file, the line of its first example, and how many."""

    node_id: str
    path: str
    line: int
    examples: int


@attrs.frozen(eq=False)
class Collection:
    """Everything pytest would collect, sorted by file and then as the file has it."""

    nodes: tuple[Node, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    doctests: tuple[Doctest, ...] = ()

    def by_id(self) -> Mapping[str, Node]:
        """Return the nodes by their node ids."""
        return {node.node_id: node for node in self.nodes}

    def within(self, paths: Container[str]) -> Collection:
        """Return what is of these files."""
        return Collection(
            tuple(one for one in self.nodes if one.path in paths),
            tuple(one for one in self.passed_over if one.path in paths),
            tuple(one for one in self.unseen if one.path in paths),
            tuple(one for one in self.doctests if one.path in paths),
        )

    def joined(self, other: Collection) -> Collection:
        """Return this and what is of other files, sorted again."""
        return Collection(
            tuple(sorted((*self.nodes, *other.nodes), key=_path)),
            tuple(sorted((*self.passed_over, *other.passed_over), key=_path)),
            tuple(sorted((*self.unseen, *other.unseen), key=_path)),
            tuple(sorted((*self.doctests, *other.doctests), key=_path)),
        )


def _path(one: Node | PassedOver | Unseen | Doctest) -> str:
    return one.path
