"""What an expression may stand for when nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from benchhygiene.inventory.names import Bound
from benchhygiene.inventory.python import FunctionNode

Plain: TypeAlias = str | bytes | int | float | complex | bool | None


@attrs.frozen
class Known:
    """Something outside the tree by its dotted name: ``pytest.mark.skip``, ``getattr``.

    A part that nobody can read off is ``?``: ``pytest.mark.?``.
    """

    name: str


@attrs.frozen
class Literal:
    """A plain value."""

    value: Plain


@attrs.frozen(eq=False)
class Delayed:
    """An expression, and where its names are looked up."""

    expression: ast.expr
    scope: Scope


@attrs.frozen(eq=False)
class Row:
    """A list, tuple or set; its items are evaluated when asked for."""

    items: tuple[Delayed, ...]


@attrs.frozen(eq=False)
class Table:
    """A dict with its keys and values as they are written."""

    pairs: tuple[tuple[Delayed, Delayed], ...]


@attrs.frozen(eq=False)
class Routine:
    """A function of the tree, where it stands, and for a method whose it is."""

    node: FunctionNode | ast.Lambda
    scope: Scope
    owner: Instance | None = None


@attrs.frozen(eq=False)
class Kind:
    """A class of the tree, and where it stands."""

    node: ast.ClassDef
    scope: Scope


@attrs.frozen(eq=False)
class Instance:
    """An object of a class of the tree, or the class itself where it is called ``cls``."""

    kind: Kind


@attrs.frozen
class File:
    """A module of the tree."""

    path: str


@attrs.frozen(eq=False)
class Argument:
    """One argument of a call; a starred one has the name ``*`` or ``**``."""

    name: str | None
    value: Delayed


@attrs.frozen(eq=False)
class Applied:
    """What a call of something outside the tree gives: the thing, and all it was called with."""

    function: Known | Applied | Instance
    arguments: tuple[Argument, ...]
    call: ast.Call
    scope: Scope

    def positional(self) -> tuple[Delayed, ...]:
        """Return the arguments without a name."""
        return tuple(one.value for one in self.arguments if one.name is None)

    def named(self, name: str) -> Delayed | None:
        """Return the argument of this name."""
        return next((one.value for one in self.arguments if one.name == name), None)

    def argument(self, index: int, name: str) -> Delayed | None:
        """Return an argument that may be given by position or by name."""
        given = self.positional()
        return self.named(name) or (given[index] if len(given) > index else None)


Value: TypeAlias = Known | Literal | Row | Table | Routine | Kind | Instance | File | Applied
Values: TypeAlias = tuple[Value, ...]


@attrs.frozen(eq=False)
class Given:
    """What a name was given from outside its frame: an argument, or values where it is none."""

    values: Values
    source: Delayed | None = None


Entry: TypeAlias = Bound | Given


@attrs.frozen(eq=False)
class Frame:
    """The names of one function, class or comprehension."""

    names: Mapping[str, tuple[Entry, ...]]
    is_class: bool = False


@attrs.frozen(eq=False)
class Scope:
    """A place in a file: the frames around it, outermost first; the module's names come before."""

    path: str
    frames: tuple[Frame, ...] = ()

    def inside(self, frame: Frame) -> Scope:
        """Return the scope one frame further in."""
        return Scope(self.path, (*self.frames, frame))

    def enclosing(self) -> Scope:
        """Return what a function defined here sees: methods do not see their class's names."""
        return Scope(self.path, tuple(one for one in self.frames if not one.is_class))

    def find(self, name: str) -> tuple[tuple[Entry, ...], Scope] | None:
        """Return what the frames bind the name to, and the scope of that frame."""
        for depth in range(len(self.frames), 0, -1):
            found = self.frames[depth - 1].names.get(name)
            if found is not None:
                return found, Scope(self.path, self.frames[:depth])
        return None
