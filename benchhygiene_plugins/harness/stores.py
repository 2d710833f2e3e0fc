"""What code puts in place of something else, however it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.harness.naming import Names, attributes, normal, root
from benchhygiene_plugins.harness.steps import Step, calls, expressions
from benchhygiene_plugins.harness.units import Unit

_SETTERS = frozenset(("setattr", "__setattr__", "delattr", "__delattr__"))
_ITEM_SETTERS = frozenset(("setitem", "delitem", "__setitem__", "__delitem__"))
_DICT_METHODS = frozenset(("update", "setdefault", "pop"))


@attrs.frozen(eq=False)
class Store:
    """One thing that gets another value, or with ``value`` None is taken away.

    ``names`` are the dotted names of the thing where it lies outside the tree, ``root`` the first
    name of the expression it is reached by, ``attribute`` its last name and ``chain`` all of them.
    ``is_temporary`` says that a test gets it back: monkeypatch, mock.patch.
    """

    node: ast.AST
    step: Step
    names: tuple[str, ...]
    root: str
    attribute: str
    chain: tuple[str, ...]
    value: ast.expr | None
    is_temporary: bool = False
    base: ast.expr | None = None


def stores(unit: Unit, names: Names) -> Iterator[Store]:
    """Yield everything that a piece of code puts in place of something else."""
    for step in unit.steps:
        yield from _stored(step, unit.scope, names)
        for expression in expressions(step.statement):
            for one in calls(expression):
                yield from _called(one.call, step, unit.scope, names)


def _stored(step: Step, scope: Scope, names: Names) -> Iterator[Store]:
    match step.statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _target(target, value, step, scope, names)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
        ):
            yield from _target(target, value, step, scope, names)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _target(target, None, step, scope, names)
        case ast.For(target=target) | ast.AsyncFor(target=target):
            yield from _target(target, None, step, scope, names)
        case _:
            return


def _target(
    target: ast.expr, value: ast.expr | None, step: Step, scope: Scope, names: Names
) -> Iterator[Store]:
    if isinstance(target, ast.Tuple | ast.List):
        given = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        pairs = zip(target.elts, given, strict=False) if len(given) == len(target.elts) else ()
        for one, part in pairs or ((one, value) for one in target.elts):
            yield from _target(one, part, step, scope, names)
    elif isinstance(target, ast.Attribute):
        yield _made(target.value, (target.attr,), value, step, scope, names, step.statement)
    elif isinstance(target, ast.Subscript):
        keys = names.texts(target.slice, scope) or ("?",)
        yield _made(target.value, keys, value, step, scope, names, step.statement)


def _made(
    base: ast.expr,
    last: tuple[str, ...],
    value: ast.expr | None,
    step: Step,
    scope: Scope,
    names: Names,
    node: ast.AST,
    *,
    temporary: bool = False,
) -> Store:
    full = {normal(f"{one}.{word}") for one in names.of(base, scope) for word in last}
    chain = (last[0], *attributes(base))
    return Store(
        node, step, tuple(sorted(full)), root(base), last[0], chain, value, temporary, base
    )


def _called(call: ast.Call, step: Step, scope: Scope, names: Names) -> Iterator[Store]:
    func = call.func
    word = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    dotted = names.of(func, scope)
    is_setter = word in _SETTERS | _ITEM_SETTERS
    if is_setter or not {"setattr", "delattr", "operator.setitem"}.isdisjoint(dotted):
        yield from _by_setter(call, step, scope, names, temporary=_is_lent(func, word))
    elif word in ("patch", "multiple", "object", "dict") and _is_patching(func, dotted):
        yield from _by_patch(word, call, step, scope, names)
    elif word in _DICT_METHODS and isinstance(func, ast.Attribute):
        yield from _by_dict(word, func.value, call, step, scope, names)


def _is_lent(func: ast.expr, word: str) -> bool:
    """Return whether a setter is a monkeypatch's, which takes everything back."""
    if not isinstance(func, ast.Attribute) or word.startswith("__"):
        return False
    return word in ("setattr", "delattr", "setitem", "delitem")


def _is_patching(func: ast.expr, dotted: tuple[str, ...]) -> bool:
    if any(one.startswith("unittest.mock.patch") for one in dotted):
        return True
    return "mocker" in root(func) or "patch" in attributes(func)


def _by_setter(
    call: ast.Call, step: Step, scope: Scope, names: Names, *, temporary: bool
) -> Iterator[Store]:
    args = call.args
    if not args:
        return
    func = call.func
    word = func.attr if isinstance(func, ast.Attribute) else ""
    if word.startswith("__") and len(args) < 3 and isinstance(func, ast.Attribute):
        args = [func.value, *args]  # report.__setattr__("outcome", "passed")
    texts = names.texts(args[0], scope)
    if texts and temporary:
        yield from _by_text(texts, args[1] if len(args) > 1 else None, call, step, True)
    elif len(args) >= 2:
        last = names.texts(args[1], scope) or ("?",)
        value = args[2] if len(args) > 2 else None
        yield _made(args[0], last, value, step, scope, names, call, temporary=temporary)


def _by_text(
    texts: tuple[str, ...], value: ast.expr | None, call: ast.Call, step: Step, lent: bool
) -> Iterator[Store]:
    for text in texts:
        parts = text.split(".")
        name = normal(text)
        yield Store(call, step, (name,), parts[0], parts[-1], tuple(reversed(parts)), value, lent)


def _by_patch(word: str, call: ast.Call, step: Step, scope: Scope, names: Names) -> Iterator[Store]:
    args = call.args
    new = next((one.value for one in call.keywords if one.arg == "new"), None)
    if word == "patch" and args:
        value = args[1] if len(args) > 1 else new or call
        yield from _by_text(names.texts(args[0], scope), value, call, step, True)
    elif word == "object" and len(args) > 1:
        last = names.texts(args[1], scope) or ("?",)
        value = args[2] if len(args) > 2 else new or call
        yield _made(args[0], last, value, step, scope, names, call, temporary=True)
    elif word == "multiple" and args:
        for one in call.keywords:
            if one.arg:
                texts = names.texts(args[0], scope)
                if texts:
                    dotted = tuple(f"{text}.{one.arg}" for text in texts)
                    yield from _by_text(dotted, one.value, call, step, True)
                else:
                    yield _made(
                        args[0], (one.arg,), one.value, step, scope, names, call, temporary=True
                    )
    elif word == "dict" and args:
        texts = names.texts(args[0], scope)
        for key, value in _items(call.args[1:], call.keywords, scope, names):
            if texts:
                dotted = tuple(f"{text}.{key}" for text in texts)
                yield from _by_text(dotted, value, call, step, True)
            else:
                yield _made(args[0], (key,), value, step, scope, names, call, temporary=True)


def _items(
    args: list[ast.expr], keywords: list[ast.keyword], scope: Scope, names: Names
) -> Iterator[tuple[str, ast.expr]]:
    for given in args[:1]:
        origin = names.evaluator.origin(given, scope).expression
        if isinstance(origin, ast.Dict):
            for key, held in zip(origin.keys, origin.values, strict=True):
                yield from ((text, held) for text in names.texts(key, scope))
    yield from ((one.arg, one.value) for one in keywords if one.arg)


def _by_dict(
    word: str, base: ast.expr, call: ast.Call, step: Step, scope: Scope, names: Names
) -> Iterator[Store]:
    """Yield what ``vars(report).update(outcome="passed")`` and its kin do."""
    if word == "update":
        for key, held in _items(call.args, call.keywords, scope, names):
            yield _made(base, (key,), held, step, scope, names, call)
    elif call.args:
        last = names.texts(call.args[0], scope)
        is_given = word == "setdefault" and len(call.args) > 1
        value = call.args[1] if is_given else None
        if last and (word == "pop" or value is not None):
            yield _made(base, last, value, step, scope, names, call)
