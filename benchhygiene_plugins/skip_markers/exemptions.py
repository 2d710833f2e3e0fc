"""What lets a test go unscored, and when."""

from __future__ import annotations

import ast

import attrs

from benchhygiene.inventory.conditions import ALWAYS, Condition
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Routine


@attrs.frozen
class Place:
    """Where something is written, and its text there."""

    path: str
    line: int = 1
    column: int = 1
    text: str = ""


@attrs.frozen(kw_only=True)
class Exemption:
    """One reason why a test does not run, or may fail.

    ``rule`` is the id of the rule under which it would be reported. ``condition`` says when it
    holds. ``row`` is the parameter set it is for, empty for all of them, and ``targets`` the
    qualified names it is for, empty for everything in its reach. An expected failure may be
    restricted to exceptions (``raises``, empty for any), be strict, or not run the test at all.
    ``unseen`` says why nobody can tell what it does, empty where that is known.
    """

    rule: str
    place: Place
    is_xfail: bool = False
    condition: Condition = ALWAYS
    raises: tuple[str, ...] = ()
    is_strict: bool = False
    runs: bool = True
    row: str = ""
    targets: tuple[str, ...] = ()
    unseen: str = ""

    def only_if(self, condition: Condition) -> Exemption:
        """Return it with another condition that must hold as well."""
        if condition.is_always:
            return self
        return attrs.evolve(self, condition=self.condition & condition)


def place_of(
    node: ast.expr | ast.stmt, path: str, evaluator: Evaluator, *, at: ast.AST | None = None
) -> Place:
    """Return where a node stands and its text; that of ``at`` where it was made up."""
    real = node if getattr(node, "lineno", None) else at
    if not isinstance(real, ast.expr | ast.stmt) or not getattr(real, "lineno", None):
        return Place(path)
    source = evaluator.file(path)
    try:
        text = source.segment(real)
        return Place(path, real.lineno, source.column(real), text[:_LONGEST])
    except IndexError:  # a node of another file's tree: a default, a constant seen through
        return Place(path, 1, 1, ast.unparse(real)[:_LONGEST])


def too_much(place: Place) -> Exemption:
    """Return the doubt about what takes too long to follow."""
    why = "its functions call one another too often to follow"
    return Exemption(rule="skip.call", place=place, unseen=why)


def place_of_routine(routine: Routine, evaluator: Evaluator) -> Place:
    """Return where a function is defined."""
    at = routine.node.body if isinstance(routine.node, ast.Lambda) else routine.node
    found = place_of(at, routine.scope.path, evaluator)
    return attrs.evolve(found, text=found.text.partition("\n")[0])


_LONGEST = 1_000  # characters of a text that a finding carries
