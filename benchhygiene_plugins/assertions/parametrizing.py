"""The parameter sets of a node, with what each binds."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from benchhygiene.inventory.collection import Node
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.execution import Run
from benchhygiene_plugins.assertions.expressions import item, read
from benchhygiene_plugins.assertions.terms import Term, constant, term

_Given: TypeAlias = tuple[tuple[str, ...], Term]
_MOST = 20_000
ROWS = 64  # parameter sets of a node that are followed one by one


def parameter_sets(
    run: Run, node: Node, known: frozenset[bytes] | None = None
) -> Iterator[dict[str, Term]]:
    """Yield what each parameter set binds.

    Where there are too many, one set stands for all whose digests are ``known``, and those that are
    not follow one by one. A symbolic set stands for sets the source does not spell out.
    """
    given = tuple(_parametrizations(run, node))
    symbolic = dict(_parameters(given))
    groups = _groups(given)
    if known is None and _product(groups) <= ROWS:
        for combination in itertools.product(*groups):
            yield {**symbolic, **{k: v for row in combination for k, v in row.items()}}
        return
    yield {name: term("parameter", value=str(k)) for k, name in enumerate(symbolic)}
    if known is not None and len(groups) == 1:
        fresh = [row for row in groups[0] if digest(row) not in known]
        yield from ({**symbolic, **row} for row in fresh[:ROWS])


def digests(run: Run, node: Node) -> frozenset[bytes] | None:
    """Return the digests of a node's parameter sets where they are too many to follow."""
    groups = _groups(tuple(_parametrizations(run, node)))
    if _product(groups) <= ROWS:
        return None
    return frozenset(digest(row) for rows in groups for row in rows)


def digest(row: dict[str, Term]) -> bytes:
    """Return what tells one parameter set from another, whatever the parameters are called."""
    return term("row", *row.values()).digest


def _product(groups: list[tuple[dict[str, Term], ...]]) -> int:
    total = 1
    for rows in groups:
        total *= max(1, len(rows))
    return total


def _decorators(node: Node) -> Iterator[ast.Call]:
    holders = [node.definition, *node.classes]
    for holder in holders:
        for decorator in holder.decorator_list:
            if isinstance(decorator, ast.Call):
                yield decorator


def _parameters(given: Iterable[_Given]) -> Iterator[tuple[str, Term]]:
    for names, rows in given:
        for k, name in enumerate(names):
            one = term("element", rows)
            yield name, (one if len(names) == 1 else item(one, constant(k)))


def _parametrizations(run: Run, node: Node) -> Iterator[_Given]:
    for call in _decorators(node):
        if not is_parametrization(run, call):
            continue
        given = {k.arg: k.value for k in call.keywords}
        named = call.args[0] if call.args else given.get("argnames")
        values = call.args[1] if len(call.args) > 1 else given.get("argvalues")
        if named is None or values is None:
            continue
        names = _argument_names(read(named, run))
        if names:
            yield names, run.spelt_members(read(values, run))
    yield from _named(run, node)


def _named(run: Run, node: Node) -> Iterator[_Given]:
    """Yield the parametrizations that a decorator only names."""
    for holder in (node.definition, *node.classes):
        for decorator in holder.decorator_list:
            if not isinstance(decorator, ast.Name | ast.Attribute):
                continue
            made = read(decorator, run)
            positional = [one for one in made.children[1:] if one.kind != "keyword"]
            if made.kind == "call" and len(positional) > 1:
                names = _argument_names(positional[0])
                if names and made.children[0].value.rpartition(".")[2] == "parametrize":
                    yield names, run.spelt_members(positional[1])


def is_parametrization(run: Run, call: ast.Call) -> bool:
    """Return whether a decorator parametrizes."""
    return run.dotted(call.func).rpartition(".")[2] == "parametrize"


def _argument_names(one: Term) -> tuple[str, ...]:
    if isinstance(one.node, str):
        return tuple(part.strip() for part in one.node.split(",") if part.strip())
    return tuple(str(part.node) for part in one.children)


def _groups(given: Iterable[_Given]) -> list[tuple[dict[str, Term], ...]]:
    """Return the sets of each parametrization that spells them out."""
    found = ((names, elements(values, _MOST)) for names, values in given)
    return [
        tuple(_bound(names, _unwrapped(row)) for row in rows)
        for names, rows in found
        if rows is not None
    ]


def _unwrapped(row: Term) -> Term:
    """Return the values in ``pytest.param(...)``."""
    if row.kind != "call" or row.children[0].value.rpartition(".")[2] != "param":
        return row
    values = tuple(one for one in row.children[1:] if one.kind != "keyword")
    return values[0] if len(values) == 1 else term("tuple", *values)


def _bound(names: tuple[str, ...], row: Term) -> dict[str, Term]:
    if len(names) == 1:
        return {names[0]: row}
    return {name: item(row, constant(k)) for k, name in enumerate(names)}
