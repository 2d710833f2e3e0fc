"""What a name of a module or class stands for once its body has run."""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from benchhygiene.inventory.python import FunctionNode


class Loss(enum.Enum):
    """Why a definition that is still in the file is not what its name stands for."""

    SHADOWED = "a later definition of the same name wins"
    REBOUND = "its name is given to something else later"
    REWRITTEN = "its name is written over through globals() or setattr()"
    DELETED = "its name is deleted later"
    DEAD = "it stands where the module never gets to"


@attrs.frozen(kw_only=True, eq=False)
class Bound:
    """A name's meaning: the line it got it at, and the unknown conditions it depends on.

    ``conditions`` are tests that must hold, or with False must not hold.
    """

    line: int
    conditions: tuple[tuple[ast.expr, bool], ...] = ()


@attrs.frozen(kw_only=True, eq=False)
class Function(Bound):
    """A function, and whatever else wraps it: ``wrappers`` are applied after its decorators.

    ``is_test`` is what its ``__test__`` is set to, None where it is not.
    """

    definition: FunctionNode
    wrappers: tuple[ast.expr, ...] = ()
    is_test: bool | None = None


@attrs.frozen(kw_only=True, eq=False)
class Class(Bound):
    """A class and the names its body binds."""

    definition: ast.ClassDef
    scope: Scope
    wrappers: tuple[ast.expr, ...] = ()


@attrs.frozen(kw_only=True, eq=False)
class Imported(Bound):
    """Something of another module; relative names keep their dots. ``module`` stands for itself."""

    name: str


@attrs.frozen(kw_only=True, eq=False)
class Value(Bound):
    """The value of an expression, None where it is not known which.

    ``previous`` is what the name stood for before, where the expression uses it. ``variables`` are
    those of the loops around it.
    """

    expression: ast.expr | None
    previous: Binding | None = None
    variables: Mapping[str, object] = attrs.field(factory=dict[str, object])


@attrs.frozen(kw_only=True, eq=False)
class Changed(Bound):
    """A container after one statement, such as ``x.append(1)``, has changed it in place."""

    previous: Binding
    statement: ast.stmt
    variables: Mapping[str, object] = attrs.field(factory=dict[str, object])


@attrs.frozen(kw_only=True, eq=False)
class Gone(Bound):
    """Nothing: the name was deleted."""


Binding: TypeAlias = Function | Class | Imported | Value | Changed | Gone


@attrs.frozen(eq=False)
class Lost:
    """A definition that its name no longer stands for, why, and through which line."""

    name: str
    definition: FunctionNode | ast.ClassDef
    reason: Loss
    line: int


@attrs.frozen
class Doubt:
    """A statement that may bind or unbind names nobody here can tell; ``pattern`` restricts which.

    ``pattern`` is the beginning and the end that such a name must have. ``hides`` says that what
    it binds is surely no test, or one that cannot fail.
    """

    line: int
    reason: str
    pattern: tuple[str, str] = ("", "")
    hides: bool = False

    def concerns(self, name: str) -> bool:
        """Return whether the name may be one of those."""
        start, end = self.pattern
        return len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end)


@attrs.define(eq=False)
class Scope:
    """The names of a module or of a class body, and what became of those that were lost.

    ``stars`` are the modules all of whose public names are imported, each with its line.
    ``stops`` is the line at which running the body surely fails.
    """

    names: dict[str, Binding] = attrs.field(factory=dict[str, "Binding"])
    lost: list[Lost] = attrs.field(factory=list[Lost])
    stars: list[tuple[str, int]] = attrs.field(factory=list[tuple[str, int]])
    doubts: list[Doubt] = attrs.field(factory=list[Doubt])
    stops: int | None = None
