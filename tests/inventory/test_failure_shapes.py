"""The shape of a failure: what it forgets, what it keeps, and that it stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import Failure
from benchhygiene.inventory.failure_shapes import (
    failure_of,
    matches,
    shape,
    without_volatile_parts,
)

PIECES = (
    *("0", "17", "-4", "1.5", "1e9", "1,000", "0x7f3a", "deadbeef0123", "ns", "s", "ms", "T", "Z"),
    *("/tmp/a", "/", "C:\\x", "http://h/x", "127.0.0.1", ":", "::", ".", "-", "_", "é", "٣"),
    *("2026-10-01", "10:00:01", "123e4567-e89b-12d3-a456-426614174000", "<n>", "<", ">", "<hex>"),
    *(
        "'",
        '"',
        "`",
        "x" * 45,
        "a",
        "int32",
        " ",
        "\n",
        "+  where ",
        "assert ",
        "Error: ",
        "\x1b[1m",
    ),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=60)
NAMES = st.sampled_from(["AssertionError", "pkg.mod.Timeout", "", "E"])
FAILURES = st.builds(Failure, NAMES, TEXTS)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("AssertionError: cents != 0", "AssertionError: cents != <n>"),
        ("AssertionError: assert 1 == 2", "AssertionError: assert <n> == <n>"),
        ("assert 1 == 2", "AssertionError: assert <n> == <n>"),
        ("requests.exceptions.Timeout: port 8081", "Timeout: port <n>"),
        ("KeyError: 'a'", "KeyError: 'a'"),
        ("KeyError", "KeyError"),
        ("OSError: no /tmp/pytest-of-u/pytest-3/x.txt", "OSError: no <path>"),
        ("OSError: no C:\\Temp\\x.txt", "OSError: no <path>"),
        ("E: <Obj at 0x7f3a12>", "E: <Obj at <hex>>"),
        ("E: commit deadbeef0123abcd", "E: commit <hex>"),
        ("E: 123e4567-e89b-12d3-a456-426614174000", "E: <uuid>"),
        ("E: at 2026-10-01T10:00:01.123Z", "E: at <time>"),
        ("E: on 2026-10-01", "E: on <time>"),
        ("E: took 12.3 ms, not 4s", "E: took <duration>, not <duration>"),
        ("E: http://127.0.0.1:80/x?y=1 refused", "E: <url> refused"),
        ("E: 127.0.0.1:5432 refused", "E: <address>:<n> refused"),
        ("E: localhost:5432 refused", "E: localhost:<n> refused"),
        (f"E: '{'x' * 41}'", "E: '<text>'"),
        (f"E: '{'x' * 40}'", f"E: '{'x' * 40}'"),
        ("E: int32 and utf8 and p99", "E: int32 and utf8 and p99"),
        ("E: version 1.2.3", "E: version <n>"),
        ("E: [1, 2, 3] of (4,5) or {'a': 6, 'b': 7}", "E: [<n>] of (<n>) or {'a': <n>, 'b': <n>}"),
        ("E: first\nsecond", "E: first"),
        (
            "assert 1 == 2\n +  where 1 = f(3)\n more",
            "AssertionError: assert <n> == <n> + where <n> = f(<n>)",
        ),
        ("\x1b[31mE: red\x1b[0m", "E: red"),
        ("it went wrong", "it went wrong"),
        ("", ""),
    ],
)
def test_a_shape_is_what_stays(printed: str, expected: str) -> None:
    assert shape(failure_of(printed)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AssertionError: cents != 0", "AssertionError: euros != 0"),
        ("AssertionError: no", "ValueError: no"),
        ("KeyError: 'a'", "KeyError: 'b'"),
        ("assert 1 == 2", "assert 1 < 2"),
        (
            "assert False\n +  where False = is_open(1)",
            "assert False\n +  where False = is_paid(1)",
        ),
        ("E: int32", "E: int64"),
        ("E: nan", "E: 1"),
    ],
)
def test_other_failures_have_other_shapes(one: str, other: str) -> None:
    assert shape(failure_of(one)) != shape(failure_of(other))
    assert not matches(one, failure_of(other))


def test_a_signature_may_leave_out_where_a_value_came_from() -> None:
    failed = failure_of("assert False\n +  where False = is_open(1)")
    assert matches("assert False", failed)
    assert matches("AssertionError: assert False + where False = is_open(7)", failed)
    assert not matches("AssertionError: assert False + where False = is_paid(7)", failed)


@given(TEXTS)
def test_twice_is_as_once(text: str) -> None:
    once = without_volatile_parts(text)
    assert without_volatile_parts(once) == once


@given(FAILURES)
def test_a_shape_is_its_own_shape_and_every_failure_matches_its_own(failure: Failure) -> None:
    told = shape(failure)
    assert shape(failure_of(told)) == told
    assert matches(told, failure)
    assert "\n" not in told


@given(st.integers(), st.integers(), st.floats(0.001, 9000), st.integers(0, 2**64))
def test_numbers_do_not_count(one: int, other: int, seconds: float, address: int) -> None:
    told = f"ValueError: {one} of {other} after {seconds:.3f}s at {hex(address)} on port {one}"
    assert matches("ValueError: 1 of 2 after 3.0s at 0x4 on port 5", failure_of(told))


@pytest.mark.parametrize(
    "text",
    [
        "'" * 100_000,
        "/a" * 100_000,
        "1." * 100_000,
        "a" * 100_000,
        "\x1b[" * 50_000,
        "1:" * 100_000,
        "1," * 100_000 + "x",
        "1.1," * 50_000 + "x",
        "0" * 200_000,
        "a:/" * 50_000,
        "+  where x\n" * 50_000,
    ],
)
def test_a_hostile_message_is_soon_done(text: str) -> None:
    assert len(shape(Failure("E", text))) < 100_000
    assert without_volatile_parts(text[:20_000])
