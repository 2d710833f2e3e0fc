"""What a function does that the parent's did not, told by its syntax alone.

A body does what its steps do, each under its guards, with what the names in it stand for. So steps
that are the same in all of this on both sides do nothing new, wherever they stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.inventory.names import Bound, Each, bindings
from benchhygiene.inventory.python import FunctionNode, PythonFile
from benchhygiene_plugins.skip_markers.steps import Numbers, Step, steps


@attrs.frozen(eq=False)
class Difference:
    """The steps that a body has anew, or whose names stand for something else.

    ``gone`` are the parent's steps that it no longer has, and ``kept`` those that it has.
    """

    steps: tuple[Step, ...]
    gone: tuple[Step, ...]
    kept: tuple[Step, ...]
    names: frozenset[str]
    numbers: Numbers

    def acts(self) -> Iterator[tuple[Step, ast.Call | None]]:
        """Yield what is done that was not done before."""
        done = [(step, *act) for step in self.steps for act in step.acts(self.numbers)]
        for known in (self.gone, self.kept):  # nearly always one of the former was edited
            before = set(self._done_by(known)) if done else set[int]()
            done = [one for one in done if one[1] not in before]
        yield from ((step, call) for step, _, call in done)

    def _done_by(self, several: Iterable[Step]) -> Iterator[int]:
        """Yield what was done by names that stand for the same as they did."""
        for one in several:
            if not self.names or self.names.isdisjoint(one.names()):
                yield from (act for act, _ in one.acts(self.numbers))


def difference(
    was: FunctionNode, now: FunctionNode, before: PythonFile, after: PythonFile
) -> Difference:
    """Return what a body has anew. Raises RecursionError for what is too deeply nested."""
    numbers = Numbers()
    old = {one.number: one for one in steps(was.body, before, numbers)}
    new = {one.number: one for one in steps(now.body, after, numbers)}
    names = _changed(bindings(was.body).names, bindings(now.body).names, before, after)
    fresh = [
        one
        for number, one in new.items()
        if number not in old or (names and not names.isdisjoint(one.names()))
    ]
    gone = tuple(one for number, one in old.items() if number not in new)
    kept = tuple(one for number, one in old.items() if number in new)
    return Difference(tuple(fresh), gone, kept, names, numbers)


def does_no_more(
    was: FunctionNode, now: FunctionNode, before: PythonFile, after: PythonFile
) -> bool:
    """Return whether a body does only what the parent's did, whatever it is called with."""
    try:
        found = difference(was, now, before, after)
        return not found.names and not any(found.acts())
    except RecursionError:
        return False


def has_same_head(
    was: FunctionNode, now: FunctionNode, before: PythonFile, after: PythonFile
) -> bool:
    """Return whether two functions have the same decorators and parameters."""
    if type(was) is not type(now):
        return False
    head = _head(was, before)
    return (head is not None and head == _head(now, after)) or _signature(was) == _signature(now)


def _head(node: FunctionNode, file: PythonFile) -> tuple[bytes, ...] | None:
    """Return the lines above a body, None where the body begins on the last of them."""
    first = node.body[0]
    start = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    if file.lines[first.lineno - 1][: first.col_offset].strip():
        return None
    return file.lines[start - 1 : first.lineno - 1]


def _signature(node: FunctionNode) -> tuple[str, ...]:
    return (ast.dump(node.args), *(ast.dump(one) for one in node.decorator_list))


_Names = Mapping[str, tuple[Bound, ...]]


def _changed(was: _Names, now: _Names, before: PythonFile, after: PythonFile) -> frozenset[str]:
    """Return the local names that may stand for something else than in the parent."""
    changed = {
        name
        for name in was.keys() | now.keys()
        if not _is_same(was.get(name, ()), now.get(name, ()), before, after)
    }
    return _resting_on(changed, was, now) if changed else frozenset()


def _is_same(
    was: tuple[Bound, ...], now: tuple[Bound, ...], before: PythonFile, after: PythonFile
) -> bool:
    """Return whether a name is bound to the same, one binding after the other."""
    return len(was) == len(now) and all(
        one == other or (type(one) is type(other) and _text(one, before) == _text(other, after))
        for one, other in zip(was, now, strict=True)
    )


def _text(bound: Bound, file: PythonFile) -> str:
    node = bound.iterable if isinstance(bound, Each) else bound
    if isinstance(node, FunctionNode | ast.ClassDef):
        return file.definition_text(node)
    return file.segment(node) if isinstance(node, ast.expr) else repr(node)


def _resting_on(names: set[str], *bound: _Names) -> frozenset[str]:
    """Return the names, and those that are bound to something in which one of them stands."""
    mentions: dict[str, set[str]] = {}
    for name, entries in (pair for each in bound for pair in each.items()):
        for word in (word for one in entries for word in _mentioned(one)):
            mentions.setdefault(word, set()).add(name)
    found, pending = set(names), [*names]
    while pending:
        further = mentions.get(pending.pop(), set[str]()) - found
        found |= further
        pending.extend(further)
    return frozenset(found)


def _mentioned(bound: Bound) -> Iterator[str]:
    node = bound.iterable if isinstance(bound, Each) else bound
    if isinstance(node, ast.AST):
        yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
