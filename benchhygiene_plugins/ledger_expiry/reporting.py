"""What is said of a run that is held against the ledger."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from benchhygiene import (
    AllowedAction,
    BaseFinding,
    Ledger,
    LedgerEntry,
    Location,
    NodeRun,
    Rule,
    SuiteRun,
    Verdict,
)
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.inventory.fates import FailedFor, NodeFate, fates, quarantined
from benchhygiene_plugins.ledger_expiry import findings
from benchhygiene_plugins.ledger_expiry.findings import FlakeFound, QuarantineTooWide, RunUnsettled
from benchhygiene_plugins.ledger_expiry.limits import is_too_wide

_MOST_SHAPES = 3


def of_run(run: SuiteRun, ledger: Ledger, on: datetime.date) -> Iterator[BaseFinding]:
    """Yield what the run shows about the ledger's entries."""
    for fate in fates(run, ledger, on):
        yield from _flake(fate)
    yield from _unseen(ledger, run)
    if is_too_wide(ledger, run, on):
        yield _too_wide(run, ledger, on)
    for doubt in run.doubts:
        yield _unsettled(doubt, (Location(findings.PATH),), doubt)


def _flake(fate: NodeFate) -> Iterator[BaseFinding]:
    entry = fate.entry
    if entry is None:
        return
    if fate.why is FailedFor.STILL_FLAKY:
        yield _found(fate, entry, findings.STILL_FLAKY, _still_flaky(fate, entry))
    elif fate.why is FailedFor.UNKNOWN_SHAPE:
        yield _found(fate, entry, findings.UNKNOWN_SHAPE, _unknown(fate, entry))
    elif fate.why is FailedFor.SHAPE_UNRECORDED:
        told = "failed, and the record does not say how, so that nothing tells whether its entry"
        yield _unsettled(f"{fate.node_id} {told} excuses it", findings.at(fate.node_id))
    elif fate.why is FailedFor.UNFINISHED:
        told = "has an entry, and nothing says how it ended"
        yield _unsettled(f"{fate.node_id} {told}", findings.at(fate.node_id))


def _found(fate: NodeFate, entry: LedgerEntry, rule: Rule, message: str) -> FlakeFound:
    return FlakeFound(
        rule=rule,
        message=message,
        locations=findings.at(fate.node_id),
        new_text="\n".join(fate.shapes),
        owner=entry.owner,
        expires=entry.expires,
        signature=entry.signature,
        shapes=fate.shapes,
    )


def _still_flaky(fate: NodeFate, entry: LedgerEntry) -> str:
    return (
        f"{fate.node_id} failed{_as(fate)}, and its quarantine expired on {entry.expires}: "
        f"{entry.owner} should mend the test or the code; nothing extends itself"
    )


def _unknown(fate: NodeFate, entry: LedgerEntry) -> str:
    return (
        f"{fate.node_id} failed{_as(fate)}; its entry excuses {entry.signature!r} alone, so this "
        "is a failure like any other: mend the code, or have a person add the shape to the ledger"
    )


def _as(fate: NodeFate) -> str:
    shown = ", ".join(repr(shape) for shape in fate.shapes[:_MOST_SHAPES])
    rest = len(fate.shapes) - _MOST_SHAPES
    return (f" as {shown}" if shown else "") + (f" and {rest} more" if rest > 0 else "")


def _unseen(ledger: Ledger, run: SuiteRun) -> Iterator[BaseFinding]:
    guessed = any(each.id_is_guessed for each in run.nodes)
    runs = _by_name(run)
    for entry in ledger.entries:
        if entry.allowed_action is not AllowedAction.QUARANTINE:
            continue
        found = runs.get(entry.node_id, ())
        if not found:
            yield findings.never_run(entry, perhaps=guessed)
        elif entry.last_seen is None and not any(each.end.is_failure for each in found):
            yield findings.never_failed(entry)


def _by_name(run: SuiteRun) -> dict[str, list[NodeRun]]:
    """Return the runs by each id that an entry may speak of them by."""
    found: dict[str, list[NodeRun]] = {}
    for each in run.nodes:
        for name in {each.node_id, without_parameters(each.node_id)}:
            found.setdefault(name, []).append(each)
    return found


def _too_wide(run: SuiteRun, ledger: Ledger, on: datetime.date) -> BaseFinding:
    held, every = len(quarantined(run, ledger, on)), len(run.by_node)
    limit = (ledger.policy.max_share if ledger.policy else None) or 0.0
    return QuarantineTooWide(
        rule=findings.OVER_LIMIT,
        message=f"{held} of the run's {every} nodes are in quarantine, and the policy allows a "
        f"share of {limit:g}",
        locations=(Location(findings.PATH),),
        quarantined=held,
        nodes=every,
        limit=limit,
    )


def _unsettled(message: str, locations: tuple[Location, ...], new_text: str = "") -> RunUnsettled:
    return RunUnsettled(
        rule=findings.UNSETTLED,
        message=message,
        locations=locations,
        verdict=Verdict.INCONCLUSIVE,
        new_text=new_text,
    )
