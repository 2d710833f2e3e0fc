"""The command ``ledger propose``: entries for the nodes that flip between runs of the same code."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene import sources
from benchhygiene.cli.ledger_editing import day_of
from benchhygiene.cli.output import deliver
from benchhygiene.cli.parsing import Given
from benchhygiene.core.json import JSON
from benchhygiene.errors import InputError
from benchhygiene.evidence.ledger import AllowedAction, LedgerEntry
from benchhygiene.evidence.suite import SuiteRun
from benchhygiene.formats.escape import escape
from benchhygiene.formats.ledger_text import entry_members
from benchhygiene.inventory.flips import NodeHistory, histories

SCHEMA = "benchhygiene.proposal/1"
_DAYS = 14
_NOBODY = "?"


@attrs.frozen
class Proposal:
    """What several runs show: the nodes that flip with their entries, and those that only fail.

    ``doubts`` is what the records leave open, each with its file.
    """

    runs: int
    flaky: tuple[tuple[NodeHistory, tuple[LedgerEntry, ...]], ...]
    always: tuple[NodeHistory, ...]
    doubts: tuple[str, ...]


def run(given: Given) -> int:
    """Write what the runs propose."""
    paths = given.arguments
    if len(paths) < 2:
        raise InputError("RUN: expected two records or more; one run cannot flip")
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        raise InputError(f"{twice}: is given twice; every record is of a run of its own")
    today = sources.as_of(given.date).date
    expires = given.value("--expires")
    last = today + datetime.timedelta(_DAYS) if expires is None else day_of("--expires", expires)
    found = proposal(paths, today, last, given.value("--owner") or _NOBODY)
    deliver(_json(found) if given.format == "json" else _text(found), given.output)
    return 0


def proposal(
    paths: Sequence[str], today: datetime.date, expires: datetime.date, owner: str
) -> Proposal:
    """Return what the records at these paths propose; raises InputError for one that is none."""
    runs = [sources.outcomes(path) for path in paths]
    found = histories(runs)
    return Proposal(
        len(runs),
        tuple(
            (each, tuple(_entries(each, today, expires, owner))) for each in found if each.is_flaky
        ),
        tuple(each for each in found if each.always_fails),
        tuple(_doubts(paths, runs)),
    )


def _entries(
    node: NodeHistory, today: datetime.date, expires: datetime.date, owner: str
) -> Iterator[LedgerEntry]:
    for signature, _ in node.shapes:
        if signature:
            yield LedgerEntry(
                node_id=node.node_id,
                first_seen=today,
                expires=expires,
                signature=signature,
                owner=owner,
                allowed_action=AllowedAction.QUARANTINE,
                last_seen=today,
            )


def _doubts(paths: Sequence[str], runs: Sequence[SuiteRun]) -> Iterator[str]:
    for path, run in zip(paths, runs, strict=True):
        yield from (f"{path}: {doubt}" for doubt in run.doubts)
        yield from (f"{path}: {each} was not collected" for each in run.failed_collectors)
        if any(each.id_is_guessed for each in run.nodes):
            yield f"{path}: its node ids are put together from names; compare them with pytest's"


def _json(found: Proposal) -> str:
    told: JSON = {
        "schema": SCHEMA,
        "runs": found.runs,
        "flaky": [
            {**_members(node), "entries": [dict(entry_members(each)) for each in entries]}
            for node, entries in found.flaky
        ],
        "always_fail": [_members(node) for node in found.always],
        "doubts": list(found.doubts),
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _members(node: NodeHistory) -> dict[str, JSON]:
    return {
        "node_id": node.node_id,
        "attempts": node.attempts,
        "failures": node.failures,
        "failure_rate": round(node.failure_rate, 4),
        "flip_rate": round(node.flip_rate, 4),
        "shapes": [{"shape": shape, "times": times} for shape, times in node.shapes],
        "unrecorded_failures": node.unrecorded,
        "node_id_is_guessed": node.id_is_guessed,
    }


def _text(found: Proposal) -> str:
    return "".join(f"{escape(line)}\n" for line in _lines(found))


def _lines(found: Proposal) -> Iterator[str]:
    if not found.flaky:
        yield f"no node flips in {found.runs} runs"
    for node, _ in found.flaky:
        yield f"{node.node_id} failed {node.failures} of {node.attempts} times; {_flips(node)}"
        yield from (f"  {times} x {shape}" for shape, times in node.shapes)
        if node.unrecorded:
            yield f"  {node.unrecorded} x a failure that the record does not describe"
    if found.flaky:
        yield ""
        yield "entries to agree on, for flakes/ledger.json:"
        for _, entries in found.flaky:
            yield from (json.dumps(entry_members(each), ensure_ascii=False) for each in entries)
    if found.always:
        yield ""
        yield "these fail every time, which is no flake; mend them:"
        yield from (f"  {node.node_id} ({_shapes(node)})" for node in found.always)
    if found.doubts:
        yield ""
        yield "what the records leave open:"
        yield from (f"  {doubt}" for doubt in found.doubts)


def _flips(node: NodeHistory) -> str:
    return f"it flipped {node.flips} times (flip rate {node.flip_rate:.2f})"


def _shapes(node: NodeHistory) -> str:
    return "; ".join(shape for shape, _ in node.shapes) or "no failure is described"
