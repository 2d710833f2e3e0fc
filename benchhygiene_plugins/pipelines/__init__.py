"""Tell whether CI and its scripts still fail where the tests fail."""

from __future__ import annotations

from benchhygiene_plugins.pipelines.analyzer import Pipelines
from benchhygiene_plugins.pipelines.comparison import Doubt, Loss, losses
from benchhygiene_plugins.pipelines.findings import GateLost, PipelineUnread
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline
from benchhygiene_plugins.pipelines.inventory import inventory

__all__ = [
    "Doubt",
    "Gate",
    "GateLost",
    "Loss",
    "Pipeline",
    "PipelineUnread",
    "Pipelines",
    "inventory",
    "losses",
]
