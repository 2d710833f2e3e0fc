"""Parameter sets that are gone, and those that are only written down in another way."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import Change
from benchhygiene.testing import Case, case
from benchhygiene_plugins.nodes.cases.suite import edit
from benchhygiene_plugins.nodes.findings import EXPANDED, SHRUNK

_ROWS = '["", " ", "-", "--"]'
_FIXTURE = """import pytest


@pytest.fixture(params=["ascii", "latin"])
def codec(request):
    return request.param
"""
_USES = "def test_encode(codec):\n    assert 'x'.encode(codec)\n"
_SUBTESTS = """import unittest


class SlugTests(unittest.TestCase):
    def test_all(self):
        for text, slug in [("A", "a"), ("B", "b"), ("C", "c")]:
            with self.subTest(text):
                self.assertEqual(text.lower(), slug)
"""


def _with(rows: str) -> Change:
    return edit((_ROWS, rows))


def _fixture(old: str, new: str) -> Change:
    before = {"tests/conftest.py": _FIXTURE, "tests/test_encode.py": _USES}
    return Change(before, {**before, "tests/conftest.py": _FIXTURE.replace(old, new)})


def _loop(old: str, new: str) -> Change:
    path = "tests/test_all.py"
    return Change({path: _SUBTESTS}, {path: _SUBTESTS.replace(old, new)})


_SHRUNK: tuple[tuple[str, Change], ...] = (
    ("a row is removed", _with('["", " ", "-"]')),
    ("the rows are cut", _with(f"{_ROWS}[:2]")),
    ("the rows are filtered", _with(f"[one for one in {_ROWS} if one]")),
    ("a row is replaced by a copy of another", _with('["", " ", " ", "--"]')),
    ("a row is replaced by an easier one", _with('["", " ", "-", "x"]')),
    ("the rows are emptied", _with("[]")),
    ("the rows become a sample", _with(f"random.sample({_ROWS}, 1)")),
    (
        "the parametrization is removed",
        edit(
            (f'@pytest.mark.parametrize("text", {_ROWS})\n', ""),
            ("test_blank(text)", "test_blank(text='')"),
        ),
    ),
    ("a fixture loses a parameter", _fixture('["ascii", "latin"]', '["ascii"]')),
    ("a loop over sub-tests loses a row", _loop(', ("C", "c")', "")),
    ("a loop over sub-tests ends early", _loop("slug)\n", "slug)\n            break\n")),
)
_SAME: tuple[tuple[str, Change], ...] = (
    (
        "the rows move to a constant",
        edit((_ROWS, "ROWS"), ("\n\ndef test_lower", f"\nROWS = {_ROWS}\n\n\ndef test_lower")),
    ),
    ("the rows are computed", _with('["", *" -", "-" * 2]')),
    ("the rows are put in another order", _with('["--", "-", " ", ""]')),
    ("the rows get ids", _with('["", " ", "-", pytest.param("--", id="two")]')),
    ("the argument is renamed", edit(('"text"', '"given"'), ("(text)", "(given)"))),
    (
        "the rows move into a loop of the test",
        edit(
            (f'@pytest.mark.parametrize("text", {_ROWS})\n', ""),
            (
                'test_blank(text):\n    assert slugify(text) == ""',
                f'test_blank():\n    for text in {_ROWS}:\n        assert slugify(text) == ""',
            ),
        ),
    ),
    ("a fixture gets ids", _fixture('latin"]', 'latin"], ids=["a", "l"]')),
    ("a loop over sub-tests is written with a list of lists", _loop('("A", "a")', '["A", "a"]')),
)
CASES: tuple[Case, ...] = (
    *(case(name, change, reports=[SHRUNK], verdict=Verdict.VIOLATION) for name, change in _SHRUNK),
    *(
        case(name, change, innocent_of=[SHRUNK, EXPANDED], verdict=Verdict.PASS)
        for name, change in _SAME
    ),
    case("a row is added", _with('["", " ", "-", "--", "---"]'), reports=[EXPANDED]),
    case(
        "a test is parametrized",
        edit(
            (
                'def test_lower():\n    slug = slugify("Hello")',
                '@pytest.mark.parametrize("text", ["Hello", "HELLO"])\n'
                "def test_lower(text):\n    slug = slugify(text)",
            )
        ),
        reports=[EXPANDED],
        innocent_of=[SHRUNK],
        verdict=Verdict.PASS,
    ),
)
