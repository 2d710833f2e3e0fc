from __future__ import annotations

import copy
import json as standard
from typing import cast

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import JSON, Location, Report
from benchhygiene.formats import json
from tests.formats.reports import everything, gate, ini_chain


def closed(schema: JSON) -> JSON:
    """Return the schema with every object closed: then a key nobody described is an error."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "oneOf" not in schema and "type" in schema:
        result.setdefault("additionalProperties", False)
    return result


def validator(schema: JSON) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(cast("dict[str, object]", schema))


def parsed(report: Report) -> dict[str, list[dict[str, object]]]:
    return cast("dict[str, list[dict[str, object]]]", standard.loads(json.render(report)))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(cast("dict[str, object]", json.schema()))


@pytest.mark.parametrize("report", [Report(), everything(), Report((ini_chain(gate()),))])
def test_every_report_is_described_key_by_key(report: Report) -> None:
    validator(closed(json.schema())).validate(parsed(report))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "benchhygiene.report/2"),
        (("verdict",), "fine"),
        (("findings", 0, "severity"), "fatal"),
        (("findings", 0, "rule"), "no family"),
        (("findings", 0, "fingerprint"), None),
        (("findings", 1, "locations", 0, "line"), 0),
        (("findings", 0, "detail"), {"corrected_command": {"argv": "tests"}}),
        (("outcomes", 0, "outcome"), "fine"),
        (("provenance", "evidence", 0, "sha256"), "abc"),
        (("waived", 0, "finding"), {}),
        (("waived", 0, "waiver"), -1),
        (("waivers", 0, "state"), "idle"),
        (("waivers", 0, "expires"), None),
    ],
)
def test_the_schema_refuses_what_is_not_a_report(path: tuple[str | int, ...], value: JSON) -> None:
    document = copy.deepcopy(parsed(everything()))
    place: object = document
    for step in path[:-1]:
        place = cast("dict[str | int, object]", place)[step]
    cast("dict[str | int, object]", place)[path[-1]] = value
    assert not validator(json.schema()).is_valid(document)


def test_a_finding_carries_all_that_is_known_about_it() -> None:
    (finding,) = parsed(Report((ini_chain(gate(new_text="x")),)))["findings"]
    assert list(finding) == [
        "rule",
        "analyzer",
        "severity",
        "verdict",
        "message",
        "locations",
        "fingerprint",
        "new_text",
        "help_uri",
        "detail",
    ]
    assert finding["locations"] == [
        {
            "path": "../../pyproject.toml",
            "line": 2,
            "column": 26,
            "symbol": "--cov-fail-under",
            "symbol_kind": "option",
            "node_id": None,
        },
        {
            "path": "tests/test_a.py",
            "line": None,
            "column": None,
            "symbol": "tests/test_a.py::test_a",
            "symbol_kind": "node",
            "node_id": "tests/test_a.py::test_a",
        },
    ]
    assert finding["detail"] == {
        "option": "--cov-fail-under",
        "value": "80",
        "corrected_command": {
            "argv": ["python", "-m", "pytest", "-o", "addopts=", "tests"],
            "shell": "python -m pytest -o addopts= tests",
            "cost": "nothing else was in addopts",
            "environ": [],
        },
    }


def test_every_outcome_says_what_it_is() -> None:
    outcomes = {outcome["analyzer"]: outcome for outcome in parsed(everything())["outcomes"]}
    assert outcomes["crashing"]["error"] == {
        "type": "ValueError",
        "message": "no\x1b[0m",
        "where": "m:3",
    }
    assert outcomes["idle"]["missing"] == ["ToolListing"]
    assert outcomes["wanted"]["required"] is True
    assert cast("dict[str, object]", outcomes["ini-chain"]["exhibits"])["rootdir"] == "../.."


def test_what_was_waived_is_told_from_what_was_found() -> None:
    document = parsed(everything())
    (waived,) = document["waived"]
    finding = cast("dict[str, object]", waived["finding"])
    assert finding["fingerprint"] not in {each["fingerprint"] for each in document["findings"]}
    assert (waived["approved_by"], waived["expires"]) == ("ann", "2030-01-02")
    assert document["waivers"][waived["waiver"]]["state"] == "used"  # type: ignore[index]
    assert [each["state"] for each in document["waivers"]] == [
        "used",
        "unused",
        "expired",
        "undated",
    ]


def test_the_text_is_ascii_without_control_characters() -> None:
    shown = json.render(everything())
    assert shown.isascii()
    assert shown.replace("\n", "").isprintable()
    assert shown.endswith("}\n")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_written_as_valid_unicode(name: str) -> None:
    shown = json.render(Report((ini_chain(gate(locations=(Location(name),)), exhibits={name: 1}),)))
    assert shown.replace("\n", "").isprintable()
    path = standard.loads(shown)["findings"][0]["locations"][0]["path"]
    path.encode("utf-8")
    if not any("\ud800" <= char <= "\udfff" for char in name):
        assert path == name


def test_the_same_report_is_the_same_bytes() -> None:
    assert json.render(everything()) == json.render(everything())
