"""Immutable snapshots: all an analyzer may know."""

from __future__ import annotations

from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
from benchhygiene.evidence.invocation import Distribution, PytestInvocation, PytestPlugin
from benchhygiene.evidence.tree import Change, EntryKind, SourceTree, TreeEntry, entry

__all__ = [
    "Change",
    "Distribution",
    "EntryKind",
    "FileSnapshot",
    "PathEntry",
    "PathKind",
    "PytestInvocation",
    "PytestPlugin",
    "SourceTree",
    "TreeEntry",
    "entry",
]
