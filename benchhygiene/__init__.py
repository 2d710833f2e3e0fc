"""Find what makes a benchmark's grade untrue: evidence in, findings out.

Build evidence with ``benchhygiene.sources``, hand it to an Orchestrator and read the Report::

    from benchhygiene import Orchestrator, Verdict, sources

    report = Orchestrator(require={"ini-chain"}).run(sources.invocation(workspace, ["tests"]))
    if report.verdict is not Verdict.PASS:
        for finding in report.findings:
            ...

Everything here is imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene import sources
    from benchhygiene.core.analyzer import Analyzer, Bundle, Describes
    from benchhygiene.core.findings import (
        BaseFinding,
        Finding,
        Fixable,
        Location,
        Rule,
        Severity,
        SymbolKind,
        Verdict,
        detail,
        fingerprint,
    )
    from benchhygiene.core.json import JSON
    from benchhygiene.core.orchestrator import Orchestrator
    from benchhygiene.core.provenance import Provenance
    from benchhygiene.core.registry import Plugin, Registry
    from benchhygiene.core.report import (
        Completed,
        Crashed,
        Outcome,
        Report,
        ReportedFinding,
        Skipped,
        WaivedFinding,
        WaiverOutcome,
        WaiverState,
    )
    from benchhygiene.errors import (
        AnalyzerCrashed,
        BenchhygieneError,
        ConfigurationError,
        ContractBreach,
        EvidenceUnavailable,
        InputError,
        MissingExtra,
        PackRefused,
        RegistryError,
        SandboxUnavailable,
    )
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
    from benchhygiene.evidence.tree import Change, EntryKind, SourceTree, TreeEntry
    from benchhygiene.evidence.waivers import Waiver, Waivers

__version__ = "0.1.0"

_HOMES = {
    "core.analyzer": ("Analyzer", "Bundle", "Describes"),
    "core.findings": (
        "BaseFinding",
        "Finding",
        "Fixable",
        "Location",
        "Rule",
        "Severity",
        "SymbolKind",
        "Verdict",
        "detail",
        "fingerprint",
    ),
    "core.json": ("JSON",),
    "core.orchestrator": ("Orchestrator",),
    "core.provenance": ("Provenance",),
    "core.registry": ("Plugin", "Registry"),
    "core.report": (
        "Completed",
        "Crashed",
        "Outcome",
        "Report",
        "ReportedFinding",
        "Skipped",
        "WaivedFinding",
        "WaiverOutcome",
        "WaiverState",
    ),
    "errors": (
        "AnalyzerCrashed",
        "BenchhygieneError",
        "ConfigurationError",
        "ContractBreach",
        "EvidenceUnavailable",
        "InputError",
        "MissingExtra",
        "PackRefused",
        "RegistryError",
        "SandboxUnavailable",
    ),
    "evidence.as_of": ("AsOf",),
    "evidence.campaign": ("Binding", "Budget", "Campaign"),
    "evidence.collected": ("CollectedChange", "CollectedNodes", "CollectionEnd"),
    "evidence.commits": ("Commit", "Commits"),
    "evidence.files": ("FileSnapshot", "PathEntry", "PathKind"),
    "evidence.grader_log": ("GraderLog", "GraderParser", "GraderVerdict"),
    "evidence.invocation": ("Distribution", "PytestInvocation", "PytestPlugin"),
    "evidence.ledger": (
        "AllowedAction",
        "Ledger",
        "LedgerEntry",
        "LedgerPolicy",
        "ParentLedger",
    ),
    "evidence.pack": ("PackFault", "PackFaultKind", "PackOrigin", "WitnessPack"),
    "evidence.replay": (
        "Canary",
        "Deed",
        "DeedKind",
        "ListedBy",
        "OwedBudget",
        "Replay",
        "ReplayEnd",
        "Unwitnessed",
    ),
    "evidence.suite": ("Failure", "NodeEnd", "NodeRun", "SuiteRun"),
    "evidence.tree": ("Change", "EntryKind", "SourceTree", "TreeEntry"),
    "evidence.waivers": ("Waiver", "Waivers"),
}

__all__ = [
    "JSON",
    "AllowedAction",
    "Analyzer",
    "AnalyzerCrashed",
    "AsOf",
    "BaseFinding",
    "BenchhygieneError",
    "Binding",
    "Budget",
    "Bundle",
    "Campaign",
    "Canary",
    "Change",
    "CollectedChange",
    "CollectedNodes",
    "CollectionEnd",
    "Commit",
    "Commits",
    "Completed",
    "ConfigurationError",
    "ContractBreach",
    "Crashed",
    "Deed",
    "DeedKind",
    "Describes",
    "Distribution",
    "EntryKind",
    "EvidenceUnavailable",
    "Failure",
    "FileSnapshot",
    "Finding",
    "Fixable",
    "GraderLog",
    "GraderParser",
    "GraderVerdict",
    "InputError",
    "Ledger",
    "LedgerEntry",
    "LedgerPolicy",
    "ListedBy",
    "Location",
    "MissingExtra",
    "NodeEnd",
    "NodeRun",
    "Orchestrator",
    "Outcome",
    "OwedBudget",
    "PackFault",
    "PackFaultKind",
    "PackOrigin",
    "PackRefused",
    "ParentLedger",
    "PathEntry",
    "PathKind",
    "Plugin",
    "Provenance",
    "PytestInvocation",
    "PytestPlugin",
    "Registry",
    "RegistryError",
    "Replay",
    "ReplayEnd",
    "Report",
    "ReportedFinding",
    "Rule",
    "SandboxUnavailable",
    "Severity",
    "Skipped",
    "SourceTree",
    "SuiteRun",
    "SymbolKind",
    "TreeEntry",
    "Unwitnessed",
    "Verdict",
    "WaivedFinding",
    "Waiver",
    "WaiverOutcome",
    "WaiverState",
    "Waivers",
    "WitnessPack",
    "__version__",
    "detail",
    "fingerprint",
    "sources",
]


if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for (PEP 562)."""
        if name == "sources":
            return importlib.import_module("benchhygiene.sources")
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(f"benchhygiene.{home}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
