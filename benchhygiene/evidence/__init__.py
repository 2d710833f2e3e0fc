"""Immutable snapshots: all an analyzer may know; each is imported when it is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.evidence.as_of import AsOf
    from benchhygiene.evidence.campaign import Binding, Budget, Campaign
    from benchhygiene.evidence.collected import CollectedChange, CollectedNodes, CollectionEnd
    from benchhygiene.evidence.commits import Commit, Commits
    from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
    from benchhygiene.evidence.grader_log import GraderLog, GraderParser, GraderVerdict
    from benchhygiene.evidence.invocation import Distribution, PytestInvocation, PytestPlugin
    from benchhygiene.evidence.ledger import (
        AllowedAction,
        Ledger,
        LedgerEntry,
        LedgerPolicy,
        ParentLedger,
    )
    from benchhygiene.evidence.pack import PackFault, PackFaultKind, PackOrigin, WitnessPack
    from benchhygiene.evidence.replay import (
        Canary,
        Deed,
        DeedKind,
        ListedBy,
        OwedBudget,
        Replay,
        ReplayEnd,
        Unwitnessed,
    )
    from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
    from benchhygiene.evidence.tree import Change, EntryKind, SourceTree, TreeEntry, entry
    from benchhygiene.evidence.waivers import Waiver, Waivers

__all__ = [
    "AllowedAction",
    "AsOf",
    "Binding",
    "Budget",
    "Campaign",
    "Canary",
    "Change",
    "CollectedChange",
    "CollectedNodes",
    "CollectionEnd",
    "Commit",
    "Commits",
    "Deed",
    "DeedKind",
    "Distribution",
    "EntryKind",
    "Failure",
    "FileSnapshot",
    "GraderLog",
    "GraderParser",
    "GraderVerdict",
    "Ledger",
    "LedgerEntry",
    "LedgerPolicy",
    "ListedBy",
    "NodeEnd",
    "NodeRun",
    "OwedBudget",
    "PackFault",
    "PackFaultKind",
    "PackOrigin",
    "ParentLedger",
    "PathEntry",
    "PathKind",
    "PytestInvocation",
    "PytestPlugin",
    "Replay",
    "ReplayEnd",
    "SourceTree",
    "SuiteRun",
    "TreeEntry",
    "Unwitnessed",
    "Waiver",
    "Waivers",
    "WitnessPack",
    "entry",
]

_HOMES = {
    "as_of": ("AsOf",),
    "campaign": (
        "Binding",
        "Budget",
        "Campaign",
    ),
    "collected": (
        "CollectedChange",
        "CollectedNodes",
        "CollectionEnd",
    ),
    "commits": ("Commit", "Commits"),
    "files": (
        "FileSnapshot",
        "PathEntry",
        "PathKind",
    ),
    "grader_log": (
        "GraderLog",
        "GraderParser",
        "GraderVerdict",
    ),
    "invocation": (
        "Distribution",
        "PytestInvocation",
        "PytestPlugin",
    ),
    "ledger": (
        "AllowedAction",
        "Ledger",
        "LedgerEntry",
        "LedgerPolicy",
        "ParentLedger",
    ),
    "pack": (
        "PackFault",
        "PackFaultKind",
        "PackOrigin",
        "WitnessPack",
    ),
    "replay": (
        "Canary",
        "Deed",
        "DeedKind",
        "ListedBy",
        "OwedBudget",
        "Replay",
        "ReplayEnd",
        "Unwitnessed",
    ),
    "suite": (
        "Failure",
        "NodeEnd",
        "NodeRun",
        "SuiteRun",
    ),
    "tree": (
        "Change",
        "EntryKind",
        "SourceTree",
        "TreeEntry",
        "entry",
    ),
    "waivers": (
        "Waiver",
        "Waivers",
    ),
}


if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a type when it is first asked for, so that unused ones cost nothing."""
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(f"{__name__}.{home}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
