"""A sample of the workspaces, judged by the pytest that runs this suite."""

from __future__ import annotations

import pytest

from tests.truth.catalogue import CHAPTERS
from tests.truth.comparison import Arena
from tests.truth.generator import draw
from tests.truth.workspaces import Workspace

#: Chapter, and the names of workspaces from it.
SAMPLE = {
    "options": (
        "addopts --cov=calc --cov-fail-under=80 | two files",
        "addopts --cov=calc --cov-fail-under=30 | covered",
        "addopts --nosuch | plain",
        "addopts -W error | warns",
        "addopts -W error | plain",
        "addopts --strict-markers | marked",
        "addopts -k smoke | plain",
        "addopts --co | plain",
        "addopts -xvs | plain",
        "addopts -p nosuch_plugin | plain",
    ),
    "precedence": ("pytest.ini and tox.ini", "setup.cfg beside the tests"),
    "fallbacks": ("setup.py below a pyproject without section",),
    "arguments": ("files beside each of ['a/test_a.py', 'b/test_b.py', 'tests/test_ok.py']",),
    "broken": ("pyproject.toml: syntax", "setup.cfg: classic section, beside pytest.ini"),
    "values": (
        "ini addopts' = -q # hi'",
        "native \"addopts = '-q'\"",
        "native \"pythonpath = 'src'\"",
    ),
    "keys": (
        "'xfail_strict = true' | xpass",
        "'xfail_strict = true' | plain",
        '"python_functions = \'test_*" | plain',
        '"python_classes = \'Test*" | classes',
        '"norecursedirs = \'lib" | no argument',
    ),
    "swallowing": ("addopts --cov, then tests/test_ok.py",),
    "named": ("-c /dev/null --rootdir=. --confcutdir=tests",),
    "environment": ("PYTEST_ADDOPTS=--nosuch with addopts -q",),
    "conftests": ("host/ws/conftest.py raises, a config file",),
    "coverage": (".coveragerc '[report]\\nfail_under = 99\\n' with --cov=calc",),
}


def _workspaces() -> list[Workspace]:
    found = {space.name: space for chapter in SAMPLE for space in CHAPTERS[chapter]()}
    return [found[name] for names in SAMPLE.values() for name in names]


@pytest.mark.parametrize("space", _workspaces(), ids=lambda space: space.name)
def test_the_answer_is_what_pytest_does(own: Arena, space: Workspace) -> None:
    compared = own.compare(space)
    assert [str(found) for found in compared.disagreements] == []
    assert compared.answer is not None


@pytest.mark.parametrize("number", range(4))
def test_random_workspaces_are_answered_truly(own: Arena, number: int) -> None:
    compared = own.compare(draw(0, number))
    assert [str(found) for found in compared.disagreements] == []


def test_the_shell_line_does_what_the_argument_list_does(own: Arena) -> None:
    chapter = {space.name: space for space in CHAPTERS["environment"]()}
    space = chapter["PYTEST_ADDOPTS=-k smoke with addopts -q"]
    command = own.compare(space).command
    assert command is not None
    done = own.judge.run_plain(
        ["sh", "-c", command.shell], own.plant(space), space.variables(own.root)
    )
    assert done.status == 0


def test_names_of_workspaces_are_unique() -> None:
    names = [space.name for chapter in CHAPTERS.values() for space in chapter()]
    assert len(names) == len(set(names))
