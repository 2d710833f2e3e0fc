"""Sources that are made to break whoever reads them."""

from __future__ import annotations

import pytest

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene_plugins.skip_markers import SkipMarkers, inventory
from tests.skip_markers.edits import BASE, PATH, bottom, inside, on, top


def _report(candidate: dict[str, bytes | str], parent: str = BASE) -> Report:
    registry = Registry().including(SkipMarkers())
    report = Orchestrator(registry).run(Change({PATH: parent}, candidate))
    report.raise_for_crashes()
    return report


@pytest.mark.parametrize(
    "source",
    [
        "(" * 5_000,
        "x = " + "1+" * 50_000 + "1\n" + BASE,
        b"\x00" + BASE.encode(),
        b"# coding: no-such\n" + BASE.encode(),
        b"\xff\xfe" + BASE.encode(),
    ],
    ids=["parentheses", "sum", "null", "cookie", "bytes"],
)
def test_what_cannot_be_read_is_inconclusive(source: bytes | str) -> None:
    report = _report({PATH: source})
    assert report.verdict is Verdict.INCONCLUSIVE
    assert {one.rule.id for one in report.findings} == {"skip.unseen"}


def test_a_file_without_bytes_is_inconclusive() -> None:
    tree = SourceTree({PATH: TreeEntry(error="PermissionError")})
    report = Orchestrator(Registry().including(SkipMarkers())).run(Change({PATH: BASE}, tree))
    assert report.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "lines",
    [
        "a = b\nb = c\nc = a",
        "a = a",
        "def a():\n    return a()",
        "def a():\n    return b() or b()\ndef b():\n    return a() or a()",
        "a = lambda: a()",
        "from test_a import *\nfrom test_a import a",
        "class a(a):\n    pass",
        "a = [a, a]",
        "a = [*a, *a]",
        "\n".join(f"def f{n}():\n    return f{n + 1}() or f{n + 1}()" for n in range(60))
        + "\nf60 = pytest.mark.slow\na = f0()",
        "\n".join(f"x{n} = x{n + 1} + x{n + 1}" for n in range(60)) + "\nx60 = []\na = x0",
        "a = " + ".".join(["x"] * 800),
    ],
)
def test_names_that_lead_round_in_circles_end(lines: str) -> None:
    source = on("test_one", "@a")(top(lines)(BASE))
    report = _report({PATH: source}, top(lines)(BASE))
    assert {one.rule.id for one in report.findings} <= {"skip.unseen"}


def test_functions_that_call_one_another_many_times_end() -> None:
    calls = "\n".join(
        f"def f{n}():\n" + "\n".join(f"    f{n + 1}()" for _ in range(30)) for n in range(12)
    )
    source = inside("test_one", "f0()")(top(f"{calls}\ndef f12():\n    pass")(BASE))
    assert _report({PATH: source}).verdict is Verdict.PASS
    ends = inside("test_one", "f8()")(top(f'{calls}\ndef f12():\n    pytest.skip("x")')(BASE))
    assert {one.rule.id for one in _report({PATH: ends}).findings} == {"skip.call"}


def test_a_condition_with_many_alternatives_ends() -> None:
    many = " and ".join(f"(os.sep == '{n}' or os.name == '{n}')" for n in range(200))
    source = on("test_one", f"@pytest.mark.skipif({many}, reason='x')")(BASE)
    assert {one.rule.id for one in _report({PATH: source}).findings} == {"skip.marker"}
    assert _report({PATH: source}, source).verdict is Verdict.PASS


def test_a_long_chain_of_elifs_ends() -> None:
    chain = "if os.sep == '0':\n    pass\n" + "\n".join(
        f"elif os.sep == '{n}':\n    pass" for n in range(1, 900)
    )
    report = _report({PATH: inside("test_one", f"{chain}\nelse:\n    pytest.skip('x')")(BASE)})
    assert report.verdict in (Verdict.VIOLATION, Verdict.INCONCLUSIVE)


def test_ten_thousand_tests_of_one_module_are_all_named() -> None:
    tests = "\n".join(f"def test_{n}():\n    assert {n} == {n}\n" for n in range(10_000))
    parent = f"import pytest\n{tests}"
    candidate = f"import pytest\npytestmark = pytest.mark.skip\n{tests}"
    findings = _report({PATH: candidate}, parent).findings
    named = {
        place.node_id for one in findings for place in one.locations if place.node_id is not None
    }
    assert named == {f"{PATH}::test_{n}" for n in range(10_000)}
    assert len(findings) < 1_000


def test_fifty_thousand_checks_are_read() -> None:
    body = "\n".join("    assert double(2) == 4" for _ in range(50_000))
    source = f"import pytest\ndef double(n):\n    return n * 2\ndef test_a():\n{body}\n"
    skipped = source + "    pytest.skip('x')\n"
    assert [one.rule.id for one in _report({PATH: skipped}, source).findings] == ["skip.call"]


def test_a_huge_parameter_list_is_read() -> None:
    rows = ", ".join(map(str, range(100_000)))
    source = (
        f"import pytest\n@pytest.mark.parametrize('n', [{rows}])\ndef test_a(n):\n    assert n\n"
    )
    report = _report({PATH: source + "\n"}, source)
    assert report.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE)


def test_a_finding_shows_no_more_than_a_page_of_hostile_text() -> None:
    reason = "x" * 1_000_000
    report = _report({PATH: on("test_one", f"@pytest.mark.skip(reason='{reason}')")(BASE)})
    assert all(len(one.new_text) < 5_000 for one in report.findings)


def test_the_inventory_of_a_tree_names_what_is_exempted() -> None:
    source = bottom("test_two = pytest.mark.skip(test_two)")(
        on("test_one", "@pytest.mark.xfail")(BASE)
    )
    found = {one.node.node_id: one.exemptions for one in inventory(SourceTree({PATH: source}))}
    assert {node: [one.rule for one in reasons] for node, reasons in found.items()} == {
        f"{PATH}::test_one": ["xfail.added"],
        f"{PATH}::test_two": ["skip.marker"],
    }
