"""Assignments, deletions and calls that bind or unbind names, ``globals()`` and ``setattr`` too."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

import attrs

from benchhygiene.inventory.bindings import (
    Binding,
    Changed,
    Class,
    Doubt,
    Function,
    Gone,
    Imported,
    Loss,
    Scope,
    Value,
)
from benchhygiene.inventory.frames import Frame
from benchhygiene.inventory.holders import namespace_of, object_of
from benchhygiene.inventory.values import Unknown
from benchhygiene.inventory.walk import Walk, targets

_MUTATORS = frozenset(
    ("add", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "update")
)
_MODULES = ("sys.modules", "sys.modules.__getitem__", "sys.modules.get")


def assign(
    walk: Walk, frame: Frame, target: ast.expr, value: ast.expr | None, statement: ast.stmt
) -> None:
    """Bind what a target names to an expression's value, None where it is not known."""
    if isinstance(target, ast.Name):
        bind(walk, frame, target.id, bound(walk, frame, target.id, value, statement.lineno))
    elif isinstance(target, ast.Tuple | ast.List):
        _assign_parts(walk, frame, target, value, statement)
    elif isinstance(target, ast.Subscript):
        _assign_item(walk, frame, target, value, statement)
    elif isinstance(target, ast.Attribute):
        _assign_attribute(walk, frame, target, value, statement)


def assign_to(walk: Walk, frame: Frame, name: str, statement: ast.stmt) -> None:
    """Note that a statement changes the value of a name in place."""
    old = frame.find(name)
    if isinstance(old, Value | Changed) and frame.conditions == old.conditions:
        changed = Changed(
            line=statement.lineno,
            conditions=frame.conditions,
            previous=old,
            statement=statement,
            variables=frame.variables,
        )
        bind(walk, frame, name, changed)
    elif isinstance(old, Value | Changed):
        bind(walk, frame, name, Value(line=statement.lineno, expression=None))


def bind(walk: Walk, frame: Frame, name: str, binding: Binding) -> None:
    """Bind a plain name, in the module where it was declared global."""
    if frame.is_call and name in frame.global_names:
        walk.module.bind(name, binding, Loss.REWRITTEN)
    else:
        frame.bind(name, binding)


def bound(walk: Walk, frame: Frame, name: str, value: ast.expr | None, line: int) -> Binding:
    """Return what a name stands for after it is assigned an expression."""
    meant = _meant(walk, frame, value)
    if meant is not None:
        return attrs.evolve(meant, line=line, conditions=frame.conditions)
    previous = frame.own(name)
    return Value(
        line=line,
        conditions=frame.conditions,
        expression=value,
        previous=previous if isinstance(previous, Value | Changed | Imported) else None,
        variables=frame.variables,
    )


def _meant(walk: Walk, frame: Frame, value: ast.expr | None) -> Function | Class | None:
    """Return the definition that an expression stands for, wrapped by what it is called with."""
    if isinstance(value, ast.Lambda):
        return Function(line=value.lineno, definition=named_lambda(value))
    if isinstance(value, ast.Name):
        found = frame.find(value.id)
        return found if isinstance(found, Function | Class) else None
    if isinstance(value, ast.Attribute):
        return _attribute(frame, value)
    if isinstance(value, ast.Call) and value.args:
        inner = _meant(walk, frame, value.args[0])
        if inner is not None:
            return attrs.evolve(inner, wrappers=(*inner.wrappers, value.func))
    return None


def _attribute(frame: Frame, value: ast.Attribute) -> Function | Class | None:
    holder = frame.find(value.value.id) if isinstance(value.value, ast.Name) else None
    if not isinstance(holder, Class):
        return None
    found = holder.scope.names.get(value.attr)
    return found if isinstance(found, Function | Class) else None


def named_lambda(node: ast.Lambda) -> ast.FunctionDef:
    """Return the function definition that a lambda is short for."""
    body = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.FunctionDef("<lambda>", node.args, [body], [], None, None)
    return ast.copy_location(made, node)


def _assign_parts(
    walk: Walk,
    frame: Frame,
    target: ast.Tuple | ast.List,
    value: ast.expr | None,
    statement: ast.stmt,
) -> None:
    same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
    if same and not any(isinstance(one, ast.Starred) for one in target.elts):
        for part, given in zip(target.elts, cast("ast.Tuple", value).elts, strict=True):
            assign(walk, frame, part, given, statement)
        return
    for name in targets(target):
        bind(walk, frame, name, bound(walk, frame, name, None, statement.lineno))


def _assign_item(
    walk: Walk, frame: Frame, target: ast.Subscript, value: ast.expr | None, statement: ast.stmt
) -> None:
    if isinstance(target.value, ast.Name):
        assign_to(walk, frame, target.value.id, statement)
        return
    holder = namespace_of(walk, frame, target.value)
    if holder is not None:
        _write(walk, frame, holder, target.slice, value, statement.lineno)


def _assign_attribute(
    walk: Walk, frame: Frame, target: ast.Attribute, value: ast.expr | None, statement: ast.stmt
) -> None:
    name = target.value.id if isinstance(target.value, ast.Name) else ""
    found = frame.find(name) if name else None
    if isinstance(found, Function) and target.attr == "__test__" and value is not None:
        bind(walk, frame, name, _flagged(walk, frame, found, value))
        return
    holder = object_of(walk, frame, target.value)
    if holder is not None:
        written = bound(walk, frame, target.attr, value, statement.lineno)
        _put(holder, target.attr, written, Loss.REBOUND)


def _flagged(walk: Walk, frame: Frame, found: Function, value: ast.expr) -> Function:
    return attrs.evolve(found, is_test=walk.evaluator(frame).truth(value))


def _write(
    walk: Walk,
    frame: Frame,
    holder: Frame | Scope,
    key: ast.expr,
    value: ast.expr | None,
    line: int,
) -> None:
    """Bind the name that an expression gives; a Doubt where it is not known which."""
    try:
        name = walk.evaluator(frame).value(key)
    except Unknown:
        name = None
    if isinstance(name, str):
        _put(holder, name, bound(walk, frame, name, value, line), Loss.REWRITTEN)
        return
    scope = holder if isinstance(holder, Scope) else holder.scope
    hides = value is None or _is_idle(_meant(walk, frame, value))
    reason = f"line {line} writes a name that is not known"
    scope.doubts.append(Doubt(line, reason, _pattern(key), hides=hides))


def _is_idle(meant: Function | Class | None) -> bool:
    """Return whether a function checks nothing: all its body does is return or pass."""
    if not isinstance(meant, Function):
        return False
    return all(
        isinstance(one, ast.Pass)
        or (isinstance(one, ast.Expr | ast.Return) and isinstance(one.value, ast.Constant | None))
        for one in meant.definition.body
    )


def _pattern(key: ast.expr) -> tuple[str, str]:
    """Return how a name that an f-string or a sum makes begins and ends."""
    if isinstance(key, ast.JoinedStr) and key.values:
        return _fixed(key.values[0]), _fixed(key.values[-1])
    if isinstance(key, ast.BinOp) and isinstance(key.op, ast.Add):
        return _fixed(key.left), _fixed(key.right)
    if isinstance(key, ast.BinOp) and isinstance(key.op, ast.Mod):
        return _fixed(key.left).partition("%")[0], ""
    return "", ""


def _fixed(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _put(holder: Frame | Scope, name: str, binding: Binding, reason: Loss) -> None:
    if isinstance(holder, Scope):
        Frame(holder, holder.names).bind(name, binding, reason)
    else:
        holder.bind(name, binding, reason)


def delete(walk: Walk, frame: Frame, target: ast.expr, line: int) -> None:
    """Unbind what a ``del`` statement names."""
    gone = Gone(line=line, conditions=frame.conditions)
    if isinstance(target, ast.Name):
        bind(walk, frame, target.id, gone)
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            delete(walk, frame, one, line)
    elif isinstance(target, ast.Attribute):
        holder = object_of(walk, frame, target.value)
        if holder is not None:
            _put(holder, target.attr, gone, Loss.DELETED)
    elif isinstance(target, ast.Subscript):
        _remove(walk, frame, namespace_of(walk, frame, target.value), target.slice, line)


def _remove(
    walk: Walk, frame: Frame, holder: Frame | Scope | None, key: ast.expr, line: int
) -> None:
    if holder is None:
        return
    try:
        name = walk.evaluator(frame).value(key)
    except Unknown:
        name = None
    if isinstance(name, str):
        _put(holder, name, Gone(line=line, conditions=frame.conditions), Loss.DELETED)
        return
    scope = holder if isinstance(holder, Scope) else holder.scope
    reason = f"line {line} deletes a name that is not known"
    scope.doubts.append(Doubt(line, reason, _pattern(key), hides=True))


def call(walk: Walk, frame: Frame, statement: ast.stmt, node: ast.Call) -> None:
    """Follow a call that stands alone, as far as it changes names."""
    name = walk.resolved(node.func, frame)
    if name in ("setattr", "delattr") and len(node.args) >= 2:
        _set_attribute(walk, frame, name, node, statement.lineno)
    elif name in ("exec", "eval") and node.args:
        reason = f"line {statement.lineno} runs text as code"
        frame.scope.doubts.append(Doubt(statement.lineno, reason))
    elif isinstance(node.func, ast.Attribute):
        _call_method(walk, frame, statement, node, node.func)
    elif isinstance(node.func, ast.Name):
        found = frame.find(node.func.id)
        if isinstance(found, Function):
            walk.call(found, node, frame)


def _set_attribute(walk: Walk, frame: Frame, name: str, node: ast.Call, line: int) -> None:
    holder = object_of(walk, frame, node.args[0])
    if holder is None:
        _set_flag(walk, frame, node)
    elif name == "delattr":
        _remove(walk, frame, holder, node.args[1], line)
    elif len(node.args) == 3:
        _write(walk, frame, holder, node.args[1], node.args[2], line)


def _set_flag(walk: Walk, frame: Frame, node: ast.Call) -> None:
    on, attribute = node.args[0], node.args[1]
    found = frame.find(on.id) if isinstance(on, ast.Name) else None
    if isinstance(found, Function) and _fixed(attribute) == "__test__" and len(node.args) == 3:
        bind(walk, frame, cast("ast.Name", on).id, _flagged(walk, frame, found, node.args[2]))


def _call_method(
    walk: Walk, frame: Frame, statement: ast.stmt, node: ast.Call, method: ast.Attribute
) -> None:
    holder = namespace_of(walk, frame, method.value)
    if holder is None:
        if isinstance(method.value, ast.Name) and method.attr in _MUTATORS:
            assign_to(walk, frame, method.value.id, statement)
        return
    line = statement.lineno
    if method.attr in ("pop", "__delitem__") and node.args:
        _remove(walk, frame, holder, node.args[0], line)
    elif method.attr in ("__setitem__", "setdefault") and len(node.args) == 2:
        _write(walk, frame, holder, node.args[0], node.args[1], line)
    elif method.attr == "update":
        _update(walk, frame, holder, node, line)
    elif method.attr == "clear":
        _remove(walk, frame, holder, method.value, line)


def _update(walk: Walk, frame: Frame, holder: Frame | Scope, node: ast.Call, line: int) -> None:
    for word in node.keywords:
        if word.arg is not None:
            key = ast.copy_location(ast.Constant(word.arg), node)
            _write(walk, frame, holder, key, word.value, line)
    for argument in node.args:
        if isinstance(argument, ast.Dict):
            for name, value in zip(argument.keys, argument.values, strict=True):
                _write(walk, frame, holder, name if name is not None else value, value, line)
            continue
        for written in _written_names(walk, frame, argument):
            _put(holder, written, Value(line=line, expression=None), Loss.REWRITTEN)


def _written_names(walk: Walk, frame: Frame, argument: ast.expr) -> list[str]:
    try:
        found = walk.evaluator(frame).value(argument)
    except Unknown:
        found = None
    if isinstance(found, dict):
        names = cast("Mapping[object, object]", found)
        return [name for name in names if isinstance(name, str)]
    frame.scope.doubts.append(
        Doubt(argument.lineno, f"line {argument.lineno} writes names that are not known")
    )
    return []
