"""What a piece of code does to the harness that judges it."""

from __future__ import annotations

import ast
import enum

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.python import FunctionNode

_LONGEST = 1_000  # characters of a text that a finding carries


class Act(enum.Enum):
    """The rule that a deed falls under."""

    EXIT = "harness.exit_forced"
    REPORT = "harness.report_forced"
    PATCH = "harness.framework_patched"
    SHADOW = "harness.module_shadowed"
    ASSERTS = "harness.asserts_disabled"
    UNSEEN = "harness.unseen"


class Weight(enum.IntEnum):
    """How much a deed weighs: PLAUSIBLE is what honest code does too."""

    PLAUSIBLE = 1
    GRAVE = 2


@attrs.frozen
class Place:
    """Where something is written, and its text there."""

    path: str
    line: int | None = None
    column: int | None = None
    text: str = ""


@attrs.frozen(eq=False)
class Deed:
    """One thing that is done to the harness.

    ``what`` names it free of local names and layout: two deeds that share it are the same one.
    ``says`` is the end of the sentence about it. ``owner`` is the outermost function it stands in.
    """

    act: Act
    what: str
    says: str
    place: Place
    owner: FunctionNode | None = None
    weight: Weight = Weight.GRAVE
    is_guarded: bool = False


def place_of(node: ast.AST, path: str, evaluator: Evaluator) -> Place:
    """Return where a node stands and its text; the file alone for one that was made up."""
    if not isinstance(node, ast.expr | ast.stmt) or not getattr(node, "lineno", None):
        return Place(path)
    source = evaluator.file(path)
    try:
        if isinstance(node, FunctionNode | ast.ClassDef):
            text = source.definition_text(node)
        else:
            text = source.segment(node)
        return Place(path, node.lineno, source.column(node), text[:_LONGEST])
    except IndexError:  # a node of another file's tree
        return Place(path)
