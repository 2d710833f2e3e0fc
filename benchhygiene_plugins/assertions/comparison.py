"""Two sets of checks of one node, held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.assertions import histories
from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.classification import classify
from benchhygiene_plugins.assertions.covering import not_covered
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.exceptions import Hierarchy
from benchhygiene_plugins.assertions.following import Followed
from benchhygiene_plugins.assertions.implication import Knowledge, learnt
from benchhygiene_plugins.assertions.matching import match
from benchhygiene_plugins.assertions.measuring import is_measurement, without_measurements
from benchhygiene_plugins.assertions.splitting import Added, not_elsewhere
from benchhygiene_plugins.assertions.tautologies import RECOMPUTED
from benchhygiene_plugins.assertions.terms import Term


def compare(
    old: Followed, new: Followed, hierarchy: Hierarchy, added: Added | None = None
) -> tuple[Edit, ...]:
    """Return what became of the checks of a node, in the parent's order; nothing where all stay.

    ``added`` are the tests of which one may have taken a check over.
    """
    comparison = _Comparison(old, new, hierarchy, added)
    return tuple(comparison.edits())


def is_idle(node: Node) -> bool:
    """Return whether a node is skipped, or expected to fail, whatever happens."""
    for holder in (node.definition, *node.classes):
        for decorator in holder.decorator_list:
            named, call = decorator_call(decorator)
            mark = dotted(named).rpartition(".")[2]
            if mark == "skip" or (mark == "xfail" and not (call and call.args)):
                return True
    return False


def counted(check: Check) -> bool:
    """Return whether a check of the parent was worth something."""
    if check.flow.swallowed or check.flow.dead:
        return False
    return check.void in (None, RECOMPUTED)


@attrs.frozen(eq=False)
class _Comparison:
    old: Followed
    new: Followed
    hierarchy: Hierarchy
    added: Added | None = None

    def edits(self) -> Iterator[Edit]:
        if is_idle(self.old.node):
            return
        lost = [check for check in self.old.checks if counted(check)]
        lost, unused = _unequal(lost, _newly_idle(self.old.checks, self.new.checks))
        moved, lost, unused = _same_facts(lost, unused)
        spent = [0]
        for before, after in moved:
            yield from classify(before, after, self.hierarchy)
            if before.flow.dead is after.flow.dead and after.is_effective:
                yield from histories.compare(before, after, spent)
        known = learnt(self.new.checks, lost, self.hierarchy.project) if lost else {}
        lost = [check for check in lost if not _is_implied(check, known)]
        lost, unused = without_measurements(lost, unused)
        lost = list(not_covered(lost, self.new.checks))
        if lost and self.added is not None:
            lost = list(not_elsewhere(lost, self.added.checks(self.new.node)))
        yield from self._replaced(lost, unused)
        yield from self._beside()

    def _replaced(self, lost: Sequence[Check], unused: Sequence[Check]) -> Iterator[Edit]:
        texts = Counter(check.place.text for check in self.new.checks if check.is_effective)
        for pair in match(lost, unused):
            if pair.new is not None:
                yield from classify(pair.old, pair.new, self.hierarchy)
            elif texts[pair.old.place.text]:
                yield Edit(Kind.WEAKENED, pair.old, None, "it runs for fewer values")
            elif pair.old.fact.kind in ("raises", "warns"):
                yield Edit(Kind.RAISES_REMOVED, pair.old, None, "nothing has to be raised")
            else:
                yield Edit(Kind.REMOVED, pair.old, None, "the check is gone")

    def _beside(self) -> Iterator[Edit]:
        """Yield what the patch did to a node beside its checks."""
        before = [effect for effect, _ in self.old.effects]
        after = [effect for effect, _ in self.new.effects]
        anchors = [check for check in self.old.checks if counted(check)]
        own = (check for check in anchors if not check.flow.helpers)
        anchor = next(own, anchors[0] if anchors else None)
        if anchor is None:
            return
        for _ in histories.new_oracles(before, after):
            yield Edit(Kind.SELF_ORACLE, anchor, None, "the test writes what it compares with")
        if all(is_measurement(check) for check in self.old.checks if counted(check)):
            return
        for _ in histories.changed_inputs(before, after):
            yield Edit(Kind.INPUT_CHANGED, anchor, None, "the code under test gets other input")


def _is_implied(check: Check, known: Mapping[Term, Knowledge]) -> bool:
    """Return whether other facts say the same; calls that are made less often are not the same."""
    there = known.get(check.history)
    if there is None or (check.fact.has_call and check.fact.digest in there.facts):
        return False
    return there.implies(check.fact)


def _identity(check: Check) -> Hashable:
    return (
        check.fact,
        check.history,
        frozenset(guard.condition for guard in check.flow.guards),
        check.flow.loops,
        check.void in (None, RECOMPUTED),
    )


def _unequal(old: Sequence[Check], new: Sequence[Check]) -> tuple[list[Check], list[Check]]:
    """Return the checks of each side that are not on the other.

    What only reads names may be said once or twice, it is the same; calls may change something.
    """
    there = Counter(_identity(check) for check in new if _stands(check))
    lost: list[Check] = []
    for check in old:
        key = _identity(check)
        if there[key] <= 0:
            lost.append(check)
        elif check.fact.has_call:
            there[key] -= 1
    known = {_identity(check) for check in old}
    return lost, [check for check in new if not _stands(check) or _identity(check) not in known]


def _newly_idle(old: Sequence[Check], new: Sequence[Check]) -> list[Check]:
    """Return the new checks without those that are idle for as many parameter sets as before.

    What is idle for one set, and was, is not what became of the check for another one.
    """
    idle = Counter(_spelling(check) for check in old if not _stands(check))
    live = {check.place for check in new if _stands(check)}
    found: list[Check] = []
    for check in new:
        if check.flow.dead and check.place in live:
            continue
        if not _stands(check) and idle[_spelling(check)] > 0:
            idle[_spelling(check)] -= 1
        else:
            found.append(check)
    return found


def _spelling(check: Check) -> tuple[str | None, str]:
    """Return who keeps a check idle, and its source in whatever layout and quotes."""
    text = "".join(check.place.text.split()).replace("'", '"')
    return check.flow.swallowed, text.replace(",)", ")")


def _stands(check: Check) -> bool:
    return not (check.flow.swallowed or check.flow.dead)


def _same_facts(
    old: Sequence[Check], new: Sequence[Check]
) -> tuple[list[tuple[Check, Check]], list[Check], list[Check]]:
    """Pair the checks whose facts are equal, the best of the new ones first."""
    by_fact: dict[Hashable, list[Check]] = {}
    for check in new:
        by_fact.setdefault(check.fact, []).append(check)
    pairs: list[tuple[Check, Check]] = []
    rest: list[Check] = []
    used: set[int] = set()
    for check in old:
        found = by_fact.get(check.fact)
        if not found:
            rest.append(check)
            continue
        best = min(found, key=lambda one: _badness(check, one))
        pairs.append((check, best))
        used.add(id(best))
        if len(found) > 1:
            found.remove(best)
    return pairs, rest, [check for check in new if id(check) not in used]


def _badness(old: Check, new: Check) -> tuple[bool, int, bool, bool]:
    extra = [g for g in new.flow.guards if g not in old.flow.guards]
    return (
        not new.is_effective,
        len(extra),
        old.flow.loops != new.flow.loops,
        old.history != new.history,
    )
