"""What was done to a thing before it was checked, then and now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.strength import is_constructor, is_derived
from benchhygiene_plugins.assertions.terms import Term

WRITERS = frozenset(
    (
        "write_text",
        "write_bytes",
        "write",
        "writelines",
        "dump",
        "dumps",
        "save",
        "to_csv",
        "to_json",
        "copyfile",
        "copy",
        "savetxt",
        "to_pickle",
        "to_parquet",
        "safe_dump",
        "copy2",
        "move",
    )
)
_EFFORT = 100_000
_EMPTYING = frozenset(("clear", "reset", "flush", "refresh"))
_MUTATORS = frozenset(
    (
        "append",
        "extend",
        "clear",
        "sort",
        "update",
        "setdefault",
        "pop",
        "insert",
        "reverse",
        "remove",
        "discard",
        "popitem",
        "setattr",
        "delattr",
        "__setattr__",
        "__setitem__",
        "fill",
    )
)


def effects(history: Term) -> tuple[Term, ...]:
    """Return what was done, in order, each once per thing it was done to."""
    found: list[Term] = []
    for chain in history.children:
        one, links = chain, list[Term]()
        while one.kind == "then":
            one, link = one.children
            links.append(link)
        found.extend(reversed(links))
    return tuple(found)


def compare(old: Check, new: Check, spent: list[int]) -> Iterator[Edit]:
    """Yield what differs in the histories of two checks of the same fact.

    ``spent`` counts the effects looked at: beyond a bound a difference is only said to be one.
    """
    if old.history == new.history:
        return
    if spent[0] > _EFFORT:
        yield Edit(Kind.INPUT_CHANGED, old, new, "what is done before the check differs")
        return
    before, after = Counter(effects(old.history)), Counter(effects(new.history))
    spent[0] += before.total() + after.total()
    gone, added = list(before - after), list(after - before)
    if not gone and not added:
        return
    shapes = {one.shape for one in gone}
    inserted = [one for one in added if one.shape not in shapes]
    if not gone and all(map(_is_idle, added)):
        return
    if any(map(is_write, inserted)):
        yield Edit(Kind.SELF_ORACLE, old, new, "the test writes what it then compares with")
    elif any(map(_is_replacement, inserted)):
        yield Edit(Kind.SUBJECT_REPLACED, old, new, "the test changes the outcome before it checks")
    elif gone:
        yield Edit(Kind.INPUT_CHANGED, old, new, "what is done before the check differs")
    else:
        yield Edit(Kind.INPUT_CHANGED, old, new, "more is done before the check")


def _name(effect: Term) -> str:
    function = effect.children[0] if effect.kind == "call" else effect
    return function.value.rpartition(".")[2]


def is_write(effect: Term) -> bool:
    """Return whether a statement writes a file."""
    return effect.kind == "call" and _name(effect) in WRITERS


def _is_idle(effect: Term) -> bool:
    """Return whether a call only empties what has just been made."""
    if effect.kind != "call" or len(effect.children) != 1 or _name(effect) not in _EMPTYING:
        return False
    function = effect.children[0]
    return function.kind == "attr" and is_constructor(function.children[0])


def _is_replacement(effect: Term) -> bool:
    if effect.kind in ("set", "put", "delete"):
        return True
    return effect.kind == "call" and _name(effect) in _MUTATORS


def changed_inputs(old: Iterable[Term], new: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """Yield calls of the code under test that are still there, with other constants."""
    before, after = Counter(old), Counter(new)
    by_shape: dict[bytes, list[Term]] = {}
    for one in after - before:
        by_shape.setdefault(one.shape, []).append(one)
    for one in before - after:
        others = by_shape.get(one.shape)
        if others and one.has_product:
            yield one, others.pop(0)


def new_oracles(old: Iterable[Term], new: Iterable[Term]) -> Iterator[Term]:
    """Yield the writes that are new and write what the code under test made."""
    for one in Counter(new) - Counter(old):
        if is_write(one) and any(is_derived(child) for child in one.children[1:]):
            yield one
