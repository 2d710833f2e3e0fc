"""Run a pack's tests against a candidate's source, where the candidate cannot reach."""

from __future__ import annotations

from benchhygiene.sources.replays.replaying import replay
from benchhygiene.sources.replays.settings import ReplaySettings

__all__ = ["ReplaySettings", "replay"]
