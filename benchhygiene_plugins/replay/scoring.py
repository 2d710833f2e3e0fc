"""What the nodes say once a run is believed: failures, skips, budgets, and what they leave open."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import BaseFinding, NodeEnd, NodeRun, OwedBudget, Replay, Severity, Verdict
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene_plugins.replay import findings
from benchhygiene_plugins.replay.findings import of_deed, of_node, of_run, shortened, unmet

_FAILED = (NodeEnd.FAILED, NodeEnd.ERROR, NodeEnd.UNKNOWN)
_EVADED = (NodeEnd.SKIPPED, NodeEnd.XFAILED)


def failures(replay: Replay, omitted: frozenset[str]) -> Iterator[BaseFinding]:
    """Yield the nodes that failed or were skipped; those that are not scored are left out."""
    for node_id, runs in replay.suite.by_node.items():
        if node_id in omitted:
            continue
        failed = [run for run in runs if run.end in _FAILED]
        if failed:
            yield _failed(replay, node_id, failed, len(runs))
        elif runs[-1].end in _EVADED:
            yield from _skipped(replay, runs[-1])
    for collector in replay.suite.failed_collectors:
        message = f"{collector or 'the tests'} could not be collected over the candidate"
        yield of_run(findings.REGRESSION, message, path=collector)


def _failed(replay: Replay, node_id: str, failed: list[NodeRun], times: int) -> BaseFinding:
    last, before = failed[-1], replay.before.get(node_id)
    why = last.failure
    shape = f"{why.exception}: {shortened(why.message)}" if why else last.end.value
    often = f" in {len(failed)} of {times} runs" if times > 1 else ""
    parent = "; it fails over the parent too" if before in _FAILED else ""
    message = f"{node_id} fails on the candidate{often}: {shape}{parent}"
    return of_node(findings.REGRESSION, node_id, message, end=last.end, before=before)


def _skipped(replay: Replay, run: NodeRun) -> Iterator[BaseFinding]:
    before = replay.before.get(run.node_id)
    if before in _EVADED:
        return
    is_known = replay.baseline is not None
    reason = f" ({shortened(run.reason)})" if run.reason else ""
    parent = f", and {before.value} over the parent" if before else ""
    yield of_node(
        findings.SKIPPED,
        run.node_id,
        f"{run.node_id} was {run.end.value} on the candidate{reason}{parent}: that is no pass",
        end=run.end,
        before=before,
        severity=None if is_known else Severity.WARNING,
        verdict=None if is_known else Verdict.INCONCLUSIVE,
    )


def budgets(replay: Replay) -> Iterator[BaseFinding]:
    """Yield the campaign's budgets that were not used up by a run that passed."""
    for owed in replay.budgets:
        runs = [
            run for run in replay.suite.nodes if without_parameters(run.node_id) == owed.node_id
        ]
        if owed.node_id is None:
            yield unmet(
                owed, "examples", owed.max_examples or owed.samples or 0, None, in_doubt=True
            )
        elif runs and all(run.end is NodeEnd.PASSED for run in runs):
            yield from _unmet(owed, runs)


def _unmet(owed: OwedBudget, runs: list[NodeRun]) -> Iterator[BaseFinding]:
    if owed.max_examples is not None and not owed.is_exhausted:
        counted = [run.examples for run in runs if run.examples is not None]
        fewest = min(counted) if len(counted) == len(runs) else None
        if fewest is None or fewest < owed.max_examples:
            yield unmet(owed, "examples", owed.max_examples, fewest)
    if owed.samples is not None:
        taken = [run.samples for run in runs if run.samples is not None]
        least = min(taken) if len(taken) == len(runs) else None
        if least is None or least < owed.samples:
            yield unmet(owed, "samples", owed.samples, least, in_doubt=least is None)


def silences(replay: Replay) -> Iterator[BaseFinding]:
    """Yield what the tests left open: lines nobody executed, and answers from elsewhere."""
    for each in replay.unwitnessed or ():
        numbers = tuple(map(str, each.lines))
        message = f"no test of the pack executed these changed lines of {each.path}"
        yield of_run(findings.UNWITNESSED, message, numbers, path=each.path)
    for deed in replay.nonhermetic:
        yield of_deed(deed, rule=findings.NONHERMETIC, doubtful=False)
