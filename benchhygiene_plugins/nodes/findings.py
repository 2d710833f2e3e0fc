"""The rules of ``nodes`` and the findings it yields."""

from __future__ import annotations

import enum

import attrs

from benchhygiene import BaseFinding, Rule, Severity

DELETED = Rule(
    "node.deleted",
    "A test of the parent is gone",
    Severity.ERROR,
    edit="deletes a test, a class or a file",
    seen="what pytest would collect, from the sources or from a real collection",
    unseen="tests that only exist at run time, unless a collection is given",
)
RENAMED = Rule(
    "node.renamed",
    "A test goes by another node id, and no ledger entry says so",
    Severity.ERROR,
    edit="renames or moves a test so that its id is lost",
    seen="bodies without names, across files",
    unseen="a rename together with another body is a deletion",
)
UNCOLLECTED = Rule(
    "node.uncollected",
    "A test is still there, and pytest no longer collects it",
    Severity.ERROR,
    edit=("renames a class or file, adds `__init__`, `__test__ = False`, a fixture decorator"),
    seen="pytest's rules of collection as the parent sets them",
    unseen="plugins that collect by rules of their own",
)
SHADOWED = Rule(
    "node.shadowed",
    "A test is still there, and its name stands for something else",
    Severity.ERROR,
    edit="defines, imports or assigns another thing under the test's name",
    seen="the last binding of each name, writes to globals() included",
    unseen="bindings by code that is put together at run time",
)
SHRUNK = Rule(
    "param.shrunk",
    "A test runs with fewer sets of parameters",
    Severity.ERROR,
    edit="takes rows out, slices, filters or repeats them",
    seen="the rows behind constants, functions and stacked marks",
    unseen="rows that are computed from the product",
)
EXPANDED = Rule("param.expanded", "A test runs with more sets of parameters", Severity.NOTE)
UNSEEN = Rule(
    "node.unseen", "Whether the tests are all still collected could not be seen", Severity.WARNING
)
DISAGREEMENT = Rule(
    "node.disagreement", "A real collection found other tests than the sources show", Severity.NOTE
)

RULES = (DELETED, RENAMED, UNCOLLECTED, SHADOWED, SHRUNK, EXPANDED, UNSEEN, DISAGREEMENT)


class Cause(enum.Enum):
    """Why a test that is still in the tree is not collected, or not the one that runs."""

    NAME = "its name no longer matches python_functions"
    CLASS_NAME = "its class's name no longer matches python_classes"
    CONSTRUCTOR = "its class now has a constructor"
    SWITCHED_OFF = "__test__ is false"
    ABSTRACT = "its class is now abstract"
    FIXTURE = "a decorator makes it a fixture"
    SWALLOWED = "a decorator puts something in its place that is no test"
    REPLACED = "a decorator puts a function in its place that never calls it"
    FILE = "pytest does not collect the file it is in"
    BROKEN = "its file no longer parses"
    FAILS = "its module fails when it is imported"
    NESTED = "it now stands where pytest does not look"
    DEAD = "it now stands where the module never gets to"
    GUARDED = "it is now defined under a condition only"
    DELETED = "its name is deleted"
    REBOUND = "its name is given to something that is no test"
    SHADOWED = "a later definition of the same name wins"
    REWRITTEN = "its name is written over through globals() or setattr()"
    COLLECTION = "a real collection no longer finds it"


@attrs.frozen(kw_only=True)
class NodeLost(BaseFinding):
    """A node id of the parent is gone; ``became`` is its new id where it was renamed or moved."""

    node_id: str
    became: str | None = None


@attrs.frozen(kw_only=True)
class NodeHidden(BaseFinding):
    """A test is still in the tree but is not what runs under its node id, and why."""

    node_id: str
    cause: Cause


@attrs.frozen(kw_only=True)
class ParametersChanged(BaseFinding):
    """The parameter sets of a node differ.

    The counts are None where they are not known; ``lost`` and ``gained`` name sets by their ids, or
    by their values where they have none.
    """

    node_id: str | None
    old_count: int | None
    new_count: int | None
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class NodeUnseen(BaseFinding):
    """Something about a file's tests could not be seen, so the answer is not certain."""

    reason: str


@attrs.frozen(kw_only=True)
class CollectionDisagrees(BaseFinding):
    """In one file a real collection found other node ids than the sources show."""

    unexpected: tuple[str, ...]
    missing: tuple[str, ...]
