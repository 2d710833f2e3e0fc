from __future__ import annotations

import datetime
import enum
import pathlib
from collections.abc import Mapping

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import FileSnapshot, InputError, PytestInvocation
from benchhygiene.core.digest import digest

LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats()
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner).map(tuple), max_leaves=8)


@attrs.frozen
class Piece:
    value: object
    cache: object = attrs.field(default=None, eq=False)


class Colour(enum.Enum):
    RED = 1


@given(st.dictionaries(st.text(), TREES))
def test_the_order_of_a_mapping_does_not_count(mapping: dict[str, object]) -> None:
    turned = dict(reversed(mapping.items()))
    assert digest(Piece(mapping)) == digest(Piece(turned))


@given(TREES, TREES)
def test_different_trees_have_different_digests(one: object, other: object) -> None:
    assert (digest(one) == digest(other)) == (repr(one) == repr(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", 1),
        (1, True),
        (b"a", "a"),
        (None, "None"),
        (("a", "b"), ("ab",)),
        ((("a",), "b"), ("a", ("b",))),
        (("astrb",), ("a", "b")),
        ({"a": 1}, (("a", 1),)),
        (Colour.RED, 1),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (pathlib.PurePosixPath("a"), "a"),
        (frozenset(), ()),
        ("\udcff", "\\udcff"),
    ],
)
def test_kinds_do_not_collide(one: object, other: object) -> None:
    assert digest(Piece(one)) != digest(Piece(other))


def test_sets_and_fields_that_do_not_compare() -> None:
    one, other = set(range(0, 9, 8)), set(range(8, -1, -8))
    assert list(one) != list(other)  # they collide, so each keeps the order of insertion
    assert digest(Piece(one)) == digest(Piece(other))
    assert digest(Piece(1, cache="warm")) == digest(Piece(1))


def test_real_evidence_is_digested_by_content() -> None:
    files: Mapping[str, bytes | str] = {"/w/pytest.ini": "[pytest]\n", "/w/a.py": b"\xff"}
    turned = dict(reversed(list(files.items())))
    one = PytestInvocation("/w", ("-q",), files=FileSnapshot(files))
    same = PytestInvocation("/w", ("-q",), files=FileSnapshot(turned))
    other = PytestInvocation("/w", ("-q",), files=FileSnapshot({**files, "/w/a.py": b"\xfe"}))
    assert digest(one) == digest(same)
    assert digest(one) != digest(other)


def test_what_has_no_canonical_form_is_named() -> None:
    with pytest.raises(InputError, match="a object"):
        digest(Piece(object()))
