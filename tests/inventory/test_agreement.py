"""What the sources show is what the real pytest collects."""

from __future__ import annotations

import pathlib

import pytest

from benchhygiene import sources
from benchhygiene.evidence import CollectedNodes, CollectionEnd, SourceTree
from benchhygiene.inventory.collection import CollectionRules, collect
from tests.inventory.agreement import agreement
from tests.inventory.suites import suite


def written(tree: dict[str, str], directory: pathlib.Path) -> pathlib.Path:
    for name, text in tree.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> CollectedNodes:
    directory = written(suite(), tmp_path_factory.mktemp("suite"))
    return sources.collect(directory, pythonpath=["."], allow_network=True)


def test_every_small_suite_is_read_as_pytest_collects_it(said: CollectedNodes) -> None:
    found = agreement(SourceTree(suite()), said)
    assert said.end is CollectionEnd.REPORTED
    assert (found.only_real, found.only_static) == ((), ())
    assert (found.counts_differ, found.ids_differ) == ((), ())
    assert found.both > 80
    assert found.counts_unknown == 0
    assert found.ids_known > 15


def test_doctests_are_read_as_pytest_collects_them(said: CollectedNodes) -> None:
    tree = SourceTree(suite())
    found = collect(tree, CollectionRules.of(tree))
    real = {one for one in said.node_ids if one.partition("::")[0].endswith(".txt")}
    assert {one.node_id for one in found.doctests} == real != set()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\npython_files = check_*.py\npython_functions = check_\n"),
        ("tox.ini", "[pytest]\npython_classes = Check* *Suite\ntestpaths = some\n"),
        ("setup.cfg", "[tool:pytest]\nnorecursedirs = some\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\npython_functions = ['check_*', 'test']\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--ignore=some/test_a.py'\n"),
        ("pytest.toml", "[pytest]\ntestpaths = ['ot*']\n"),
        ("pytest.ini", "[pytest]\ntestpaths = nowhere\n"),
        ("pytest.ini", "[pytest]\naddopts = --doctest-modules\n"),
        ("pytest.ini", "[pytest]\ncollect_imported_tests = false\n"),
        ("pyproject.toml", "[project]\nname = 'x'\n"),
    ],
)
def test_the_config_file_is_heeded(name: str, text: str, tmp_path: pathlib.Path) -> None:
    body = (
        "import unittest\nfrom helper import test_shared\n\n"
        "def test_a(): pass\ndef check_a(): pass\n\n\n"
        "def documented():\n    '''\n    >>> 1\n    1\n    '''\n\n\n"
        "class TestA:\n    def test_b(self): pass\n    def check_b(self): pass\n\n\n"
        "class CheckA:\n    def test_c(self): pass\n\n\n"
        "class ASuite:\n    def test_d(self): pass\n\n\n"
        "class Unit(unittest.TestCase):\n    def test_e(self): pass\n"
    )
    paths = ("some/test_a.py", "some/check_b.py", "other/test_c.py")
    tree = dict.fromkeys(paths, body) | {name: text, "helper.py": "def test_shared(): pass\n"}
    said = sources.collect(written(tree, tmp_path), pythonpath=["."], allow_network=True)
    found = agreement(SourceTree(tree), said)
    assert said.end is CollectionEnd.REPORTED
    assert (found.only_real, found.only_static) == ((), ())
    assert found.both
