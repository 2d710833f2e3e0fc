"""Public means: in ``__all__`` and in the documentation."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from types import ModuleType

import benchhygiene
from benchhygiene import Registry, sources, testing
from tests.docs.blocks import ROOT

_DIRECTIVE = re.compile(r"^\.\. auto(?:class|function|exception|data):: (\S+)$", re.MULTILINE)
_RULE = re.compile(r"^### ([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)$", re.MULTILINE)


def test_every_public_name_is_in_the_reference() -> None:
    documented = set(_DIRECTIVE.findall((ROOT / "docs" / "core.md").read_text(encoding="utf-8")))
    modules = (benchhygiene, sources, testing, *_bundled())
    public = {f"{module.__name__}.{name}" for module in modules for name in module.__all__}
    assert documented == public - {"benchhygiene.__version__", "benchhygiene.sources"}


def _bundled() -> Iterator[ModuleType]:
    """Yield the folder of every bundled analyzer, as the project declares them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for reference in project["entry-points"]["benchhygiene.analyzers"].values():
        yield importlib.import_module(reference.partition(":")[0])


def test_every_bundled_rule_has_its_section() -> None:
    bundled = [p.load() for p in Registry.discover() if p.distribution == "benchhygiene"]
    rules = {rule.id for analyzer in bundled for rule in analyzer.rules}
    pages = (ROOT / "docs" / "rules").glob("*.md")
    sections = [name for page in pages for name in _RULE.findall(page.read_text(encoding="utf-8"))]
    assert sorted(sections) == sorted(rules)
