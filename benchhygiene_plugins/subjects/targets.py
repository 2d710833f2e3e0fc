"""What of the product a patch, an assignment or a name is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import (
    Applied,
    File,
    Instance,
    Kind,
    Known,
    Routine,
    Scope,
    Value,
)
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.fixtures import attribute
from benchhygiene_plugins.subjects.products import Product

_SELF = "\0"


@attrs.frozen
class Target:
    """One function, method, class or module of the product: the file and the name in it.

    ``member`` is the method's or attribute's name; ``name`` is empty for a module.
    """

    path: str
    name: str
    member: str = ""

    @property
    def said(self) -> str:
        """Return how to speak of it."""
        return ".".join(one for one in (self.name, self.member) if one) or self.path

    @property
    def last(self) -> str:
        """Return the name that a test calls it by."""
        return self.member or self.name


def of_value(value: Value, product: Product) -> Target | None:
    """Return the function, class or module of the product that a value is."""
    match value:
        case Routine(node=node, owner=owner) if not isinstance(node, ast.Lambda):
            if not product.sides.is_product(value.scope.path):
                return None
            kind = owner.kind if owner is not None else _kind_of(node, value, product)
            if kind is not None:
                return Target(value.scope.path, kind.node.name, node.name)
            return Target(value.scope.path, node.name)
        case Kind(node=node, scope=scope) if product.sides.is_product(scope.path):
            return Target(scope.path, node.name)
        case File(path=path) if product.sides.is_product(path):
            return Target(path, "")
        case _:
            return None


def _kind_of(node: FunctionNode, value: Routine, product: Product) -> Kind | None:
    """Return the class a function stands in, where it was asked for by the class."""
    for one in product.units(value.scope.path).values():
        if one.function is node:
            return one.owner
    return None


def of_expression(node: ast.expr, scope: Scope, product: Product) -> frozenset[Target]:
    """Return what of the product an expression may stand for."""
    found = (of_value(one, product) for one in product.texts.values(node, scope))
    return frozenset(one for one in found if one is not None)


def kind_of(value: Value) -> Kind | None:
    """Return the class that a value is, or is an object of."""
    match value:
        case Kind():
            return value
        case Instance(kind=kind) | Applied(function=Instance(kind=kind)):
            return kind
        case _:
            return None


def member_of(base: ast.expr, name: str, scope: Scope, product: Product) -> frozenset[Target]:
    """Return the product's function or method that is found under a name of something."""
    found: set[Target] = set()
    if isinstance(base, ast.Subscript) and "sys.modules" in product.texts.names(base.value, scope):
        for text in dotted_text(base.slice, scope, product):
            found.update(of_dotted(f"{text}.{name}", scope.path, product))
        return frozenset(found)
    values = product.texts.values(base, scope) or tuple(attribute(base, scope, product))
    for value in values:
        found.update(_member(value, name, scope, product))
    return frozenset(found)


def _member(value: Value, name: str, scope: Scope, product: Product) -> Iterator[Target]:
    kind = kind_of(value)
    if kind is not None:
        yield from _of_class(kind, name, product)
        return
    for one in product.evaluator.member(value, name, scope):
        target = of_value(one, product)
        if target is not None:
            yield target


def _of_class(kind: Kind, name: str, product: Product) -> Iterator[Target]:
    if name == "__class__":
        if product.sides.is_product(kind.scope.path):
            yield Target(kind.scope.path, kind.node.name)
        return
    for one in product.evaluator.lineage(kind):
        defined = {x.name for x in one.node.body if isinstance(x, FunctionNode)}
        if name in defined:
            if product.sides.is_product(one.scope.path):
                yield Target(one.scope.path, one.node.name, name)
            return


def of_dotted(text: str, path: str, product: Product) -> frozenset[Target]:
    """Return what of the product a dotted name means to a file."""
    if text.startswith(_SELF):
        name, _, rest = text.removeprefix(f"{_SELF}.").partition(".")
        return _within(product.evaluator.name(path, name), rest, path, product)
    parts = text.split(".")
    for end in range(len(parts), 0, -1):
        home = product.evaluator.modules.locate(path, ".".join(parts[:end]))
        if home is not None:
            return _within((File(home),), ".".join(parts[end:]), path, product)
    return frozenset()


def _within(values: tuple[Value, ...], rest: str, path: str, product: Product) -> frozenset[Target]:
    *between, last = rest.split(".")
    scope = Scope(path)
    for name in between:
        values = tuple(x for one in values for x in product.evaluator.member(one, name, scope))
    if not last:
        found = (of_value(one, product) for one in values)
        return frozenset(one for one in found if one is not None)
    return frozenset(x for one in values for x in _member(one, last, scope, product))


def dotted_text(node: ast.expr, scope: Scope, product: Product) -> frozenset[str]:
    """Return the dotted names that a string spells; one's own module begins with NUL."""
    if isinstance(node, ast.JoinedStr):
        return _joined(node.values, scope, product)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        names = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}
        if "__name__" in names:
            return _joined([node.left, node.right], scope, product)
    if isinstance(node, ast.Name) and node.id == "__name__":
        return frozenset((_SELF,))
    return product.texts.text(node, scope)


def _joined(parts: list[ast.expr], scope: Scope, product: Product) -> frozenset[str]:
    found = [""]
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        texts = dotted_text(inner, scope, product) or _module_name(inner, scope, product)
        found = [f"{one}{text}" for one in found for text in sorted(texts)][:8]
    return frozenset(found)


def _module_name(node: ast.expr, scope: Scope, product: Product) -> frozenset[str]:
    """Return the dotted name behind ``module.__name__``."""
    if not (isinstance(node, ast.Attribute) and node.attr == "__name__"):
        return frozenset()
    values = product.texts.values(node.value, scope)
    paths = (one.path for one in values if isinstance(one, File))
    return frozenset(
        one.removesuffix(".py").removesuffix("/__init__").removeprefix("src/").replace("/", ".")
        for one in paths
    )


def is_mock(value: Value) -> bool:
    """Return whether a value is made by ``unittest.mock`` or a kind of it."""
    while isinstance(value, Applied):
        value = value.function
    if not isinstance(value, Known):
        return False
    return value.name.startswith(("unittest.mock.", "mock.", "types.SimpleNamespace", "asynctest."))
