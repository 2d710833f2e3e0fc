"""Fixtures by the names that tests ask for them, and what they give."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.calling import arguments_of, returned
from benchhygiene.inventory.meanings import Entry, Frame, Given, Instance, Scope, Value
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

SET_UP = (
    "setUp",
    "asyncSetUp",
    "setUpClass",
    "setup_method",
    "setup_class",
    "setup",
    "run",
    "__init_subclass__",
    "setUpTestData",
)
_DEEPEST = 4


def fixture(node: FunctionNode) -> tuple[str, bool] | None:
    """Return the name a fixture is asked for by, and whether every test gets it."""
    for one in node.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        if not last(called).endswith("fixture"):
            continue
        words = {x.arg: x.value for x in one.keywords} if isinstance(one, ast.Call) else {}
        name = words.get("name")
        text = name.value if isinstance(name, ast.Constant) else node.name
        autouse = words.get("autouse")
        is_autouse = autouse is not None and getattr(autouse, "value", True) is not False
        return (text if isinstance(text, str) else node.name), is_autouse
    return None


def fixtures(name: str, path: str, product: Product) -> Iterator[Unit]:
    """Yield the fixtures of a name that a file sees, the nearest first."""
    parts = path.split("/")[:-1]
    folders = ("/".join(parts[:end]) for end in range(len(parts), -1, -1))
    paths = [path, *(f"{one}/conftest.py" if one else "conftest.py" for one in folders)]
    for one in dict.fromkeys(paths):
        if not product.tree.is_file(one):
            continue
        for unit in product.units(one).values():
            found = fixture(unit.function) if unit.function is not None else None
            if found is not None and found[0] == name:
                yield unit


def filled(unit: Unit, product: Product) -> Scope:
    """Return where a function's names are looked up, its arguments filled by fixtures."""
    scope = unit.inside(product.evaluator)
    if unit.function is None or not product.sides.is_test_code(unit.path):
        return scope
    given: dict[str, tuple[Entry, ...]] = {}
    for one in arguments_of(unit.function):
        values = tuple(_given(one.arg, unit.path, product, 0))
        if values:
            given[one.arg] = (Given(values),)
    return scope.inside(Frame(given)) if given else scope


def attribute(base: ast.expr, scope: Scope, product: Product) -> Iterator[Value]:
    """Yield what an attribute of ``self`` holds, as the set-up of its class has it."""
    if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
        for one in product.texts.values(base.value, scope):
            if isinstance(one, Instance):
                yield from _set(base.attr, one, product)


def _is_argument(name: str, unit: Unit) -> bool:
    return unit.function is not None and any(x.arg == name for x in arguments_of(unit.function))


def _given(name: str, path: str, product: Product, depth: int) -> Iterator[Value]:
    unit = next(fixtures(name, path, product), None)
    if unit is None or unit.function is None or depth > _DEEPEST:
        return
    scope = unit.inside(product.evaluator)
    for answer in returned(unit.function):
        if isinstance(answer, ast.List) and len(answer.elts) == 1:
            answer = answer.elts[0]
        if isinstance(answer, ast.Name) and _is_argument(answer.id, unit) and answer.id != name:
            yield from _given(answer.id, unit.path, product, depth + 1)
        else:
            yield from product.texts.values(answer, scope)


def _set(name: str, owner: Instance, product: Product) -> Iterator[Value]:
    """Yield what a class's own set-up puts under a name of its objects."""
    for kind in product.evaluator.lineage(owner.kind):
        for unit in product.units(kind.scope.path).values():
            is_set_up = unit.owner is not None and unit.owner.node is kind.node
            if not is_set_up or unit.function is None or unit.function.name not in SET_UP:
                continue
            scope = unit.inside(product.evaluator)
            for one in ast.walk(unit.function):
                if isinstance(one, ast.Assign):
                    targets = [x for x in one.targets if isinstance(x, ast.Attribute)]
                    if any(x.attr == name for x in targets):
                        yield from product.texts.values(one.value, scope)


def last(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
