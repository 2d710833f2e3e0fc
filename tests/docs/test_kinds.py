"""The table of kinds is what the rules say."""

from __future__ import annotations

import pytest

from benchhygiene import Registry
from benchhygiene.core.findings import Rule, Severity
from tests.docs import kinds


def test_the_table_is_made_of_the_rules() -> None:
    assert kinds.PAGE.read_text(encoding="utf-8") == kinds.page()


@pytest.mark.parametrize("rule", [*kinds.rules()], ids=lambda rule: rule.id)
def test_a_kind_says_what_is_seen_of_it(rule: Rule) -> None:
    assert rule.seen
    assert rule.summary not in (rule.edit, rule.seen)


def test_every_violation_of_a_change_has_a_row() -> None:
    families = {rule.family for rule in kinds.rules()}
    bundled = (one.load() for one in Registry.discover())
    errors = {
        rule.id
        for analyzer in bundled
        for rule in analyzer.rules
        if rule.severity is Severity.ERROR and rule.family in families
    }
    assert errors <= {rule.id for rule in kinds.rules()}
