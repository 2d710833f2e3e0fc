"""The tests of one module: its functions, its classes, and what they inherit."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

import attrs

from benchhygiene.inventory.bindings import (
    Binding,
    Changed,
    Class,
    Function,
    Imported,
    Loss,
    Lost,
    Scope,
    Value,
)
from benchhygiene.inventory.classes import (
    ClassAt,
    Lineage,
    flag,
    gives_init,
    is_abstract,
    lineage,
)
from benchhygiene.inventory.factories import makes_tests, making_call, may_be_testcase
from benchhygiene.inventory.marks import Marks
from benchhygiene.inventory.modules import External, Found, Module, Modules, public_names
from benchhygiene.inventory.nodes import Node, PassedOver, Reason, Unseen
from benchhygiene.inventory.places import Place
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.rules import CollectionRules
from benchhygiene.inventory.wrappers import Fate, Wrappers

_DEEPEST = 20
_LOSSES = {
    Loss.SHADOWED: Reason.SHADOWED,
    Loss.REBOUND: Reason.REBOUND,
    Loss.REWRITTEN: Reason.REWRITTEN,
    Loss.DELETED: Reason.DELETED,
    Loss.DEAD: Reason.DEAD,
}
_FATES = {Fate.FIXTURE: Reason.FIXTURE, Fate.SWALLOWED: Reason.SWALLOWED}


@attrs.define(eq=False)
class Members:
    """Reads one module; what was found is in ``nodes``, ``passed_over`` and ``unseen``.

    Tests whose qualified names are not in ``only``, where that is given, are not looked at.
    """

    modules: Modules
    marks: Marks
    wrappers: Wrappers
    rules: CollectionRules
    module: Module
    only: Container[str] | None = None
    nodes: list[Node] = attrs.field(factory=list[Node], init=False)
    passed_over: list[PassedOver] = attrs.field(factory=list[PassedOver], init=False)
    unseen: list[Unseen] = attrs.field(factory=list[Unseen], init=False)

    def read(self) -> None:
        """Read the whole module."""
        scope = self.module.scope
        place = Place()
        reason = self._module_reason()
        if reason is not None:
            self._pass_over_all(scope, place, reason, scope.stops or 1)
            return
        for name, found in self._module_names():
            self._member(name, found, place)
        self._note_lost(scope, self.module.path, place)

    def _module_reason(self) -> Reason | None:
        if self.module.scope.stops is not None:
            return Reason.FAILS
        own = self.module.scope.names.get("__test__")
        if isinstance(own, Value) and own.expression is not None:
            truth = self.modules.constants(self.module.path).evaluator().truth(own.expression)
            return Reason.SWITCHED_OFF if truth is False else None
        return None

    def _module_names(self) -> Iterator[tuple[str, Found | External]]:
        """Yield the module's names, those of star imports included, each with what it means."""
        path = self.module.path
        for name, binding in self.module.scope.names.items():
            if isinstance(binding, Imported) and not self._may_be_test(name, binding.name):
                continue
            starred = self._starred_later(name, binding.line)
            target = starred or self.modules.followed(Found(path, binding))
            if (
                starred is not None
                and isinstance(binding, Function)
                and not _same(starred, binding)
            ):
                place, why = Place(), Reason.SHADOWED
                self._pass_over(name, path, binding.definition, place, why, binding.line)
            if isinstance(target, Found | External):
                yield name, target
        for star, line in self.module.scope.stars:
            located = self.modules.locate(star, path)
            other = None if located is None else self.modules.at(located)
            if other is None:
                reason = f"it imports everything from {star}, which is not in the tree"
                self.unseen.append(Unseen(path, reason, line=line, is_addition=True))
                continue
            for name in public_names(self.modules, other):
                found = self.modules.member(other, name)
                if isinstance(found, Found) and name not in self.module.scope.names:
                    yield name, found

    def _may_be_test(self, name: str, dotted: str) -> bool:
        """Return whether an imported name is worth looking up: most are the code under test."""
        named = self.rules.is_function(name) or self.rules.is_class(name)
        return named or self.modules.is_test_support(dotted, self.module.path)

    def _starred_later(self, name: str, line: int) -> Found | None:
        """Return what a star import further down gives the name, None where there is none."""
        for star, at in reversed(self.module.scope.stars):
            located = self.modules.locate(star, self.module.path) if at > line else None
            other = None if located is None else self.modules.at(located)
            if other is not None and name in {*public_names(self.modules, other)}:
                found = self.modules.member(other, name)
                if isinstance(found, Found):
                    return found
        return None

    def _member(self, name: str, found: Found | External, place: Place) -> None:
        if isinstance(found, External):
            self._foreign(name, found, place)
            return
        is_imported = not place.chain and found.path != self.module.path
        if is_imported and not self.rules.collect_imported_tests:
            return
        binding = found.binding
        if isinstance(binding, Function):
            self._function(name, found.path, binding, place)
        elif isinstance(binding, Class):
            if not place.is_unittest:
                self._class(name, ClassAt(found.path, binding), place)
        elif isinstance(binding, Value | Changed) and (
            self._looks_like_test(name, place) or self._makes_class(found.path, binding)
        ):
            self._value(name, binding, place)

    def _looks_like_test(self, name: str, place: Place) -> bool:
        return name.startswith("test") if place.is_unittest else self.rules.is_function(name)

    def _foreign(self, name: str, found: External, place: Place) -> None:
        if self._looks_like_test(name, place) or self.rules.is_class(name):
            if found.name.startswith(("unittest.", "pytest.")):
                return
            self._doubt(f"{name} comes from {found.name}, which is not in the tree", name, place)

    def _makes_class(self, path: str, binding: Value | Changed) -> bool:
        """Return whether a call may have made a test class, out of another or of its own."""
        made = making_call(self.modules.at(path), binding)
        return made is not None and makes_tests(self.modules, path, made)

    def _value(self, name: str, binding: Value | Changed, place: Place) -> None:
        """Note a name that may be a test: only a call can have made it one."""
        if isinstance(binding, Value) and not isinstance(
            binding.expression, ast.Call | ast.IfExp | ast.Subscript | ast.Attribute | None
        ):
            return
        self._doubt(f"not known what {name} stands for", name, place, binding.line)

    def _doubt(self, reason: str, name: str, place: Place, line: int | None = None) -> None:
        prefix = "".join(f"{one}::" for one in place.names)
        path = self.module.path
        found = Unseen(path, reason, False, line, prefix, (name, ""), is_addition=True)
        self.unseen.append(found)

    def _function(self, name: str, path: str, function: Function, place: Place) -> None:
        if self._is_left_out(name, place):
            return
        named = self._looks_like_test(name, place)
        if not named and (place.is_unittest or function.is_test is not True):
            return
        fate = self.wrappers.fate(path, function)
        reason = None if fate is None else _FATES.get(fate)
        if function.is_test is False:
            reason = Reason.SWITCHED_OFF
        if reason is not None:
            self._pass_over(name, path, function.definition, place, reason, function.line)
            return
        self._add(name, path, function, place, fate)

    def _is_left_out(self, name: str, place: Place) -> bool:
        return self.only is not None and ".".join((*place.names, name)) not in self.only

    def _add(
        self, name: str, path: str, function: Function, place: Place, fate: Fate | None
    ) -> None:
        self.nodes.append(
            Node(
                self._node_id(name, place),
                self.module.path,
                path,
                ".".join((*place.names, name)),
                function.definition,
                place.classes,
                self.marks.parameters(self.module, path, function, place.chain_classes, place.line),
                place.is_unittest,
                (*place.conditions, *function.conditions),
                is_replaced=fate is Fate.REPLACED,
            )
        )

    def _node_id(self, name: str, place: Place) -> str:
        return "::".join((self.module.path, *place.names, name))

    def _class(self, name: str, at: ClassAt, place: Place) -> None:
        if len(place.chain) > _DEEPEST:
            return
        line = lineage(self.modules, at)
        inner = Place((*place.chain, (name, at)), line)
        reason = self._class_reason(name, at, line)
        if reason is not None:
            if reason is Reason.CLASS_NAME and may_be_testcase(line):
                self._doubt(f"not known what {name} stands for", name, place)
            self._pass_over_all(at.binding.scope, inner, reason, at.binding.line)
            return
        self._note_foreign_bases(name, line, inner)
        self._note_writers(name, line, inner)
        before = len(self.nodes)
        seen: dict[str, int] = {}
        for one in line.classes:
            for own, binding in one.binding.scope.names.items():
                if own in seen:
                    self._overridden(own, one, binding, inner, seen[own])
                else:
                    seen[own] = binding.line
                    target = self.modules.followed(Found(one.path, binding))
                    if isinstance(target, Found | External):
                        self._member(own, target, inner)
        if line.is_unittest and len(self.nodes) == before:
            self._run_test(line, inner)
        for one in line.classes:
            self._note_lost(one.binding.scope, one.path, inner)

    def _run_test(self, line: Lineage, place: Place) -> None:
        """Read the one test of a TestCase without test methods."""
        found = line.member("runTest")
        if found is not None and isinstance(found[1], Function) and self.only is None:
            self._add("runTest", found[0].path, found[1], place, None)

    def _overridden(
        self, name: str, at: ClassAt, binding: Binding, place: Place, line: int
    ) -> None:
        """Note a test of a base class that the class gives another meaning."""
        if isinstance(binding, Function) and self._looks_like_test(name, place):
            self._pass_over(name, at.path, binding.definition, place, Reason.SHADOWED, line)

    def _note_foreign_bases(self, name: str, line: Lineage, inner: Place) -> None:
        foreign = [one for one in line.foreign if not one.endswith("TestCase")]
        for base in foreign:
            self._doubt(f"{name} inherits from {base}, which is not in the tree", "", inner)

    def _note_writers(self, name: str, line: Lineage, inner: Place) -> None:
        """Note the decorators that may give the class other tests than its body has."""
        for one in line.classes:
            writer = self.wrappers.writer(one.path, one.binding)
            if writer is not None:
                self._doubt(f"{ast.unparse(writer)} may change the tests of {name}", "", inner)
                self.unseen.append(attrs.evolve(self.unseen[-1], is_addition=False))

    def _class_reason(self, name: str, at: ClassAt, line: Lineage) -> Reason | None:
        switch = flag(self.modules, line)
        if not line.is_unittest and not (self.rules.is_class(name) or switch is True):
            return Reason.CLASS_NAME
        if switch is False:
            return Reason.SWITCHED_OFF
        if self.wrappers.class_fate(at.path, at.binding) in _FATES:
            return Reason.SWALLOWED
        if is_abstract(self.modules, line):
            return Reason.ABSTRACT
        if not line.is_unittest and (line.constructor() or gives_init(self.modules, at)):
            return Reason.CONSTRUCTOR
        return None

    def _pass_over_all(self, scope: Scope, place: Place, reason: Reason, line: int) -> None:
        """Note every test of a scope that pytest does not look into."""
        path = place.chain[-1][1].path if place.chain else self.module.path
        for name, binding in scope.names.items():
            if isinstance(binding, Function) and self._looks_like_test(name, place):
                self._pass_over(name, path, binding.definition, place, reason, line)
            elif isinstance(binding, Class) and len(place.chain) < _DEEPEST:
                at = ClassAt(path, binding)
                inner = Place((*place.chain, (name, at)), lineage(self.modules, at))
                self._pass_over_all(binding.scope, inner, reason, line)

    def _pass_over(
        self,
        name: str,
        path: str,
        definition: FunctionNode,
        place: Place,
        reason: Reason,
        line: int,
    ) -> None:
        if self._is_left_out(name, place):
            return
        qualname = ".".join((*place.names, name))
        node_id = self._node_id(name, place)
        self.passed_over.append(
            PassedOver(node_id, path, qualname, definition, reason, line, place.classes)
        )

    def _note_lost(self, scope: Scope, path: str, place: Place) -> None:
        for lost in scope.lost:
            if isinstance(lost.definition, FunctionNode):
                if self._looks_like_test(lost.name, place):
                    reason = _LOSSES[lost.reason]
                    self._pass_over(lost.name, path, lost.definition, place, reason, lost.line)
            else:
                self._note_lost_class(lost, lost.definition, path, place)

    def _note_lost_class(
        self, lost: Lost, definition: ast.ClassDef, path: str, place: Place
    ) -> None:
        """Note the tests of a class whose name has come to stand for something else."""
        bound = Class(line=definition.lineno, definition=definition, scope=Scope())
        inner = Place((*place.chain, (lost.name, ClassAt(path, bound))), place.line)
        for statement in definition.body:
            if isinstance(statement, FunctionNode) and statement.name.startswith("test"):
                reason = _LOSSES[lost.reason]
                self._pass_over(statement.name, path, statement, inner, reason, lost.line)


def _same(found: Found, binding: Function) -> bool:
    return isinstance(found.binding, Function) and found.binding.definition is binding.definition
