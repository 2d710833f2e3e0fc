"""The score for programs: one JSON document, and the in-toto statement made of it."""

from __future__ import annotations

from benchhygiene.core.findings import Verdict
from benchhygiene.core.json import JSON, to_json
from benchhygiene.core.score import Decision, Score
from benchhygiene.evidence.suite import NodeEnd, SuiteRun
from benchhygiene.formats import json
from benchhygiene.inventory.fates import NodeFate

SCHEMA = "benchhygiene.score/1"
STATEMENT = "https://in-toto.io/Statement/v1"
#: https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"


def document(score: Score, reasons: tuple[str, ...] = ()) -> dict[str, JSON]:
    """Return the score as JSON values, the whole report in it."""
    return {
        "schema": SCHEMA,
        "verdict": score.verdict.value,
        "row": score.row.value,
        "observation": score.row.observation,
        "action": score.row.action,
        "reasons": list(reasons),
        "passed": score.passed,
        "scored": score.scored,
        "omitted": [_omitted(each) for each in score.omitted],
        "decisions": [_decision(each) for each in score.decisions],
        "report": json.document(score.report),
    }


def render(score: Score, reasons: tuple[str, ...] = ()) -> str:
    """Return the document as text; the same score gives the same bytes."""
    return json.dump(document(score, reasons))


def _omitted(fate: NodeFate) -> JSON:
    entry = None if fate.entry is None else to_json(fate.entry)
    return {"node_id": fate.node_id, "entry": entry, "shapes": list(fate.shapes)}


def _decision(decision: Decision) -> JSON:
    return {
        "row": decision.row.value,
        "findings": [each.fingerprint for each in decision.evidence],
    }


def statement(
    score: Score,
    run: SuiteRun | None,
    *,
    subject: tuple[str, str],
    candidate: dict[str, JSON],
    pack: dict[str, JSON],
) -> dict[str, JSON]:
    """Return an in-toto Statement with a test-result predicate about the candidate.

    ``subject`` is the name and SHA-256 of the candidate's tree; ``candidate`` and ``pack`` are
    resource descriptors of the configuration: what was judged, and by which pack.
    """
    name, sha256 = subject
    passed, failed = _sorted_nodes(score, run)
    results = {Verdict.PASS: "PASSED", Verdict.INCONCLUSIVE: "WARNED"}
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": sha256}}],
        "predicateType": TEST_RESULT,
        "predicate": {
            "result": results.get(score.verdict, "FAILED"),
            "configuration": [candidate, pack],
            "passedTests": passed,
            "warnedTests": [each.node_id for each in score.omitted],
            "failedTests": failed,
        },
    }


def _sorted_nodes(score: Score, run: SuiteRun | None) -> tuple[list[JSON], list[JSON]]:
    omitted = {each.node_id for each in score.omitted}
    passed: list[JSON] = []
    failed: list[JSON] = []
    for node_id in sorted(() if run is None else run.by_node):
        runs = () if run is None else run.by_node[node_id]
        if node_id not in omitted:
            is_passed = all(each.end is NodeEnd.PASSED for each in runs)
            (passed if is_passed else failed).append(node_id)
    return passed, failed
