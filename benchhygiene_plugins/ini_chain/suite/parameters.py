"""Work out the parameter ids of a test from its ``parametrize`` marks.

Rules: ``IdMaker`` in ``_pytest/python.py``. Ids that depend on the version, on code that runs or on
how duplicates are told apart are not known.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import attrs

from benchhygiene.inventory.spelling import decorator_call
from benchhygiene_plugins.ini_chain.configuration.shapes import items
from benchhygiene_plugins.ini_chain.suite.source import constant, resolved

#: More ids of one test than these are not listed.
_MOST_IDS = 10_000


@attrs.frozen
class Parameters:
    """The parameter sets of one test.

    ``ids`` is empty where there is none and None where the ids are not known. ``names`` are the
    arguments that are filled. ``repeats`` says that two sets would share an id, None where that is
    not known, and ``is_empty`` that a mark has no values.
    """

    ids: tuple[str, ...] | None = ()
    names: frozenset[str] = frozenset()
    repeats: bool | None = False
    is_empty: bool = False


def parameters_of(decorators: Sequence[ast.expr], aliases: Mapping[str, str]) -> Parameters:
    """Return what the ``parametrize`` marks among the decorators amount to."""
    found = Parameters()
    for decorator in reversed(decorators):
        named, call = decorator_call(decorator)
        if call is not None and resolved(named, aliases) == "pytest.mark.parametrize":
            found = _with(found, call)
    if found.ids and len(set(found.ids)) < len(found.ids):
        # How pytest tells equal ids apart differs from version to version.
        return attrs.evolve(found, ids=None, repeats=True)
    return found


def _with(found: Parameters, call: ast.Call) -> Parameters:
    known, argnames = constant(call.args[0]) if call.args else (False, None)
    if not known:
        return Parameters(None, found.names, None)
    split = argnames.split(",") if isinstance(argnames, str) else items(argnames) or ()
    names = found.names | {str(name).strip() for name in split}
    own = _ids(call, len(names) - len(found.names))
    if own == ():
        return Parameters(None, names, found.repeats, is_empty=True)
    combined = None if own is None or found.ids is None else _combined(found.ids, own)
    return Parameters(combined, names, None if combined is None else False, found.is_empty)


def _combined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...] | None:
    if not first:
        return second
    if len(first) * len(second) > _MOST_IDS:
        return None
    return tuple(f"{one}-{two}" for two in second for one in first)


def _ids(call: ast.Call, width: int) -> tuple[str, ...] | None:
    values = items(constant(call.args[1])[1]) if len(call.args) > 1 else None
    if values == []:
        return ()
    given = next((word.value for word in call.keywords if word.arg == "ids"), None)
    if given is not None:
        listed = items(constant(given)[1]) or []
        return _plain(listed) if all(isinstance(item, str) for item in listed) else None
    return _plain(values) if values is not None and width == 1 else None


def _plain(values: Sequence[object]) -> tuple[str, ...] | None:
    """Return the values as ids where pytest would write them down unchanged."""
    if not values or not all(isinstance(value, str | int | float | None) for value in values):
        return None
    texts = tuple(str(value) for value in values)
    plain = all(text and text.isascii() and text.isprintable() for text in texts)
    return texts if plain else None
