"""The parameter sets of a test: how many, what they hold, and the ids pytest gives them.

Rules: ``IdMaker`` and ``Metafunc.parametrize`` in ``_pytest/python.py``.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.comparisons import holds_unknown
from benchhygiene.inventory.values import Evaluator, Opaque, ParameterSet, Unknown, key

#: More ids than these are not written out.
MOST_IDS = 10_000
_LONGEST_ID = 100
_EXPANDERS = frozenset(
    (
        "parameterized.parameterized.expand",
        "parameterized.parameterized",
        "parameterized.parameterized.parameterized.expand",
        "ddt.data",
    )
)
_ESCAPES = {code: f"\\x{code:02x}" for code in range(128) if code not in range(32, 127)}


@attrs.frozen
class Row:
    """One parameter set: a text per argument that equal values share, and its id.

    ``id`` is None where it is not known. ``is_known`` says that every value was worked out.
    """

    cells: tuple[str, ...]
    id: str | None = None
    is_known: bool = True


@attrs.frozen(eq=False)
class Axis:
    """One ``parametrize``: the arguments it fills, and its rows, None where they are not known.

    ``expression`` gives the rows, ``path`` and ``line`` say where it stands. ``kind`` is
    ``parametrize``, ``fixture``, ``expand``, which makes ids that are not pytest's, or ``subtest``
    for a loop. Where the rows are not known, ``trace`` is a hash of all that makes them up, and
    ``narrowings`` counts what in it leaves elements out.
    """

    names: tuple[str, ...]
    rows: tuple[Row, ...] | None
    expression: ast.expr | None
    path: str
    line: int
    kind: str = "parametrize"
    trace: str = ""
    narrowings: int = 0

    @property
    def is_empty(self) -> bool:
        """Return whether there are no rows: pytest then skips the test."""
        return self.rows == ()


@attrs.frozen(eq=False)
class Parameters:
    """All that parametrizes one test, in the order of its id."""

    axes: tuple[Axis, ...] = ()

    @property
    def count(self) -> int | None:
        """Return how many tests it makes: 0 without parametrization, None where not known."""
        if not self.axes:
            return 0
        if any(axis.rows is None for axis in self.axes):
            return None
        return math.prod(len(axis.rows or ()) or 1 for axis in self.axes)

    @property
    def ids(self) -> tuple[str, ...] | None:
        """Return the texts in the brackets, None where not all of them are known."""
        count = self.count
        if count is None or count > MOST_IDS:
            return None
        made: list[str] = []
        for axis in self.axes:
            own = _axis_ids(axis)
            if own is None:
                return None
            made = [f"{one}-{two}" for one in made for two in own] if made else list(own)
        return tuple(made)


def _axis_ids(axis: Axis) -> Sequence[str] | None:
    if axis.kind == "expand" or not axis.rows:
        return None  # of no rows pytest makes one to skip, under an id of its version
    ids = [row.id for row in axis.rows]
    known = [one for one in ids if one is not None]
    return _unique(known) if len(known) == len(ids) else None


def _unique(ids: list[str]) -> list[str] | None:
    """Tell equal ids apart as pytest does; None where its versions do not agree how."""
    counts = Counter(ids)
    taken: Counter[str] = Counter()
    made: list[str] = []
    for one in ids:
        if counts[one] == 1:
            made.append(one)
            continue
        if one[-1:].isdigit():
            return None
        made.append(f"{one}{taken[one]}")
        taken[one] += 1
    return made if len(set(made)) == len(made) else None


def axis_of(call: ast.Call, name: str, evaluator: Evaluator, path: str) -> Axis | None:
    """Return what a ``parametrize`` call does, None where it is no such call.

    ``name`` is the dotted name of what is called.
    """
    if name in _EXPANDERS:
        return _expanded(call, evaluator, path)
    if name != "pytest.mark.parametrize":
        return None
    words = {word.arg: word.value for word in call.keywords}
    given = [*call.args, None, None]
    names_node, rows_node = words.get("argnames", given[0]), words.get("argvalues", given[1])
    if names_node is None or rows_node is None or None in words or _is_starred(call.args[:2]):
        return Axis(("?",), None, rows_node, path, call.lineno)
    names, single = _names(names_node, evaluator)
    ids = _Ids.of(words.get("ids"), evaluator)
    rows = _rows(rows_node, names, single, ids, evaluator)
    return Axis(names, rows, rows_node, path, call.lineno)


def _is_starred(nodes: Sequence[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def fixture_axis(name: str, call: ast.Call, evaluator: Evaluator, path: str) -> Axis | None:
    """Return what a parametrized fixture does to the tests that use it, None without params."""
    words = {word.arg: word.value for word in call.keywords}
    params = words.get("params")
    if params is None or (isinstance(params, ast.Constant) and params.value is None):
        return None
    ids = _Ids.of(words.get("ids"), evaluator)
    rows = _rows(params, (name,), True, ids, evaluator)
    return Axis((name,), rows, params, path, call.lineno, "fixture")


def _expanded(call: ast.Call, evaluator: Evaluator, path: str) -> Axis:
    rows: tuple[Row, ...] | None = None
    node = call.args[0] if call.args else None
    try:
        if len(call.args) == 1 and node is not None and not isinstance(node, ast.Starred):
            found = evaluator.elements(evaluator.value(node))
        else:
            found = [evaluator.value_or_opaque(one) for one in call.args]
        rows = tuple(Row((key(one),), None, not holds_unknown(one)) for one in found)
    except (Unknown, RecursionError):
        rows = None
    return Axis(("?",), rows, node, path, call.lineno, "expand")


def _names(node: ast.expr, evaluator: Evaluator) -> tuple[tuple[str, ...], bool]:
    """Return the argument names, and whether the values stand for one argument unwrapped."""
    try:
        found = evaluator.value(node)
    except Unknown:
        return ("?",), True
    if isinstance(found, str):
        names = tuple(part.strip() for part in found.split(",") if part.strip())
        return names, len(names) == 1 and not found.rstrip().endswith(",")
    if isinstance(found, list | tuple):
        return tuple(str(one) for one in cast("Sequence[object]", found)), False
    return ("?",), True


@attrs.frozen(eq=False)
class _Ids:
    """What ``ids=`` says: nothing, a list, a function known here, or nobody can tell."""

    listed: Sequence[object] = ()
    function: Callable[[object], str | None] | None = None
    known: bool = True

    @classmethod
    def of(cls, node: ast.expr | None, evaluator: Evaluator) -> _Ids:
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return cls()
        if isinstance(node, ast.Name) and node.id in ("str", "repr"):
            return cls(function=_text_of if node.id == "str" else _repr_of)
        if isinstance(node, ast.Lambda):
            return cls(function=_applied(node, evaluator))
        try:
            found = evaluator.value(node)
            return cls(evaluator.elements(found))
        except Unknown:
            return cls(known=False)


def _text_of(value: object) -> str | None:
    return None if isinstance(value, Opaque) else str(value)


def _repr_of(value: object) -> str | None:
    return None if isinstance(value, Opaque) else repr(value)


def _applied(node: ast.Lambda, evaluator: Evaluator) -> Callable[[object], str | None]:
    arguments = node.args.args

    def apply(value: object) -> str | None:
        if len(arguments) != 1 or isinstance(value, Opaque):
            return None
        try:
            found = evaluator.binding({arguments[0].arg: value}).value(node.body)
        except Unknown:
            return None
        return found if isinstance(found, str) else None

    return apply


def _rows(
    node: ast.expr, names: tuple[str, ...], single: bool, ids: _Ids, evaluator: Evaluator
) -> tuple[Row, ...] | None:
    try:
        found = evaluator.elements(evaluator.value(node))
        return tuple(_row(index, value, names, single, ids) for index, value in enumerate(found))
    except (Unknown, RecursionError):
        return None


def _row(index: int, value: object, names: tuple[str, ...], single: bool, ids: _Ids) -> Row:
    values: Sequence[object]
    given: object = None
    if isinstance(value, ParameterSet):
        values, given = value.values, value.id
    elif single:
        values = (value,)
    elif isinstance(value, list | tuple):
        values = cast("Sequence[object]", value)
    else:
        values = [Opaque(f"{key(value)}[{one}]") for one in range(len(names))]
    identity = _id(index, values, names, given, ids)
    return Row(tuple(map(key, values)), identity, not holds_unknown(values))


def _id(
    index: int, values: Sequence[object], names: tuple[str, ...], given: object, ids: _Ids
) -> str | None:
    if given is not None:
        return _escaped(given) if isinstance(given, str) else None
    if not ids.known or "?" in names:
        return None
    if index < len(ids.listed) and ids.listed[index] is not None:
        return _from_value(ids.listed[index])
    parts = [_part(index, value, name, ids) for value, name in zip(values, names, strict=False)]
    known = [part for part in parts if part is not None]
    return "-".join(known) if len(known) == len(parts) else None


def _part(index: int, value: object, name: str, ids: _Ids) -> str | None:
    if ids.function is not None:
        return ids.function(value)
    found = _from_value(value)
    if found is not None or isinstance(value, Opaque):
        return found if found is None or len(found) <= _LONGEST_ID else None
    return f"{name}{index}"


def _from_value(value: object) -> str | None:
    if isinstance(value, str | bytes):
        return _escaped(value)
    if value is None or isinstance(value, bool | int | float | complex):
        return str(value)
    return value.name if isinstance(value, Opaque) else None


def _escaped(value: str | bytes) -> str:
    if isinstance(value, bytes):
        text = value.decode("ascii", "backslashreplace")
    else:
        text = value.encode("unicode_escape").decode("ascii")
    return text.translate({**_ESCAPES, 9: "\\t", 10: "\\n", 13: "\\r"})
