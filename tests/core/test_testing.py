from __future__ import annotations

import contextlib
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator

import attrs
import pytest

from benchhygiene import (
    AnalyzerCrashed,
    BaseFinding,
    Finding,
    InputError,
    Verdict,
    testing,
)
from benchhygiene.errors import ForbiddenIO
from benchhygiene.testing import case, forbid_io, run_case, run_cases
from tests.core.samples import EMPTY, SHOUTED, Shouting, Text, shout

LOUD = case("loud", Text("a", ("NO",)), reports=[SHOUTED], verdict=Verdict.VIOLATION)
QUIET = case("quiet", Text("a", ("no",)), innocent_of=[SHOUTED], verdict=Verdict.PASS)
BLANK = case("blank", Text("a", ()), reports=["sample.empty"])
FILLED = case("filled", Text("a", ("x",)), innocent_of=[EMPTY])
CASES = (LOUD, QUIET, BLANK, FILLED)


def test_cases_that_hold() -> None:
    run_cases(Shouting(), CASES)
    assert run_case(Shouting(), LOUD).verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (case("c", Text("a", ("NO",)), innocent_of=[SHOUTED]), "reports"),
        (case("c", Text("a", ("no",)), reports=[SHOUTED]), "reports"),
        (case("c", Text("a", ("NO",)), reports=[SHOUTED, EMPTY]), "reports"),
        (case("c", Text("a", ("NO",)), reports=[SHOUTED], verdict=Verdict.PASS), "verdict"),
        (case("c", reports=[SHOUTED]), "reports"),
    ],
)
def test_a_case_that_does_not_hold_is_named(wrong: testing.Case, said: str) -> None:
    with pytest.raises(AssertionError, match=f"case 'c': {said}"):
        run_case(Shouting(), wrong)


@pytest.mark.parametrize("missing", range(4))
def test_every_rule_needs_a_violating_and_an_innocent_case(missing: int) -> None:
    with pytest.raises(AssertionError, match="no case"):
        run_cases(Shouting(), CASES[:missing] + CASES[missing + 1 :])


def test_a_case_for_a_rule_the_analyzer_lacks() -> None:
    strange = case("strange", Text("a", ("no",)), innocent_of=["sample.other"])
    with pytest.raises(AssertionError, match=r"unknown rules \['sample.other'\]"):
        run_cases(Shouting(), (*CASES, strange))


def test_two_cases_of_one_name() -> None:
    with pytest.raises(AssertionError, match="two cases"):
        run_cases(Shouting(), (*CASES, LOUD))


def test_a_case_says_something_and_does_not_contradict_itself() -> None:
    with pytest.raises(InputError, match="say what"):
        case("empty", Text("a", ()))
    with pytest.raises(InputError, match=r"cannot both.*sample\.shouted"):
        case("both", reports=[SHOUTED], innocent_of=["sample.shouted"])


@attrs.frozen
class Doing:
    """Do something impure before reporting."""

    do: Callable[[], object]
    name = "doing"
    rules = (SHOUTED,)
    consumes = Text

    def analyze(self, text: Text, /) -> Iterator[Finding]:
        self.do()
        yield shout(text.path, 1, "NO")


@attrs.frozen
class Drawing:
    """Report something else each time."""

    draw: random.Random
    name = "drawing"
    rules = (SHOUTED,)
    consumes = Text

    def analyze(self, _: Text, /) -> Iterator[Finding]:
        yield BaseFinding(rule=SHOUTED, message=str(self.draw.random()))


def raise_value_error() -> None:
    raise ValueError("crash")


def test_an_analyzer_that_crashes_or_draws_lots_fails() -> None:
    with pytest.raises(AnalyzerCrashed, match="doing: ValueError: crash"):
        run_case(Doing(raise_value_error), LOUD)
    with pytest.raises(AssertionError, match="runs"):
        run_case(Drawing(random.Random(1)), LOUD)


def connect() -> None:
    with socket.socket() as unconnected:
        unconnected.connect(("127.0.0.1", 9))


IMPURE: dict[str, Callable[[], object]] = {
    "reads": lambda: pathlib.Path(os.devnull).read_bytes(),
    "writes": lambda: pathlib.Path("surprise.txt").write_text("x"),
    "lists": lambda: os.listdir(),
    "walks": lambda: list(os.walk(".")),
    "removes": lambda: os.remove("surprise.txt"),
    "starts a process": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
    "starts a shell": lambda: os.system("true"),
    "connects": connect,
    "changes the environment": lambda: os.environ.update(SURPRISE="1"),
    "makes a directory": tempfile.mkdtemp,
    "writes into the library": lambda: os.open(testing.__file__, os.O_RDWR),
}


if sys.version_info >= (3, 12):  # these raised no audit events before
    IMPURE["starts a thread"] = lambda: threading.Thread(target=print).start()
    IMPURE["sleeps"] = lambda: time.sleep(0)


@pytest.mark.parametrize("name", IMPURE)
def test_impurity_is_caught(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ForbiddenIO):
        run_case(Doing(IMPURE[name]), LOUD)
    assert list(tmp_path.iterdir()) == []
    assert "SURPRISE" not in os.environ


def swallow() -> None:
    with contextlib.suppress(Exception):
        open(os.devnull).close()


def test_a_swallowed_attempt_is_raised_all_the_same() -> None:
    with pytest.raises(ForbiddenIO, match="open"):
        run_case(Doing(swallow), LOUD)


def read_installed_data() -> None:
    open(attrs.__file__).close()
    os.listdir(os.path.dirname(testing.__file__))


def import_lazily() -> None:
    for name in [name for name in sys.modules if name.startswith("wsgiref")]:
        del sys.modules[name]
    import wsgiref.headers  # noqa: F401


def test_what_is_installed_may_be_read_and_imported() -> None:
    run_case(Doing(read_installed_data), LOUD)
    run_case(Doing(import_lazily), LOUD)


def test_more_may_be_made_readable(tmp_path: pathlib.Path) -> None:
    (tmp_path / "table.json").write_text("{}")
    with forbid_io(str(tmp_path)):
        assert (tmp_path / "table.json").read_text() == "{}"
    with pytest.raises(ForbiddenIO, match=r"table\.json"), forbid_io():
        (tmp_path / "table.json").read_text()


def test_outside_the_guard_nothing_is_forbidden(tmp_path: pathlib.Path) -> None:
    with forbid_io():
        pass
    (tmp_path / "a").write_text("x")
    assert (tmp_path / "a").read_text() == "x"


def swallow_then_raise() -> None:
    swallow()
    raise_value_error()


def test_an_exception_from_the_block_is_not_replaced() -> None:
    with pytest.raises(ValueError, match="crash"), forbid_io():
        swallow_then_raise()
