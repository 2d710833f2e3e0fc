"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

from benchhygiene import Change, Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.doctests.findings import REMOVED, WEAKENED

_INI = {"pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}
_MODULE = '''\
def shares(cents, parts):
    """Split a sum.

    >>> shares(100, 3)
    [34, 33, 33]
    """
    return [cents // parts + (place < cents % parts) for place in range(parts)]
'''


def _edit(old: str, new: str, *, runs: bool = True) -> Change:
    ini = _INI if runs else {}
    return Change({"money.py": _MODULE, **ini}, {"money.py": _MODULE.replace(old, new), **ini})


CASES: tuple[Case, ...] = (
    case(
        "an example is gone",
        _edit("    >>> shares(100, 3)\n    [34, 33, 33]\n", ""),
        reports=[REMOVED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "an example that nothing runs is gone",
        _edit("    >>> shares(100, 3)\n    [34, 33, 33]\n", "", runs=False),
        reports=[REMOVED],
        verdict=Verdict.PASS,
    ),
    case(
        "an example is added",
        _edit("    [34, 33, 33]\n", "    [34, 33, 33]\n    >>> shares(1, 1)\n    [1]\n"),
        innocent_of=[REMOVED, WEAKENED],
        verdict=Verdict.PASS,
    ),
    case(
        "an ellipsis stands for the output",
        _edit("3)\n    [34, 33, 33]", "3)  # doctest: +ELLIPSIS\n    [...]"),
        reports=[WEAKENED],
    ),
    case(
        "the output is no longer compared",
        _edit(">>> shares(100, 3)\n    [34, 33, 33]\n", ">>> _ = shares(100, 3)\n"),
        reports=[WEAKENED],
    ),
    case(
        "the prose around is reworded",
        _edit("Split a sum.", "Split a sum fairly."),
        innocent_of=[REMOVED, WEAKENED],
        verdict=Verdict.PASS,
    ),
    case(
        "the file is no Python any more",
        _edit("    return [", "    return [[["),
        reports=[REMOVED],
        verdict=Verdict.INCONCLUSIVE,
    ),
)
