"""Take out of a report what people have excused, and say what became of every excuse."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.core.findings import Finding, place
from benchhygiene.core.report import (
    Completed,
    Crashed,
    Outcome,
    Report,
    ReportedFinding,
    WaivedFinding,
    WaiverOutcome,
    WaiverState,
)
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.waivers import Waiver, Waivers

_Indexed = tuple[int, Waiver]
_Marks = tuple[str, str, str | None]


def waive(report: Report, waivers: Waivers, as_of: AsOf | None) -> Report:
    """Return the report without the findings that a waiver binds, which become its ``waived``.

    What has expired excuses nothing, and neither does anything where the day is not known. Where
    several waivers bind one finding, the first in the file is named.
    """
    bound = _bound(report, waivers)
    in_force = {
        index: waiver
        for index, waiver in enumerate(waivers.waivers)
        if as_of is not None and not waiver.is_expired(as_of.date)
    }
    waived = tuple(_waived(report, bound, in_force))
    outcomes = tuple(_without(outcome, waived) for outcome in report.outcomes)
    counts = collections.Counter(index for found in bound.values() for index, _ in found)
    with_node = _with_node(report)
    states = tuple(
        WaiverOutcome(
            index,
            waiver,
            _state(index, waiver, counts, as_of),
            counts[index],
            waiver.node_id is None and (waiver.path, waiver.kind) in with_node,
        )
        for index, waiver in enumerate(waivers.waivers)
    )
    return attrs.evolve(report, outcomes=outcomes, waived=waived, waivers=states)


def _with_node(report: Report) -> frozenset[tuple[str, str]]:
    """Return path and rule of every finding that has a node."""
    places = ((place(each.finding), each.finding.rule.id) for each in report.reported)
    return frozenset((at.path, kind) for at, kind in places if at.node_id is not None)


def _bound(report: Report, waivers: Waivers) -> dict[str, list[_Indexed]]:
    """Return the waivers that bind each finding, by its fingerprint."""
    by_marks: dict[_Marks, list[_Indexed]] = {}
    for index, waiver in enumerate(waivers.waivers):
        marks = (waiver.path, waiver.kind, waiver.node_id)
        by_marks.setdefault(marks, []).append((index, waiver))
    found = {each.fingerprint: list(_binding(each, by_marks)) for each in report.reported}
    return {fingerprint: waivers for fingerprint, waivers in found.items() if waivers}


def _binding(
    reported: ReportedFinding, by_marks: Mapping[_Marks, list[_Indexed]]
) -> Iterator[_Indexed]:
    at, kind = place(reported.finding), reported.finding.rule.id
    for index, waiver in by_marks.get((at.path, kind, at.node_id), ()):
        if waiver.binds(
            path=at.path, kind=kind, node_id=at.node_id, fingerprint=reported.fingerprint
        ):
            yield index, waiver


def _waived(
    report: Report, bound: Mapping[str, list[_Indexed]], in_force: Mapping[int, Waiver]
) -> Iterator[WaivedFinding]:
    for reported in report.reported:
        excuses = (each for each in bound.get(reported.fingerprint, ()) if each[0] in in_force)
        first = next(excuses, None)
        if first is not None:
            index, waiver = first
            yield WaivedFinding(reported, waiver.reason, waiver.approved_by, waiver.expires, index)


def _without(outcome: Outcome, waived: tuple[WaivedFinding, ...]) -> Outcome:
    state = outcome.state
    if not isinstance(state, Completed | Crashed):
        return outcome
    mine = (each.reported for each in waived if each.reported.analyzer == outcome.analyzer)
    # One finding may have been yielded twice, and a fingerprint excuses it once.
    gone = collections.Counter(id(reported.finding) for reported in mine)
    kept: list[Finding] = []
    for finding in state.findings:
        if gone[id(finding)]:
            gone[id(finding)] -= 1
        else:
            kept.append(finding)
    return attrs.evolve(outcome, state=attrs.evolve(state, findings=tuple(kept)))


def _state(
    index: int, waiver: Waiver, counts: Mapping[int, int], as_of: AsOf | None
) -> WaiverState:
    if as_of is None:
        return WaiverState.UNDATED
    if waiver.is_expired(as_of.date):
        return WaiverState.EXPIRED
    return WaiverState.USED if counts.get(index) else WaiverState.UNUSED
