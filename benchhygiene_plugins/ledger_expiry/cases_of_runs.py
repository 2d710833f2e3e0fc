"""Violating and innocent examples of what a run shows about the ledger."""

from __future__ import annotations

import datetime

import attrs

from benchhygiene import (
    AllowedAction,
    AsOf,
    Failure,
    Ledger,
    LedgerEntry,
    LedgerPolicy,
    NodeEnd,
    NodeRun,
    SuiteRun,
    Verdict,
)
from benchhygiene.testing import Case, case
from benchhygiene_plugins.ledger_expiry.findings import (
    EXPIRED,
    NEVER_SEEN,
    OVER_LIMIT,
    STILL_FLAKY,
    UNKNOWN_SHAPE,
    UNSETTLED,
)

_NODE = "tests/test_parse.py::test_roundtrip"
_TODAY = AsOf(datetime.date(2026, 10, 1))
_ENTRY = LedgerEntry(
    node_id=_NODE,
    first_seen=datetime.date(2026, 9, 18),
    expires=datetime.date(2026, 12, 31),
    signature="AssertionError: 3 cents != 0",
    owner="payments",
    allowed_action=AllowedAction.QUARANTINE,
    last_seen=datetime.date(2026, 9, 20),
)
_HELD = Ledger([_ENTRY])
_LAPSED = Ledger([attrs.evolve(_ENTRY, expires=datetime.date(2026, 9, 30))])
_KNOWN = Failure("AssertionError", "17 cents != 0")
_OTHER = Failure("KeyError", "'cents'")


def _failed(failure: Failure | None, node_id: str = _NODE) -> NodeRun:
    return NodeRun(node_id=node_id, end=NodeEnd.FAILED, failure=failure)


def _passed(node_id: str = _NODE) -> NodeRun:
    return NodeRun(node_id=node_id, end=NodeEnd.PASSED)


def _run(*nodes: NodeRun, doubts: tuple[str, ...] = ()) -> SuiteRun:
    return SuiteRun(origin="replay", nodes=nodes, doubts=doubts)


RUNS: tuple[Case, ...] = (
    case(
        "a node fails after its quarantine has expired",
        _LAPSED,
        _TODAY,
        _run(_failed(_KNOWN)),
        reports=[EXPIRED, STILL_FLAKY],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a node fails and passes after its quarantine has expired",
        _LAPSED,
        _TODAY,
        _run(_failed(_KNOWN), _passed()),
        reports=[EXPIRED, STILL_FLAKY],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a node passes after its quarantine has expired",
        _LAPSED,
        _TODAY,
        _run(_passed()),
        reports=[EXPIRED],
        innocent_of=[STILL_FLAKY],
        verdict=Verdict.PASS,
    ),
    case(
        "a node in quarantine fails in another way",
        _HELD,
        _TODAY,
        _run(_failed(_OTHER)),
        reports=[UNKNOWN_SHAPE],
        innocent_of=[STILL_FLAKY],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a node in quarantine fails in the known way and in another",
        _HELD,
        _TODAY,
        _run(_failed(_KNOWN), _failed(_OTHER)),
        reports=[UNKNOWN_SHAPE],
    ),
    case(
        "a node in quarantine fails in the known way, with other numbers",
        _HELD,
        _TODAY,
        _run(_failed(_KNOWN)),
        innocent_of=[UNKNOWN_SHAPE, STILL_FLAKY, NEVER_SEEN, UNSETTLED],
        verdict=Verdict.PASS,
    ),
    case(
        "a node without an entry fails: that is the score's to say",
        _HELD,
        _TODAY,
        _run(_passed(), _failed(_OTHER, "tests/test_parse.py::test_each")),
        innocent_of=[UNKNOWN_SHAPE, STILL_FLAKY],
        verdict=Verdict.PASS,
    ),
    case(
        "a node in quarantine was not run",
        _HELD,
        _TODAY,
        _run(_passed("tests/test_parse.py::test_each")),
        reports=[NEVER_SEEN],
        verdict=Verdict.PASS,
    ),
    case(
        "a node in quarantine has never failed",
        Ledger([attrs.evolve(_ENTRY, last_seen=None)]),
        _TODAY,
        _run(_passed()),
        reports=[NEVER_SEEN],
    ),
    case(
        "an entry speaks of every set of parameters, and one was run",
        _HELD,
        _TODAY,
        _run(_passed(f"{_NODE}[eur]")),
        innocent_of=[NEVER_SEEN],
    ),
    case(
        "the record has no failure to hold against the signature",
        _HELD,
        _TODAY,
        _run(_failed(None)),
        reports=[UNSETTLED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "nothing says how a node in quarantine ended",
        _HELD,
        _TODAY,
        _run(NodeRun(node_id=_NODE, end=NodeEnd.UNFINISHED)),
        reports=[UNSETTLED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the record ends too early",
        _HELD,
        _TODAY,
        _run(_passed(), doubts=("the record ends before the session does",)),
        reports=[UNSETTLED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "half of the nodes are in quarantine, and the policy allows a third",
        Ledger([_ENTRY], LedgerPolicy(max_share=0.34)),
        _TODAY,
        _run(_passed(), _passed("tests/test_parse.py::test_each")),
        reports=[OVER_LIMIT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "half of the nodes are in quarantine, and the policy allows that",
        Ledger([_ENTRY], LedgerPolicy(max_share=0.5)),
        _TODAY,
        _run(_passed(), _passed("tests/test_parse.py::test_each")),
        innocent_of=[OVER_LIMIT],
    ),
)
