"""Immutable snapshots: all an analyzer may know."""

from __future__ import annotations

from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.campaign import Binding, Budget, Campaign
from benchhygiene.evidence.collected import CollectedChange, CollectedNodes, CollectionEnd
from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
from benchhygiene.evidence.invocation import Distribution, PytestInvocation, PytestPlugin
from benchhygiene.evidence.ledger import AllowedAction, Ledger, LedgerEntry, LedgerPolicy
from benchhygiene.evidence.pack import PackFault, PackFaultKind, WitnessPack
from benchhygiene.evidence.tree import Change, EntryKind, SourceTree, TreeEntry, entry
from benchhygiene.evidence.waivers import Waiver, Waivers

__all__ = [
    "AllowedAction",
    "AsOf",
    "Binding",
    "Budget",
    "Campaign",
    "Change",
    "CollectedChange",
    "CollectedNodes",
    "CollectionEnd",
    "Distribution",
    "EntryKind",
    "FileSnapshot",
    "Ledger",
    "LedgerEntry",
    "LedgerPolicy",
    "PackFault",
    "PackFaultKind",
    "PathEntry",
    "PathKind",
    "PytestInvocation",
    "PytestPlugin",
    "SourceTree",
    "TreeEntry",
    "Waiver",
    "Waivers",
    "WitnessPack",
    "entry",
]
