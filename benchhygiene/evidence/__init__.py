"""Immutable snapshots: all an analyzer may know."""

from __future__ import annotations

from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
from benchhygiene.evidence.invocation import Distribution, PytestInvocation, PytestPlugin

__all__ = [
    "Distribution",
    "FileSnapshot",
    "PathEntry",
    "PathKind",
    "PytestInvocation",
    "PytestPlugin",
]
