"""Run what nobody trusts: no network, no files but those named, limits on everything."""

from __future__ import annotations

from benchhygiene.sources.sandbox.commands import (
    CHANNEL,
    MESSAGE,
    Command,
    Mount,
    environment,
    shown,
)
from benchhygiene.sources.sandbox.interpreter import interpreter_mounts
from benchhygiene.sources.sandbox.limits import Ended, Isolation, RunEnd, SandboxLimits
from benchhygiene.sources.sandbox.processes import Running
from benchhygiene.sources.sandbox.running import Sandbox

__all__ = [
    "CHANNEL",
    "MESSAGE",
    "Command",
    "Ended",
    "Isolation",
    "Mount",
    "RunEnd",
    "Running",
    "Sandbox",
    "SandboxLimits",
    "environment",
    "interpreter_mounts",
    "shown",
]
