"""The cheap facts of a file."""

from __future__ import annotations

import ast
import textwrap

from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.inventory.index import FunctionSpan, index, words

SOURCE = textwrap.dedent(
    """
    @mark
    def test_a():
        assert 1
        def inner():
            assert 2

    class TestB:
        if x:
            async def test_c(self):
                try:
                    pass
                except E:
                    assert 3
                else:
                    assert 4
    match x:
        case 1:
            def test_d(): assert 5
    """
).encode()


def shape(data: bytes) -> list[tuple[str, int, int, int]]:
    return [(f.qualname, f.first, f.last, f.assertions) for f in index(data).functions]


def test_functions_are_found_wherever_a_statement_may_stand() -> None:
    assert shape(SOURCE) == [
        ("test_a", 2, 6, 2),
        ("test_a.<locals>.inner", 5, 6, 1),
        ("TestB.test_c", 10, 16, 2),
        ("test_d", 19, 19, 1),
    ]


def test_equal_text_has_equal_digests_wherever_it_stands() -> None:
    def digests(data: bytes) -> dict[str, str]:
        return {f.qualname: f.digest for f in index(data).functions}

    moved, changed = digests(b"\n\n" + SOURCE), digests(SOURCE.replace(b"assert 4", b"assert 5"))
    before = digests(SOURCE)
    assert moved == before
    assert {name for name in before if before[name] != changed[name]} == {"TestB.test_c"}


def test_what_does_not_parse_has_a_reason_and_no_functions() -> None:
    found = index(b"def f(:")
    assert found.functions == ()
    assert found.error is not None


def test_deep_nesting_is_no_crash() -> None:
    source = "".join("    " * n + "if x:\n" for n in range(90)) + "    " * 90 + "def f(): pass\n"
    assert [f.qualname for f in index(source.encode()).functions] == ["f"]


@given(st.text(st.sampled_from("ab_1 .\né'#"), max_size=40))
def test_words_hold_every_name(text: str) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    names = {node.id.encode() for node in ast.walk(tree) if isinstance(node, ast.Name)}
    ascii_names = {name for name in names if name.isascii()}
    assert ascii_names <= words(text.encode())


def test_a_span_is_plain_data() -> None:
    (one,) = index(b"def f():\n    pass\n").functions
    assert one == FunctionSpan("f", 1, 2, one.digest, 0)
