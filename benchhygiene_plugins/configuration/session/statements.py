"""What each kind of statement does in a machine."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from benchhygiene.inventory.values import Opaque, Unknown, unpacked
from benchhygiene_plugins.configuration.session import methods
from benchhygiene_plugins.configuration.session.endings import Exhausted, Raised, Returned
from benchhygiene_plugins.configuration.session.expressions import index_of
from benchhygiene_plugins.configuration.session.machine import Machine
from benchhygiene_plugins.configuration.session.things import UNKNOWN, Frame, Routine

_MOST_ROUNDS = 10_000
_MOST_ITEMS = 200_000


class _Broken(Exception):
    """``break`` on its way to its loop."""


class _Continued(Exception):
    """``continue`` on its way to its loop."""


Step: TypeAlias = Callable[[Machine, ast.stmt, Frame], None]


def execute(machine: Machine, body: Sequence[ast.stmt], frame: Frame) -> None:
    """Run statements. Raises Returned, Raised and Exhausted."""
    for statement in body:
        machine.budget.steps -= 1
        if machine.budget.steps < 0:
            raise Exhausted
        step = _STEPS.get(type(statement))
        if step is None:
            continue
        try:
            step(machine, statement, frame)
        except (Unknown, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            continue  # nobody can tell what it does; what follows is looked at all the same


def _expression(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    machine.value(cast("ast.Expr", statement).value, frame)


def _assign(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.Assign", statement)
    value = machine.value(node.value, frame)
    for target in node.targets:
        assign(machine, target, value, frame)


def _annotated(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.AnnAssign", statement)
    if node.value is not None:
        assign(machine, node.target, machine.value(node.value, frame), frame)


def assign(machine: Machine, target: ast.expr, value: object, frame: Frame) -> None:
    """Give a target a value. Raises Unknown."""
    if isinstance(target, ast.Name):
        frame.bind(target.id, value)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(machine, target, value, frame)
    elif isinstance(target, ast.Attribute):
        base = machine.value(target.value, frame)
        store = getattr(base, "store", None)
        if store is not None:
            store(target.attr, value)
    elif isinstance(target, ast.Subscript):
        _store(machine, target, value, frame)


def _unpack(machine: Machine, target: ast.Tuple | ast.List, value: object, frame: Frame) -> None:
    try:
        for name, part in unpacked(target, value):
            frame.bind(name, part)
    except Unknown:
        for one in target.elts:
            inner = one.value if isinstance(one, ast.Starred) else one
            assign(machine, inner, UNKNOWN, frame)


def _store(machine: Machine, target: ast.Subscript, value: object, frame: Frame) -> None:
    base = machine.value(target.value, frame)
    index = index_of(machine.evaluator(frame), target.slice)
    if base is machine.items and isinstance(value, Opaque):
        machine.doubts[machine.cause] = None  # they are replaced by nobody knows what
        return
    methods.store_item(base, index, value, machine.elements)


def _augmented(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.AugAssign", statement)
    base = machine.value(node.target, frame)
    more = machine.value(node.value, frame)
    if isinstance(base, list):
        listed = cast("list[object]", base)
        if isinstance(node.op, ast.Add):
            listed.extend(machine.elements(more))
        elif isinstance(node.op, ast.Mult) and more == 0:
            listed.clear()
        return
    operand = ast.BinOp(node.target, node.op, node.value)
    value = machine.value(ast.copy_location(operand, node), frame)
    assign(machine, node.target, value, frame)


def _delete(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    for target in cast("ast.Delete", statement).targets:
        if isinstance(target, ast.Subscript):
            base = machine.value(target.value, frame)
            index = index_of(machine.evaluator(frame), target.slice)
            if isinstance(base, list):
                del cast("list[object]", base)[cast("int", index)]
            elif isinstance(base, dict):
                cast("dict[object, object]", base).pop(index, None)
        elif isinstance(target, ast.Name):
            frame.names.pop(target.id, None)


def _if(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.If", statement)
    execute(machine, node.body if machine.holds(node.test, frame) else node.orelse, frame)


def _for(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.For", statement)
    value = machine.value(node.iter, frame)
    items = (
        _live(cast("object", value)) if isinstance(value, list) else _known_elements(machine, value)
    )
    for item in itertools.islice(items, _MOST_ITEMS):
        machine.budget.steps -= 1
        if machine.budget.steps < 0:
            raise Exhausted
        assign(machine, node.target, item, frame)
        try:
            execute(machine, node.body, frame)
        except _Broken:
            return
        except _Continued:
            continue
    execute(machine, node.orelse, frame)


def _live(value: object) -> Iterable[object]:
    """Yield a list's elements as a loop does that may change it while it runs."""
    listed = cast("list[object]", value)
    index = 0
    while index < len(listed):
        yield listed[index]
        index += 1


def _known_elements(machine: Machine, value: object) -> Iterable[object]:
    try:
        return machine.elements(value)
    except Unknown:
        return (UNKNOWN,)


def _while(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.While", statement)
    for _ in range(_MOST_ROUNDS):
        taken = len(machine.decisions.taken)
        if not machine.holds(node.test, frame):
            break
        try:
            execute(machine, node.body, frame)
        except _Broken:
            return
        except _Continued:
            pass
        if len(machine.decisions.taken) > taken:
            break  # what was decided once stays so: one round shows what it does
    execute(machine, node.orelse, frame)


def _with(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.With", statement)
    for item in node.items:
        value = machine.value(item.context_expr, frame)
        if item.optional_vars is not None:
            assign(machine, item.optional_vars, value, frame)
    execute(machine, node.body, frame)


def _try(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.Try", statement)
    try:
        try:
            execute(machine, node.body, frame)
        except Raised:
            if not node.handlers:
                raise
            execute(machine, node.handlers[0].body, frame)
        else:
            execute(machine, node.orelse, frame)
    finally:
        execute(machine, node.finalbody, frame)


def _return(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.Return", statement)
    raise Returned(None if node.value is None else machine.value(node.value, frame))


def _raise(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    raise Raised


def _break(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    raise _Broken


def _continue(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    raise _Continued


def _function(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.FunctionDef", statement)
    frame.bind(node.name, _decorated(machine, Routine(node, frame), frame))


def _decorated(machine: Machine, routine: Routine, frame: Frame) -> Routine:
    """Return what the tree's own decorators make of a function, where that is known.

    One that takes any arguments hands them on: pluggy gives it what the function asks for.
    """
    found = routine
    for decorator in reversed(getattr(routine.node, "decorator_list", ())):
        function = machine.value(decorator, frame)
        if isinstance(function, Routine):
            with contextlib.suppress(Unknown):
                made = machine.run(function, (found,), {})
                if isinstance(made, Routine) and made.node.args.vararg is None:
                    found = made
    return found


def _class(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.ClassDef", statement)
    frame.bind(node.name, machine.kind(node, frame))


def _declared(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    names = cast("ast.Global | ast.Nonlocal", statement).names
    frame.declared |= frozenset(names)


def _match(machine: Machine, statement: ast.stmt, frame: Frame) -> None:
    node = cast("ast.Match", statement)
    subject = machine.value(node.subject, frame)
    for case in node.cases:
        if _matches(machine, case, node.subject, subject, frame):
            execute(machine, case.body, frame)
            return


def _matches(
    machine: Machine, case: ast.match_case, asked: ast.expr, subject: object, frame: Frame
) -> bool:
    pattern = case.pattern
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        if pattern.name is not None:
            frame.bind(pattern.name, subject)
        return case.guard is None or machine.holds(case.guard, frame)
    if isinstance(pattern, ast.MatchValue) and not isinstance(subject, Opaque):
        fits = machine.value(pattern.value, frame) == subject
        return fits and (case.guard is None or machine.holds(case.guard, frame))
    return machine.decisions.take(f"match {ast.unparse(pattern)[:80]}")


_STEPS: Mapping[type[ast.stmt], Step] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _declared,
    ast.Nonlocal: _declared,
    ast.Match: _match,
}
