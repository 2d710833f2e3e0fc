"""Where test code puts something in the place of a name of the product."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import File, Routine, Scope
from benchhygiene_plugins.subjects.awareness import may_mean
from benchhygiene_plugins.subjects.fixtures import filled
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.targets import (
    Target,
    dotted_text,
    member_of,
    of_dotted,
    of_expression,
)
from benchhygiene_plugins.subjects.units import Unit

_PATCHERS = ("unittest.mock.patch", "mock.patch", "mock.mock.patch")
_PATCHING = frozenset((b"mock", b"patch", b"unittest", b"getattr", b"import_module"))
_FIXTURES = ("mocker", "class_mocker", "module_mocker", "package_mocker", "session_mocker")


@attrs.frozen(eq=False)
class Patch:
    """One replacement: what is replaced, where, and by what."""

    target: Target
    unit: Unit
    node: ast.AST
    value: ast.expr | None
    scope: Scope
    how: str


def patches(unit: Unit, product: Product) -> Iterator[Patch]:
    """Yield the replacements of product code that a unit of test code makes."""
    for node, scope in unit.walk(product.evaluator, filled(unit, product)):
        for target, value, how in _replacing(node, scope, product):
            if not _is_real(target, value, node, scope, product):
                yield Patch(target, unit, node, value, scope, how)


def _replacing(
    node: ast.AST, scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    if isinstance(node, ast.Call):
        yield from _by_call(node, scope, product)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _by_assignment(target, node.value, scope, product)


def _by_assignment(
    target: ast.expr, value: ast.expr, scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    if isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _by_assignment(one, value, scope, product)
    elif isinstance(target, ast.Attribute):
        for found in member_of(target.value, target.attr, scope, product):
            yield found, value, "the test sets another"
    elif isinstance(target, ast.Subscript):
        yield from _item(target.value, target.slice, value, scope, product)


def _item(
    base: ast.expr, key: ast.expr, value: ast.expr | None, scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    how = "something else is put under its name"
    if isinstance(base, ast.Attribute) and base.attr == "dependency_overrides":
        for found in of_expression(key, scope, product):
            yield found, value, "the test overrides it"
        return
    names = product.texts.names(base, scope)
    for text in dotted_text(key, scope, product):
        if "sys.modules" in names:
            for found in of_dotted(text, scope.path, product):
                if not found.name:
                    yield found, value, "another module is put under its name"
        elif any(isinstance(one, File) for one in product.texts.values(base, scope)) or (
            isinstance(base, ast.Attribute) and base.attr == "__dict__"
        ):
            holder = base.value if isinstance(base, ast.Attribute) else base
            for found in member_of(holder, text, scope, product):
                yield found, value, how


def _by_call(
    node: ast.Call, scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    kind = _patcher(node, scope, product)
    given = {one.arg: one.value for one in node.keywords}
    if "wraps" in given:
        return
    args = node.args
    if kind == "patch" and (args or "target" in given):
        first = args[0] if args else given["target"]
        value = args[1] if len(args) > 1 else given.get("new")
        for text in dotted_text(first, scope, product):
            for found in of_dotted(text, scope.path, product):
                yield found, value, "the test patches it"
    elif kind == "object":
        yield from _of_object(node, given, scope, product)
    elif kind == "dict" and len(args) > 1:
        yield from _of_dict(args[0], args[1], scope, product)
    elif kind == "multiple" and args:
        for name in given:
            for found in _named_in(args[0], name or "", scope, product):
                yield found, given[name], "the test patches it"
    elif kind == "setitem" and len(args) > 1:
        yield from _item(args[0], args[1], args[2] if len(args) > 2 else None, scope, product)
    elif kind == "update" and args:
        holder = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        pairs = args[0] if isinstance(args[0], ast.Dict) else ast.Dict([], [])
        for key, value in zip(pairs.keys, pairs.values, strict=True):
            if key is not None:
                yield from _item(holder, key, value, scope, product)


def _of_object(
    node: ast.Call, given: dict[str | None, ast.expr], scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    args = node.args
    first = args[0] if args else given.get("target", given.get("obj"))
    name = args[1] if len(args) > 1 else given.get("attribute", given.get("name"))
    value = args[2] if len(args) > 2 else given.get("new", given.get("value"))
    if first is None:
        return
    if len(args) == 2 and _last(node.func) == "setattr" and "value" not in given:
        for text in dotted_text(first, scope, product):  # monkeypatch.setattr("a.b.c", value)
            for found in of_dotted(text, scope.path, product):
                yield found, args[1], "the test patches it"
        return
    for text in product.texts.text(name, scope) if name is not None else ():
        for found in _named_in(first, text, scope, product):
            yield found, value, "the test patches it"


def _named_in(first: ast.expr, name: str, scope: Scope, product: Product) -> frozenset[Target]:
    """Return what is under a name of an object, a module, or what a string names."""
    found = member_of(first, name, scope, product)
    if found:
        return found
    texts = dotted_text(first, scope, product)
    return frozenset(x for text in texts for x in of_dotted(f"{text}.{name}", scope.path, product))


def _of_dict(
    base: ast.expr, values: ast.expr, scope: Scope, product: Product
) -> Iterator[tuple[Target, ast.expr | None, str]]:
    if not isinstance(values, ast.Dict):
        return
    texts = product.texts.text(base, scope)
    if "sys.modules" in texts:
        base = ast.Attribute(ast.Name("sys", ast.Load()), "modules", ast.Load())
        scope = Scope(scope.path)
        for key, value in zip(values.keys, values.values, strict=True):
            for text in dotted_text(key, scope, product) if key is not None else ():
                for found in of_dotted(text, scope.path, product):
                    if not found.name:
                        yield found, value, "another module is put under its name"
        return
    for key, value in zip(values.keys, values.values, strict=True):
        if key is not None:
            yield from _item(base, key, value, scope, product)


def _patcher(node: ast.Call, scope: Scope, product: Product) -> str:
    """Return which way of patching a call is, empty for any other call."""
    last = _last(node.func)
    if last in ("setattr", "__setattr__"):
        return "object"
    if last in ("setitem", "update"):
        return last
    if last == "delattr":
        return ""
    chain = _chain(node.func)
    if chain[:1] and chain[0] in _FIXTURES and len(chain) > 1 and chain[1] == "patch":
        return chain[2] if len(chain) > 2 else "patch"
    vocabulary = product.vocabulary("patching", _PATCHING, scope.path)
    if not may_mean(node.func, vocabulary):
        return ""
    for name in product.texts.names(node.func, scope):
        for prefix in _PATCHERS:
            if name == prefix:
                return "patch"
            if name.startswith(f"{prefix}."):
                return name.removeprefix(f"{prefix}.")
    return ""


def _chain(node: ast.expr) -> list[str]:
    found: list[str] = []
    while isinstance(node, ast.Attribute):
        found.append(node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(found)]


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_real(
    target: Target, value: ast.expr | None, node: ast.AST, scope: Scope, product: Product
) -> bool:
    """Return whether the real thing is put back, or is still asked and answers."""
    if value is None:
        return _is_watching(node, target, scope, product)
    if isinstance(value, ast.Call) and any(one.arg == "wraps" for one in value.keywords):
        return True
    for one in product.texts.values(value, scope):
        if isinstance(one, Routine) and product.sides.is_product(one.scope.path):
            return True
        if isinstance(one, Routine) and asks(one, target, product):
            return True
    return False


def _is_watching(node: ast.AST, target: Target, scope: Scope, product: Product) -> bool:
    """Return whether a mock's side effect is the real function."""
    given = node.keywords if isinstance(node, ast.Call) else []
    effects = [one.value for one in given if one.arg in ("side_effect", "new_callable")]
    return any(target in of_expression(one, scope, product) for one in effects)


def asks(routine: Routine, target: Target, product: Product) -> bool:
    """Return whether a function answers with what the real one answers."""
    scope = product.evaluator.frame_of(routine, ())
    node = routine.node
    if isinstance(node, ast.Lambda):
        return _is_call_of(node.body, target, scope, product)
    names: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Assign) and _is_call_of(one.value, target, scope, product):
            names.update(x.id for x in one.targets if isinstance(x, ast.Name))
    answers = [x.value for x in ast.walk(node) if isinstance(x, ast.Return | ast.Yield) and x.value]
    return any(
        _is_call_of(one, target, scope, product) or (isinstance(one, ast.Name) and one.id in names)
        for one in answers
    )


def _is_call_of(node: ast.expr, target: Target, scope: Scope, product: Product) -> bool:
    while isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call):
        return False
    if target in of_expression(node.func, scope, product):
        return True
    if isinstance(node.func, ast.Attribute) and node.func.attr == target.last:
        return True
    return isinstance(node.func, ast.Name) and node.func.id.startswith(
        ("real", "orig", "_orig", "_real", "actual", "genuine")
    )
