"""Build evidence from the world: the only part that opens files or runs processes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.sources.changes import change, git_change, patch_change, tree
    from benchhygiene.sources.collection import collect, collect_change
    from benchhygiene.sources.days import as_of
    from benchhygiene.sources.git import Repository
    from benchhygiene.sources.grader_logs import grader_log
    from benchhygiene.sources.history import commits
    from benchhygiene.sources.invocations import invocation
    from benchhygiene.sources.pack_files import pack_schemas
    from benchhygiene.sources.pack_walk import PackLimits
    from benchhygiene.sources.packing.unpacking import unpacked
    from benchhygiene.sources.packs import pack
    from benchhygiene.sources.reading import Limits
    from benchhygiene.sources.records.forms import RecordLimits, outcomes
    from benchhygiene.sources.replays import ReplaySettings, replay
    from benchhygiene.sources.sandbox import Isolation, Sandbox, SandboxLimits
    from benchhygiene.sources.trees import TreeLimits

__all__ = [
    "Isolation",
    "Limits",
    "PackLimits",
    "RecordLimits",
    "ReplaySettings",
    "Repository",
    "Sandbox",
    "SandboxLimits",
    "TreeLimits",
    "as_of",
    "change",
    "collect",
    "collect_change",
    "commits",
    "git_change",
    "grader_log",
    "invocation",
    "outcomes",
    "pack",
    "pack_schemas",
    "patch_change",
    "replay",
    "tree",
    "unpacked",
]

_HOMES = {
    "Isolation": "sandbox",
    "Limits": "reading",
    "PackLimits": "pack_walk",
    "RecordLimits": "records.forms",
    "ReplaySettings": "replays",
    "Repository": "git",
    "Sandbox": "sandbox",
    "SandboxLimits": "sandbox",
    "TreeLimits": "trees",
    "as_of": "days",
    "change": "changes",
    "collect": "collection",
    "collect_change": "collection",
    "commits": "history",
    "git_change": "changes",
    "grader_log": "grader_logs",
    "invocation": "invocations",
    "outcomes": "records.forms",
    "pack": "packs",
    "pack_schemas": "pack_files",
    "patch_change": "changes",
    "replay": "replays",
    "tree": "changes",
    "unpacked": "packing.unpacking",
}


if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a source when it is first asked for, so that unused ones cost nothing."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
