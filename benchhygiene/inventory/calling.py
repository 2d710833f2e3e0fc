"""What a call passes, what a function's parameters are bound to, and what it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.meanings import Argument, Delayed, Entry, Frame, Routine, Scope
from benchhygiene.inventory.names import Each, Opaque
from benchhygiene.inventory.python import FunctionNode


def arguments_of(node: FunctionNode | ast.Lambda) -> Iterator[ast.arg]:
    """Yield every parameter of a function, the starred ones last."""
    given = node.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one is not None)


def arguments_in(node: ast.Call, scope: Scope) -> tuple[Argument, ...]:
    """Return what a call passes."""
    positional = (
        Argument("*", Delayed(one.value, scope))
        if isinstance(one, ast.Starred)
        else Argument(None, Delayed(one, scope))
        for one in node.args
    )
    by_name = (Argument(one.arg or "**", Delayed(one.value, scope)) for one in node.keywords)
    return (*positional, *by_name)


def bound_arguments(routine: Routine, arguments: tuple[Argument, ...]) -> dict[str, Delayed]:
    """Return what a function's parameters are bound to: the arguments, else their defaults."""
    given = routine.node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    own = set(first_parameter(routine)) if routine.owner is not None else set[str]()
    defaults = dict(zip(reversed(names), reversed(given.defaults), strict=False))
    named_only = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    defaults.update((one.arg, value) for one, value in named_only if value is not None)
    bound = {name: Delayed(value, routine.scope) for name, value in defaults.items()}
    positional = [one.value for one in arguments if one.name is None]
    bound.update(zip((name for name in names if name not in own), positional, strict=False))
    known = {*names, *(one.arg for one in given.kwonlyargs)}
    bound.update((one.name, one.value) for one in arguments if one.name in known and one.name)
    return bound


def first_parameter(routine: Routine) -> tuple[str, ...]:
    """Return the name that a method gives its object or class; nothing for a static one."""
    given = (*routine.node.args.posonlyargs, *routine.node.args.args)[:1]
    decorators = [] if isinstance(routine.node, ast.Lambda) else routine.node.decorator_list
    if any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in decorators):
        return ()
    return tuple(one.arg for one in given)


def returned(node: FunctionNode | ast.Lambda) -> Iterator[ast.expr]:
    """Yield the expressions a function returns; those of functions inside it are theirs."""
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    pending: list[ast.AST] = [*node.body]
    while pending:
        one = pending.pop(0)
        if isinstance(one, ast.Return) and one.value is not None:
            yield one.value
        elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield | ast.YieldFrom):
            yield from _yielded(one.value)
        if not isinstance(one, FunctionNode | ast.ClassDef | ast.expr):
            pending.extend(ast.iter_child_nodes(one))


def _yielded(node: ast.Yield | ast.YieldFrom) -> Iterator[ast.expr]:
    """Yield what a generator gives, as the list it makes."""
    if isinstance(node, ast.YieldFrom):
        yield node.value
    elif node.value is not None:
        yield ast.List([node.value], ast.Load())


def comprehension_frame(generators: list[ast.comprehension]) -> Frame:
    """Return the names that a comprehension binds."""
    names: dict[str, tuple[Entry, ...]] = {}
    for one in generators:
        if isinstance(one.target, ast.Name):
            names[one.target.id] = (Each(one.iter),)
        else:
            found = (node for node in ast.walk(one.target) if isinstance(node, ast.Name))
            names.update((node.id, (Opaque(),)) for node in found)
    return Frame(names)
