"""The source ``sources.replay``."""

from __future__ import annotations

import collections
import os
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.campaign import Binding
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.replay import Deed, DeedKind, ListedBy, OwedBudget, Replay, ReplayEnd
from benchhygiene.evidence.suite import NodeEnd
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.sources.changes import tree
from benchhygiene.sources.interpreters import locate, prefixes
from benchhygiene.sources.replays import owed
from benchhygiene.sources.replays.once import Once, Runner
from benchhygiene.sources.replays.placement import placement
from benchhygiene.sources.replays.reaching import unwitnessed
from benchhygiene.sources.replays.settings import ReplaySettings
from benchhygiene.sources.sandbox import RunEnd

_ENDS = {
    RunEnd.EXITED: ReplayEnd.EXITED,
    RunEnd.SIGNALLED: ReplayEnd.SIGNALLED,
    RunEnd.TIMED_OUT: ReplayEnd.TIMED_OUT,
    RunEnd.OUT_OF_MEMORY: ReplayEnd.OUT_OF_MEMORY,
    RunEnd.OVERFLOWED: ReplayEnd.OVERFLOWED,
}


def replay(
    pack: WitnessPack,
    candidate: SourceTree | str | os.PathLike[str],
    parent: SourceTree | str | os.PathLike[str] | None = None,
    settings: ReplaySettings | None = None,
) -> Replay:
    """Run the pack's tests against a candidate's source, and over the parent's for comparison.

    Of the candidate only source takes part: no test, conftest, configuration or start-up hook. It
    runs in the sandbox, and what it did is recorded, not judged. Raises SandboxUnavailable where
    there can be none, and InputError where the pack has no tests, a tree is not complete, the
    interpreter lies in what is judged or has no pytest, or the tests do not run over the parent.
    """
    asked = settings or ReplaySettings()
    trees = [
        one if isinstance(one, SourceTree) else tree(one) for one in (candidate, parent) if one
    ]
    _refuse(pack, asked, trees)
    before = trees[1] if parent is not None else None
    return _replayed(Runner(pack, asked), trees[0], before)


def _refuse(pack: WitnessPack, settings: ReplaySettings, trees: Iterable[SourceTree]) -> None:
    if not owed.nodes_of(pack.files, placement(pack, settings)):
        raise InputError("replay: the pack has no tests that pytest would collect")
    if settings.reach and len(list(trees)) == 1:
        raise InputError("replay: reach is measured on what changed; expected a parent")
    for name in ("pytest", *settings.plugins):
        if name not in owed.installed(settings.python):
            raise InputError(f"replay: {settings.python} has no {name}; give another with --python")
    for root in (os.path.realpath(root) for each in trees for root in each.roots):
        for prefix in map(os.path.realpath, prefixes(settings.python)):
            if prefix == root or prefix.startswith(f"{root}/"):
                raise InputError(
                    f"replay: the interpreter {prefix} lies in the tree that is judged, which may "
                    "have written it; give one outside with --python"
                )


def _replayed(runner: Runner, candidate: SourceTree, parent: SourceTree | None) -> Replay:
    pack, settings = runner.pack, runner.settings
    static = owed.nodes_of(pack.files, runner.placed)
    bindings = () if pack.campaign is None else pack.campaign.bind(static)
    budgets = owed.budgets_of(bindings)
    before = None if parent is None else runner.plainly(parent, budgets)
    if before is not None and not before.collected:
        raise InputError(f"replay: over the parent the pack's tests do not run: {_last(before)}")
    after = runner.doubtfully(candidate, parent, budgets)
    known = frozenset[Deed]() if before is None else frozenset(before.transcript.deeds)
    deeds = tuple(deed for deed in _deeds(after) if deed not in known)
    found = Replay(
        suite=after.suite,
        expected=static if before is None else before.collected,
        listed_by=ListedBy.PACK if before is None else ListedBy.PARENT,
        collected=after.collected,
        canaries=after.canaries,
        end=_ENDS[after.ended.end],
        code=after.ended.code,
        reported=after.transcript.exit_status,
        is_closed=after.transcript.is_closed,
        forged=after.transcript.forged + sum(each.forged for each in after.reruns),
        repeated=tuple(_repeated(after)),
        deeds=tuple(deed for deed in deeds if deed.kind is not DeedKind.CONNECTED),
        nonhermetic=tuple(deed for deed in _deeds(after) if deed.kind is DeedKind.CONNECTED),
        loaded=after.transcript.loaded,
        set_aside=after.laid.set_aside,
        planted=after.laid.planted,
        budgets=tuple(_owed(each, after) for each in bindings),
        reruns=settings.reruns,
        isolation=settings.isolation.value,
        python=locate(settings.python, {}).version,
        pytest=after.transcript.pytest,
        pack_sha256=pack.manifest_sha256,
        baseline=before.suite if before is not None and settings.baseline else None,
        roots=candidate.roots,
    )
    return found if parent is None else _with_reach(found, after, Change(parent, candidate))


def _last(run: Once) -> str:
    """Return the end of what pytest printed: why nothing was collected."""
    text = (run.ended.stderr or run.ended.stdout).decode("utf-8", "replace").strip()
    return text.rpartition("\n")[2][-300:] or run.ended.end.value


def _deeds(run: Once) -> tuple[Deed, ...]:
    again = (deed for each in run.reruns for deed in each.deeds)
    return tuple(sorted({*run.transcript.deeds, *again}))


def _repeated(run: Once) -> Iterator[str]:
    counted = collections.Counter(one.node_id for one in run.own)
    yield from sorted(node_id for node_id, times in counted.items() if times > 1)


def _owed(binding: Binding, run: Once) -> OwedBudget:
    budget = binding.budget
    runs = [one for one in run.own if without_parameters(one.node_id) == binding.node_id]
    ran = [one for one in runs if one.end is NodeEnd.PASSED]
    return OwedBudget(
        key=binding.key,
        node_id=binding.node_id,
        max_examples=budget.max_examples,
        samples=budget.samples or budget.rounds,
        is_property=any(one.examples is not None for one in runs),
        is_exhausted=bool(ran) and all(one.node_id in run.transcript.exhausted for one in ran),
    )


def _with_reach(found: Replay, run: Once, change: Change) -> Replay:
    lines = run.transcript.lines
    if lines is None:
        return found
    left_out = {*run.laid.set_aside, *run.laid.planted}
    tested = frozenset(path for path in run.laid.source if path not in left_out)
    return attrs.evolve(found, unwitnessed=unwitnessed(change, lines, tested))
