"""A violating and an innocent example of the rule, as evidence literals."""

from __future__ import annotations

from benchhygiene import Change, Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.pack_custody.findings import TAMPERED

_WAIVER = """{"version": 1, "waivers": [{"path": "tests/test_a.py", "kind": "skip.marker",
 "reason": "agreed", "approved_by": "me", "expires": "2099-01-01"}]}"""
_LEDGER = """{"version": 1, "entries": [{"node_id": "tests/test_a.py::test_a", "owner": "me",
 "first_seen": "2026-01-01", "expires": "2099-01-01", "signature": "",
 "allowed_action": "quarantine"}]}"""
_EMPTY = '{"version": 1, "entries": []}'
_CODE = {"app.py": "x = 1\n"}


CASES: tuple[Case, ...] = (
    case(
        "a waiver arrives with the candidate",
        Change(_CODE, {**_CODE, "waivers.json": _WAIVER}),
        reports=[TAMPERED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a waiver arrives under another name",
        Change(_CODE, {**_CODE, "tests/data/agreed.json": _WAIVER}),
        reports=[TAMPERED],
    ),
    case(
        "an entry is added to a ledger",
        Change({"pack/flakes/ledger.json": _EMPTY}, {"pack/flakes/ledger.json": _LEDGER}),
        reports=[TAMPERED],
    ),
    case(
        "a campaign lowers its budget",
        Change(
            {"properties/campaign.toml": "[shares]\nmax_examples = 500\n"},
            {"properties/campaign.toml": "[shares]\nmax_examples = 5\n"},
        ),
        reports=[TAMPERED],
    ),
    case(
        "a manifest is deleted",
        Change({**_CODE, "pack/MANIFEST.sha256": f"{'0' * 64}  waivers.json\n"}, _CODE),
        reports=[TAMPERED],
    ),
    case(
        "a product has waivers of its own",
        Change(_CODE, {**_CODE, "waivers.json": '{"waivers": [{"fee": "late", "percent": 50}]}'}),
        innocent_of=[TAMPERED],
        verdict=Verdict.PASS,
    ),
    case(
        "a ledger is laid out otherwise",
        Change(
            {"flakes/ledger.json": _LEDGER},
            {"flakes/ledger.json": _LEDGER.replace("\n", "\n  ")},
        ),
        innocent_of=[TAMPERED],
        verdict=Verdict.PASS,
    ),
)
