"""Read the strategies that an expression may stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

import attrs

from benchhygiene.inventory.calling import arguments_in, returned
from benchhygiene.inventory.meanings import Applied, Argument, Delayed, Known, Routine, Row, Table
from benchhygiene_plugins.property_budgets.catalogue import METHODS, SIGNATURES, Role
from benchhygiene_plugins.property_budgets.following import COMPOSITE as COMPOSITE_NAME
from benchhygiene_plugins.property_budgets.following import Follower, TooMuch, is_named, plain_name
from benchhygiene_plugins.property_budgets.places import Place, place_of
from benchhygiene_plugins.property_budgets.predicates import (
    ARGUMENT,
    Effect,
    Predicates,
    conjuncts,
    loses,
    renamed,
)
from benchhygiene_plugins.property_budgets.quantities import Quantities, Quantity, Unread
from benchhygiene_plugins.property_budgets.strategies import (
    Step,
    Strategies,
    Strategy,
    signature,
    unread,
)

if TYPE_CHECKING:
    pass

_DEEPEST = 12  # strategies inside one another
_PREFIX = "hypothesis.strategies."
_FIXED: Mapping[str, tuple[Quantity, ...]] = {
    "none": (None,),
    "booleans": (False, True),
    "nothing": (),
}
#: Strategies that a function makes: where it is given, and its name.
_FUNCTIONS = {"deferred": (0, "definition"), "recursive": (1, "extend")}
_TYPED = {
    "bool": "booleans",
    "bytes": "binary",
    "float": "floats",
    "int": "integers",
    "str": "text",
}
_STARS = ("hypothesis.strategies", "hypothesis")


@attrs.frozen(eq=False)
class Builder:
    """Reads the strategies of one tree; what functions draw, ``drawing`` knows."""

    follower: Follower
    quantities: Quantities
    predicates: Predicates
    _running: list[int] = attrs.field(factory=list[int])
    _roots: dict[tuple[int, ...], tuple[Delayed, Strategies]] = attrs.field(
        factory=dict[tuple[int, ...], "tuple[Delayed, Strategies]"]
    )
    _drawings: dict[tuple[object, ...], tuple[Routine, Strategy]] = attrs.field(
        factory=dict[tuple[object, ...], "tuple[Routine, Strategy]"]
    )

    def strategies(self, at: Delayed) -> Strategies:
        """Return what an expression may stand for, one strategy for each branch."""
        if len(self._running) >= _DEEPEST or id(at.expression) in self._running:
            return (Strategy("itself"),)
        self._running.append(id(at.expression))
        try:
            return tuple(one for root in self.follower.roots(at) for one in self._rooted(root))
        except (TooMuch, RecursionError):
            return (unread("too much to follow"),)
        finally:
            self._running.pop()

    def _root(self, at: Delayed) -> Iterator[Strategy]:
        match at.expression:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                sides = [self.strategies(Delayed(one, at.scope)) for one in (left, right)]
                yield Strategy("one_of", parts=dict(zip("01", sides, strict=True)))
            case ast.Call(func=ast.Attribute(value=base, attr=method)) if (
                method in METHODS and not self._is_module(Delayed(base, at.scope))
            ):
                for one in self.strategies(Delayed(base, at.scope)):
                    yield from self._after(one, method, at)
            case ast.Call():
                yield from self._call(at)
            case _:
                yield unread(self.quantities.text(at))

    def _rooted(self, at: Delayed) -> Strategies:
        """Return what a root makes; kept where it is the same for whoever asks."""
        key = (id(at.expression), *map(id, at.scope.frames))
        known = self._roots.get(key)
        if known is not None:
            return known[1]
        found = tuple(
            attrs.evolve(one, place=one.place or self._place(at)) for one in self._root(at)
        )
        if len(self._running) == 1:  # inside another one, a circle may have been cut
            self._roots[key] = (at, found)
        return found

    def _place(self, at: Delayed) -> Place:
        return place_of(at.expression, at.scope.path, self.follower.evaluator)

    def _is_module(self, at: Delayed) -> bool:
        found = self.follower.evaluator.evaluate(at.expression, at.scope)
        return any(isinstance(one, Known) and "(" not in one.name for one in found)

    def _after(self, one: Strategy, method: str, at: Delayed) -> Iterator[Strategy]:
        call = at.expression
        given = arguments_in(call, at.scope) if isinstance(call, ast.Call) else ()
        if not given:
            yield one
            return
        for effect in self.predicates.effects(given[0].value):
            yield self._stepped(one, method, effect, given[0].value)

    def _stepped(self, one: Strategy, method: str, effect: Effect, at: Delayed) -> Strategy:
        text = self.quantities.text(at)
        if method == "filter":
            result = effect.result
            parts = [effect.meaning] if result is None else list(conjuncts(result))
            if not one.steps:
                return attrs.evolve(one, conditions=(*one.conditions, *parts))
            step = Step(method, effect.meaning, tuple(parts), text=text)
        else:
            inner = tuple(self._returned(at)) if method == "flatmap" else ()
            step = Step(method, effect.meaning, (), loses(effect), text, inner)
        return attrs.evolve(one, steps=(*one.steps, step))

    def _returned(self, at: Delayed) -> Iterator[Strategy]:
        """Yield the strategies that a function returns, whatever it is called with."""
        evaluator = self.follower.evaluator
        for value in evaluator.evaluate(at.expression, at.scope):
            if isinstance(value, Routine):
                scope = evaluator.frame_of(value, ())
                for result in returned(value.node):
                    yield from self.strategies(Delayed(result, scope))

    def _call(self, at: Delayed) -> Iterator[Strategy]:
        call = at.expression
        if not isinstance(call, ast.Call):
            return
        for function in self.follower.functions(call, at.scope):
            if isinstance(function, Routine) and self.follower.is_composite(function):
                yield self._drawn(function, arguments_in(call, at.scope))
                return
        found = False
        for one in self.follower.applied(at):
            found = True
            yield self._applied(one, at)
        if not found:
            yield unread(self.quantities.text(at))

    def _drawn(self, routine: Routine, arguments: tuple[Argument, ...]) -> Strategy:
        from benchhygiene_plugins.property_budgets.drawing import Drawing

        texts = ((one.name, self.quantities.text(one.value)) for one in arguments)
        key = (id(routine.node), *texts)
        if key not in self._drawings:
            found = Drawing(self).of_composite(routine, arguments)
            if len(self._running) > 1 and "itself" in repr(signature(found)):
                return found
            self._drawings[key] = (routine, found)
        return self._drawings[key][1]

    def _applied(self, one: Applied, at: Delayed) -> Strategy:
        made = one.function
        if isinstance(made, Applied):
            for routine in self._made_composite(made):
                return self._drawn(routine, one.arguments)
        if not isinstance(made, Known):
            return unread(self.quantities.text(at))
        name = plain_name(made.name)
        kind = name.removeprefix(_PREFIX)
        if kind in SIGNATURES and (name.startswith(_PREFIX) or self._is_starred(at)):
            return self._known(kind, one, at)
        if kind in _FIXED:
            values: tuple[Quantity, ...] = {"none": (None,), "booleans": (False, True)}.get(
                kind, ()
            )
            return Strategy(kind, choices=values, text=self.quantities.text(at))
        return self._other(name, one, at)

    def _made_composite(self, made: Applied) -> Iterator[Routine]:
        """Yield the function that ``composite`` was called with."""
        function = made.function
        if isinstance(function, Known) and is_named(function.name, COMPOSITE_NAME):
            for given in made.positional()[:1]:
                for value in self.follower.evaluator.evaluate(given.expression, given.scope):
                    if isinstance(value, Routine):
                        yield value

    def _is_starred(self, at: Delayed) -> bool:
        stars = self.follower.evaluator.bindings(at.scope.path).stars
        return any(star.module in _STARS for star in stars)

    def _other(self, name: str, one: Applied, at: Delayed) -> Strategy:
        """Return a strategy of which only the arguments are known, as ``numpy.arrays`` is."""
        quantities: dict[str, Quantity] = {}
        parts: dict[str, Strategies] = {}
        for index, argument in enumerate(one.arguments):
            label = argument.name or str(index)
            self._read(label, _guessed(label), argument.value, quantities, parts)
        return Strategy(name, quantities, parts, text=self.quantities.text(at))

    def _known(self, kind: str, one: Applied, at: Delayed) -> Strategy:
        signature = SIGNATURES[kind]
        quantities: dict[str, Quantity] = {}
        parts: dict[str, Strategies] = {}
        names = list(signature.roles)
        place = 0
        for argument in one.arguments:
            label = argument.name
            if label is None:
                label = names[place] if place < len(names) else str(place - len(names))
                place += 1
            role = signature.roles.get(label, signature.rest or Role.SAME)
            self._read(label, role, argument.value, quantities, parts)
        if kind in _FUNCTIONS:
            parts.update(self._made_by(kind, one, quantities))
        typed = _TYPED.get(_typed(quantities)) if kind == "from_type" else None
        if typed is not None:
            return Strategy(typed, text=self.quantities.text(at), choices=_FIXED.get(typed))
        if kind == "sampled_from" and isinstance(quantities.get("elements"), Unread):
            sifted = self._sifted(one)
            if sifted is not None:
                return attrs.evolve(sifted, text=self.quantities.text(at))
        choices = _choices(kind, quantities)
        return Strategy(kind, quantities, parts, choices, text=self.quantities.text(at))

    def _sifted(self, one: Applied) -> Strategy | None:
        """Return a choice among some of what a collection holds: ``[x for x in X if ...]``."""
        given = one.argument(0, "elements")
        only = self._only_root(given) if given is not None else None
        node = only.expression if only is not None else None
        if only is None or not isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return None
        first, *others = node.generators
        target, chosen = first.target, node.elt
        if others or not isinstance(target, ast.Name) or not isinstance(chosen, ast.Name):
            return None
        if chosen.id != target.id:
            return None
        several = self.quantities.several(Delayed(first.iter, only.scope))
        tests = [renamed(test, {target.id: ARGUMENT}) for test in first.ifs]
        conditions = tuple(text for test in tests for text in conjuncts(test))
        choices = _choices("sampled_from", {"elements": several[0]})
        return Strategy("sampled_from", {}, {}, choices, conditions)

    def _only_root(self, at: Delayed) -> Delayed | None:
        try:
            roots = self.follower.roots(at)
        except TooMuch:
            return None
        return roots[0] if len(roots) == 1 else None

    def _made_by(
        self, kind: str, one: Applied, quantities: dict[str, Quantity]
    ) -> Iterator[tuple[str, Strategies]]:
        """Yield the strategies that a function makes which the strategy is given."""
        place, name = _FUNCTIONS[kind]
        given = one.argument(place, name)
        inner = tuple(self._returned(given)) if given is not None else ()
        if inner:
            del quantities[name]
            yield name, inner

    def _read(
        self,
        label: str,
        role: Role,
        at: Delayed,
        quantities: dict[str, Quantity],
        parts: dict[str, Strategies],
    ) -> None:
        if role is Role.PART:
            for name, inner in self._listed(label, at):
                parts[name] = self.strategies(inner)
        elif role is Role.LETTERS:
            self._letters(label, at, quantities, parts)
        elif role is not Role.FREE:
            several = self.quantities.several(at)
            quantities[label] = several[0] if len(several) == 1 else Unread(repr(several))

    def _letters(
        self,
        label: str,
        at: Delayed,
        quantities: dict[str, Quantity],
        parts: dict[str, Strategies],
    ) -> None:
        several = self.quantities.several(at)
        if len(several) == 1 and not isinstance(several[0], Unread):
            quantities[label] = several[0]
        else:
            parts[label] = self.strategies(at)

    def _listed(self, label: str, at: Delayed) -> Iterator[tuple[str, Delayed]]:
        """Yield the strategies in a list or mapping of strategies, or the one that is given."""
        only = self._only_root(at) or at
        evaluator = self.follower.evaluator
        if isinstance(only.expression, ast.List | ast.Tuple | ast.Dict | ast.ListComp):
            for value in evaluator.evaluate(only.expression, only.scope)[:1]:
                if isinstance(value, Row):
                    for index, item in enumerate(evaluator.items(value)):
                        yield f"{label}.{index}", item
                elif isinstance(value, Table):
                    for key, held in value.pairs:
                        yield f"{label}.{self.quantities.text(key)}", held
        else:
            yield label, at


def _typed(quantities: dict[str, Quantity]) -> str:
    given = quantities.get("thing")
    return given.text if isinstance(given, Unread) else ""


def _guessed(label: str) -> Role:
    """Return the role of an argument of a strategy from elsewhere, by its usual name."""
    if label.startswith(("min_", "start")):
        return Role.LOW
    if label.startswith(("max_", "end")):
        return Role.HIGH
    return {"elements": Role.PART, "unique": Role.SWITCH, "fill": Role.PART}.get(label, Role.SAME)


def _choices(kind: str, quantities: dict[str, Quantity]) -> tuple[Quantity, ...] | None:
    if kind == "just":
        given = quantities.get("value")
        return None if isinstance(given, Unread) or "value" not in quantities else (given,)
    if kind != "sampled_from":
        return None
    given = quantities.get("elements")
    if isinstance(given, tuple | range | str | bytes | dict):
        return tuple(cast("Iterable[Quantity]", given))
    if isinstance(given, frozenset):
        return tuple(sorted(cast("Iterable[Quantity]", given), key=repr))
    return None
