"""Tell whether a replay of the pack's tests can be believed, and what it says."""

from __future__ import annotations

from benchhygiene_plugins.replay.analyzer import ReplayOfDay, ReplayRun
from benchhygiene_plugins.replay.findings import BudgetUnmet, NodeFound, RunFound

__all__ = ["BudgetUnmet", "NodeFound", "ReplayOfDay", "ReplayRun", "RunFound"]
