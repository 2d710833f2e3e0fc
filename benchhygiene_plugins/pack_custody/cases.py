"""A violating and an innocent example of the rule, as evidence literals."""

from __future__ import annotations

import datetime

from benchhygiene import AsOf, Change, Commit, Commits, PackOrigin, Verdict, WitnessPack
from benchhygiene.testing import Case, case
from benchhygiene_plugins.pack_custody.findings import (
    SAME_AUTHOR,
    STALE,
    TAMPERED,
    TRACKS_CANDIDATE,
)

_WAIVER = """{"version": 1, "waivers": [{"path": "tests/test_a.py", "kind": "skip.marker",
 "reason": "agreed", "approved_by": "me", "expires": "2099-01-01"}]}"""
_LEDGER = """{"version": 1, "entries": [{"node_id": "tests/test_a.py::test_a", "owner": "me",
 "first_seen": "2026-01-01", "expires": "2099-01-01", "signature": "",
 "allowed_action": "quarantine"}]}"""
_EMPTY = '{"version": 1, "entries": []}'
_CODE = {"app.py": "x = 1\n"}
_OLD, _NEW = (datetime.datetime(2026, month, 1, tzinfo=datetime.UTC) for month in (1, 9))
_PARENT, _CANDIDATE = Commit("a" * 40, _NEW), Commit("c" * 40, _NEW)
_COMMITS = Commits(_PARENT, _CANDIDATE)
_DAY = AsOf.of("2026-10-01")
_TEST, _WEAKER = "def test_a(): assert f() == 1\n", "def test_a(): assert f()\n"
_EDIT = Change({"tests/test_a.py": _TEST}, {"tests/test_a.py": _WEAKER})
_FIX = Change(
    {"app.py": "x = 1\n", "tests/test_a.py": _TEST},
    {"app.py": "x = 2\n", "tests/test_a.py": _TEST},
)


def _pack(test: str, commit: str = "b" * 40, when: datetime.datetime = _NEW) -> WitnessPack:
    return WitnessPack(
        {"tests/test_a.py": test, "MANIFEST.sha256": ""},
        manifest_sha256="0" * 64,
        origin=PackOrigin(commit=commit, committed=when, max_age_days=90),
    )


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
    case(
        "a pack that is good for 90 days is older",
        _FIX,
        _pack(_TEST, when=_OLD),
        _DAY,
        reports=[STALE],
        verdict=Verdict.PASS,
    ),
    case(
        "the parent has another test than an older pack",
        _FIX,
        _pack(_WEAKER, when=_NEW - datetime.timedelta(days=1)),
        _COMMITS,
        reports=[STALE],
    ),
    case(
        "a pack is older than the parent, whose tests are still the pack's",
        _FIX,
        _pack(_TEST, when=_NEW - datetime.timedelta(days=1)),
        _COMMITS,
        _DAY,
        innocent_of=[STALE],
    ),
    case(
        "a pack was built from the commit under judgement",
        _FIX,
        _pack(_TEST, _CANDIDATE.identity),
        _COMMITS,
        reports=[TRACKS_CANDIDATE],
    ),
    case(
        "a pack has the test that the candidate has just weakened",
        _EDIT,
        _pack(_WEAKER),
        reports=[TRACKS_CANDIDATE],
    ),
    case(
        "a pack has the test that the candidate weakens as it was",
        _EDIT,
        _pack(_TEST),
        _COMMITS,
        innocent_of=[TRACKS_CANDIDATE],
    ),
    case(
        "code, ledger and campaign move in one change",
        Change(
            {"app.py": "x = 1\n", "pack/flakes/ledger.json": _EMPTY},
            {
                "app.py": "x = 2\n",
                "pack/flakes/ledger.json": _LEDGER,
                "pack/properties/campaign.toml": "[shares]\nmax_examples = 5\n",
            },
        ),
        reports=[TAMPERED, SAME_AUTHOR],
    ),
    case(
        "ledger and campaign move in a change of their own",
        Change(
            {"pack/flakes/ledger.json": _EMPTY},
            {
                "pack/flakes/ledger.json": _LEDGER,
                "pack/properties/campaign.toml": "[shares]\nmax_examples = 5\n",
            },
        ),
        reports=[TAMPERED],
        innocent_of=[SAME_AUTHOR],
    ),
)
