"""Edits of what a check says."""

from __future__ import annotations

from benchhygiene.testing import Case
from benchhygiene_plugins.assertions.cases.suites import (
    REJECTS,
    SHARES,
    SPEED,
    change,
    edited,
    innocent,
    violating,
)

_EXACT = "assert shares == [334, 333, 333]"

CASES: tuple[Case, ...] = (
    violating(
        "the only check is gone",
        change(SHARES, "def test_shares():\n    allocate(1000, [1, 1, 1])\n"),
        "assert.removed",
    ),
    violating(
        "a comparison stands alone",
        edited(SHARES, _EXACT, "shares == [334, 333, 333]"),
        "assert.removed",
    ),
    innocent(
        "a check that follows from the one that stays is gone",
        edited(SHARES, "    assert sum(shares) == 1000\n", ""),
        "assert.removed",
    ),
    violating(
        "an alternative that is always true",
        edited(SHARES, _EXACT, f"{_EXACT} or True"),
        "assert.tautology",
    ),
    violating(
        "a tuple with the message in it",
        edited(SHARES, _EXACT, "assert (shares == [334, 333, 333], 'shares')"),
        "assert.tautology",
    ),
    innocent(
        "a tautology that was there before",
        change(
            "def test_now():\n    now = speed(1, 1)\n    assert now == now\n",
            "def test_now():\n    later = speed(1, 1)\n    assert later == later, 'later'\n",
        ),
        "assert.tautology",
    ),
    violating(
        "the expected value is computed by the code under test",
        edited(SHARES, _EXACT, "assert shares == allocate(cents=1000, weights=[1, 1, 1, 0][:3])"),
        "assert.self_oracle",
    ),
    innocent(
        "the expected value gets a name",
        edited(SHARES, _EXACT, "expected = [334, 333, 333]\n    assert expected == shares"),
        "assert.self_oracle",
        "assert.expected_changed",
    ),
    violating(
        "the order no longer matters",
        edited(SHARES, _EXACT, "assert sorted(shares) == [333, 333, 334]"),
        "assert.weakened",
    ),
    innocent(
        "membership becomes equality",
        edited(SHARES.replace(_EXACT, "assert 334 in shares"), "assert 334 in shares", _EXACT),
        "assert.weakened",
    ),
    violating(
        "an element of the expected list",
        edited(SHARES, "[334, 333, 333]", "[333, 333, 333]"),
        "assert.expected_changed",
    ),
    violating(
        "an input that hides the remainder",
        edited(SHARES, "allocate(1000, [1, 1, 1])", "allocate(1000, [1, 1, 2])"),
        "assert.input_changed",
    ),
    innocent(
        "the input is given by name",
        edited(SHARES, "allocate(1000, [1, 1, 1])", "allocate(cents=1000, weights=[1, 1, 1])"),
        "assert.input_changed",
    ),
    violating(
        "the outcome is overwritten",
        edited(SHARES, "    assert sum", "    shares = [334, 333, 333]\n    assert sum"),
        "assert.subject_replaced",
    ),
    innocent(
        "another variable is assigned",
        edited(SHARES, "    assert sum", "    total = 1000\n    assert total == sum"),
        "assert.subject_replaced",
    ),
    violating(
        "any exception will do",
        edited(REJECTS, "MoneyError", "Exception"),
        "raises.broadened",
    ),
    violating(
        "any message will do",
        edited(REJECTS, ', match="not a number"', ""),
        "raises.broadened",
    ),
    innocent(
        "a narrower exception",
        edited(REJECTS.replace("MoneyError", "ValueError"), "ValueError", "MoneyError"),
        "raises.broadened",
    ),
    violating(
        "nothing has to be raised",
        change(
            REJECTS,
            "def test_rejects():\n    with contextlib.suppress(MoneyError):\n"
            '        parse("twelve")\n',
            head="import contextlib\n\n\n",
        ),
        "raises.removed",
    ),
    innocent(
        "raises in its call form",
        change(
            REJECTS,
            "def test_rejects():\n"
            '    pytest.raises(MoneyError, parse, "twelve", match="not a number")\n',
        ),
        "raises.removed",
    ),
    violating(
        "the block raises by itself",
        edited(
            REJECTS, 'parse("twelve")', 'parse("twelve")\n        raise MoneyError("not a number")'
        ),
        "raises.self_raised",
    ),
    innocent(
        "the input gets a name in the block",
        edited(REJECTS, 'parse("twelve")', 'text = "twelve"\n        parse(text)'),
        "raises.self_raised",
    ),
    violating("a wider tolerance", edited(SPEED, "rel=1e-9", "rel=0.5"), "tolerance.loosened"),
    innocent("a tighter tolerance", edited(SPEED, "rel=1e-9", "rel=1e-12"), "tolerance.loosened"),
)
