"""Names of test code that stood for the product, and now stand for something else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.calling import arguments_of, returned
from benchhygiene.inventory.meanings import File, Kind, Known, Routine, Value
from benchhygiene.inventory.names import Bound, Imported, Opaque
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects import holding
from benchhygiene_plugins.subjects.fixtures import filled, fixtures
from benchhygiene_plugins.subjects.patches import asks
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.targets import Target, is_mock, kind_of, of_value
from benchhygiene_plugins.subjects.units import Unit

_ANYTHING = frozenset(("*",))


@attrs.frozen(eq=False)
class Double:
    """A name that stood for ``target`` and no longer does, and how it is asked for."""

    name: str
    target: Target
    unit: Unit
    node: ast.AST
    how: str
    is_object: bool = False
    overrides: frozenset[str] = _ANYTHING


@attrs.frozen(eq=False)
class Doubles:
    """Compares what the names of test code stand for on both sides."""

    old: Product
    new: Product

    def of_unit(self, unit: Unit, before: Unit) -> Iterator[Double]:
        """Yield the doubles of a unit that was there before."""
        if unit.function is None:
            was = holding.names(before, self.old)
            for name, bound in sorted(holding.names(unit, self.new).items()):
                yield from self._of_name(name, was.get(name, ()), bound, unit, before)
            return
        yield from self._of_local(unit, before)
        yield from self._of_objects(unit, before)
        yield from self._of_calls(unit, before)

    def _of_name(
        self,
        name: str,
        was: tuple[Bound, ...],
        bound: tuple[Bound, ...],
        unit: Unit,
        before: Unit,
    ) -> Iterator[Double]:
        target = self._meant(was, before)
        if target is None or not bound or self._meant(bound, unit, target) is not None:
            return
        found = self._stub(bound[-1], target, unit)
        if found is not None:
            node, how, overrides = found
            yield Double(name, target, unit, node, how, overrides=overrides)

    def _meant(
        self, bound: tuple[Bound, ...], unit: Unit, wanted: Target | None = None
    ) -> Target | None:
        """Return what of the product a name means; on the new side, only what may stay."""
        product = self.new if wanted is not None else self.old
        for value in self._values(bound[-1], unit, product) if bound else ():
            target = of_value(value, product)
            if target is None or (wanted is not None and wanted.name and not target.name):
                continue
            if wanted is None or not self._is_redirected(target, wanted):
                return target
        return None

    def _is_redirected(self, target: Target, wanted: Target) -> bool:
        """Return whether a name leads to a module of this change, past the one it led to."""
        if target.path == wanted.path or self.old.tree.is_file(target.path):
            return False
        if not self._is_still_there(wanted):
            return False
        file = self.new.evaluator.file(wanted.path)
        stem = target.path.rpartition("/")[2].removesuffix(".py")
        return not any(stem in name.split(".") for name in file.aliases.values())

    def _is_still_there(self, wanted: Target) -> bool:
        if not self.new.tree.is_file(wanted.path):
            return False
        names = self.new.evaluator.bindings(wanted.path).names.get(wanted.name, ())
        return any(isinstance(one, FunctionNode | ast.ClassDef) for one in names)

    def _values(self, bound: Bound, unit: Unit, product: Product) -> tuple[Value, ...]:
        match bound:
            case ast.expr():
                return product.texts.values(bound, unit.scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return (Routine(bound, unit.scope),)
            case ast.ClassDef():
                return (Kind(bound, unit.scope),)
            case Imported():
                return holding.imported(bound, unit.path, product)
            case _:
                return ()

    def _stub(
        self, bound: Bound, target: Target, unit: Unit
    ) -> tuple[ast.AST, str, frozenset[str]] | None:
        """Return what stands in for a target, None where it may still be the real one."""
        none = _ANYTHING
        match bound:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                routine = Routine(bound, unit.scope)
                if asks(routine, target, self.new) or self._answers_by_product(routine):
                    return None
                return bound, "a function of the test's own has its name", none
            case ast.ClassDef():
                overrides = self._overridden(Kind(bound, unit.scope))
                return (bound, "a class of the test's own has its name", overrides)
            case ast.expr():
                if self._mentions(bound, unit) and not self._is_double(bound, unit):
                    return None
                return bound, "its name is given to something else", none
            case Imported():
                return self._foreign(bound, target, unit)
            case _:
                return None

    def _foreign(
        self, bound: Imported, target: Target, unit: Unit
    ) -> tuple[ast.AST, str, frozenset[str]] | None:
        values = holding.imported(bound, unit.path, self.new)
        own = [x for x in values if isinstance(x, Routine | Kind | File)]
        if any(isinstance(x, Routine) and asks(x, target, self.new) for x in own):
            return None
        is_elsewhere = bool(own) or any(is_mock(x) for x in values)
        is_stranger = any(isinstance(x, Known) for x in values) and self._is_still_there(target)
        if not (is_elsewhere or is_stranger):
            return None
        node = holding.import_of(bound, unit)
        if any(not self.new.sides.is_test_code(x.path) for x in own if isinstance(x, File)):
            return None
        kinds = [k for k in own if isinstance(k, Kind)]
        overrides = frozenset(x for k in kinds for x in self._overridden(k)) if kinds else _ANYTHING
        return node, "it is imported from somewhere else", overrides

    def _mentions(self, node: ast.AST, unit: Unit) -> bool:
        """Return whether anything of the product is used to make it."""
        scope = unit.inside(self.new.evaluator)
        for one in ast.walk(node):
            if isinstance(one, ast.Name | ast.Attribute) and isinstance(one.ctx, ast.Load):
                for value in self.new.texts.values(one, scope):
                    if of_value(value, self.new) is not None:
                        return True
        return False

    def _answers_by_product(self, routine: Routine) -> bool:
        """Return whether what a function returns is made by calling the product."""
        scope = self.new.evaluator.frame_of(routine, ())
        return any(
            isinstance(value, Routine | File) and of_value(value, self.new) is not None
            for answer in returned(routine.node)
            for call in ast.walk(answer)
            if isinstance(call, ast.Call)
            for value in self.new.texts.values(call.func, scope)
        )

    def _is_double(self, node: ast.expr, unit: Unit) -> bool:
        values = self.new.texts.values(node, unit.inside(self.new.evaluator))
        return any(is_mock(one) for one in values) and not holding.wraps(node)

    def _overridden(self, kind: Kind) -> frozenset[str]:
        """Return the methods that a class of a test's defines without asking the real ones."""
        bases = [*self.new.evaluator.lineage(kind)][1:]
        if not any(self.new.sides.is_product(one.scope.path) for one in bases):
            return _ANYTHING
        methods = (one for one in kind.node.body if isinstance(one, FunctionNode))
        return frozenset(one.name for one in methods if not holding.asks_super(one))

    def _of_local(self, unit: Unit, before: Unit) -> Iterator[Double]:
        """Yield the product's names that a function now has of its own."""
        if unit.function is None:
            return
        own = self.new.evaluator.local(unit.function).names
        former = before.function
        was = {*self.old.evaluator.local(former).names} if former is not None else set[str]()
        for name in sorted({*own} - was):
            target = self._module_level(name, unit)
            bound = own[name][-1] if own[name] else Opaque()
            if target is None:
                continue
            if isinstance(bound, Opaque):
                yield from self._of_argument(name, target, unit)
            elif isinstance(bound, FunctionNode | ast.ClassDef | ast.expr | Imported):
                inner = attrs.evolve(unit, scope=unit.inside(self.new.evaluator))
                if self._meant((bound,), inner, target) is None:
                    found = self._stub(bound, target, unit)
                    if found is not None:
                        yield Double(name, target, unit, found[0], found[1], overrides=found[2])

    def _module_level(self, name: str, unit: Unit) -> Target | None:
        bound = self.old.evaluator.bindings(unit.path).names.get(name, ())
        for value in self.old.evaluator.name(unit.path, name) if bound else ():
            target = of_value(value, self.old)
            if target is not None and target.name:
                return target
        return None

    def _of_argument(self, name: str, target: Target, unit: Unit) -> Iterator[Double]:
        """Yield a fixture of the product's name that gives something else."""
        for given in holding.fillings(name, unit):
            if not self._mentions(given, unit):
                yield Double(name, target, unit, given, "an argument has its name")
            return
        home = next(fixtures(name, unit.path, self.new), None)
        if home is None or home.function is None or self._mentions(home.function, home):
            return
        yield Double(name, target, unit, home.function, "a fixture has its name")

    def _of_objects(self, unit: Unit, before: Unit) -> Iterator[Double]:
        """Yield the names that held an object of the product and now hold a double."""
        was, now = holding.held(before), holding.held(unit)
        if before.function is not None:
            was = {**{x.arg: ast.Name(x.arg) for x in arguments_of(before.function)}, **was}
        for name in sorted({*was} & {*now}):
            is_same = ast.dump(was[name]) == ast.dump(now[name])
            target = None if is_same else self._object(was[name], before, self.old)
            found = self._stand_in(now[name], unit, target) if target is not None else None
            if target is None or found is None:
                continue
            # Who is used for other things as well may be a second object, and no stand-in.
            is_sure = name == "return" or self._is_kind_of(found[0], unit, target)
            if is_sure or not self._is_still_called(target, unit):
                node, how, overrides = found
                yield Double(name, target, unit, node, how, is_object=True, overrides=overrides)

    def _of_calls(self, unit: Unit, before: Unit) -> Iterator[Double]:
        """Yield calls of the product whose arguments another function now gets."""
        was = {holding.given(call): call for call in holding.calls(before) if call.args}
        scope, old = unit.inside(self.new.evaluator), before.inside(self.old.evaluator)
        for call in holding.calls(unit) if was else ():
            asked = was.get(holding.given(call))
            if asked is None or ast.dump(asked.func) == ast.dump(call.func):
                continue
            found = self.new.texts.values(call.func, scope)
            own = [x for x in found if isinstance(x, Routine)]
            if not (any(is_mock(x) for x in found) or own) or any(map(self._asks_product, own)):
                continue
            for value in self.old.texts.values(asked.func, old):
                target = of_value(value, self.old)
                if target is not None and not self._is_still_called(target, unit):
                    how = "a function of the test's own is asked for it"
                    yield Double("", target, unit, call, how)

    def _is_kind_of(self, node: ast.AST, unit: Unit, target: Target) -> bool:
        """Return whether an expression makes an object of a class that inherits from a target."""
        if not isinstance(node, ast.expr):
            return False
        values = self.new.texts.values(node, filled(unit, self.new))
        kinds = (kind_of(value) for value in values)
        return any(
            Target(one.scope.path, one.node.name) == target
            for kind in kinds
            if kind is not None
            for one in self.new.evaluator.lineage(kind)
        )

    def _is_still_called(self, target: Target, unit: Unit) -> bool:
        scope = unit.inside(self.new.evaluator)
        return any(
            target == of_value(value, self.new)
            for call in holding.calls(unit)
            for value in self.new.texts.values(call.func, scope)
        )

    def _object(self, node: ast.expr, unit: Unit, product: Product) -> Target | None:
        """Return the class that an expression makes an object of, or the function it calls."""
        scope = filled(unit, product)
        for value in product.texts.values(node, scope):
            kind = kind_of(value)
            if kind is not None and product.sides.is_product(kind.scope.path):
                return Target(kind.scope.path, kind.node.name)
        for call in (x for x in ast.walk(node) if isinstance(x, ast.Call)):
            for value in product.texts.values(call.func, scope):
                target = of_value(value, product)
                if target is not None and isinstance(value, Routine):
                    return target
        return None

    def _stand_in(
        self, node: ast.expr, unit: Unit, target: Target
    ) -> tuple[ast.AST, str, frozenset[str]] | None:
        scope = filled(unit, self.new)
        values = self.new.texts.values(node, scope)
        for value in values:
            kind = kind_of(value)
            if kind is not None:
                if not self.new.sides.is_test_code(kind.scope.path):
                    return None
                return (
                    node,
                    "an object of a class of the test's own is used",
                    self._overridden(kind),
                )
        if any(is_mock(value) for value in values) and not holding.wraps(node):
            return node, "a mock is used", _ANYTHING
        calls = [x for x in ast.walk(node) if isinstance(x, ast.Call)]
        if calls and not self._mentions(node, unit):
            for call in calls:
                found = self.new.texts.values(call.func, scope)
                if any(isinstance(x, Routine) and not self._asks_product(x) for x in found) or any(
                    is_mock(x) for x in found
                ):
                    return node, "a function of the test's own answers", _ANYTHING
        return None

    def _asks_product(self, routine: Routine) -> bool:
        """Return whether a function uses the product at all, at once or through others."""
        seen: set[int] = set()
        pending = [routine]
        while pending and len(seen) < 40:
            one = pending.pop()
            if id(one.node) in seen:
                continue
            seen.add(id(one.node))
            scope = self.new.evaluator.frame_of(one, ())
            for part in ast.walk(one.node):
                if isinstance(part, ast.Name | ast.Attribute):
                    for value in self.new.texts.values(part, scope):
                        if of_value(value, self.new) is not None:
                            return True
                        if isinstance(value, Routine):
                            pending.append(value)
        return False
