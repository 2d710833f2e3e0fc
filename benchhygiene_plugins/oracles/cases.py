"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

import json
from collections.abc import Mapping

from benchhygiene import Change, EntryKind, TreeEntry, Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.oracles.findings import (
    BYTES_CHANGED,
    CODE_CHANGED,
    CONTRACT_UNSEEN,
    DELETED,
    EMPTIED,
    LOOSENED,
    UNSEEN,
)

_CONFTEST = """\
import json
import pytest
from pathlib import Path

DATA = Path(__file__).parent / "data"

@pytest.fixture
def prices():
    return json.loads((DATA / "prices.json").read_text(encoding="utf-8"))
"""
_TEST = "def test_prices(prices):\n    assert all(row['cents'] for row in prices)\n"
_ROWS = '[{"cents": 1}, {"cents": 2}]\n'
_TREE = {
    "tests/conftest.py": _CONFTEST,
    "tests/test_prices.py": _TEST,
    "tests/data/prices.json": _ROWS,
}
_SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["id", "total"],
    "additionalProperties": False,
    "properties": {"id": {"type": "integer"}, "total": {"type": "integer", "minimum": 0}},
}
_NOBODY_KNOWS = TreeEntry(error="larger than the limit")


def _edited(**files: str | TreeEntry | None) -> Change:
    """Return a change that replaces the files of these names, or takes them away."""
    paths = {path.rpartition("/")[2].replace(".", "_"): path for path in _TREE}
    after: dict[str, str | TreeEntry] = {**_TREE}
    for name, content in files.items():
        if content is None:
            del after[paths[name]]
        else:
            after[paths[name]] = content
    return Change(_TREE, after)


def _also(**before_and_after: Mapping[str, str]) -> Change:
    return Change({**_TREE, **before_and_after["old"]}, {**_TREE, **before_and_after["new"]})


def _contract(schema: Mapping[str, object], path: str = "contracts/order.json") -> Change:
    return _also(old={path: json.dumps(_SCHEMA)}, new={path: json.dumps({**_SCHEMA, **schema})})


_MOVED = {path: text for path, text in _TREE.items() if not path.endswith("json")}

_FILES: tuple[Case, ...] = (
    case(
        "a row of the data is gone",
        _edited(prices_json='[{"cents": 1}]\n'),
        reports=[BYTES_CHANGED],
        innocent_of=[EMPTIED, DELETED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the same values in other bytes",
        _edited(prices_json=json.dumps(json.loads(_ROWS), indent=1)),
        reports=[BYTES_CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a row is added: a warning, as the old ones are all there",
        _edited(prices_json='[{"cents": 1}, {"cents": 5}, {"cents": 2}]\n'),
        reports=[BYTES_CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "a new file of data",
        _also(old={}, new={"tests/data/more.json": "[]"}),
        innocent_of=[BYTES_CHANGED, EMPTIED, UNSEEN],
        verdict=Verdict.PASS,
    ),
    case(
        "a file outside of the tests that one of them names",
        _also(
            old={"res/a.csv": "a\n1\n2\n", "tests/test_a.py": "TABLE = 'res/a.csv'\n"},
            new={"res/a.csv": "a\n1\n", "tests/test_a.py": "TABLE = 'res/a.csv'\n"},
        ),
        reports=[BYTES_CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a file outside of the tests that none of them names",
        _also(old={"res/a.csv": "a\n1\n2\n"}, new={"res/a.csv": "a\n1\n"}),
        innocent_of=[BYTES_CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "no rows are left",
        _edited(prices_json="[\n]\n"),
        reports=[EMPTIED],
        innocent_of=[BYTES_CHANGED, DELETED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a link to nowhere takes the place of the data",
        _edited(prices_json=TreeEntry(EntryKind.SYMLINK, data=b"/dev/null")),
        reports=[EMPTIED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the data is gone",
        _edited(prices_json=None),
        reports=[DELETED],
        innocent_of=[EMPTIED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the data moved, and the fixture names its new place",
        Change(
            _TREE,
            {
                **_MOVED,
                "tests/conftest.py": _CONFTEST.replace("prices.json", "amounts.json"),
                "tests/data/amounts.json": _ROWS,
            },
        ),
        reports=[DELETED],
        innocent_of=[CODE_CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "the data moved to where nobody looks for it",
        Change(_TREE, {**_MOVED, "tests/data/old/prices.json": _ROWS}),
        reports=[DELETED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "what the data is now cannot be read",
        _edited(prices_json=_NOBODY_KNOWS),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
)

_READ = 'json.loads((DATA / "prices.json").read_text(encoding="utf-8"))'

_CODE: tuple[Case, ...] = (
    case(
        "a fixture reads another file",
        _edited(conftest_py=_CONFTEST.replace("prices.json", "few.json")),
        reports=[CODE_CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a fixture hands out the first row",
        _edited(conftest_py=_CONFTEST.replace(_READ, f"{_READ}[:1]")),
        reports=[CODE_CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test module's own fixture hides the conftest's",
        _edited(
            test_prices_py=f"import pytest\n@pytest.fixture\ndef prices():\n    return []\n{_TEST}"
        ),
        reports=[CODE_CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a fixture reads the same file in another way",
        _edited(
            conftest_py=_CONFTEST.replace(
                f"    return {_READ}",
                "    with open(DATA / 'prices.json') as file:\n        return json.load(file)",
            )
        ),
        innocent_of=[CODE_CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "a fixture is added",
        _edited(
            conftest_py=f"{_CONFTEST}\n@pytest.fixture\ndef first(prices):\n    return prices[0]\n"
        ),
        innocent_of=[CODE_CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "a conftest that does not parse any more",
        _edited(conftest_py=f"{_CONFTEST}\n("),
        reports=[UNSEEN],
        innocent_of=[CODE_CHANGED],
        verdict=Verdict.INCONCLUSIVE,
    ),
)

_CONTRACTS: tuple[Case, ...] = (
    case(
        "a field is not required any more",
        _contract({"required": ["id"]}),
        reports=[LOOSENED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "what is not described is allowed",
        _contract({"additionalProperties": True}),
        reports=[LOOSENED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a contract that asks for more",
        _contract({"minProperties": 2, "description": "An order."}),
        innocent_of=[LOOSENED, BYTES_CHANGED, CONTRACT_UNSEEN],
        verdict=Verdict.PASS,
    ),
    case(
        "a contract among the tests that asks for more: other bytes, and no harm",
        _contract({"minProperties": 2}, "tests/contracts/order.json"),
        reports=[BYTES_CHANGED],
        innocent_of=[LOOSENED],
        verdict=Verdict.PASS,
    ),
    case(
        "a contract that is no JSON any more",
        _also(
            old={"contracts/order.json": json.dumps(_SCHEMA)},
            new={"contracts/order.json": json.dumps(_SCHEMA)[:-1]},
        ),
        reports=[CONTRACT_UNSEEN],
        innocent_of=[LOOSENED],
        verdict=Verdict.INCONCLUSIVE,
    ),
)

CASES: tuple[Case, ...] = (*_FILES, *_CODE, *_CONTRACTS)
