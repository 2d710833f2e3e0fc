"""Every bundled analyzer holds its cases, twice alike and without I/O."""

from __future__ import annotations

import importlib
import tomllib
from typing import cast

import pytest

from benchhygiene import Registry
from benchhygiene.core.registry import AnyAnalyzer, conforming
from benchhygiene.testing import Case, run_cases
from tests.core.environments import LIBRARY

PROJECT = tomllib.loads((LIBRARY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUNDLED: dict[str, str] = PROJECT["entry-points"]["benchhygiene.analyzers"]


def load(name: str) -> AnyAnalyzer:
    module, _, attribute = BUNDLED[name].partition(":")
    return conforming(name, getattr(importlib.import_module(module), attribute)())


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_analyzer_holds_its_cases(name: str) -> None:
    analyzer = load(name)
    run_cases(analyzer, cast("tuple[Case, ...]", getattr(analyzer, "cases", ())))


def test_bundled_analyzers_do_not_share_rules() -> None:
    rules = [rule.id for name in BUNDLED for rule in load(name).rules]
    assert rules
    assert len(set(rules)) == len(rules)


def test_what_is_installed_is_what_is_declared() -> None:
    found = {one.name for one in Registry.discover() if one.distribution == "benchhygiene"}
    assert found == set(BUNDLED)
