"""List what a report does not know: silence is never a pass."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.core.findings import Severity
from benchhygiene.core.report import Completed, Crashed, Outcome, Report, Skipped, WaiverState


@attrs.frozen
class Unseen:
    """One thing nobody saw.

    ``kind`` is crashed, skipped, refused, waiver or note. ``installation`` tells what concerns
    the installed plugins from what happened in this run.
    """

    kind: str
    severity: Severity
    text: str
    installation: bool = False

    @property
    def is_note(self) -> bool:
        """Return whether it is worth knowing, rather than something nobody saw."""
        return self.kind in ("note", "waiver")


def unseen(report: Report) -> Iterator[Unseen]:
    """Yield what was skipped, crashed or refused, idle waivers, and the notes on the run."""
    for outcome in report.gaps:
        yield from _by(outcome)
    for waiver in report.waivers:
        if waiver.state is not WaiverState.USED:
            yield Unseen("waiver", Severity.NOTE, str(waiver))
    for plugin in report.provenance.refused:
        text = f"{plugin.name} ({plugin.distribution}) was not loaded: {plugin.reason}"
        yield Unseen("refused", Severity.NOTE, text, installation=True)
    for note in report.provenance.notes:
        yield Unseen("note", Severity.NOTE, note, installation=True)


def _by(outcome: Outcome) -> Iterator[Unseen]:
    match outcome.state:
        case Crashed():
            text = f"{outcome.analyzer} crashed: {outcome.state}"
            yield Unseen("crashed", Severity.ERROR, text)
        case Skipped(reason=reason) if outcome.required:
            text = f"{outcome.analyzer} was skipped although it is required: {reason}"
            yield Unseen("skipped", Severity.WARNING, text)
        case Skipped(reason=reason):
            yield Unseen("skipped", Severity.NOTE, f"{outcome.analyzer} was skipped: {reason}")
        case Completed():
            return
