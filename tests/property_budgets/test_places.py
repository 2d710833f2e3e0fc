"""Findings name the place that can be mended, and quote both sides."""

from __future__ import annotations

from tests.property_budgets.edits import BASE, CONFTEST, HEAD, PATH, report, said

NODE = f"{PATH}::test_a"
CI = 'settings.register_profile("ci", max_examples={})\n'
LOAD = 'settings.load_profile("ci")\n'
BARE = BASE.replace("max_examples=200, ", "")


def _tree(conftest: str, **others: str) -> dict[str, bytes | str]:
    files = {f"tests/{name}.py": text for name, text in others.items()}
    return {PATH: BARE, CONFTEST: f"{HEAD}{conftest}", **files}


def test_texts_stand_side_by_side() -> None:
    (one,) = report(BASE, BASE.replace("200", "2")).findings
    assert one.old_text == "settings(max_examples=200, deadline=400)"
    assert one.new_text == "settings(max_examples=2, deadline=400)"
    assert "from 200 to 2" in one.message


def test_a_profile_is_reported_where_it_is_registered() -> None:
    found = report(_tree(CI.format(300) + LOAD), _tree(CI.format(3) + LOAD))
    rule = "max_examples_lowered"
    assert said(found) == {(rule, CONFTEST, None), (rule, PATH, NODE)}


def test_a_profile_that_is_no_longer_loaded() -> None:
    found = report(_tree(CI.format(300) + LOAD), _tree(CI.format(300)))
    assert ("max_examples_lowered", CONFTEST, None) in said(found)


def test_a_profile_of_another_module() -> None:
    old = _tree("import profiles\n", profiles=HEAD + CI.format(300) + LOAD)
    new = _tree("import profiles\n", profiles=HEAD + CI.format(3) + LOAD)
    assert ("max_examples_lowered", "tests/profiles.py", None) in said(report(old, new))


def test_a_profile_moved_to_another_module_is_the_same() -> None:
    old = _tree(CI.format(300) + LOAD)
    new = _tree("import profiles\n", profiles=HEAD + CI.format(300) + LOAD)
    assert said(report(old, new)) == set()


def test_a_property_with_its_own_number_does_not_care() -> None:
    old = {**_tree(CI.format(300) + LOAD), PATH: BASE}
    new = {**_tree(CI.format(3) + LOAD), PATH: BASE}
    assert said(report(old, new)) == {("max_examples_lowered", CONFTEST, None)}


def test_an_argument_may_have_another_name() -> None:
    new = BASE.replace("test_a(n)", "test_a(m)").replace("assert n", "assert m")
    assert said(report(BASE, new)) == set()


def test_a_file_that_moves_is_reported_at_its_old_place() -> None:
    new = {"tests/test_y.py": BASE.replace("200", "2")}
    assert said(report({PATH: BASE}, new)) == {("max_examples_lowered", PATH, NODE)}


def test_an_argument_that_is_no_longer_given() -> None:
    two = BASE.replace("st.integers(1, 600)", "st.integers(1, 600), st.text()")
    two = two.replace("test_a(n)", "test_a(n, t)").replace("@example(7)\n", "")
    one = BASE.replace("assert n", 't = ""\n    assert n').replace("@example(7)\n", "")
    assert said(report(two, one)) == {("strategy_narrowed", PATH, NODE)}


def test_two_arguments_that_become_a_pair_are_doubt() -> None:
    two = BASE.replace("st.integers(1, 600)", "st.integers(1, 600), st.text()")
    two = two.replace("test_a(n)", "test_a(n, t)").replace("@example(7)\n", "")
    pair = two.replace("st.integers(1, 600), st.text()", "pair=st.tuples(st.integers(), st.text())")
    pair = pair.replace("test_a(n, t)", "test_a(pair)").replace(
        "assert n", "n, t = pair\n    assert n"
    )
    assert said(report(two, pair)) == {("unseen", PATH, NODE)}


def test_a_property_split_in_two_is_the_same() -> None:
    two = BASE.replace("st.integers(1, 600)", "st.integers(1, 600), st.text()")
    two = two.replace("test_a(n)", "test_a(n, t)").replace("@example(7)\n", "")
    rest = "\n\n@given(st.text())\ndef test_b(t):\n    assert t is not None\n"
    assert said(report(two, BASE.replace("@example(7)\n", "") + rest)) == set()


def test_a_doubt_that_many_properties_share_is_said_once() -> None:
    use = "".join(f"@given(inputs.some())\ndef test_{k}(n):\n    assert n\n\n" for k in range(5))
    draw = f"{HEAD}@st.composite\ndef some(draw):\n    n = draw(st.integers())\n    return {{}}\n"
    trees = (
        {PATH: f"{HEAD}import inputs\n\n{use}", "tests/inputs.py": draw.format(result)}
        for result in ("make(n)", "other(n)")
    )
    found = report(*trees)
    assert said(found) == {("unseen", "tests/inputs.py", None)}
    assert len(found.findings) == 1
    assert len(found.findings[0].locations) == 6
