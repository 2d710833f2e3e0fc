"""Tests that are still in the tree and no longer run, and their innocent twins."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.nodes.cases.suite import CUT, LOWER, SLUGS, change, edit
from benchhygiene_plugins.nodes.findings import SHADOWED, UNCOLLECTED

_INDENTED = LOWER.replace("\n", "\n    ").strip()


def _guarded(test: str) -> tuple[str, str]:
    return LOWER, f"if {test}:\n\n    {_INDENTED}\n"


def _decorated(decorator: str) -> tuple[str, str]:
    return LOWER, f"{decorator}\n{LOWER}"


def _after(line: str) -> tuple[str, str]:
    return SLUGS, f"{SLUGS}\n\n{line}\n"


_SWALLOW = "def quiet(function):\n    function.done = True\n\n\n"
_MARK = "def slow(function):\n    return pytest.mark.slow(function)\n\n\n"

UNCOLLECTED_CASES: tuple[Case, ...] = (
    case(
        "a test loses its prefix",
        edit(("def test_lower", "def check_lower")),
        reports=[UNCOLLECTED],
        verdict=Verdict.VIOLATION,
    ),
    case("a class loses its prefix", edit(("TestLength", "Length")), reports=[UNCOLLECTED]),
    case(
        "a class gets a constructor",
        edit((CUT, f"    def __init__(self):\n        self.most = 40\n\n{CUT}")),
        reports=[UNCOLLECTED],
    ),
    case(
        "a class gets a set-up method",
        edit((CUT, f"    def setup_method(self):\n        self.most = 40\n\n{CUT}")),
        innocent_of=[UNCOLLECTED],
        verdict=Verdict.PASS,
    ),
    case("a test becomes a fixture", edit(_decorated("@pytest.fixture")), reports=[UNCOLLECTED]),
    case(
        "a decorator returns nothing",
        edit((LOWER, f"{_SWALLOW}@quiet\n{LOWER}")),
        reports=[UNCOLLECTED],
    ),
    case(
        "a decorator returns the test",
        edit((LOWER, f"{_MARK}@slow\n{LOWER}")),
        innocent_of=[UNCOLLECTED],
        verdict=Verdict.PASS,
    ),
    case("a test is deleted by name", edit(_after("del test_lower")), reports=[UNCOLLECTED]),
    case("a test is set to None", edit(_after("test_lower = None")), reports=[UNCOLLECTED]),
    case("__test__ is false", edit(_after("TestLength.__test__ = False")), reports=[UNCOLLECTED]),
    case(
        "a test stands in a dead branch",
        edit(_guarded("False")),
        reports=[UNCOLLECTED],
    ),
    case(
        "a test stands under a condition nobody knows",
        edit(_guarded("slugify.FAST")),
        reports=[UNCOLLECTED],
    ),
    case(
        "a test stands in a branch that is always taken",
        edit(_guarded("__name__ != '__main__'")),
        innocent_of=[UNCOLLECTED],
        verdict=Verdict.PASS,
    ),
    case(
        "a test stands under a name that its own module may have",
        edit(_guarded("__name__ != 'test_slugs'")),
        reports=[UNCOLLECTED],
    ),
    case(
        "the file is renamed to what pytest does not collect",
        change(None, {"tests/slug_checks.py": SLUGS}),
        reports=[UNCOLLECTED],
    ),
    case(
        "the file no longer parses",
        edit(("def test_lower():", "def test_lower(:")),
        reports=[UNCOLLECTED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the module fails when it is imported",
        edit(("import pytest\n", "import pytest\n\nraise ValueError\n")),
        reports=[UNCOLLECTED],
    ),
)
SHADOWED_CASES: tuple[Case, ...] = (
    case(
        "a later definition wins",
        edit(_after("def test_lower():\n    pass")),
        reports=[SHADOWED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a later import wins",
        edit(_after("from checks import test_lower"), checks="def test_lower():\n    pass\n"),
        reports=[SHADOWED],
    ),
    case(
        "a loop writes to globals()",
        edit(
            _after(
                "for name in [one for one in globals() if one.startswith('test_l')]:\n"
                "    globals()[name] = lambda: None"
            )
        ),
        reports=[SHADOWED],
    ),
    case(
        "nobody knows which names a no-op is written to",
        edit(_after("for name in slugify.NAMES:\n    globals()[name] = lambda: None")),
        reports=[SHADOWED],
    ),
    case(
        "a class is defined again",
        edit(_after("class TestLength:\n    def test_cut(self):\n        pass")),
        reports=[SHADOWED],
    ),
    case(
        "the same name in another class",
        edit(_after("class TestLower:\n    def test_lower(self):\n        assert True")),
        innocent_of=[SHADOWED],
        verdict=Verdict.PASS,
    ),
    case(
        "a loop adds tests through globals()",
        edit(
            _after(
                "for number in range(3):\n"
                "    globals()[f'test_more_{number}'] = lambda: slugify('x')"
            )
        ),
        innocent_of=[SHADOWED],
        verdict=Verdict.PASS,
    ),
)
CASES: tuple[Case, ...] = (*UNCOLLECTED_CASES, *SHADOWED_CASES)
