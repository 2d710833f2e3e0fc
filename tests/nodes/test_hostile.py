"""Whatever an agent writes is answered: by a violation or by doubt, never by a crash or a pass."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import Change, EntryKind, SourceTree, TreeEntry
from benchhygiene_plugins.nodes import Nodes, inventory

PATH = "tests/test_a.py"
PLAIN = "def test_a():\n    assert 1 == 1\n\n\ndef test_b():\n    assert 2 == 2\n"


def report(before: object, after: object) -> Report:
    trees = [
        one if isinstance(one, SourceTree) else SourceTree({PATH: one}) for one in (before, after)
    ]
    made = Orchestrator(Registry().including(Nodes())).run(Change(*trees))
    made.raise_for_crashes()
    return made


BROKEN: dict[str, bytes] = {
    "a syntax error": b"def test_a(:\n    pass\n",
    "null bytes": PLAIN.encode() + b"\0",
    "parentheses without end": b"x = " + b"(" * 5_000 + b")" * 5_000 + b"\n" + PLAIN.encode(),
    "no such encoding": b"# -*- coding: klingon -*-\n" + PLAIN.encode(),
    "bytes that are no UTF-8": PLAIN.encode() + b"# \xff\n",
    "tabs mixed with spaces": b"def test_a():\n\tif 1:\n        pass\n",
    "an unfinished text": b"def test_a():\n    '''\n",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_python_refuses_is_a_violation(data: bytes) -> None:
    found = report(PLAIN, data)
    assert found.verdict is Verdict.VIOLATION
    assert {one.locations[0].node_id for one in found.findings} == {
        f"{PATH}::test_a",
        f"{PATH}::test_b",
    }


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_was_broken_before_is_no_pass_and_no_violation(data: bytes) -> None:
    assert report(data, data + b"\n").verdict is not Verdict.VIOLATION
    assert report(data, PLAIN).verdict in (Verdict.PASS, Verdict.INCONCLUSIVE)


DEEP: dict[str, str] = {
    "a long sum": f"X = {'1 + ' * 20_000}1\n",
    "a chain of calls": f"X = x{'.y()' * 900}\n",
    "many nots": f"if {'not ' * 900}False:\n    pass\n",
    "many branches": "if a:\n    pass\n" + "elif b:\n    pass\n" * 2_000,
    "nested lists": f"X = {'[' * 90}{']' * 90}\n",
    "nested blocks": "".join(f"{' ' * n}if x:\n" for n in range(90)) + " " * 90 + "pass\n",
    "a huge text": f"X = '{'x' * 2_000_000}'\n",
    "a huge list": f"X = [{'0, ' * 100_000}]\n",
    "an endless loop": "while True:\n    pass\n",
    "a loop of loops": "for a in range(99999):\n    for b in range(99999):\n        c = 1\n",
    "a loop that writes": "for a in range(99999):\n    globals()['x%d' % a] = a\n",
    "a function that calls itself": "def f():\n    global g\n    f()\nf()\n",
    "classes made of each other": "class A(B): pass\nclass B(A): pass\nclass TestC(A, B): pass\n",
    "a name made of itself": "X = X\nY = [Y for Y in Y]\n",
    "an import of itself": "from test_a import *\nfrom tests.test_a import x as x\n",
    "a wide inheritance": "class A0: pass\n"
    + "".join(f"class A{n}(A{n - 1}): pass\n" for n in range(1, 300))
    + "class TestA(A299):\n    def test_x(self): pass\n",
    "surrogates": "X = '\\ud800'\n",
    "wild line ends": "x = 1\r\ny = 2\rz = 3\n\x0c\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_and_huge_sources_are_answered(text: str) -> None:
    found = report(PLAIN, text + PLAIN)
    assert found.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.VIOLATION)
    gone = report(text + PLAIN, text)
    assert gone.verdict is not Verdict.PASS
    inventory(SourceTree({PATH: text + PLAIN}))


def test_many_tests_are_compared_one_by_one() -> None:
    text = "".join(f"def test_{n}():\n    assert f({n}) == {n}\n\n\n" for n in range(5_000))
    found = report(text, text.replace("def test_77(", "def check_77("))
    assert [one.locations[0].node_id for one in found.findings] == [f"{PATH}::test_77"]


def test_many_renames_are_matched() -> None:
    text = "".join(f"def test_{n}():\n    assert f({n}) == {n}\n\n\n" for n in range(2_000))
    found = report(text, text.replace("def test_", "def test_new_"))
    assert {one.rule.id for one in found.findings} == {"node.renamed"}
    assert len(found.findings) == 2_000


def test_fifty_thousand_assertions_are_read() -> None:
    text = "def test_a():\n" + "    assert 1 == 1\n" * 50_000
    assert report(text, text + "\n\ndef test_b():\n    pass\n").verdict is Verdict.PASS


@pytest.mark.parametrize(
    "entry",
    [
        TreeEntry(EntryKind.FILE, error="larger than the limit"),
        TreeEntry(EntryKind.SYMLINK, "sha256:0", data=b"../../etc/passwd"),
        TreeEntry(EntryKind.FILE, "git:0"),
    ],
    ids=["too large", "a link", "no bytes"],
)
def test_what_cannot_be_read_leaves_no_verdict(entry: TreeEntry) -> None:
    unread = SourceTree({PATH: entry})
    assert report(PLAIN, unread).verdict is Verdict.INCONCLUSIVE
    assert report(unread, PLAIN).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("kind", [EntryKind.OTHER, EntryKind.SUBMODULE])
def test_a_file_that_becomes_no_file_loses_its_tests(kind: EntryKind) -> None:
    assert report(PLAIN, SourceTree({PATH: TreeEntry(kind)})).verdict is Verdict.VIOLATION


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes_are_answered(before: bytes, after: bytes) -> None:
    report(before, after)
    report(PLAIN.encode() + before, PLAIN.encode() + after)


LINES = st.sampled_from(
    [
        "def test_a(): pass",
        "class TestA: pass",
        "class TestA:\n    def test_a(self): pass",
        "test_a = None",
        "del test_a",
        "globals()['test_a'] = 1",
        "for n in list(globals()): globals()[n] = n",
        "if x: test_a = 1",
        "try:\n    raise ValueError\nexcept ValueError: pass",
        "from x import *",
        "exec('x')",
        "TestA.test_a = None",
        "test_a = TestA = test_a",
        "@test_a\ndef test_a(): pass",
        "raise SystemExit",
        "(test_a := 1)",
        "match x:\n    case test_a: pass",
        "while x:\n    def test_b(): pass",
        "with x as test_a: pass",
        "test_a: int",
        "setattr(TestA, 'test_a', 1)",
        "import sys; sys.modules[__name__].test_a = 1",
        "x = [1]\nx.append(x)",
        "pytestmark = pytest.mark.parametrize('a', x)",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=8))
def test_any_mixture_of_statements_is_answered(before: list[str], after: list[str]) -> None:
    report("\n".join(before), "\n".join(after))
    assert inventory(SourceTree({PATH: "\n".join(after)})) == inventory(
        SourceTree({PATH: "\n".join(after)})
    )
