"""The cases hold, and what they predict is what the real pytest collects."""

from __future__ import annotations

import pathlib

import pytest

from benchhygiene import sources
from benchhygiene.evidence import Change, CollectionEnd
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.testing import Case, run_cases
from benchhygiene_plugins.nodes import Nodes
from benchhygiene_plugins.nodes.cases.hidden import UNCOLLECTED_CASES
from benchhygiene_plugins.nodes.cases.suite import PATH

#: These are decided by what the code does when it runs, or stay collected under another function.
_OF_RUNNING = {"a test stands under a condition nobody knows"}


def test_every_rule_has_its_cases() -> None:
    run_cases(Nodes(), Nodes().cases)


def _change(case: Case) -> Change:
    return next(one for one in case.evidence if isinstance(one, Change))


@pytest.mark.parametrize(
    "case", [one for one in UNCOLLECTED_CASES if one.name not in _OF_RUNNING], ids=lambda c: c.name
)
def test_what_is_uncollected_the_real_pytest_does_not_collect(
    case: Case, tmp_path: pathlib.Path
) -> None:
    """Collect the candidate: a node is gone exactly where the case says one is."""
    tree = _change(case).candidate
    for name in tree.entries:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(tree.read(name))
    (tmp_path / "slugs.py").write_text("def slugify(text): ...\n", encoding="utf-8")
    said = sources.collect(tmp_path, pythonpath=["."], allow_network=True)
    assert said.end is CollectionEnd.REPORTED
    ids = {without_parameters(one) for one in said.node_ids}
    expected = ("test_lower", "test_spaces", "test_blank", "TestLength::test_cut")
    whole = {f"{PATH}::{name}" for name in expected} <= ids
    assert whole is not bool(case.reports)
