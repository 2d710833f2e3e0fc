"""CTRF, the Common Test Report Format; see https://ctrf.io/docs/specification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import failure_of
from benchhygiene.sources.records.fields import Fields, moment

_ENDS = {
    "passed": NodeEnd.PASSED,
    "failed": NodeEnd.FAILED,
    "skipped": NodeEnd.SKIPPED,
    "pending": NodeEnd.SKIPPED,
}
_RAW = {  # status and raw status: what pytest-json-ctrf says more exactly
    ("failed", "setup_failed"): NodeEnd.ERROR,
    ("failed", "teardown_failed"): NodeEnd.ERROR,
    ("skipped", "xfailed"): NodeEnd.XFAILED,
}
_MILLISECONDS = 1000


def is_ctrf(members: dict[str, object]) -> bool:
    """Return whether a file's members are this form's."""
    results = members.get("results")
    if not isinstance(results, dict):
        return False
    return members.get("reportFormat") == "CTRF" or {"tool", "summary", "tests"} <= set(
        cast("dict[str, object]", results)
    )


def parse(report: Fields) -> SuiteRun:
    """Return the run that the file tells; raises InputError with the key's path in it."""
    results = report.fields("results")
    results.items("tests")
    tests = results.all_fields("tests")
    summary = results.fields("summary")
    stop = summary.optional_number("stop")
    return SuiteRun(
        origin="ctrf",
        nodes=[run for test in tests for run in _runs(test)],
        ended=moment(None if stop is None else stop / _MILLISECONDS),
        doubts=tuple(_doubts(summary, tests)),
    )


def _runs(test: Fields) -> Iterator[NodeRun]:
    node_id, guessed = _node_id(test)
    for attempt in test.all_fields("retryAttempts"):
        yield _run(attempt, node_id, guessed)
    yield _run(test, node_id, guessed)


def _run(told: Fields, node_id: str, guessed: bool) -> NodeRun:
    end = _end(told)
    milliseconds = told.optional_number("duration")
    message = told.optional_text("message")
    return NodeRun(
        node_id=node_id,
        end=end,
        failure=_failure(told, message) if end.is_failure else None,
        duration=None if milliseconds is None else milliseconds / _MILLISECONDS,
        reason=None if end.is_failure else message,
        id_is_guessed=guessed,
    )


def _failure(told: Fields, message: str | None) -> Failure | None:
    return failure_of(message) if message else None


def _end(told: Fields) -> NodeEnd:
    status = told.text("status")
    end = _ENDS.get(status, NodeEnd.UNKNOWN)
    if end is NodeEnd.PASSED and _is_marked_xfail(told):
        return NodeEnd.XPASSED
    return _RAW.get((status, told.optional_text("rawStatus") or ""), end)


def _is_marked_xfail(told: Fields) -> bool:
    tags = (tag for tag in told.optional_items("tags") if isinstance(tag, str))
    return any(tag == "xfail" or tag.startswith("xfail::") for tag in tags)


def _node_id(test: Fields) -> tuple[str, bool]:
    """Return pytest's node id, which its plugin has as the name, or the best there is."""
    name = test.text("name")
    path = test.optional_text("filePath")
    if "::" in name and (path is None or name.startswith(f"{path}::")):
        return name, False
    suites = test.members.get("suite")
    listed = cast("list[object]", suites) if isinstance(suites, list) else [suites]
    parts = [part for part in listed if isinstance(part, str)]
    head = [] if path is None or parts[:1] == [path] else [path]
    return "::".join((*head, *parts, name)), True


def _doubts(summary: Fields, tests: list[Fields]) -> Iterator[str]:
    total = summary.optional_count("tests")
    if total is not None and total != len(tests):
        yield f"the summary counts {total} tests, and {len(tests)} are told of"
    for test in tests:
        if test.text("status") not in _ENDS:
            yield f"{test.text('name')}: {test.text('status')!r} does not say how the test ended"
