from __future__ import annotations

import datetime
import json
import tomllib
from typing import cast

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import Budget, InputError, LedgerPolicy, sources
from benchhygiene.sources.pack_files import campaign, ledger, waivers
from tests.sources.packs import ENTRY, WAIVER


def ledger_of(*entries: object, **more: object) -> bytes:
    return json.dumps({"version": 1, "entries": entries, **more}).encode()


def waivers_of(*given: object) -> bytes:
    return json.dumps({"version": 1, "waivers": given}).encode()


def test_an_entry_is_read_with_all_it_may_have() -> None:
    more = {"reason": "clock", "issue": "#3", "last_seen": "2026-09-30"}
    read = ledger(ledger_of(ENTRY, {**ENTRY, **more}, policy={"max_days": 30}))
    plain, full = read.entries
    assert plain.expires == datetime.date(2026, 10, 2)
    assert plain.issue is None
    assert (full.reason, full.issue, full.last_seen) == ("clock", "#3", datetime.date(2026, 9, 30))
    assert read.policy == LedgerPolicy(max_days=30)


def without(key: str, table: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in table.items() if name != key}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON: Expecting value"),
        (b"{", "not JSON: "),
        (b"\xff", "not UTF-8: byte 0"),
        (b"\xef\xbb\xbf{}", "begins with a byte-order mark"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8"),
        (b'{"version": 1, "version": 1}', "the key 'version' stands twice"),
        (b'{"version": NaN}', "NaN is no JSON number"),
        (b'{"version": -Infinity}', "-Infinity is no JSON number"),
        (b'{"version": 1e999}', "1e999 is too large"),
        (b'{"version": ' + b"9" * 5000 + b"}", "not JSON: Exceeds the limit"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[]", "expected an object, not a list @ $"),
        (b"null", "expected an object, not None @ $"),
        (b'{"version": 2, "entries": []}', "expected version 1, the only one there is, not 2"),
        (b'{"version": true, "entries": []}', "not true @ $.version"),
        (b'{"version": 1.0, "entries": []}', "not 1.0 @ $.version"),
        (b'{"version": "1", "entries": []}', "not '1' @ $.version"),
        (b'{"version": 1}', "this key is missing @ $.entries"),
        (b'{"version": 1, "entries": {}}', "expected a list, not an object @ $.entries"),
        (b'{"version": 1, "entries": "ab"}', "expected a list, not 'ab' @ $.entries"),
        (ledger_of(ENTRY, 5), "expected an object, not 5 @ $.entries[1]"),
        (ledger_of(ENTRY, [ENTRY]), "expected an object, not a list @ $.entries[1]"),
        (ledger_of({**ENTRY, "typo": 1}), "unknown key 'typo' @ $.entries[0]"),
        (ledger_of({**ENTRY, "node": 1}), "unknown key 'node'; did you mean 'node_id'?"),
        (ledger_of(ENTRY, polcy={}), "unknown key 'polcy'; did you mean 'policy'? @ $"),
        (ledger_of(ENTRY, policy={"days": 1}), "unknown key 'days'"),
        (ledger_of(ENTRY, policy={"max_days": True}), "not true @ $.policy.max_days"),
        (ledger_of(ENTRY, policy={"max_days": -1}), "max_days -1: expected 0 or more @ $.policy"),
        (ledger_of(ENTRY, policy={"require_issue": 1}), "expected true or false, not 1"),
        (ledger_of(without("owner", ENTRY)), "this key is missing @ $.entries[0].owner"),
        (ledger_of({**ENTRY, "owner": 5}), "expected text, not 5 @ $.entries[0].owner"),
        (ledger_of({**ENTRY, "owner": None}), "expected text, not None @ $.entries[0].owner"),
        (ledger_of({**ENTRY, "owner": " \n"}), "expected text, not an empty one"),
        (ledger_of({**ENTRY, "owner": "\ud800"}), "expected valid Unicode"),
        (ledger_of({**ENTRY, "expires": "2026-13-01"}), "as YYYY-MM-DD, not '2026-13-01'"),
        (ledger_of({**ENTRY, "expires": "2026-W40-5"}), "as YYYY-MM-DD, not '2026-W40-5'"),
        (ledger_of({**ENTRY, "expires": 20261002}), "as YYYY-MM-DD, not 20261002"),
        (ledger_of({**ENTRY, "allowed_action": "skip"}), "expected one of quarantine, rename, "),
        (ledger_of({**ENTRY, "allowed_action": ["move"]}), "not a list @ $.entries[0].allowed"),
        (ledger_of({**ENTRY, "allowed_action": "move"}), 'allowed_action "move" needs a renamed'),
        (ledger_of({**ENTRY, "renamed_to": "x"}), "renamed_to does not go with"),
        (ledger_of(*[{}] * 100), "and 597 more"),
        (ledger_of(*[0] * 20_001), "has more than 20000 members @ $.entries"),
        (json.dumps(dict.fromkeys(range(20_001))).encode(), "has more than 20000 keys"),
    ],
)
def test_whatever_is_not_a_ledger_is_one_short_error(data: bytes, says: str) -> None:
    with pytest.raises(InputError) as caught:
        ledger(data, "pack/flakes/ledger.json")
    message = str(caught.value)
    assert message.startswith("pack/flakes/ledger.json: ")
    assert says in message
    assert len(message) < 400
    assert "\n" not in message


@pytest.mark.parametrize(
    ("waiver", "says"),
    [
        ({**WAIVER, "kind": "assert"}, "waivers[0].kind: expected a rule's id, not 'assert'"),
        ({**WAIVER, "kind": "assert.*"}, "expected a rule's id"),
        ({**WAIVER, "fingerprint": "v1:abc"}, "waivers[0].fingerprint: expected v1: and 32"),
        ({**WAIVER, "fingerprint": ""}, "expected text, not an empty one"),
        ({**WAIVER, "approved_by": ""}, "expected text, not an empty one @ $.waivers[0].approved"),
        (without("reason", WAIVER), "this key is missing @ $.waivers[0].reason"),
        (without("expires", WAIVER), "this key is missing @ $.waivers[0].expires"),
        ({**WAIVER, "rule": "assert.removed"}, "unknown key 'rule' @ $.waivers[0]"),
    ],
)
def test_whatever_is_not_a_waiver_is_one_error(waiver: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        waivers(waivers_of(waiver))
    assert says in str(caught.value)


def test_a_waiver_is_read_with_all_it_may_have() -> None:
    more = {"node_id": "tests/test_a.py::test_a", "fingerprint": f"v1:{'0a' * 16}"}
    (waiver,) = waivers(waivers_of({**WAIVER, **more})).waivers
    assert (waiver.node_id, waiver.fingerprint) == tuple(more.values())
    assert waiver.expires == datetime.date(2026, 10, 2)


def test_a_campaign_is_read_with_all_it_may_have() -> None:
    read = campaign(
        b"[http_handler]\nmax_examples = 200\ndeadline_ms = 4000\nseed_source = 'pack'\n"
        b"[latency]\nnode_id = 't.py::test_p99'\nsamples = 50\nrounds = 3\n"
        b"percentile = 99.9\nthreshold_ms = 12.5\n"
    )
    assert read.budgets == {
        "http_handler": Budget(max_examples=200, deadline_ms=4000, seed_source="pack"),
        "latency": Budget(
            node_id="t.py::test_p99", samples=50, rounds=3, percentile=99.9, threshold_ms=12.5
        ),
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version = 1", "expected an object, not 1 @ $['version']"),
        ("[a]\nmax_example = 1", "unknown key 'max_example'; did you mean 'max_examples'?"),
        ("[a.b]\nsamples = 1", "unknown key 'b' @ $['a']"),
        ("[a]\nmax_examples = 200.0", "expected a whole number, not 200.0"),
        ("[a]\nmax_examples = '200'", "expected a whole number, not '200'"),
        ("[a]\nmax_examples = true", "expected a whole number, not true"),
        ("[a]\nmax_examples = 0", "max_examples 0: expected more than 0 @ $['a']"),
        ("[a]\npercentile = 101", "percentile 101: expected at most 100"),
        ("[a]\ndeadline_ms = nan", "expected a number, not nan"),
        ("[a]\ndeadline_ms = inf", "expected a number, not inf"),
        ("[a]\nsamples = 2026-10-02", "expected a whole number, not datetime.date"),
        ("[a]\n[a]", "not TOML: "),
        ("[a]\nsamples = 1\nsamples = 1", "not TOML: "),
        ("x = " + "[" * 100_000, "nested too deeply"),
        ("a" + ".a" * 1000 + " = 1", "line 1 has more than 64 dots"),
    ],
)
def test_whatever_is_not_a_campaign_is_one_error(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        campaign(text.encode())
    assert str(caught.value).startswith("properties/campaign.toml: ")
    assert says in str(caught.value)


def validator(path: str) -> jsonschema.Draft202012Validator:
    schema = cast("dict[str, object]", sources.pack_schemas()[path])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


LEDGERS = validator("flakes/ledger.json")
WAIVERS = validator("waivers.json")
CAMPAIGNS = validator("properties/campaign.toml")

TEXTS = st.sampled_from(["", " ", "x", "t.py::test_a", "é"])
DAYS = st.sampled_from(["2026-10-02", "2026-02-30", "2026-10-02\n", "20261002", "0000-01-01", "x"])
ODD = st.sampled_from([None, True, 0, 1, -1, 2.5, [], {}, ["x"]])
POLICIES = st.dictionaries(
    st.sampled_from(["max_entries", "max_days", "require_issue", "max_share"]),
    ODD | st.integers(-2, 400),
)


def tables(
    plain: dict[str, object], values: st.SearchStrategy[object], *more: str
) -> st.SearchStrategy[object]:
    """Return tables like the plain one, with keys left out, added and given other values."""
    changed = st.dictionaries(st.sampled_from([*plain, *more]), values, max_size=2)
    left_out = st.sets(st.sampled_from(sorted(plain)), max_size=1)
    return st.builds(
        lambda gone, new: {k: v for k, v in {**plain, **new}.items() if k not in gone or k in new},
        left_out,
        changed,
    )


ENTRIES = tables(
    ENTRY,
    TEXTS | DAYS | ODD | st.sampled_from(["rename", "move", "delete"]),
    "renamed_to",
    "reason",
    "issue",
    "last_seen",
    "owners",
)
FINGERPRINTS = st.sampled_from([f"v1:{'0a' * 16}", f"v1:{'0A' * 16}", f"v2:{'0a' * 16}", "v1:\n"])
WAIVED = tables(
    WAIVER,
    TEXTS | DAYS | ODD | FINGERPRINTS | st.sampled_from(["a.b", "a.b.c_1", "A.b", "a", "a.b "]),
    "node_id",
    "fingerprint",
    "rule",
)


@given(ENTRIES, st.none() | POLICIES)
def test_the_ledgers_schema_takes_what_is_read_and_nothing_else(
    entry: object, policy: object
) -> None:
    document = {"version": 1, "entries": [entry], "policy": policy}
    assert LEDGERS.is_valid(document) is _is_read(ledger, json.dumps(document).encode())


@given(WAIVED)
def test_the_waivers_schema_takes_what_is_read_and_nothing_else(waiver: object) -> None:
    document = {"version": 1, "waivers": [waiver]}
    assert WAIVERS.is_valid(document) is _is_read(waivers, json.dumps(document).encode())


AMOUNTS = st.sampled_from(["1", "0", "-1", "2.5", "-0.5", "100", "101", "true", "'x'", "' '", "[]"])
BUDGETS = st.dictionaries(
    st.sampled_from(
        [
            "node_id",
            "max_examples",
            "deadline_ms",
            "seed_source",
            "samples",
            "rounds",
            "percentile",
            "threshold_ms",
            "budget",
        ]
    ),
    AMOUNTS,
    max_size=3,
)


@given(BUDGETS)
def test_the_campaigns_schema_takes_what_is_read_and_nothing_else(budget: dict[str, str]) -> None:
    text = "[a]\n" + "".join(f"{key} = {value}\n" for key, value in budget.items())
    assert CAMPAIGNS.is_valid(tomllib.loads(text)) is _is_read(campaign, text.encode())


def _is_read(read: object, data: bytes) -> bool:
    try:
        read(data)  # type: ignore[operator]
    except InputError:
        return False
    return True


@pytest.mark.parametrize(
    ("schema", "document"),
    [
        (LEDGERS, {"version": 1, "entries": []}),
        (WAIVERS, {"version": 1, "waivers": [WAIVER]}),
        (CAMPAIGNS, {"a": {"max_examples": 1}}),
    ],
)
def test_the_schemas_take_plain_documents(
    schema: jsonschema.Draft202012Validator, document: object
) -> None:
    schema.validate(document)
    assert not schema.is_valid([document])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (ledger, waivers, campaign):
        _is_read(read, data)
