"""Hold the gates of a parent against those of a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.evidence import Change, SourceTree
from benchhygiene_plugins.pipelines.files import is_pipeline, pipeline
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline
from benchhygiene_plugins.pipelines.selection import Selection, covers, narrowed

_TESTS = ("test_", "_test.py")


@attrs.frozen
class Loss:
    """A gate of the parent that no longer holds, the one in its place if any, and why."""

    old: Gate
    new: Gate | None
    reason: str
    is_certain: bool = True
    is_grave: bool = True


@attrs.frozen
class Doubt:
    """A file whose gates cannot be told."""

    path: str
    reason: str


def losses(change: Change) -> Iterator[Loss | Doubt]:
    """Yield what the edited pipelines no longer hold tests to."""
    edited = [path for path in change.differing() if is_pipeline(path)]
    before = {path: _gates(change.parent, path) for path in edited}
    if not any(found.gates for found in before.values()):
        return
    after = {path: _gates(change.candidate, path) for path in edited}
    fresh = [gate for found in after.values() for gate in found.gates]
    for path in edited:
        if before[path].gates:
            yield from _doubts(path, before[path], after[path])
            yield from _of_file(change, before[path].gates, after[path], fresh)


def _gates(tree: SourceTree, path: str) -> Pipeline:
    return pipeline(tree, path) if tree.is_file(path) else Pipeline()


def _doubts(path: str, before: Pipeline, after: Pipeline) -> Iterator[Doubt]:
    yield from (Doubt(path, reason) for reason in after.doubts if reason not in before.doubts)


def _of_file(
    change: Change, before: tuple[Gate, ...], after: Pipeline, fresh: list[Gate]
) -> Iterator[Loss]:
    unused = list(after.gates)
    pending = list[Gate]()
    for gate in before:
        same = next((one for one in unused if _is_same(gate, one)), None)
        if same is None:
            pending.append(gate)
        else:
            unused.remove(same)
    for gate in pending:
        new = _closest(gate, unused)
        if new is not None:
            unused.remove(new)
        if gate.masked or _is_never(gate):
            continue
        if new is None:
            yield from _gone(change, gate, after, fresh, before)
        else:
            yield from _judged(change, gate, new, [*unused, *fresh])


def _is_same(old: Gate, new: Gate) -> bool:
    return (old.place, old.run, old.masked, old.conditions, old.events) == (
        new.place,
        new.run,
        new.masked,
        new.conditions,
        new.events,
    )


def _closest(gate: Gate, unused: list[Gate]) -> Gate | None:
    """Return the gate that stands most likely in the place of one of the parent's."""
    ranked = sorted(
        unused,
        key=lambda one: (
            one.place != gate.place,
            one.run != gate.run,
            one.place[:-1] != gate.place[:-1],
            one.run.kind != gate.run.kind,
        ),
    )
    best = ranked[0] if ranked else None
    if best is None or not (best.place == gate.place or best.run.kind == gate.run.kind):
        return None
    return best


def _judged(change: Change, old: Gate, new: Gate, others: list[Gate]) -> Iterator[Loss]:
    if new.masked:
        if not _is_held(old, others):
            yield Loss(old, new, f"its failure no longer counts: {new.masked}")
        return
    added = [each for each in new.conditions if each not in old.conditions]
    if added:
        yield from _conditional(old, new, added, others)
        return
    if lost := _lost_events(old, new):
        yield Loss(old, new, f"{', '.join(lost)} no longer starts it", True, lost != ("push",))
        return
    yield from _narrower(change, old, new, others)


def _is_never(gate: Gate) -> bool:
    return any("false" in each.lower().split() or "never" in each for each in gate.conditions)


def _conditional(old: Gate, new: Gate, added: list[str], others: list[Gate]) -> Iterator[Loss]:
    dropped = [each for each in old.conditions if each not in new.conditions]
    if _is_held(old, others):
        return
    text = "; ".join(added)
    if not dropped:
        yield Loss(old, new, f"it no longer always runs: {text}")
    elif any(_is_stricter(before, each) for before in dropped for each in added):
        yield Loss(old, new, f"it runs more seldom: {text} instead of {'; '.join(dropped)}")
    else:
        reason = f"when it runs has changed: {text} instead of {'; '.join(dropped)}"
        yield Loss(old, new, reason, False, False)


def _is_stricter(before: str, after: str) -> bool:
    bare = after.partition(": ")[2] or after
    is_off = bare.strip("${} ").lower() in ("false", "never", "manual", "0")
    inside = before.partition(": ")[2].strip("${} ") or before
    return is_off or "never" in bare or "manual" in bare or (inside in bare and "&&" in bare)


def _lost_events(old: Gate, new: Gate) -> tuple[str, ...]:
    if old.events is None or new.events is None:
        return ()
    watched = ("pull_request", "pull_request_target", "push", "merge_group")
    lost = [event for event in watched if event in old.events and event not in new.events]
    return tuple(lost)


def _narrower(change: Change, old: Gate, new: Gate, others: list[Gate]) -> Iterator[Loss]:
    if old.run == new.run:
        return
    before, after = old.selection, new.selection
    if old.run.kind != new.run.kind:
        if old.run.kind == "pytest" and new.run.kind == "gate":
            yield Loss(old, new, f"{new.text} runs instead of it")
        return
    taken = [*narrowed(before, after)]
    if taken and not _is_complement(after, others):
        yield Loss(old, new, f"it asks for less: {', '.join(taken)}")
    elif missing := _missing(change.candidate, before, [after, *_selections(old, others)]):
        yield Loss(old, new, f"it leaves out {missing}")
    elif old.run.kind not in ("pytest", "unittest"):
        yield from _other_targets(old, new, others)


def _selections(old: Gate, others: list[Gate]) -> list[Selection]:
    """Return what other gates that count select without taking anything away."""
    return [
        one.selection
        for one in others
        if one.run.kind == old.run.kind
        and not one.masked
        and _is_as_open(old, one)
        and not [*narrowed(old.selection, one.selection)]
    ]


def _is_as_open(old: Gate, one: Gate) -> bool:
    return all(each in old.conditions for each in one.conditions)


def _is_complement(after: Selection, others: list[Gate]) -> bool:
    """Return whether another gate runs what a ``-m`` or ``-k`` here leaves out."""
    wanted = {(name, _negated(value)) for name, value in after.narrowing if name in ("-m", "-k")}
    given = {each for one in others if not one.masked for each in one.selection.narrowing}
    return bool(wanted) and wanted <= given


def _negated(expression: str) -> str:
    bare = expression.strip().removeprefix("not ").strip("() ")
    return bare if expression.strip().startswith("not ") else f"not {bare}"


def _missing(tree: SourceTree, before: Selection, after: list[Selection]) -> str:
    """Return the first path that the old selection reaches and the new ones together do not."""
    if any(not each.paths or "" in each.paths for each in after):
        return ""
    given = [path for each in after for path in each.paths]
    parts = [each for each in before.paths if "::" in each and each not in given]
    if parts and not any(
        covers([path], parts[0].partition("::")[0]) for path in given if "::" not in path
    ):
        return parts[0]
    for path in tree.files(".py"):
        name = path.rpartition("/")[2]
        if name.startswith(_TESTS[0]) or name.endswith(_TESTS[1]):
            whole = [each for each in given if "::" not in each]
            if covers(before.paths, path) and not (whole and covers(whole, path)):
                return path
    return ""


def _other_targets(old: Gate, new: Gate, others: list[Gate]) -> Iterator[Loss]:
    """Yield the targets, environments or sessions that are asked for no longer."""
    if old.run.kind in ("tox", "nox"):
        before, after = old.selection.paths, {*new.selection.paths}
        if not after:
            return
        after |= {
            path for one in others for path in one.selection.paths if one.run.kind == old.run.kind
        }
    else:
        before, after = old.run.targets, {*new.run.targets}
        after |= {target for one in others if not one.masked for target in one.run.targets}
    if lost := [each for each in before if each not in after]:
        reason = f"{' '.join(lost)} is no longer asked for"
        yield Loss(old, new, reason, is_grave=not new.run.targets and old.run.kind != "gate")


def _is_held(old: Gate, others: Iterable[Gate]) -> bool:
    """Return whether another gate, that counts and always runs, asks for as much."""
    return any(
        one.run == old.run and not one.masked and _is_as_open(old, one) and one.place != old.place
        for one in others
    )


def _gone(
    change: Change, old: Gate, after: Pipeline, fresh: list[Gate], before: tuple[Gate, ...]
) -> Iterator[Loss]:
    """Yield the loss of a gate that has nothing in its place, unless a new gate covers it.

    One that was there before and runs the same is said to stay: the gate was held twice.
    """
    if after.doubts:
        return
    were = {(one.path, one.place, one.run) for one in before}
    added = [one for one in fresh if (one.path, one.place, one.run) not in were]
    if any(_covers(change.candidate, old, one) for one in added):
        return
    kept = [one for one in after.gates if one not in added and one.run.kind == old.run.kind]
    staying = [one for one in kept if _covers(change.candidate, old, one)]
    if staying:
        yield Loss(old, staying[0], f"it is gone here, {staying[0].text} stays", True, False)
    else:
        yield Loss(old, None, "it is gone")


def _covers(tree: SourceTree, old: Gate, one: Gate) -> bool:
    if one.masked or not _is_as_open(old, one):
        return False
    if one.run.kind != old.run.kind:
        return one.run.kind != "gate" and old.run.kind != "gate"
    if old.run.kind not in ("pytest", "unittest"):
        return {*old.run.targets} <= {*one.run.targets} or not one.run.targets
    before, after = old.selection, one.selection
    return not [*narrowed(before, after)] and not _missing(tree, before, [after])
