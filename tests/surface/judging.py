"""Put a pair before the bundled analyzers and say what they found."""

from __future__ import annotations

import datetime
import functools
import importlib
import pathlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.core.findings import Finding, Severity, place
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import Registry
from benchhygiene.core.report import Report
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.ledger import AllowedAction, Ledger, LedgerEntry
from benchhygiene.evidence.tree import Change, SourceTree
from tests.surface.corpus import Entry, Expected, Pair

ROOT = pathlib.Path(__file__).parents[2]
TODAY = datetime.date(2026, 9, 25)
_SEEN, _LIVE, _LAPSED = (datetime.date(year, 1, 1) for year in (2023, 2099, 2024))


@attrs.frozen(order=True)
class Found:
    """One finding, reduced to what is scored."""

    rule: str
    path: str
    node: str | None = attrs.field(order=False)
    severity: str = "error"

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    def meets(self, expected: Expected) -> bool:
        """Return whether the rule, the path and the node, without its parameters, are right."""
        return (
            self.is_error
            and self.rule in expected.rules
            and self.path == expected.path
            and (expected.node is None or without_parameters(self.node) == expected.node)
        )


def without_parameters(node: str | None) -> str | None:
    return None if node is None else node.partition("[")[0]


@functools.cache
def registry() -> Registry:
    """Return the analyzers that the project declares and that judge a change.

    They are read from this checkout: what is installed may be another version.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = Registry()
    for reference in project["entry-points"]["benchhygiene.analyzers"].values():
        module, _, name = reference.partition(":")
        found = found.including(getattr(importlib.import_module(module), name)())
    return found


@functools.cache
def declared_rules() -> frozenset[str]:
    """Return the ids of every rule that some analyzer declares."""
    return frozenset(rule.id for plugin in registry() for rule in plugin.load().rules)


def report(before: Mapping[str, bytes], after: Mapping[str, bytes], *pack: object) -> Report:
    """Return the report on two trees, on a fixed day."""
    change = Change(SourceTree(before), SourceTree(after))
    return Orchestrator(registry()).run(change, AsOf(TODAY), *pack)


def judged(pair: Pair) -> Report:
    """Return the report on a pair, with its ledger where it has one."""
    pack = (Ledger(tuple(map(_entry, pair.ledger))),) if pair.ledger else ()
    return report(_encoded(pair.parent), _encoded(pair.candidate), *pack)


def _encoded(tree: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode() for path, text in tree.items()}


def _entry(entry: Entry) -> LedgerEntry:
    return LedgerEntry(
        node_id=entry.node,
        first_seen=_SEEN,
        expires=_LAPSED if entry.is_expired else _LIVE,
        signature="AssertionError",
        owner="payments",
        allowed_action=AllowedAction(entry.action),
        renamed_to=entry.renamed_to,
    )


def found(findings: Iterable[Finding]) -> tuple[Found, ...]:
    """Return the findings in the form that is scored, sorted."""
    return tuple(sorted(map(_found, findings)))


def _found(finding: Finding) -> Found:
    at = place(finding)
    severity = {Severity.WARNING: "warn", Severity.NOTE: "info"}.get(finding.severity, "error")
    return Found(finding.rule.id, at.path, at.node_id, severity)


def misses(pair: Pair, findings: Iterable[Found]) -> Iterator[Expected]:
    """Yield what a pair expects and no finding meets."""
    seen = tuple(findings)
    for expected in pair.expected:
        if not any(each.meets(expected) for each in seen):
            yield expected


def false_alarms(pair: Pair, findings: Iterable[Found]) -> tuple[Found, ...]:
    """Return every error on an innocent pair."""
    return () if pair.is_violating else tuple(each for each in findings if each.is_error)
