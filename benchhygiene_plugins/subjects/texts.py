"""Strings as they are when the program runs, however they are put together."""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Applied, Known, Literal, Scope, Value
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.values import Unknown

_LONGEST = 2_000
_COPIERS = frozenset(("dict", "builtins.dict", "copy.copy", "copy.deepcopy"))
_BUILT = ast.BinOp | ast.JoinedStr | ast.Call | ast.Subscript
_READABLE = ast.Constant | ast.Name | ast.Attribute | _BUILT


@attrs.frozen(eq=False)
class Texts:
    """Reads names and strings of one tree."""

    evaluator: Evaluator
    modules: Modules
    _known: dict[int, tuple[ast.expr, frozenset[str]]] = attrs.field(
        factory=dict[int, "tuple[ast.expr, frozenset[str]]"], init=False
    )

    @classmethod
    def of(cls, evaluator: Evaluator) -> Texts:
        """Return what reads the evaluator's tree."""
        return cls(evaluator, Modules(evaluator.tree))

    def names(self, node: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the dotted names outside the tree that an expression may stand for."""
        if not isinstance(node, ast.expr):
            return frozenset()
        known = self._known.get(id(node))
        if known is None:
            several = [x for one in self.values(node, scope) for x in self._copied(one)]
            found = frozenset(x for one in several if (x := named(one)))
            known = self._known[id(node)] = (node, found)
        return known[1]

    def _copied(self, value: Value) -> tuple[Value, ...]:
        """Return what a copy is a copy of, every other value as it is."""
        if isinstance(value, Applied) and isinstance(value.function, Known):
            given = value.positional()
            if value.function.name in _COPIERS and len(given) == 1:
                return self.values(given[0].expression, given[0].scope)
        return (value,)

    def values(self, node: ast.expr, scope: Scope) -> tuple[Value, ...]:
        """Return what an expression may stand for; what is too deep stands for nothing known."""
        try:
            return self.evaluator.evaluate(node, scope)
        except RecursionError:
            return ()

    def text(self, node: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the strings that an expression may stand for."""
        if isinstance(node, ast.Constant):
            return frozenset((node.value,)) if isinstance(node.value, str) else frozenset()
        if not isinstance(node, _READABLE):
            return frozenset()
        found = frozenset(
            one.value
            for one in self.values(node, scope)
            if isinstance(one, Literal) and isinstance(one.value, str)
        )
        return found or frozenset(self._computed(node, scope))

    def _computed(self, node: ast.expr, scope: Scope) -> Iterator[str]:
        if not isinstance(node, _BUILT):
            return
        yield from (one for one in (self._decoded(node),) if one is not None)
        try:
            value = self.modules.constants(scope.path).evaluator().value(node)
        except (Unknown, RecursionError):
            return
        if isinstance(value, str) and len(value) <= _LONGEST:
            yield value

    def _decoded(self, node: ast.expr) -> str | None:
        """Return what a call decodes: base64, hexadecimal, rot13, a list of code points."""
        if not isinstance(node, ast.Call):
            return None
        data = _bytes(node)
        if data is not None and len(data) <= _LONGEST:
            return data.decode(errors="replace")
        return None


def named(value: Value) -> str:
    """Return a value's dotted name, without the detours a namespace can be asked by."""
    while isinstance(value, Applied) and isinstance(value.function, Known | Applied):
        value = value.function
    return value.name.replace(".__dict__", "") if isinstance(value, Known) else ""


def _bytes(node: ast.expr) -> bytes | None:
    """Return the bytes that a call made of literals gives, None where it is none."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return node.value
        return node.value.encode(errors="replace") if isinstance(node.value, str) else None
    if not isinstance(node, ast.Call):
        return None
    name = _last(node.func)
    if name in ("decode", "encode") and isinstance(node.func, ast.Attribute) and not _rot(node):
        return _bytes(node.func.value)
    return _unwrapped(name, node) if node.args else None


def _unwrapped(name: str, node: ast.Call) -> bytes | None:
    first = node.args[0]
    if name in ("bytes", "bytearray", "map", "join"):
        codes = _codes(node.args[-1])
        return codes if codes is not None else _bytes(first) if name == "join" else None
    inner = _bytes(first)
    if inner is None or len(inner) > _LONGEST:
        return None
    try:
        if name in ("b64decode", "urlsafe_b64decode", "a2b_base64"):
            return base64.b64decode(inner)
        if name in ("fromhex", "unhexlify", "a2b_hex"):
            return bytes.fromhex(inner.decode())
        if _rot(node):
            return codecs.decode(inner.decode(), "rot13").encode()
    except (ValueError, binascii.Error):
        return None
    return None


def _codes(node: ast.expr) -> bytes | None:
    if isinstance(node, ast.GeneratorExp | ast.ListComp) and len(node.generators) == 1:
        node = node.generators[0].iter
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    values = [one.value for one in node.elts if isinstance(one, ast.Constant)]
    numbers = [one for one in values if isinstance(one, int) and 0 < one < 128]
    return bytes(numbers) if numbers and len(numbers) == len(node.elts) else None


def _rot(node: ast.Call) -> bool:
    given = (one.value for one in node.args if isinstance(one, ast.Constant))
    return any(isinstance(one, str) and one in ("rot13", "rot_13") for one in given)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
