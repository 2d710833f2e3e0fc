"""A violating and an innocent example of every rule."""

from __future__ import annotations

import datetime

from benchhygiene import Verdict
from benchhygiene.evidence import AllowedAction, AsOf, Change, Ledger, LedgerEntry
from benchhygiene.testing import Case, case
from benchhygiene_plugins.skip_markers import findings as rules

_HEAD = "import sys\n\nimport pytest\n\n"
_TEST = "def test_total():\n    assert 1 + 1 == 2\n"
_PARENT = {"tests/test_total.py": _HEAD + _TEST}
_DAY = datetime.date(2026, 9, 20)


def _change(candidate: str, parent: str = _HEAD + _TEST, **others: str) -> Change:
    files = {f"tests/{name}.py": text for name, text in others.items()}
    return Change({"tests/test_total.py": parent}, {"tests/test_total.py": candidate, **files})


def _marked(decorator: str) -> str:
    return f"{_HEAD}{decorator}\n{_TEST}"


def _inside(line: str) -> str:
    return _HEAD + _TEST.replace("    assert", f"    {line}\n    assert")


def _ledger(expires: datetime.date) -> Ledger:
    entry = LedgerEntry(
        node_id="tests/test_total.py::test_total",
        first_seen=datetime.date(2026, 9, 1),
        expires=expires,
        signature="AssertionError",
        owner="payments",
        allowed_action=AllowedAction.QUARANTINE,
    )
    return Ledger((entry,))


_SKIPPED = _change(_marked('@pytest.mark.skip(reason="flaky")'))
_WINDOWS = '@pytest.mark.skipif(sys.platform == "win32", reason="paths")'
_EXAMPLE = 'def double(n):\n    """Double.\n\n    >>> double(2)\n    4\n    """\n    return 2 * n\n'
_QUIET = _EXAMPLE.replace("(2)\n", "(2)  # doctest: +SKIP\n")

CASES: tuple[Case, ...] = (
    case("skip marker", _SKIPPED, reports=(rules.MARKER,), verdict=Verdict.VIOLATION),
    case(
        "skip marker by an alias of another file",
        _change(
            f"from marking import later\n\n\n@later\n{_TEST}",
            marking="import pytest\n\nlater = pytest.mark.skip\n",
        ),
        reports=(rules.MARKER,),
    ),
    case(
        "condition widened",
        _change(_marked('@pytest.mark.skipif(True, reason="paths")'), _marked(_WINDOWS)),
        reports=(rules.MARKER,),
    ),
    case(
        "skip in a conftest's hook",
        Change(
            _PARENT,
            {
                **_PARENT,
                "tests/conftest.py": "import pytest\n\n\ndef pytest_itemcollected(item):\n"
                "    item.add_marker(pytest.mark.skip)\n",
            },
        ),
        reports=(rules.MARKER,),
    ),
    case(
        "skip of a quarantined test",
        _SKIPPED,
        _ledger(_DAY),
        AsOf(_DAY),
        reports=(rules.MARKER,),
        verdict=Verdict.PASS,
    ),
    case(
        "skip of a test whose quarantine has lapsed",
        _SKIPPED,
        _ledger(_DAY - datetime.timedelta(days=1)),
        AsOf(_DAY),
        reports=(rules.MARKER,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "skip of a quarantined test, on an unknown day",
        _SKIPPED,
        _ledger(_DAY),
        reports=(rules.MARKER,),
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "reason reworded and condition narrowed",
        _change(
            _marked(_WINDOWS.replace("paths", "paths, see the tracker")),
            _marked('@pytest.mark.skipif(sys.platform in ("win32", "cygwin"), reason="paths")'),
        ),
        innocent_of=(rules.MARKER,),
        verdict=Verdict.PASS,
    ),
    case(
        "new test that is skipped",
        _change(f"{_HEAD}{_TEST}\n\n@pytest.mark.skip\ndef test_later():\n    assert 3 == 3\n"),
        innocent_of=(rules.MARKER,),
    ),
    case("call that skips", _change(_inside('pytest.skip("later")')), reports=(rules.CALL,)),
    case(
        "fixture that skips",
        _change(
            f"{_HEAD}@pytest.fixture(autouse=True)\ndef ready():\n    pytest.skip('x')\n\n\n{_TEST}"
        ),
        reports=(rules.CALL,),
    ),
    case(
        "marker written as a call",
        _change(
            _inside('if sys.platform == "win32":\n        pytest.skip("x")'), _marked(_WINDOWS)
        ),
        innocent_of=(rules.CALL,),
    ),
    case(
        "importorskip",
        _change(_inside('pytest.importorskip("numpy")')),
        reports=(rules.IMPORTORSKIP,),
    ),
    case(
        "importorskip moved into the test",
        _change(
            _inside('pytest.importorskip("numpy")'),
            f'{_HEAD}pytest.importorskip("numpy")\n\n\n{_TEST}',
        ),
        innocent_of=(rules.IMPORTORSKIP,),
    ),
    case(
        "example skipped",
        Change(
            {"maths.py": _EXAMPLE},
            {"maths.py": _QUIET},
        ),
        reports=(rules.DOCTEST,),
    ),
    case(
        "example no longer skipped",
        Change(
            {"maths.py": _QUIET},
            {"maths.py": _EXAMPLE},
        ),
        innocent_of=(rules.DOCTEST,),
    ),
    case("xfail", _change(_marked("@pytest.mark.xfail(strict=False)")), reports=(rules.XFAIL,)),
    case(
        "xfail no longer strict",
        _change(
            _marked("@pytest.mark.xfail(raises=KeyError)"),
            _marked("@pytest.mark.xfail(raises=KeyError, strict=True)"),
        ),
        reports=(rules.XFAIL,),
    ),
    case(
        "xfail made strict",
        _change(
            _marked("@pytest.mark.xfail(raises=KeyError, strict=True)"),
            _marked("@pytest.mark.xfail(raises=LookupError)"),
        ),
        innocent_of=(rules.XFAIL,),
    ),
    case(
        "marker with a computed name",
        _change(_marked("@getattr(pytest.mark, sys.argv[1])")),
        reports=(rules.UNSEEN,),
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "marker with a name in parts",
        _change(_marked('@getattr(pytest.mark, "sl" + "ow")')),
        innocent_of=(rules.UNSEEN,),
    ),
)
