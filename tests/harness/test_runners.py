"""Who hands on the status of a run: what reads the same need not be read again."""

from __future__ import annotations

import pytest

from benchhygiene import Change, Registry
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene_plugins.harness import Harness

_HEAD = "import sys\nimport pytest\n"
_LEAVE = "def leave():\n    sys.exit(pytest.main(['tests']))\n"
_LOSE = "def leave():\n    pytest.main(['tests'])\n"
_OTHER = "def other():\n    return 1\n"
_ELSE = "def other():\n    return 2\n"


def _dropped(before: str, after: str) -> bool:
    change = Change({"run.py": _HEAD + before}, {"run.py": _HEAD + after})
    report = Orchestrator(Registry().including(Harness())).run(change)
    return any("the status of the tests" in one.message for one in report.findings)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_LEAVE + _OTHER, _LOSE + _OTHER),
        (_OTHER + "sys.exit(pytest.main())\n", _OTHER + "pytest.main()\n"),
        (_OTHER + "s = pytest.main()\nsys.exit(s)\n", _OTHER + "s = pytest.main()\n"),
    ],
)
def test_a_status_that_is_dropped(before: str, after: str) -> None:
    assert _dropped(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_LEAVE + _OTHER, _LEAVE + _ELSE),
        (_LEAVE + _OTHER, _LEAVE + _ELSE + "pytest.main(['more'])\n"),
        (_LEAVE + _LEAVE.replace("leave", "go"), _LEAVE + _LOSE.replace("leave", "go")),
    ],
)
def test_a_status_that_is_still_handed_on(before: str, after: str) -> None:
    assert not _dropped(before, after)
