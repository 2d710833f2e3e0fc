"""Judge one edited test file."""

from __future__ import annotations

from collections.abc import Mapping

from benchhygiene import BaseFinding
from benchhygiene.evidence.tree import Change
from benchhygiene_plugins.assertions import Assertions

PATH = "tests/test_it.py"


def found(
    old: str,
    new: str,
    others: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
) -> list[BaseFinding]:
    """Return the findings on one test file; ``after`` is what else differs in the candidate."""
    parent = {**(others or {}), PATH: old}
    return list(Assertions().analyze(Change(parent, {**parent, **(after or {}), PATH: new})))


def rules(
    old: str,
    new: str,
    others: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
) -> set[str]:
    """Return the rules that an edit of a test file breaks."""
    return {finding.rule.id for finding in found(old, new, others, after)}


def body(*lines: str) -> str:
    """Return a file with one test of these lines."""
    return "def test_it():\n" + "".join(f"    {line}\n" for line in lines)
