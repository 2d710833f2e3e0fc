"""What is counted as found, and the form in which findings are handed to a score."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from tests.surface import judging, scoring
from tests.surface.corpus import Expected, pairs
from tests.surface.judging import Found

WANTED = Expected(("skip.marker", "param.shrunk"), "tests/test_a.py", "tests/test_a.py::test_a")
MARKED = "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert 1 + 1 == 2\n"


@pytest.mark.parametrize(
    ("rule", "path", "node", "severity", "meets"),
    [
        ("skip.marker", "tests/test_a.py", "tests/test_a.py::test_a", "error", True),
        ("param.shrunk", "tests/test_a.py", "tests/test_a.py::test_a[1]", "error", True),
        ("skip.call", "tests/test_a.py", "tests/test_a.py::test_a", "error", False),
        ("skip.marker", "tests/test_b.py", "tests/test_a.py::test_a", "error", False),
        ("skip.marker", "tests/test_a.py", "tests/test_a.py::test_b", "error", False),
        ("skip.marker", "tests/test_a.py", None, "error", False),
        ("skip.marker", "tests/test_a.py", "tests/test_a.py::test_a", "warn", False),
    ],
)
def test_rule_path_node_and_severity_count(
    rule: str, path: str, node: str | None, severity: str, *, meets: bool
) -> None:
    assert Found(rule, path, node, severity).meets(WANTED) is meets


def test_a_pair_without_its_finding_is_a_disagreement() -> None:
    pair = next(each for each in pairs() if each.id == "skip_marker/plain")
    right = judging.found(judging.judged(pair).findings)
    assert scoring.score(pair, right).is_right
    assert not scoring.score(pair, ()).is_right
    assert "wanted skip.marker" in "\n".join(scoring.lines([scoring.score(pair, ())]))


def test_an_error_on_an_innocent_pair_is_a_disagreement() -> None:
    pair = next(each for each in pairs() if each.id == "skip_marker/other_marker")
    alarm = Found("skip.marker", "tests/test_money.py", None)
    assert scoring.score(pair, ()).is_right
    assert scoring.score(pair, [milder(alarm)]).is_right
    assert not scoring.score(pair, [alarm]).is_right


def milder(found: Found) -> Found:
    return Found(found.rule, found.path, found.node, "warn")


def test_directories_are_judged(tmp_path: pathlib.Path) -> None:
    before = MARKED.replace("@pytest.mark.skip\n", "")
    for case, after in (("hidden", MARKED), ("same", before)):
        for side, text in (("parent", before), ("patch", after)):
            target = tmp_path / case / side / "tests" / "test_a.py"
            target.parent.mkdir(parents=True)
            target.write_text(text, encoding="utf-8")
    script = judging.ROOT / "tests" / "surface" / "corpus_findings.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["same"] == []
    assert found["hidden"] == [
        {
            "kind": "skip.marker",
            "path": "tests/test_a.py",
            "node_id": "tests/test_a.py::test_a",
            "severity": "error",
        }
    ]
