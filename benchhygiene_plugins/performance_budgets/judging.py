"""The tests that a change may have touched, and what each lost."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene import Change, SourceTree
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.importers import changed_names, users
from benchhygiene.inventory.pairing import Pair, Pairing, of_change, pair
from benchhygiene.inventory.touched import Touched, collected, dependents, rules_of
from benchhygiene_plugins.performance_budgets.checking import lost_checks
from benchhygiene_plugins.performance_budgets.edits import Edit, Edits, definition
from benchhygiene_plugins.performance_budgets.losses import Loss, Lost
from benchhygiene_plugins.performance_budgets.names import is_test_side
from benchhygiene_plugins.performance_budgets.profiles import Profile, profile
from benchhygiene_plugins.performance_budgets.recording import Check
from benchhygiene_plugins.performance_budgets.running import (
    lost_amounts,
    lost_clocks,
    lost_runs,
    lost_timeouts,
    lost_warmups,
)
from benchhygiene_plugins.performance_budgets.sides import Side

_FEW = 30  # tests that are followed without asking what differs for them
_MANY = 300
_WORD = re.compile(r"\w+")
_UNASKED = ("pytest_", "setup", "setUp", "pytestmark", "*")


@attrs.frozen(eq=False)
class Judged:
    """One test of the parent's and what it lost; ``doubt`` says why there may be more."""

    pair: Pair
    losses: tuple[Lost, ...]
    edit: Edit = attrs.field(factory=Edit)
    doubt: str | None = None


def judge(change: Change) -> Iterator[Judged]:
    """Yield every performance test that demands less than it did."""
    if not any(one.endswith(".py") for one in change.differing()):
        return
    pairs = [one for one in _pairing(change).pairs if one.new is not None]
    if not pairs:
        return
    old, new = (tree.surveyed(Side.of) for tree in (change.parent, change.candidate))
    if len(pairs) > _FEW:
        reached = _Reached.by(change)
        pairs = [one for one in pairs if reached.concerns(one, old, new)]
    for one in pairs:
        if one.new is not None:
            yield from _judged(one, one.new, Edits(change, old, new))


def _pairing(change: Change) -> Pairing:
    """Return the nodes of the files that differ, of those that use them, and below a conftest."""
    touched, rules = change.surveyed(Touched.by), rules_of(change)
    shared = [one for one in change.differing() if one.endswith(".py")]
    using = dependents(change, shared)
    found = {one for one in using if rules.is_test_file(one)}
    for path in (*shared, *using):
        if posixpath.basename(path) == "conftest.py":
            below = f"{posixpath.dirname(path)}/".lstrip("/")
            files = (one for one in change.candidate.files(".py") if one.startswith(below))
            found.update(one for one in files if rules.is_test_file(one))
    if found <= {*touched.paths}:
        return change.surveyed(of_change)
    return pair(*collected(change, {*touched.paths, *found}))


def _judged(both: Pair, new_node: Node, edits: Edits) -> Iterator[Judged]:
    before = profile(edits.before, both.old)
    if not _is_performance(before):
        return
    after = profile(edits.after, new_node)
    # What was not followed to its end has not lost what was not met.
    losses = () if after.reason else tuple(dict.fromkeys(lost(before, after)))
    doubt = after.reason or before.reason
    if losses or doubt:
        yield Judged(both, losses, edits.of(both) if losses else Edit(), doubt)


def measures(tree: SourceTree, nodes: Iterable[Node]) -> bool:
    """Return whether one of these tests, of the first few hundred, measures."""
    side = tree.surveyed(Side.of)
    return any(_is_performance(profile(side, one)) for one in itertools.islice(nodes, _MANY))


def _is_performance(one: Profile) -> bool:
    record = one.record
    is_measured = any(check.measured is not None for check in record.checks)
    return bool(is_measured or record.clocks or record.timeouts or record.amounts)


def lost(before: Profile, after: Profile) -> Iterator[Lost]:
    """Yield what one version of a test demands and the other does not."""
    old, new = before.record, after.record
    clocks = list(lost_clocks(old, new))
    for one in lost_checks(old.checks, new.checks):
        is_told = bool(clocks) and one.loss in (Loss.CLOCK, Loss.THRESHOLD) and one.new is None
        if not is_told:
            yield one
    yield from clocks
    yield from lost_amounts(old.amounts, new.amounts)
    yield from lost_timeouts(old.timeouts, new.timeouts)
    if _measures(old.checks) or old.runs:
        yield from lost_runs(old, new)
        yield from lost_warmups(old, new)


def _measures(checks: list[Check]) -> bool:
    return any(one.measured is not None and one.measured.source != "words" for one in checks)


@attrs.frozen(eq=False)
class _Reached:
    """The names by file whose meaning may differ, and whether something unasked for may."""

    names: frozenset[str]
    is_wide: bool

    @classmethod
    def by(cls, change: Change) -> _Reached:
        paths = [one for one in change.differing() if one.endswith(".py")]
        changed = {path: changed_names(change.parent, change.candidate, path) for path in paths}
        using = users(change.parent, {path: names for path, names in changed.items() if names})
        found = {one for names in (*changed.values(), *using.values()) for one in names}
        is_wide = any(one.startswith(_UNASKED) for one in found) or any(
            is_test_side(path) and path.endswith("conftest.py") for path in (*paths, *using)
        )
        return cls(frozenset(found), is_wide)

    def concerns(self, both: Pair, old: Side, new: Side) -> bool:
        """Return whether a test may measure otherwise than it did."""
        if self.is_wide or both.new is None:
            return True
        texts = [definition(side, node) for side, node in ((old, both.old), (new, both.new))]
        if texts[0] != texts[1] or both.old.path != both.new.path:
            return True
        words = {*_WORD.findall(texts[0]), *(one.name for one in both.old.classes)}
        return not self.names.isdisjoint(words)
