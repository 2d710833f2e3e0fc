"""Make candidates of the project whose tests measure, and say what is found in them."""

from __future__ import annotations

from benchhygiene import Change, Severity, SourceTree
from benchhygiene.core.findings import Finding
from benchhygiene.evidence.campaign import Campaign
from benchhygiene_plugins.performance_budgets import PerformanceBudgets, PerformanceEvidence
from tests.surface.corpus import projects

TESTS = "tests/test_speeds.py"
HELPERS = "tests/timing.py"
CONFTEST = "tests/conftest.py"
FILES = dict(projects()["speeds"].files)


def edited(*edits: tuple[str, str, str]) -> dict[str, str]:
    """Return the project with parts of its files, each there once, replaced."""
    files = dict(FILES)
    for path, old, new in edits:
        assert files[path].count(old) == 1, (path, old)
        files[path] = files[path].replace(old, new)
    return files


def found(before: dict[str, str], after: dict[str, str], *pack: Campaign) -> tuple[Finding, ...]:
    """Return what the analyzer reports."""
    change = Change(SourceTree(before), SourceTree(after))
    evidence = PerformanceEvidence(change, *pack)
    return tuple(PerformanceBudgets().analyze(evidence))


def errors(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the rule and the node, or the path, of each error."""
    return [
        f"{one.rule.id} {one.locations[0].node_id or one.locations[0].path}"
        for one in found(before, after)
        if one.severity is Severity.ERROR
    ]


def in_test(body: str, head: str = "") -> dict[str, str]:
    """Return a tree with one test file."""
    return {"tests/test_fast.py": f"import time\n\nimport pytest\n\n{head}\n{body}"}
