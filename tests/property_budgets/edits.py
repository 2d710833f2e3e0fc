"""Small suites of properties, and what the analyzer says of edits of them."""

from __future__ import annotations

from benchhygiene import Campaign, Orchestrator, Registry, Report
from benchhygiene.core.findings import place
from benchhygiene.evidence import Change, SourceTree
from benchhygiene_plugins.property_budgets import PropertyBudgets

PATH, CONFTEST = "tests/test_x.py", "tests/conftest.py"
HEAD = """\
import functools, os, unittest
from datetime import timedelta

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, reject, seed, settings
from hypothesis import strategies as st

"""
BASE = f"""\
{HEAD}
@settings(max_examples=200, deadline=400)
@given(st.integers(1, 600))
@example(7)
def test_a(n):
    assert n
"""
Tree = SourceTree | dict[str, bytes | str]


def report(parent: Tree | str, candidate: Tree | str, campaign: Campaign | None = None) -> Report:
    sides = ({PATH: one} if isinstance(one, str) else one for one in (parent, candidate))
    evidence = [Change(*sides), *([campaign] if campaign is not None else [])]
    found = Orchestrator(Registry().including(PropertyBudgets())).run(*evidence)
    found.raise_for_crashes()
    return found


def said(found: Report) -> set[tuple[str, str, str | None]]:
    """Return the rule, path and node of each finding, the rule's family left out."""
    return {
        (one.rule.id.partition(".")[2], place(one).path, place(one).node_id)
        for one in found.findings
    }


def rules(found: Report) -> set[str]:
    return {rule for rule, _, _ in said(found)}
