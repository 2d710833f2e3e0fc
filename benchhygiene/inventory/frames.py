"""The names in force while a block of statements is followed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.bindings import (
    Binding,
    Class,
    Function,
    Gone,
    Imported,
    Loss,
    Lost,
    Scope,
)
from benchhygiene.inventory.constants import External, unknown_outside
from benchhygiene.inventory.values import Opaque


@attrs.define(eq=False)
class Frame:
    """The names of one block: a module, a class body, a function's body, or a branch of these.

    ``outer`` is the block a branch belongs to, ``enclosing`` the block that the whole scope stands
    in. ``conditions`` must hold for the block to run, ``variables`` are those of the loops.
    """

    scope: Scope
    names: dict[str, Binding] = attrs.field(factory=dict[str, Binding])
    outer: Frame | None = None
    enclosing: Frame | None = None
    conditions: tuple[tuple[ast.expr, bool], ...] = ()
    variables: Mapping[str, object] = attrs.field(factory=dict[str, object])
    is_call: bool = False
    global_names: set[str] = attrs.field(factory=set[str])

    def own(self, name: str) -> Binding | None:
        """Return what a name stands for in this scope."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.outer
        return None

    def find(self, name: str) -> Binding | None:
        """Return what a name stands for here or in the scopes around."""
        frame: Frame | None = self
        while frame is not None:
            found = frame.own(name)
            if found is not None:
                return found
            frame = frame._surrounding()
        return None

    def _surrounding(self) -> Frame | None:
        frame = self
        while frame.outer is not None:
            frame = frame.outer
        return frame.enclosing

    def bind(self, name: str, binding: Binding, reason: Loss | None = None) -> None:
        """Give a name another meaning, and note the definition that is lost by it."""
        old = self.own(name)
        if isinstance(old, Function | Class) and not _keeps(old, binding) and not self.is_call:
            lost = Lost(name, old.definition, reason or _reason(binding), binding.line)
            self.scope.lost.append(lost)
        self.names[name] = binding

    def branch(self, conditions: Sequence[tuple[ast.expr, bool]]) -> Frame:
        """Return the frame of a block that runs only where the conditions hold."""
        return attrs.evolve(
            self, names={}, outer=self, enclosing=None, conditions=(*self.conditions, *conditions)
        )

    def merge(self, branches: Sequence[Frame], *, exhaustive: bool) -> None:
        """Take over the names that branches of this block have bound: definitions before others."""
        names = dict.fromkeys(name for branch in branches for name in branch.names)
        for name in names:
            bound = [branch.names[name] for branch in branches if name in branch.names]
            chosen = next((one for one in bound if isinstance(one, Function | Class)), bound[0])
            if exhaustive and len(bound) == len(branches):
                chosen = attrs.evolve(chosen, conditions=self.conditions)
            self.names[name] = chosen

    def everything(self) -> Iterator[str]:
        """Yield the names of this scope in the order they were bound first."""
        chain: list[Frame] = []
        frame: Frame | None = self
        while frame is not None:
            chain.append(frame)
            frame = frame.outer
        yield from dict.fromkeys(name for one in reversed(chain) for name in one.names)

    def outside(self, module: Frame) -> External:
        """Return the lookup of what is not a plain name: only ``globals()`` is known here."""

        def look(name: str) -> object:
            if name == "globals()":
                holder = module if self.is_call else self
                return {one: Opaque(one) for one in holder.everything()}
            return unknown_outside(name)

        return look


def _keeps(old: Function | Class, new: Binding) -> bool:
    return isinstance(new, Function | Class) and new.definition is old.definition


def _reason(binding: Binding) -> Loss:
    if isinstance(binding, Function | Class | Imported):
        return Loss.SHADOWED
    return Loss.DELETED if isinstance(binding, Gone) else Loss.REBOUND
