"""Whether a run can be believed: what was owed, reported and ended agree with one another."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import BaseFinding, ListedBy, NodeEnd, Replay, ReplayEnd, Verdict
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene_plugins.replay import findings
from benchhygiene_plugins.replay.findings import of_deed, of_node, of_run

_SOME_FAILED = 1  # pytest's exit status; the canaries that must fail see to it


def tampering(replay: Replay) -> Iterator[BaseFinding]:
    """Yield every sign that somebody had a hand in the run."""
    yield from _wholeness(replay)
    yield from _canaries(replay)
    for node_id in replay.repeated:
        yield of_node(
            findings.TWICE, node_id, f"{node_id} was reported twice in one run; a test ends once"
        )
    if replay.forged:
        yield of_run(
            findings.FORGED,
            f"{replay.forged} messages on the report's channel are not the reporter's: code under "
            "test has written to it",
        )
    for deed in replay.deeds:
        yield of_deed(
            deed,
            rule=findings.TAMPERED,
            doubtful=deed.kind.is_common and replay.listed_by is ListedBy.PACK,
        )
    if replay.planted:
        message = "the candidate brings modules in place of installed ones; they were left out"
        yield of_run(findings.PLANTED, message, replay.planted, path=replay.planted[0])


def _wholeness(replay: Replay) -> Iterator[BaseFinding]:
    """Yield what cut the run off; where nothing did, what is missing, too much, or disagrees."""
    if replay.end is not ReplayEnd.EXITED or not replay.is_closed:
        yield _cut_off(replay)
        return
    yield from _differences(replay)
    owed = _SOME_FAILED if replay.canaries else replay.suite.exit_status
    if replay.code != replay.reported or replay.code != owed:
        yield of_run(
            findings.EXIT,
            f"the process ended with status {replay.code}, pytest's own was {replay.reported}, and "
            f"the nodes with the canaries amount to {owed}",
        )


def _cut_off(replay: Replay) -> BaseFinding:
    done = {run.node_id for run in replay.suite.nodes if run.end is not NodeEnd.UNFINISHED}
    code = "" if replay.code is None else f" {replay.code}"
    how = f"{replay.end.value}{code}"
    left = tuple(node for node in replay.expected if node not in done)
    message = f"the run was cut off ({how}) before the report's last word; not run to an end"
    return of_run(findings.UNFINISHED, message, left or ("the session",))


def _differences(replay: Replay) -> Iterator[BaseFinding]:
    """Yield nodes that are owed and were not run, and the other way round."""
    is_exact = replay.listed_by is ListedBy.PARENT
    ran = {_name(run.node_id, exact=is_exact) for run in replay.suite.nodes}
    owed = {_name(node, exact=is_exact) for node in replay.expected}
    uncollected = replay.suite.failed_collectors
    for node in sorted(owed - ran):
        why = "its file could not be collected" if _is_below(node, uncollected) else "it is gone"
        yield of_node(findings.MISSING, node, f"{node} is owed by the pack and was not run: {why}")
    for node in sorted((ran | {_name(one, exact=is_exact) for one in replay.collected}) - owed):
        yield of_node(findings.EXTRA, node, f"{node} was run and is none of the pack's nodes")
    reported = {run.node_id for run in replay.suite.nodes}
    for node in sorted(set(replay.collected) - reported):
        if _name(node, exact=is_exact) in owed & ran:
            yield of_node(findings.MISSING, node, f"{node} was collected and never reported")


def _name(node_id: str, *, exact: bool) -> str:
    return node_id if exact else without_parameters(node_id)


def _is_below(node_id: str, collectors: tuple[str, ...]) -> bool:
    return any(node_id == one or node_id.startswith((f"{one}::", f"{one}/")) for one in collectors)


def _canaries(replay: Replay) -> Iterator[BaseFinding]:
    """Yield one finding for all canaries that came back wrong: their names mean nothing."""
    if replay.end is not ReplayEnd.EXITED or not replay.is_closed:
        return
    wrong = [canary for canary in replay.canaries if not canary.is_right]
    if wrong:
        ends = sorted({_wrong(one.must, one.end, one.is_genuine) for one in wrong})
        message = f"{len(wrong)} of {len(replay.canaries)} planted tests came back wrong"
        yield of_run(findings.CANARY, message, tuple(ends))


def _wrong(must: NodeEnd, end: NodeEnd | None, is_genuine: bool) -> str:
    if end is must and not is_genuine:
        return f"{must.value}, but not by running"
    return f"{'nothing' if end is None else end.value} instead of {must.value}"


def circumstances(replay: Replay) -> Iterator[BaseFinding]:
    """Yield what a reader should know of how it was done."""
    if replay.isolation == "none":
        yield of_run(
            findings.UNSANDBOXED,
            "the tests ran without a sandbox, as was asked: the candidate could read and write all "
            "that its user can, the pack and this report included",
        )
    if replay.is_closed and not replay.loaded and replay.suite.nodes:
        yield of_run(
            findings.UNLOADED,
            "the tests imported no file of the candidate: they may have tested an installed copy, "
            "or start it as a program; name its import roots",
            verdict=Verdict.INCONCLUSIVE,
        )
    if replay.set_aside:
        message = "files of the candidate that could take part in the tests were left out"
        yield of_run(findings.SET_ASIDE, message, replay.set_aside, path=replay.set_aside[0])
