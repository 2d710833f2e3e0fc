"""What the watched process does is what ``python -m pytest`` does."""

from __future__ import annotations

import pytest

from tests.truth.comparison import Arena
from tests.truth.judge import Observation
from tests.truth.layouts import ini, workspace
from tests.truth.workspaces import Workspace

PLAIN_RUNS = {
    0: workspace("innocent"),
    1: workspace(
        "floor", {"host/pytest.ini": ini(["--cov", "--cov-fail-under=99"])}, suite="two files"
    ),
    2: workspace("marks", {"host/pytest.ini": ini(["--strict-markers", "-q"])}, suite="marked"),
    3: workspace("internal", {"host/pytest.ini": ini(["-W", "error"], "nosuch = 1")}),
    4: workspace("unknown", {"host/pytest.ini": ini(["--nosuch"])}),
    5: workspace("empty", {"host/pytest.ini": ini(None, "python_functions = it_*")}),
}


@pytest.mark.parametrize("status", PLAIN_RUNS)
def test_a_watched_run_ends_as_a_plain_one(own: Arena, status: int) -> None:
    space = PLAIN_RUNS[status]
    watched = _run(own, space)
    cwd = own.plant(space)
    command = ["python", "-m", "pytest", *space.words(own.root)]
    plain = own.judge.run_plain(command, cwd, space.variables(own.root))
    assert (watched.status, plain.status) == (status, status)
    assert watched.watched
    assert not plain.watched


def test_the_judge_sees_what_pytest_decided(own: Arena) -> None:
    files = {"host/tox.ini": ini(["-q", "-k", "second"]), "host/ws/tox.ini": "[tox]\n"}
    saw = _run(own, workspace("several", files, suite="several"))
    assert saw.rootdir == str(own.root / "host")
    assert saw.inifile == str(own.root / "host" / "tox.ini")
    assert saw.addopts == ("-q", "-k", "second")
    test = own.root / "host" / "ws" / "tests" / "test_ok.py"
    assert saw.ran == (f"{test}::test_second",)
    assert saw.parsed


def test_the_judge_sees_where_pytest_stopped(own: Arena) -> None:
    broken = _run(own, workspace("broken", {"host/pyproject.toml": "[tool"}))
    assert (broken.rootdir, broken.addopts, broken.parsed, broken.status) == (None, None, False, 4)
    late = _run(own, workspace("late", {"host/pytest.ini": ini(["--nosuch"])}))
    assert late.rootdir == str(own.root / "host")
    assert (late.addopts, late.parsed, late.status) == (("--nosuch",), False, 4)


def test_the_judge_is_invisible_to_a_bare_cov(own: Arena) -> None:
    """A run that measures everything must not measure the process that watches it."""
    saw = _run(own, workspace("bare", {"host/pytest.ini": ini(["--cov", "-q"])}, ["-v", "tests"]))
    assert "TOTAL" in saw.output
    assert "100%" in next(line for line in saw.output.splitlines() if line.startswith("TOTAL"))


def test_a_shadowed_module_is_left_to_a_fresh_process(own: Arena) -> None:
    saw = _run(own, workspace("shadow", {"host/ws/json.py": "raise RuntimeError('shadow')\n"}))
    assert not saw.watched


def _run(arena: Arena, space: Workspace) -> Observation:
    cwd = arena.plant(space)
    return arena.judge.run(cwd, space.words(arena.root), space.variables(arena.root))
