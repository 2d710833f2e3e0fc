"""Functions that all call one another are read to an end, and what they exempt is found."""

from __future__ import annotations

import pytest

from benchhygiene import Change, Orchestrator, Registry, Verdict
from benchhygiene_plugins.skip_markers import SkipMarkers

PATH = "tests/test_circle.py"


def suite(count: int, given: int) -> str:
    """Return functions that each call all others, one of which skips, and a test of them."""
    functions = "".join(
        f"def f{number}(x):\n"
        + ("    if x:\n        pytest.skip('no')\n" if number == 0 else "")
        + "".join(f"    f{other}(x)\n" for other in range(count) if other != number)
        for number in range(count)
    )
    test = f"def test_a():\n    f{count - 1}({given})\n    assert 1 == 1\n"
    return f"import pytest\n\n{functions}{test}"


@pytest.mark.parametrize("count", [2, 3, 12])
def test_what_a_circle_exempts_is_found(count: int) -> None:
    orchestrator = Orchestrator(Registry().including(SkipMarkers()))
    guilty = orchestrator.run(Change({PATH: suite(count, 0)}, {PATH: suite(count, 1)}))
    assert [one.rule.id for one in guilty.findings] == ["skip.call"]
    innocent = suite(count, 0).replace("1 == 1", "2 == 2")
    assert orchestrator.run(Change({PATH: suite(count, 0)}, {PATH: innocent})).verdict in (
        Verdict.PASS,
        Verdict.NOT_APPLICABLE,
    )
