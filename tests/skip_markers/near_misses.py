"""Edits of one test's body: what little differs must be told from what skips."""

from __future__ import annotations

from tests.skip_markers.edits import Disguise, disguise, inside, swap, top

_BODY = "    assert 2 + 2 == 4\n"
_GUARDED = 'rows = [1, 2]\nif len(rows) > 2:\n    pytest.skip("long")'
_EARLY = 'ready = True\nif ready:\n    return\npytest.skip("not ready")'
_HELPER = 'def check(value):\n    if value == 3:\n        pytest.skip("three")\n    assert value'
_SILENT = 'with pytest.raises(pytest.skip.Exception):\n    pytest.skip("seen")'
_LOOP = "for call in (str, repr):\n    call(2)"
_SEEN = 'seen = pytest.skip.Exception\nwith pytest.raises(seen):\n    pytest.skip("seen")'
_ASKED = (
    "def is_slow():\n    return False\n\n\n"
    "@pytest.fixture(autouse=True)\ndef ready():\n    if is_slow():\n        pytest.skip('slow')"
)


def _two(name: str, rule: str, text: str, old: str, new: str) -> Disguise:
    """Put lines into ``test_two`` of both sides and change them in the candidate."""
    put = inside("test_two", text)
    return disguise(name, rule, "two", put, swap(old, new), parent=(put,))


def _above(name: str, rule: str, nodes: str, lines: str, call: str, *edits: str) -> Disguise:
    """Put lines above the tests and a call into ``test_two``, and change them in the candidate."""
    put = (top(lines), inside("test_two", call))
    pairs = zip(edits[::2], edits[1::2], strict=True)
    return disguise(name, rule, nodes, *put, *(swap(*pair) for pair in pairs), parent=put)


MISSED = (
    _two("skip beside what stays", "skip.call", _LOOP, "call(2)", 'call(2)\n    pytest.skip("x")'),
    _two("condition widened", "skip.call", _GUARDED, "len(rows) > 2", "len(rows) > 1"),
    _two("exit taken away", "skip.call", _EARLY, "    if ready:\n        return\n", ""),
    _two("rows changed", "skip.call", _GUARDED, "rows = [1, 2]", "rows = [1, 2, 3]"),
    _two("taken out of its with", "skip.call", _SILENT, _SILENT.split("\n")[0], "if True:"),
    _two(
        "with expects another",
        "skip.call",
        _SEEN,
        "seen = pytest.skip.Exception",
        "seen = ValueError",
    ),
    _two(
        "local means it now",
        "skip.call",
        "stop = str\nstop('x')",
        "stop = str",
        "stop = pytest.skip",
    ),
    _two("loop over it now", "skip.call", _LOOP, "(str, repr)", "(str, pytest.skip)"),
    _two(
        "inner function",
        "skip.call",
        "def look():\n    assert 1\nlook()",
        "        assert 1\n",
        "        pytest.skip('x')\n",
    ),
    _two(
        "moved out of its branch",
        "skip.call",
        'if sys.platform == "win32":\n    assert 1\n    pytest.skip("x")',
        '        pytest.skip("x")',
        '    pytest.skip("x")',
    ),
    _two(
        "or for and",
        "skip.call",
        'sys.platform == "win32" and pytest.skip("x")',
        '"win32" and pytest',
        '"win32" or pytest',
    ),
    _two(
        "raised for returned",
        "skip.call",
        "error = unittest.SkipTest('x')\nassert error",
        "assert error",
        "raise error",
    ),
    _above("another argument", "skip.call", "two", _HELPER, "check(2)", "check(2)", "check(3)"),
    _above(
        "helper asks for less",
        "skip.call",
        "two",
        _HELPER,
        "check(2)",
        "    if value == 3:\n        pytest",
        "    if value:\n        pytest",
    ),
    _above(
        "condition gives another answer",
        "skip.call",
        "all",
        _ASKED,
        "assert os",
        "return False",
        "return True",
    ),
    _above(
        "fixture asked for by name",
        "skip.call",
        "two",
        "@pytest.fixture\ndef quiet():\n    pytest.skip('x')",
        "assert os",
        "def test_two():",
        "def test_two(request):\n    request.getfixturevalue('quiet')",
    ),
    _above(
        "fixture asked for by argument",
        "skip.call",
        "two",
        "@pytest.fixture\ndef quiet():\n    pytest.skip('x')",
        "assert os",
        "def test_two():",
        "def test_two(quiet):",
    ),
    _above(
        "test called by another",
        "skip.call",
        "one two",
        "def helper():\n    test_one()",
        "helper()",
        "def test_one():\n",
        "def test_one():\n    pytest.skip('x')\n",
        "assert 2 + 2 == 4",
        "assert 2 + 2 >= 4",
    ),
)

INNOCENT = (
    _two("assertion doubled", "", _GUARDED, _BODY, _BODY * 2),
    _two("assertion dropped", "", _GUARDED, f"\n{_BODY}", "\n"),
    _two("assertion loosened", "", _LOOP, _BODY, _BODY.replace("==", ">=")),
    _two("another call", "", _GUARDED, _BODY, f"{_BODY}    assert str(repr(2))\n"),
    _two("skip left out", "", _GUARDED, '        pytest.skip("long")', "        assert rows"),
    _two("local renamed", "", "total = 2\nassert str(total)", "total", "amount"),
    _two("exit added", "", _GUARDED, "    if len", "    if not rows:\n        return\n    if len"),
    _two("quotes", "", _GUARDED, '"long"', "'long'"),
    _above(
        "helper checks twice", "", "", _HELPER, "check(2)", "assert value", "assert value == value"
    ),
    _above("helper checks less", "", "", _HELPER, "check(2)", "    assert value", "    pass"),
    _above("same condition", "", "", _ASKED, "assert os", "assert os", "assert os.sep"),
)
