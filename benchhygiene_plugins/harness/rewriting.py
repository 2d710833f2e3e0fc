"""Assert statements that are compiled away, or no longer rewritten, as Python code arranges it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.python import statements
from benchhygiene_plugins.harness.deeds import Act, Deed, Weight, place_of
from benchhygiene_plugins.harness.naming import Names
from benchhygiene_plugins.harness.roles import Role
from benchhygiene_plugins.harness.steps import Step, expressions
from benchhygiene_plugins.harness.stores import Store
from benchhygiene_plugins.harness.units import Unit

_DONT = "PYTEST_DONT_REWRITE"
_VARIABLE = "PYTHONOPTIMIZE"
_PLAIN = re.compile(r"--assert(?:=|\s+)plain\b")
_OPTIMIZED = re.compile(r"-[bBdEiIPqsSuvx]*O{1,2}")
_RUNNERS = re.compile(r"pytest|unittest|py\.test|nose|trial")


@attrs.frozen(eq=False)
class Rewriting:
    """Reads what the units of one tree do to assert statements."""

    names: Names

    def of_unit(self, unit: Unit, role: Role, stored: tuple[Store, ...]) -> Iterator[Deed]:
        """Yield what takes assert statements out of force in one piece of code."""
        if unit.node is None and unit.at is None:
            yield from self._docstring(unit, role)
        if isinstance(unit.node, ast.ClassDef) and role.is_harness:
            yield from self._transformer(unit)
        for store in stored:
            found = self._of_store(store, unit, role)
            if found:
                yield self._deed(*found, store.node, store.step, unit)
        for step, one in unit.calls:
            found = self._of_call(one.call, unit, role)
            if found:
                yield self._deed(*found, one.call, step, unit)
        for step in unit.steps:
            for expression in expressions(step.statement):
                yield from self._of_lists(expression, step, unit, role)

    def _deed(
        self, what: str, says: str, weight: Weight, node: ast.AST, step: Step | None, unit: Unit
    ) -> Deed:
        place = place_of(unit.at or node, unit.path, self.names.evaluator)
        guarded = bool(step.guards) if step is not None else False
        return Deed(Act.ASSERTS, what, says, place, unit.owner, weight, guarded)

    def _docstring(self, unit: Unit, role: Role) -> Iterator[Deed]:
        first = unit.body[0] if unit.body else None
        value = first.value if isinstance(first, ast.Expr) else None
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(text, str) and _DONT in text and first is not None:
            weight = Weight.GRAVE if role.is_tests else Weight.PLAUSIBLE
            says = "the module asks pytest not to rewrite its assert statements"
            yield self._deed(_DONT, says, weight, first, None, unit)

    def _transformer(self, unit: Unit) -> Iterator[Deed]:
        for one in statements(unit.body, into_functions=False):
            if getattr(one, "name", "") == "visit_Assert":
                says = "assert statements are rewritten into something else"
                yield self._deed("visit_Assert", says, Weight.GRAVE, one, None, unit)

    def _of_store(self, store: Store, unit: Unit, role: Role) -> tuple[str, str, Weight] | None:
        value = self.names.constant(store.value, unit.scope)
        if _VARIABLE in store.chain or any(_VARIABLE in one for one in store.names):
            if store.value is None or value in ("", "0", 0, None) or store.is_temporary:
                return None
            return _VARIABLE, f"{_VARIABLE} is set: assert statements do nothing", Weight.GRAVE
        if not role.is_tests:
            return None
        if store.attribute == "assertmode" and value != "rewrite":
            return "assertmode", "pytest's rewriting of assert statements is off", Weight.GRAVE
        if any(one.startswith("sys.flags") for one in store.names):
            return "sys.flags", "sys.flags is replaced: Python looks optimized", Weight.GRAVE
        if any("assertion" in one and "rewrite" in one.lower() for one in store.names):
            says = "pytest's rewriting of assert statements is replaced"
            return "rewrite", says, Weight.GRAVE
        is_import = any(one.startswith("sys.meta_path") for one in store.names)
        if is_import and store.value is not None and _mentions_rewriting(store.value):
            says = "pytest's rewriting of assert statements is taken out"
            return "meta_path", says, Weight.GRAVE
        return None

    def _of_call(self, call: ast.Call, unit: Unit, role: Role) -> tuple[str, str, Weight] | None:
        names = self.names.of(call.func, unit.scope)
        word = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if word == "setdefault" or "os.putenv" in names:
            first = call.args[0] if call.args else None
            if _VARIABLE in self.names.texts(first, unit.scope):
                return _VARIABLE, f"{_VARIABLE} is set: assert statements do nothing", Weight.GRAVE
        if role.is_tests and any(one in ("compile", "py_compile.compile") for one in names):
            for one in call.keywords:
                value = self.names.constant(one.value, unit.scope)
                if one.arg == "optimize" and value not in (0, -1, None):
                    says = "code is compiled without its assert statements"
                    weight = Weight.GRAVE if role.is_harness else Weight.PLAUSIBLE
                    return "optimize", says, weight
        for one in call.keywords:
            if one.arg == _VARIABLE and self.names.constant(one.value, unit.scope) not in ("", "0"):
                return _VARIABLE, f"{_VARIABLE} is set: assert statements do nothing", Weight.GRAVE
        return None

    def _of_lists(self, expression: ast.expr, step: Step, unit: Unit, role: Role) -> Iterator[Deed]:
        """Yield the command lines, and the settings, that are written as texts."""
        # Tests of what runs under -O are honest.
        is_read = unit.hook or role not in (Role.TEST, Role.SUPPORT)
        for one in ast.walk(expression):
            if isinstance(one, ast.Dict):
                yield from self._of_dict(one, step, unit, role)
            if not is_read:
                continue
            texts = _texts(one)
            if _is_plain(texts):
                says = "pytest's rewriting of assert statements is off"
                yield self._deed("--assert=plain", says, Weight.GRAVE, one, step, unit)
            elif _is_optimized(texts):
                says = "the tests are run without their assert statements"
                yield self._deed("python -O", says, Weight.GRAVE, one, step, unit)

    def _of_dict(self, node: ast.Dict, step: Step, unit: Unit, role: Role) -> Iterator[Deed]:
        for key, value in zip(node.keys, node.values, strict=True):
            named = key.value if isinstance(key, ast.Constant) else None
            if named == _VARIABLE and self.names.constant(value, unit.scope) not in ("", "0", None):
                says = f"{_VARIABLE} is set: assert statements do nothing"
                is_for_one = unit.owner is not None and role in (Role.TEST, Role.SUPPORT)
                weight = Weight.PLAUSIBLE if is_for_one else Weight.GRAVE
                yield self._deed(_VARIABLE, says, weight, node, step, unit)


def _texts(node: ast.AST) -> list[str]:
    """Return the words of a list, a call's arguments or one text."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            given = items
        case ast.Call(args=args):
            given = args
        case _:
            return []
    flat = [one.value for one in given[:100] if isinstance(one, ast.Constant)]
    return [one for one in flat if isinstance(one, str)]


def _is_plain(texts: list[str]) -> bool:
    return any(_PLAIN.search(one) for one in texts) or _PLAIN.search(" ".join(texts)) is not None


def _is_optimized(texts: list[str]) -> bool:
    words = [word for one in texts for word in one.split()[:200]]
    runs = [at for at, word in enumerate(words) if _RUNNERS.search(word)]
    return bool(runs) and any(_OPTIMIZED.fullmatch(word) for word in words[: runs[0]])


def _mentions_rewriting(node: ast.expr) -> bool:
    for one in ast.walk(node):
        text = getattr(one, "attr", getattr(one, "id", getattr(one, "value", "")))
        if isinstance(text, str) and "rewrit" in text.lower():
            return True
    return False
