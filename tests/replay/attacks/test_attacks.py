"""No attack scores a pass that it did not earn."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from benchhygiene import NodeEnd, Verdict
from tests.replay.attacks import page
from tests.replay.attacks.catalogue import ATTACKS, Attack
from tests.replay.shop import SHOP, judged, replayed, rules

WITHOUT_PARENT = ("exit-at-import", "reporter-by-frames", "equal-to-all", "read-the-answers")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_no_pass(attack: Attack, tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, attack.files, {"shop.py": SHOP})
    report = judged(found)
    assert report.verdict is Verdict.VIOLATION, found
    if attack.reports:
        assert rules(report) & set(attack.reports), (rules(report), found)
    else:
        assert "run.regression" in rules(report), (rules(report), found)
        assert not rules(report) & {"run.canary", "run.unfinished", "run.forged"}, found


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.name in WITHOUT_PARENT], ids=lambda one: one.name
)
def test_without_a_parent_it_is_none_either(attack: Attack, tmp_path: pathlib.Path) -> None:
    assert judged(replayed(tmp_path, attack.files)).verdict is Verdict.VIOLATION


def test_the_honest_twin_passes(tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, {"shop.py": SHOP}, {"shop.py": SHOP})
    assert judged(found).verdict is Verdict.PASS, found
    assert {run.end for run in found.suite.nodes} == {NodeEnd.PASSED}


def test_there_are_enough_and_each_has_its_name() -> None:
    assert len(ATTACKS) >= 25
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_nothing_is_left_running() -> None:
    alive = subprocess.run(["pgrep", "-f", "/bin/sleep 300"], capture_output=True, check=False)
    assert alive.stdout == b""


def test_the_page_is_what_the_catalogue_says() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page()
