"""What each kind of statement does to the names around it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

from benchhygiene.inventory.bindings import Class, Function, Imported, Scope, Value
from benchhygiene.inventory.frames import Frame
from benchhygiene.inventory.python import imported
from benchhygiene.inventory.walk import Branch, Step, Walk
from benchhygiene.inventory.writes import assign, assign_to, call, delete

_SKIPS = ("pytest.skip", "unittest.SkipTest", "unittest.case.SkipTest", "pytest.skip.Exception")


def _function(_: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.FunctionDef", statement)
    bound = Function(line=node.lineno, conditions=frame.conditions, definition=node)
    frame.bind(node.name, bound)
    return False


def _class(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.ClassDef", statement)
    body = Frame(Scope(), enclosing=frame, variables=frame.variables)
    walk.run(node.body, body)
    body.scope.names = body.names
    bound = Class(line=node.lineno, conditions=frame.conditions, definition=node, scope=body.scope)
    frame.bind(node.name, bound)
    return False


def _import(_: Walk, statement: ast.stmt, frame: Frame) -> bool:
    for local, name in imported(statement):
        if local == "*":
            frame.scope.stars.append((name.removesuffix("*").rstrip(".") or ".", statement.lineno))
            continue
        bound = Imported(line=statement.lineno, conditions=frame.conditions, name=name)
        frame.bind(local, bound)
    return False


def _assign(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.Assign", statement)
    for target in node.targets:
        assign(walk, frame, target, node.value, statement)
    return False


def _annotated(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.AnnAssign", statement)
    if node.value is not None:
        assign(walk, frame, node.target, node.value, statement)
    return False


def _augmented(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.AugAssign", statement)
    if isinstance(node.target, ast.Name):
        assign_to(walk, frame, node.target.id, statement)
    return False


def _delete(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    for target in cast("ast.Delete", statement).targets:
        delete(walk, frame, target, statement.lineno)
    return False


def _expression(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    value = cast("ast.Expr", statement).value
    if not isinstance(value, ast.Call):
        return False
    if walk.resolved(value.func, frame) in ("sys.exit", "exit", "quit", "os._exit"):
        return _stop(statement, frame)
    call(walk, frame, statement, value)
    return False


def _stop(statement: ast.stmt, frame: Frame) -> bool:
    if not frame.is_call and frame.outer is None and frame.scope.stops is None:
        frame.scope.stops = statement.lineno
    return True


def _raise(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    raised = cast("ast.Raise", statement).exc
    named = raised.func if isinstance(raised, ast.Call) else raised
    if named is not None and walk.resolved(named, frame) in _SKIPS:
        return False  # a skip: the nodes are still there to be looked at
    return _stop(statement, frame)


def _assert(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    holds = walk.evaluator(frame).truth(cast("ast.Assert", statement).test)
    return holds is False and _stop(statement, frame)


def _end(_: Walk, __: ast.stmt, ___: Frame) -> bool:
    return True


def _global(_: Walk, statement: ast.stmt, frame: Frame) -> bool:
    frame.global_names.update(cast("ast.Global", statement).names)
    return False


def _if(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    branches: list[Branch] = []
    node = cast("ast.If", statement)
    while True:
        branches.append((node.test, node.body))
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node = node.orelse[0]
    if node.orelse:
        branches.append((None, node.orelse))
    return walk.branches(branches, frame)


def _for(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    walk.loop(cast("ast.For", statement), frame)
    return False


def _while(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.While", statement)
    if walk.evaluator(frame).truth(node.test) is False:
        walk.dead(node.body, frame)
    else:
        walk.run(node.body, frame)
    walk.run(node.orelse, frame)
    return False


def _with(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.With", statement)
    for item in node.items:
        if item.optional_vars is not None:
            assign(walk, frame, item.optional_vars, None, statement)
    body = frame.branch(())
    walk.run(node.body, body)
    frame.merge([body], exhaustive=True)
    return False  # it may suppress what its body raises


def _try(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    node = cast("ast.Try", statement)
    body = frame.branch(())
    ended = walk.run(node.body, body)
    if not ended:
        walk.run(node.orelse, body)
    handlers = [frame.branch(()) for _ in node.handlers]
    ends = [walk.run(one.body, own) for one, own in zip(node.handlers, handlers, strict=True)]
    # What the body binds counts; a handler's names only where the body has none of them.
    for own in reversed((body, *handlers)):
        frame.names.update(own.names)
    for name, bound in body.names.items():
        others = (own.names.get(name) for own in handlers)
        if isinstance(bound, Value) and any(isinstance(one, Value) for one in others):
            # Which of two values it is depends on where it runs, as HAVE_SSL = True or False.
            frame.names[name] = Value(line=bound.line, expression=None)
    final = walk.run(node.finalbody, frame)
    return final or (ended and all(ends))


def _match(walk: Walk, statement: ast.stmt, frame: Frame) -> bool:
    cases = cast("ast.Match", statement).cases
    frames = [frame.branch(()) for _ in cases]
    for case, own in zip(cases, frames, strict=True):
        walk.run(case.body, own)
    frame.merge(frames, exhaustive=False)
    return False


STEPS: Mapping[type[ast.stmt], Step] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.Expr: _expression,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Return: _end,
    ast.Break: _end,
    ast.Continue: _end,
    ast.Global: _global,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Match: _match,
}
