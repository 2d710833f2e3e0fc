"""Hold the parameter sets of a test before against those after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.parameters import Axis, Parameters, Row


@attrs.frozen(eq=False)
class Difference:
    """What became of one axis: the rows it lost and gained, or that it cannot be told.

    ``is_shrunk`` says that fewer different sets run, ``reason`` is the doubt where there is one.
    """

    old: Axis | None
    new: Axis | None
    lost: tuple[Row, ...] = ()
    gained: tuple[Row, ...] = ()
    is_shrunk: bool = False
    reason: str | None = None


def differences(
    old: Parameters, new: Parameters, loops: Sequence[Axis] = ()
) -> Iterator[Difference]:
    """Yield what changed in each axis; ``loops`` are rows the test now goes through itself."""
    pairs = list(_paired(old.axes, new.axes))
    missing = [one for one, other in pairs if one is not None and other is None]
    added = [other for one, other in pairs if one is None and other is not None]
    if missing and added and _covers(missing, added):
        yield Difference(missing[0], added[0], gained=added[0].rows or ())
        missing, added = [], []
    for one, other in pairs:
        if one is not None and other is not None:
            yield from compared(one, other)
    for axis in missing:
        if not any(_holds_all(axis, loop) for loop in loops):
            yield from _removed(axis)
    for axis in added:
        yield Difference(None, axis, gained=axis.rows or ())


def _paired(old: Sequence[Axis], new: Sequence[Axis]) -> Iterator[tuple[Axis | None, Axis | None]]:
    """Pair axes by the names of their arguments, then by how many they are."""
    left = list(new)
    unmatched: list[Axis] = []
    for axis in old:
        same = next((one for one in left if {*one.names} == {*axis.names}), None)
        if same is None:
            unmatched.append(axis)
        else:
            left.remove(same)
            yield axis, same
    for axis in unmatched:
        same = next((one for one in left if len(one.names) == len(axis.names)), None)
        if same is not None:
            left.remove(same)
        yield axis, same
    for axis in left:
        yield None, axis


def _removed(axis: Axis) -> Iterator[Difference]:
    if axis.rows is None:
        yield Difference(axis, None, reason="its parameters are gone, and were not known before")
    elif len(axis.rows) > 1:
        yield Difference(axis, None, lost=axis.rows[1:], is_shrunk=True)


def _holds_all(axis: Axis, loop: Axis) -> bool:
    if axis.rows is None or loop.rows is None:
        return axis.trace != "" and axis.trace == loop.trace
    return {row.cells for row in axis.rows} <= {row.cells for row in loop.rows}


def _covers(missing: Sequence[Axis], added: Sequence[Axis]) -> bool:
    """Return whether stacked axes were merged, or one was split, without losing a combination."""
    old, new = _product(missing), _product(added)
    return bool(old) and old <= new


def _product(axes: Sequence[Axis]) -> set[frozenset[tuple[str, str]]]:
    made: set[frozenset[tuple[str, str]]] = {frozenset()}
    for axis in axes:
        rows = [frozenset(zip(axis.names, row.cells, strict=False)) for row in axis.rows or ()]
        if len(made) * len(rows) > 10_000:
            return set()
        made = {one | row for one in made for row in rows}
    return made


def compared(old: Axis, new: Axis) -> Iterator[Difference]:
    """Yield what changed between two axes that fill the same arguments."""
    if old.rows is None or new.rows is None:
        yield from _of_unknown(old, new)
        return
    before = {row.cells: row for row in old.rows}
    after = {_ordered(row.cells, old, new): row for row in new.rows}
    lost = tuple(row for cells, row in before.items() if cells not in after)
    gained = tuple(row for cells, row in after.items() if cells not in before)
    if lost and len(after) < len(before):
        yield Difference(old, new, lost, gained, is_shrunk=True)
    elif lost:
        gone = tuple(row for row in lost if row.is_known and not _has_successor(row, gained))
        yield Difference(old, new, gone or lost, gained, is_shrunk=bool(gone))
    elif gained:
        yield Difference(old, new, gained=gained)


def _ordered(cells: tuple[str, ...], old: Axis, new: Axis) -> tuple[str, ...]:
    if old.names == new.names or {*old.names} != {*new.names} or len(cells) != len(new.names):
        return cells
    return tuple(cells[new.names.index(name)] for name in old.names)


def _has_successor(row: Row, gained: Sequence[Row]) -> bool:
    """Return whether a new row may be this one with some of its values changed."""
    return any(
        not other.is_known or any(a == b for a, b in zip(row.cells, other.cells, strict=False))
        for other in gained
    )


def _of_unknown(old: Axis, new: Axis) -> Iterator[Difference]:
    if old.rows is None and new.rows is None and old.trace == new.trace:
        return
    if new.rows is None and new.narrowings > old.narrowings:
        yield Difference(old, new, is_shrunk=True)
        return
    if new.rows == ():
        yield Difference(old, new, is_shrunk=True)
        return
    yield Difference(old, new, reason="not known which parameter sets it has")
