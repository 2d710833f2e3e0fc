"""What the expressions of a tree name: dotted names outside of it, and plain values."""

from __future__ import annotations

import ast

import attrs

from benchhygiene.inventory.asking import named
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Applied, Known, Literal, Routine, Scope, Values

#: Parts of a dotted name that lead to the same thing.
_TRANSPARENT = frozenset(("__dict__", "__func__", "__wrapped__", "__call__", "__self__"))
_PREFIXES = (
    ("sys.modules.", ""),
    ("__builtins__.", ""),
    ("posix.", "os."),
    ("nt.", "os."),
    ("py.test.", "pytest."),
    ("mock.", "unittest.mock."),
    ("asyncio.subprocess.", "asyncio."),
)
#: Stands for a value that nobody can read off.
UNKNOWN = object()


@attrs.frozen(eq=False)
class Names:
    """Answers what the expressions of one tree name."""

    evaluator: Evaluator
    _known: dict[tuple[int, int], tuple[ast.expr, Scope, Values]] = attrs.field(
        factory=dict[tuple[int, int], "tuple[ast.expr, Scope, Values]"]
    )

    #: The files with an expression that leads too deep to be followed.
    cut: set[str] = attrs.field(factory=set[str])

    def values(self, node: ast.expr, scope: Scope) -> Values:
        """Return what an expression may stand for; several ask, and it is worked out once."""
        key = (id(node), id(scope))
        known = self._known.get(key)
        if known is None:
            # Both are kept so that their ids are not used again.
            known = self._known[key] = (node, scope, self._asked(node, scope))
        return known[2]

    def _asked(self, node: ast.expr, scope: Scope) -> Values:
        try:
            return self.evaluator.evaluate(node, scope)
        except RecursionError:
            self.cut.add(scope.path)
            return ()

    def of(self, node: ast.expr, scope: Scope) -> tuple[str, ...]:
        """Return the dotted names of what an expression may be outside the tree, sorted."""
        values = self.values(node, scope)
        found = {normal(one.name) for one in values if isinstance(one, Known)}
        for one in values:
            if isinstance(one, Applied) and one.function == Known("sys.modules.get"):
                asked = one.positional()[:1]
                found.update(n for each in asked for n in self.texts(each.expression, each.scope))
        return tuple(sorted(found - {"?"}))

    def routines(self, node: ast.expr, scope: Scope) -> tuple[Routine, ...]:
        """Return the functions of the tree that an expression may be."""
        return tuple(one for one in self.values(node, scope) if isinstance(one, Routine))

    def called(self, node: ast.expr, scope: Scope) -> tuple[str, ...]:
        """Return the dotted names of what has been called to make what an expression may be."""
        found = {
            normal(one.function.name)
            for one in self.values(node, scope)
            if isinstance(one, Applied) and isinstance(one.function, Known)
        }
        return tuple(sorted(found))

    def constant(self, node: ast.expr | None, scope: Scope) -> object:
        """Return the one plain value of an expression, ``UNKNOWN`` where that is not known."""
        if node is None:
            return UNKNOWN
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.constant(node.operand, scope)
            return -inner if isinstance(inner, int) else UNKNOWN
        found = self.values(node, scope)
        one = found[0] if len(found) == 1 else None
        return one.value if isinstance(one, Literal) else UNKNOWN

    def texts(self, node: ast.expr | None, scope: Scope) -> tuple[str, ...]:
        """Return the texts an expression may be."""
        if node is None:
            return ()
        found = (one.value for one in self.values(node, scope) if isinstance(one, Literal))
        return tuple(one for one in found if isinstance(one, str))


def normal(name: str) -> str:
    """Return the one name of something that goes by several."""
    parts = [part for part in name.split(".") if part not in _TRANSPARENT]
    plain = named(".".join(parts)).name
    for _ in range(3):
        for prefix, instead in _PREFIXES:
            if plain.startswith(prefix):
                plain = named(instead + plain.removeprefix(prefix)).name
    return plain or "builtins"


def root(node: ast.expr) -> str:
    """Return the first name of a chain of attributes, items and calls, empty where there is none.

    >>> root(ast.parse("config.pluginmanager.get('x').stats['failed']", mode="eval").body)
    'config'
    """
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Await):
            node = node.value
        elif isinstance(node, ast.Call):
            # What a builtin such as vars asks about is its first argument.
            is_asking = isinstance(node.func, ast.Name) and bool(node.args)
            node = node.args[0] if is_asking else node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""


def attributes(node: ast.expr) -> tuple[str, ...]:
    """Return the attribute names and text keys of a chain, the last one first."""
    found: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            found.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found.append(node.slice.value)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return tuple(found)
