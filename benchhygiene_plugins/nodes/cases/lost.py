"""Node ids that are gone, and those that only seem to be."""

from __future__ import annotations

import datetime

from benchhygiene import Verdict
from benchhygiene.evidence import AllowedAction, AsOf, Ledger, LedgerEntry
from benchhygiene.testing import Case, case
from benchhygiene_plugins.nodes.cases.suite import CUT, LOWER, PATH, SLUGS, SPACES, change, edit
from benchhygiene_plugins.nodes.findings import DELETED, RENAMED, UNCOLLECTED

_DAY = AsOf(datetime.date(2026, 11, 30))


def _ledger(action: AllowedAction, renamed_to: str | None = None, expires: int = 2099) -> Ledger:
    entry = LedgerEntry(
        node_id=f"{PATH}::test_lower",
        first_seen=datetime.date(2024, 1, 1),
        expires=datetime.date(expires, 12, 31),
        signature="AssertionError",
        owner="core",
        allowed_action=action,
        renamed_to=renamed_to,
    )
    return Ledger([entry])


_RENAMED = edit(("test_lower", "test_case"))
_NEW_ID = f"{PATH}::test_case"
_MOVED = change(
    SLUGS.replace(f"{LOWER}\n\n", ""),
    {"tests/test_case.py": f"from slugs import slugify\n\n\n{LOWER}"},
)

CASES: tuple[Case, ...] = (
    case(
        "a test is deleted",
        edit((f"{SPACES}\n\n", "")),
        reports=[DELETED],
        verdict=Verdict.VIOLATION,
    ),
    case("the file is deleted", change(None), reports=[DELETED], verdict=Verdict.VIOLATION),
    case("a method is deleted", edit((CUT, "    pass\n")), reports=[DELETED]),
    case(
        "a deletion the ledger allows",
        edit((f"{LOWER}\n\n", "")),
        _ledger(AllowedAction.DELETE),
        _DAY,
        innocent_of=[DELETED],
        verdict=Verdict.PASS,
    ),
    case(
        "a deletion the ledger no longer allows",
        edit((f"{LOWER}\n\n", "")),
        _ledger(AllowedAction.DELETE, expires=2025),
        _DAY,
        reports=[DELETED],
    ),
    case(
        "a quarantined test is deleted",
        edit((f"{LOWER}\n\n", "")),
        _ledger(AllowedAction.QUARANTINE),
        _DAY,
        reports=[DELETED],
    ),
    case(
        "tests are put in another order and one is added",
        edit((f"{LOWER}\n\n", ""), (SPACES, f"{SPACES}\n\n{LOWER}\n\ndef test_new():\n    pass\n")),
        innocent_of=[DELETED, RENAMED, UNCOLLECTED],
        verdict=Verdict.PASS,
    ),
    case("a test is renamed", _RENAMED, reports=[RENAMED], verdict=Verdict.VIOLATION),
    case(
        "a test is renamed, and its local too",
        edit(
            ("test_lower", "test_case"),
            ("slug = s", "got = s"),
            ("assert slug ==", "assert got =="),
        ),
        reports=[RENAMED],
    ),
    case("a test is moved to another file", _MOVED, reports=[RENAMED]),
    case("a class is renamed", edit(("TestLength", "TestLimit")), reports=[RENAMED]),
    case(
        "a name is given to another test",
        edit(("test_lower", "test_case"), (SPACES, f"{SPACES}\n\ndef test_lower():\n    pass\n")),
        reports=[RENAMED],
    ),
    case(
        "a rename the ledger allows",
        _RENAMED,
        _ledger(AllowedAction.RENAME, _NEW_ID),
        _DAY,
        innocent_of=[RENAMED],
        verdict=Verdict.PASS,
    ),
    case(
        "a move the ledger allows",
        _MOVED,
        _ledger(AllowedAction.MOVE, "tests/test_case.py::test_lower"),
        _DAY,
        innocent_of=[RENAMED],
        verdict=Verdict.PASS,
    ),
    case(
        "the ledger allows another rename",
        _RENAMED,
        _ledger(AllowedAction.RENAME, f"{PATH}::test_other"),
        _DAY,
        reports=[RENAMED],
    ),
    case(
        "a ledger without a day allows nothing",
        _RENAMED,
        _ledger(AllowedAction.RENAME, _NEW_ID),
        reports=[RENAMED],
    ),
)
