"""The tools that run analyzers over trees, ledgers, packs and tool listings."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import urllib.parse
from collections.abc import Generator, Mapping

from benchhygiene import sources
from benchhygiene.cli.diffing import with_required
from benchhygiene.cli.ledger_checking import ledger_of, read_ledger
from benchhygiene.core.json import JSON
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import BUNDLE, Registry
from benchhygiene.core.report import Report
from benchhygiene.errors import InputError, PackRefused
from benchhygiene.evidence.ledger import Ledger, ParentLedger
from benchhygiene.evidence.listing import ToolListing
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import Change
from benchhygiene.formats.json import document
from benchhygiene.server.roots import Root
from benchhygiene.sources.manifest import remarks
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.listings import http_listing
from benchhygiene.sources.mcp.saved import read_listing

_MOST = 200
_LIMITS = ListingLimits(start=20.0, request=15.0, pages=200, total=16 * 2**20)


def diff_surface(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what a change does to the tests, as a report."""
    candidate, patch = _text(arguments, "candidate"), _text(arguments, "patch")
    if (candidate is None) == (patch is None):
        raise InputError("expected one of candidate and patch")
    with contextlib.ExitStack() as stack:
        parent = stack.enter_context(root.held(str(arguments["parent"])))
        if patch is not None:
            change = sources.patch_change(parent, patch)
        else:
            after = stack.enter_context(root.held(candidate or ""))
            if after == parent:
                raise InputError(f"{candidate}: is the same directory as the parent")
            change = sources.change(parent, after)
        trusted = stack.enter_context(_pack_of(root, arguments))
        report = with_required(Orchestrator().run(change, *trusted))
    unseen = (*change.parent.unseen, *change.candidate.unseen)
    return _told(report, arguments, tuple(f"evidence: {reason}" for reason in unseen))


@contextlib.contextmanager
def _pack_of(root: Root, arguments: Mapping[str, JSON]) -> Generator[tuple[object, ...]]:
    path = _text(arguments, "pack")
    if path is None:
        yield ()
        return
    with root.held(path) as real:
        yield (sources.pack(real), sources.as_of(_text(arguments, "date")))


def check_ledger(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what is wrong with a ledger as of a day, as a report."""
    evidence: list[object] = [sources.as_of(_text(arguments, "date"))]
    tree, parent = _text(arguments, "tree"), _text(arguments, "parent")
    with contextlib.ExitStack() as stack:
        evidence.append(_ledger(stack.enter_context(root.held(str(arguments["path"])))))
        if tree is not None:
            found = sources.tree(stack.enter_context(root.held(tree)))
            evidence.append(Change(found, found))
        if parent is not None:
            held = stack.enter_context(root.held(parent))
            evidence.append(ParentLedger(ledger_of(_ledger(held), parent)))
        report = _of("ledger-expiry", *evidence)
    return _told(report, arguments)


def _ledger(path: str) -> WitnessPack | Ledger:
    held = sources.pack(path) if os.path.isdir(path) else read_ledger(path)[1]
    ledger_of(held, path)
    return held


def verify_pack(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what a pack holds, or every fault of one that cannot be trusted."""
    try:
        with root.held(str(arguments["path"])) as real:
            pack = sources.pack(real)
    except PackRefused as error:
        faults: list[JSON] = [
            {"rule": one.rule, "path": one.path, "message": one.message} for one in error.faults
        ]
        return {"ok": True, "verdict": "violation", "faults": faults}
    return {
        "ok": True,
        "verdict": "pass",
        "faults": [],
        "sha256": pack.archive_sha256,
        "manifest_sha256": pack.manifest_sha256,
        "files": len(pack.files.entries),
        "bytes": sum(one.size or 0 for one in pack.files.entries.values()),
        "origin": dict(remarks(pack.origin)) if pack.origin is not None else {},
        "ledger_entries": len(pack.ledger.entries) if pack.ledger else 0,
        "notes": list[JSON](pack.notes),
    }


def lint_tools(
    root: Root, arguments: Mapping[str, JSON], *, with_urls: bool, with_private: bool
) -> dict[str, JSON]:
    """Return what is wrong with a server's declarations, as a report; no secret is sent along."""
    listing, url = _text(arguments, "listing"), _text(arguments, "url")
    if (listing is None) == (url is None):
        raise InputError("expected one of listing and url")
    if listing is not None:
        with root.held(listing) as real:
            return _told(_of("mcp-hints", _saved(real, listing)), arguments)
    if not with_urls:
        raise InputError("url: this server was started with --offline")
    if not with_private:
        _require_public(url or "")
    return _told(
        _of("mcp-hints", http_listing(url or "", limits=_LIMITS, environment={})), arguments
    )


def _saved(real: str, path: str) -> ToolListing:
    if os.path.isdir(real):
        raise InputError(f"{path}: expected a saved listing, not a directory")
    return read_listing(real)


def _require_public(url: str) -> None:
    """Refuse addresses of the server's own network: whoever may call it need not reach those."""
    parts = urllib.parse.urlsplit(url)
    try:
        found = socket.getaddrinfo(parts.hostname or "", parts.port or 443)
    except (OSError, ValueError) as error:
        raise InputError(f"url: {parts.hostname}: has no address") from error
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_global:
            raise InputError(f"url: {parts.hostname}: is not a public address")


def _of(analyzer: str, *evidence: object) -> Report:
    found = Registry.discover()
    named = (each.name for each in found if each.distribution != BUNDLE or each.name == analyzer)
    return Orchestrator(found.only(*named), (analyzer,)).run(*evidence)


def _told(
    report: Report, arguments: Mapping[str, JSON], notes: tuple[str, ...] = ()
) -> dict[str, JSON]:
    whole = document(report)
    findings, outcomes = whole["findings"], whole["outcomes"]
    assert isinstance(findings, list)
    assert isinstance(outcomes, list)
    most = arguments.get("max_findings")
    shown = findings[: most if isinstance(most, int) else _MOST]
    return {
        "ok": True,
        "verdict": whole["verdict"],
        "findings": shown,
        "findings_total": len(findings),
        "outcomes": [_brief(one) for one in outcomes],
        "notes": [*report.provenance.notes, *notes],
    }


def _brief(outcome: JSON) -> JSON:
    """Return an outcome without its exhibits, which can be large."""
    assert isinstance(outcome, Mapping)
    return {key: value for key, value in outcome.items() if key != "exhibits"}


def _text(arguments: Mapping[str, JSON], key: str) -> str | None:
    value = arguments.get(key)
    return value if isinstance(value, str) else None
