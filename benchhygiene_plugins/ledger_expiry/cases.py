"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

import datetime

import attrs

from benchhygiene import (
    AllowedAction,
    AsOf,
    Change,
    Ledger,
    LedgerEntry,
    LedgerPolicy,
    ParentLedger,
    TreeEntry,
    Verdict,
)
from benchhygiene.testing import Case, case
from benchhygiene_plugins.ledger_expiry.cases_of_runs import RUNS
from benchhygiene_plugins.ledger_expiry.findings import (
    DANGLING,
    DUPLICATE,
    EXPIRED,
    EXPIRING,
    GROWN,
    INVERTED,
    OVER_LIMIT,
)

_TODAY = AsOf(datetime.date(2026, 10, 1))
_SUITE = """\
import pytest

def test_roundtrip():
    assert 1 == 1

@pytest.mark.parametrize("value", [1, 2])
def test_each(value):
    assert value
"""
_TREE = {"tests/test_parse.py": _SUITE}
_CHANGE = Change(_TREE, _TREE)
_ENTRY = LedgerEntry(
    node_id="tests/test_parse.py::test_roundtrip",
    first_seen=datetime.date(2026, 9, 18),
    expires=datetime.date(2026, 12, 31),
    signature="AssertionError: cents != 0",
    owner="payments",
    allowed_action=AllowedAction.QUARANTINE,
)


def _until(month: int, day: int) -> LedgerEntry:
    return attrs.evolve(_ENTRY, expires=datetime.date(2026, month, day))


def _for(node_id: str) -> LedgerEntry:
    return attrs.evolve(_ENTRY, node_id=node_id)


def _renamed(old: str, new: str) -> LedgerEntry:
    return attrs.evolve(_ENTRY, node_id=old, renamed_to=new, allowed_action=AllowedAction.RENAME)


_DAYS: tuple[Case, ...] = (
    case(
        "an entry's last day was yesterday",
        Ledger([_until(9, 30)]),
        _TODAY,
        reports=[EXPIRED],
        innocent_of=[EXPIRING],
        verdict=Verdict.PASS,
    ),
    case(
        "an entry's last day is today",
        Ledger([_until(10, 1)]),
        _TODAY,
        reports=[EXPIRING],
        innocent_of=[EXPIRED],
    ),
    case(
        "an entry ends within two weeks",
        Ledger([_until(10, 15)]),
        _TODAY,
        reports=[EXPIRING],
    ),
    case(
        "an entry ends in more than two weeks",
        Ledger([_until(10, 16)]),
        _TODAY,
        innocent_of=[EXPIRING, EXPIRED],
        verdict=Verdict.PASS,
    ),
)

_NODES: tuple[Case, ...] = (
    case(
        "an entry names a function that is not there",
        Ledger([_for("tests/test_parse.py::test_roundtrips")]),
        _TODAY,
        _CHANGE,
        reports=[DANGLING],
        verdict=Verdict.PASS,
    ),
    case(
        "an entry names a file that is not there",
        Ledger([_for("tests/test_pars.py::test_roundtrip")]),
        _TODAY,
        _CHANGE,
        reports=[DANGLING],
    ),
    case(
        "an entry names a node of the parent",
        Ledger([_ENTRY]),
        _TODAY,
        _CHANGE,
        innocent_of=[DANGLING],
        verdict=Verdict.PASS,
    ),
    case(
        "a node that only the candidate has",
        Ledger([_for("tests/test_new.py::test_new")]),
        _TODAY,
        Change(_TREE, {**_TREE, "tests/test_new.py": "def test_new(): assert 1\n"}),
        reports=[DANGLING],
    ),
    case(
        "a rename that has already happened in the parent",
        Ledger([_renamed("tests/test_parse.py::test_old", _ENTRY.node_id)]),
        _TODAY,
        _CHANGE,
        innocent_of=[DANGLING],
    ),
    case(
        "a rename of which the parent has neither name",
        Ledger([_renamed("tests/test_parse.py::test_old", "tests/test_parse.py::test_new")]),
        _TODAY,
        _CHANGE,
        reports=[DANGLING],
    ),
    case(
        "a deletion that has already happened in the parent",
        Ledger(
            [
                attrs.evolve(
                    _for("tests/test_parse.py::test_old"), allowed_action=AllowedAction.DELETE
                )
            ]
        ),
        _TODAY,
        _CHANGE,
        innocent_of=[DANGLING],
    ),
    case(
        "an entry names a node in a file of the parent that could not be read",
        Ledger([_ENTRY]),
        _TODAY,
        Change({"tests/test_parse.py": TreeEntry(error="larger than the limit")}, _TREE),
        reports=[DANGLING],
        verdict=Verdict.PASS,
    ),
)

_POLICIES: tuple[Case, ...] = (
    case(
        "more entries than the policy allows",
        Ledger([_ENTRY, _for("tests/test_parse.py::test_each")], LedgerPolicy(max_entries=1)),
        _TODAY,
        reports=[OVER_LIMIT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "as many entries as the policy allows, as one has expired",
        Ledger([_ENTRY, _until(9, 20)], LedgerPolicy(max_entries=1)),
        _TODAY,
        reports=[EXPIRED],
        innocent_of=[OVER_LIMIT],
    ),
    case(
        "an entry that lives longer than the policy allows",
        Ledger([_ENTRY], LedgerPolicy(max_days=103)),
        _TODAY,
        reports=[OVER_LIMIT],
    ),
    case(
        "an entry that lives as long as the policy allows, with its issue",
        Ledger([attrs.evolve(_ENTRY, issue="#12")], LedgerPolicy(max_days=104, require_issue=True)),
        _TODAY,
        innocent_of=[OVER_LIMIT],
    ),
    case(
        "an entry without the issue that the policy requires",
        Ledger([_ENTRY], LedgerPolicy(require_issue=True)),
        _TODAY,
        reports=[OVER_LIMIT],
    ),
)

_ENTRIES: tuple[Case, ...] = (
    case(
        "an entry ends before it begins",
        Ledger([attrs.evolve(_ENTRY, first_seen=datetime.date(2027, 1, 1))]),
        _TODAY,
        reports=[INVERTED],
        verdict=Verdict.PASS,
    ),
    case(
        "an entry was last seen before it was first seen",
        Ledger([attrs.evolve(_ENTRY, last_seen=datetime.date(2026, 9, 17))]),
        _TODAY,
        reports=[INVERTED],
    ),
    case(
        "an entry was seen tomorrow",
        Ledger([attrs.evolve(_ENTRY, last_seen=datetime.date(2026, 10, 2))]),
        _TODAY,
        reports=[INVERTED],
    ),
    case(
        "an entry was seen today",
        Ledger([attrs.evolve(_ENTRY, last_seen=datetime.date(2026, 10, 1))]),
        _TODAY,
        innocent_of=[INVERTED],
    ),
    case(
        "a node stands twice in the ledger",
        Ledger([_ENTRY, attrs.evolve(_ENTRY, owner="billing")]),
        _TODAY,
        reports=[DUPLICATE],
        verdict=Verdict.PASS,
    ),
    case(
        "a node fails in two ways, and has an entry for each",
        Ledger([_ENTRY, attrs.evolve(_ENTRY, signature="KeyError: 'cents'")]),
        _TODAY,
        innocent_of=[DUPLICATE],
    ),
    case(
        "a node may be renamed and is in quarantine until then",
        Ledger([_ENTRY, _renamed(_ENTRY.node_id, "tests/test_parse.py::test_new")]),
        _TODAY,
        innocent_of=[DUPLICATE],
    ),
    case(
        "a node has an entry again after the first one has expired",
        Ledger([_until(9, 20), _ENTRY]),
        _TODAY,
        reports=[EXPIRED],
        innocent_of=[DUPLICATE],
    ),
    case(
        "an entry that the parent pack does not have",
        Ledger([_ENTRY]),
        _TODAY,
        ParentLedger(Ledger()),
        reports=[GROWN],
        verdict=Verdict.PASS,
    ),
    case(
        "an entry ends later than in the parent pack",
        Ledger([_ENTRY]),
        _TODAY,
        ParentLedger(Ledger([_until(12, 30)])),
        reports=[GROWN],
    ),
    case(
        "an entry ends earlier than in the parent pack, and another has gone",
        Ledger([_until(12, 30)]),
        _TODAY,
        ParentLedger(Ledger([_ENTRY, _for("tests/test_parse.py::test_each")])),
        innocent_of=[GROWN],
    ),
)

CASES: tuple[Case, ...] = (*_DAYS, *_NODES, *_POLICIES, *_ENTRIES, *RUNS)
