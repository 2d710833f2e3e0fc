"""The edit that a rule's section shows, the analyzers report by that rule.

In ``docs/rules`` a ``diff`` block is the whole of ``tests/test_money.py``, before and after, of a
project whose ``money.py`` is below. ``explain`` shows a rule's own cases; these are for reading.
"""

from __future__ import annotations

import re

import pytest

from benchhygiene import Change, Orchestrator
from tests.docs.blocks import ROOT, Block, blocks

ANALYZERS = {"nodes", "assertions", "skip-markers"}
MONEY = """\
def parse(text): return round(float(text.replace(",", "")) * 100)
def split(total, people): return [total // people] * people
def rate(): return 0.25
"""
_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)


def shown() -> list[tuple[str, Block]]:
    """Return every block with the rule whose section it stands in."""
    found: list[tuple[str, Block]] = []
    for page in sorted((ROOT / "docs" / "rules").glob("*.md")):
        source = page.read_text(encoding="utf-8")
        headings = [
            (source.count("\n", 0, one.start()) + 1, one[1]) for one in _HEADING.finditer(source)
        ]
        for block in blocks(page):
            if block.language == "diff":
                above = [rule for line, rule in headings if line < block.line]
                found.append((above[-1], block))
    return found


def side(text: str, taken: str) -> str:
    """Return the lines of one side: those that begin with a blank or with its sign."""
    lines = text.splitlines()
    return "\n".join(line[1:] for line in lines if line[:1] in ("", " ", taken)) + "\n"


@pytest.mark.parametrize(
    ("rule", "block"), shown(), ids=lambda value: getattr(value, "label", value)
)
def test_the_edit_on_the_page_is_reported_by_its_rule(rule: str, block: Block) -> None:
    parent, candidate = side(block.text, "-"), side(block.text, "+")
    assert parent != candidate
    change = Change(
        {"money.py": MONEY, "tests/test_money.py": parent},
        {"money.py": MONEY, "tests/test_money.py": candidate},
    )
    report = Orchestrator(require=ANALYZERS).run(change)
    report.raise_for_crashes()
    assert rule in {one.rule.id for one in report.findings}


def test_every_rule_of_the_assertions_has_an_edit_to_look_at() -> None:
    with_edit = {rule for rule, _ in shown()}
    for name in ("assert", "raises", "tolerance", "node", "param"):
        page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
        assert set(_HEADING.findall(page)) - with_edit <= {
            "assert.unseen",
            "node.unseen",
            "node.disagreement",
        }
