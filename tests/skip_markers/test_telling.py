"""Which functions are read at all, by the words in them."""

from __future__ import annotations

import ast

import pytest

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.meanings import Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.skip_markers.telling import Telling

PATH = "tests/test_a.py"
HEAD = "import pytest\nimport unittest\n"
HELPERS = {
    "tests/helping.py": f"{HEAD}\ndef stop():\n    pytest.skip('x')\n\n\ndef go():\n    return 1\n",
    "tests/parts/__init__.py": "from helping import *\n",
    "tests/parts/deep.py": "from helping import stop\n",
}
#: The body of ``test_it``, what stands above it, and whether the test could be exempted by it.
BODIES = {
    "call": ("", "pytest.skip('x')", True),
    "method": ("", "self.skipTest('x')", True),
    "raised": ("", "raise unittest.SkipTest('x')", True),
    "spelled": ("", "getattr(pytest, 'sk' + 'ip')('x')", True),
    "looked up": ("", "globals()['st' + 'op']()", True),
    "helper": ("def stop():\n    pytest.skip('x')\n", "stop()", True),
    "alias": ("stop = pytest.skip\n", "stop('x')", True),
    "helper of a helper": (
        "stop = pytest.skip\ndef further():\n    stop('x')\n",
        "further()",
        True,
    ),
    "imported": ("from helping import stop\n", "stop()", True),
    "imported module": ("import helping\n", "helping.stop()", True),
    "imported star": ("from helping import *\n", "stop()", True),
    "imported under another name": ("from helping import stop as go\n", "go()", True),
    "local": ("", "import pytest as p\n    p.skip('x')", True),
    "nothing": ("", "assert 1 + 1 == 2", False),
    "expected to raise": ("", "with pytest.raises(ValueError):\n        int('x')", False),
    "approximate": ("", "assert 1 == pytest.approx(1)", False),
    "helper that does nothing": ("def go():\n    return 1\n", "go()", False),
    "imported one that does nothing": ("from helping import go\n", "go()", False),
    "stranger": ("import json\n", "json.loads('1')", False),
    "code under test": ("from shop import double\n", "assert double(1) == 2", False),
}
SHOP = {"shop.py": "def double(n, skipna=True):\n    return n * 2\n"}


def _telling(top: str, body: str, files: dict[str, str]) -> tuple[Telling, FunctionNode]:
    source = f"{HEAD}{top}\n\ndef test_it(self):\n    {body}\n"
    evaluator = Evaluator.of(SourceTree({PATH: source, **HELPERS, **SHOP, **files}))
    function = evaluator.file(PATH).body[-1]
    assert isinstance(function, FunctionNode)
    return Telling(evaluator), function


@pytest.mark.parametrize(("top", "body", "may"), BODIES.values(), ids=BODIES)
def test_a_body_is_read_where_a_word_in_it_leads_to_a_skip(top: str, body: str, may: bool) -> None:
    telling, function = _telling(top, body, {})
    assert telling.may_exempt(function, PATH) is may


@pytest.mark.parametrize(
    ("top", "called", "may"),
    [
        ("", "pytest.skip", True),
        ("", "self.skipTest", True),
        ("stop = pytest.skip\n", "stop", True),
        ("stops = [pytest.skip]\n", "stops[0]", True),
        ("from helping import stop\n", "stop", True),
        ("import helping\n", "helping.stop", True),
        ("import helping\n", "helping.go", False),
        ("import helping as h\n", "h.stop", True),
        ("import helping as h\n", "h.go", False),
        ("import helping\nhelping = pytest\n", "helping.go", True),
        ("import parts\n", "parts.stop", True),
        ("import parts\n", "parts.go", False),
        ("import parts\n", "parts.deep.stop", True),
        ("import parts.deep\n", "parts.deep.go", True),  # not looked into that far
        ("from helping import go\n", "go", False),
        ("", "pytest.raises", False),
        ("", "len", False),
        ("", "'{}'.format", False),
        ("from shop import double\n", "double", False),
        ("", "(lambda: pytest.skip)()", True),
    ],
)
def test_a_call_is_looked_into_where_its_name_leads_to_a_skip(
    top: str, called: str, may: bool
) -> None:
    telling, function = _telling(top, f"{called}()", {})
    statement = function.body[-1]
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    scope = Scope(PATH).inside(telling.evaluator.local(function))
    assert telling.may_lead(statement.value.func, scope) is may


def test_what_an_argument_stands_for_is_not_known() -> None:
    telling, _ = _telling("", "pass", {})
    function = ast.parse("def helper(call, self):\n    call()\n    self.call()\n").body[0]
    assert isinstance(function, FunctionNode)
    scope = Scope(PATH).inside(telling.evaluator.local(function))
    assert telling.may_lead(ast.parse("call", mode="eval").body, scope)
    assert not telling.may_lead(ast.parse("self.call", mode="eval").body, scope)


@pytest.mark.parametrize(
    ("path", "source", "is_read"),
    [
        ("tests/helping.py", "x = 1\n", True),
        ("src/shop.py", "def double(n, skipna=True):\n    return n * 2\n", False),
        ("src/testing.py", "x = 1\n", True),
        ("src/checks.py", "import pytest\n\n\ndef check():\n    pytest.skip('x')\n", True),
        ("src/checks.py", "from unittest import SkipTest\n", True),
        ("src/checks.py", "skiprows = 3\n", False),
    ],
)
def test_code_under_test_is_not_read(path: str, source: str, is_read: bool) -> None:
    telling = Telling(Evaluator.of(SourceTree({path: source})))
    assert telling.is_read(path) is is_read


def test_a_class_that_inherits_from_what_skips_is_read_whole() -> None:
    base = "class Base(unittest.TestCase):\n    def stop(self):\n        self.skipTest('x')\n"
    source = f"{HEAD}{base}\n\nclass Cases(Base):\n    def test_a(self):\n        self.further()\n"
    plain = source.replace("self.skipTest('x')", "return 1")
    for text, may in ((source, True), (plain, False)):
        telling = Telling(Evaluator.of(SourceTree({PATH: text})))
        kind = telling.evaluator.file(PATH).body[-1]
        assert isinstance(kind, ast.ClassDef)
        function = kind.body[0]
        assert isinstance(function, FunctionNode)
        assert telling.may_exempt(function, PATH) is may


def test_files_that_import_one_another_are_told_from_both_sides() -> None:
    one = f"{HEAD}from test_b import further\n\n\ndef test_a():\n    further()\n"
    other = f"{HEAD}from test_a import test_a\n\n\ndef further():\n    pytest.skip('x')\n"
    telling = Telling(Evaluator.of(SourceTree({PATH: one, "tests/test_b.py": other})))
    function = telling.evaluator.file(PATH).body[-1]
    assert isinstance(function, FunctionNode)
    assert telling.may_exempt(function, PATH)
