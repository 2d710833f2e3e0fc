"""The rule of ``pipelines`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity, Verdict
from benchhygiene_plugins.pipelines.comparison import Doubt, Loss

MASKED = Rule(
    "ci.masked",
    "A pipeline no longer fails where its tests fail",
    Severity.ERROR,
    edit="adds `|| true`, drops pipefail, removes or narrows a step",
    seen="scripts as a shell runs them, keys of jobs, triggers",
    unseen="whether a check is required",
)

RULES = (MASKED,)


@attrs.frozen(kw_only=True)
class GateLost(BaseFinding):
    """A command that ran tests no longer does, or its failure is lost.

    ``place`` is the job and step, or the target, that held it.
    """

    place: tuple[str, ...]
    reason: str


@attrs.frozen(kw_only=True)
class PipelineUnread(BaseFinding):
    """The gates of a pipeline cannot be told any more."""

    reason: str


def lost(loss: Loss) -> GateLost:
    """Return the finding about a gate that no longer holds."""
    old, new = loss.old, loss.new
    where = f" ({' / '.join(old.place)})" if old.place else ""
    return GateLost(
        rule=MASKED,
        message=f"{old.text!r}{where}: {loss.reason}; restore the command as the parent has it",
        locations=(Location(old.path, line=None if new is None else max(new.line, 1)),),
        severity=Severity.ERROR if loss.is_grave else Severity.WARNING,
        old_text=old.text,
        new_text="" if new is None else new.text,
        place=old.place,
        reason=loss.reason,
    )


def unread(doubt: Doubt) -> PipelineUnread:
    """Return the finding about a file that held gates and cannot be read now."""
    return PipelineUnread(
        rule=MASKED,
        message=f"whether its test commands still count cannot be told: {doubt.reason}",
        locations=(Location(doubt.path),),
        verdict=Verdict.INCONCLUSIVE,
        reason=doubt.reason,
    )
