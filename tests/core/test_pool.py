from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import pytest

from benchhygiene import Bundle, ContractBreach, InputError
from benchhygiene.core.pool import Missing, Pool
from tests.core.samples import Limit, Limited, Text

if TYPE_CHECKING:
    from decimal import Decimal

TEXT = Text("a.txt", ("hello",))


@attrs.frozen
class Either(Bundle):
    text: Text | None
    limit: Limit | None


@attrs.frozen
class Private(Bundle):
    _text: Text
    limit: "Limit | None" = None  # noqa: UP037 - quoted inside a string annotation


@attrs.frozen
class Ambiguous(Bundle):
    either: Text | Limit


@attrs.frozen
class Unreadable(Bundle):
    number: Decimal


class Bare(Bundle):
    pass


def test_a_piece_is_found_by_its_type() -> None:
    pool = Pool((TEXT, Limit(1)))
    assert pool.build(Text) == TEXT
    assert pool.build(Limit) == Limit(1)


def test_a_bundle_is_filled_and_optional_evidence_may_lack() -> None:
    assert Pool((Limit(2), TEXT)).build(Limited) == Limited(TEXT, Limit(2))
    assert Pool((TEXT,)).build(Limited) == Limited(TEXT, None)
    assert Pool((TEXT,)).build(Private) == Private(TEXT)


def test_what_is_missing_is_named() -> None:
    assert Pool((Limit(2),)).build(Limited) == Missing(("Text",))
    assert Pool().build(Text) == Missing(("Text",))


def test_a_bundle_of_optional_evidence_needs_one_piece() -> None:
    assert Pool().build(Either) == Missing(("Text", "Limit"))
    assert Pool((Limit(1),)).build(Either) == Either(None, Limit(1))


def test_the_order_of_pieces_does_not_matter() -> None:
    assert Pool((TEXT, Limit(1))) == Pool((Limit(1), TEXT))


def test_a_second_piece_of_one_type_is_refused() -> None:
    with pytest.raises(InputError, match="Text was given twice"):
        Pool((TEXT, Text("b.txt", ())))


@pytest.mark.parametrize("piece", ["workspace", None, 3, Text, Limited(TEXT, None)])
def test_what_is_no_evidence_is_refused(piece: object) -> None:
    with pytest.raises(InputError, match="is not evidence"):
        Pool((piece,))


@pytest.mark.parametrize("bundle", [Ambiguous, Unreadable, Bare])
def test_a_bundle_that_cannot_be_read_is_a_breach(bundle: type[Bundle]) -> None:
    with pytest.raises(ContractBreach, match=bundle.__name__):
        Pool((TEXT,)).build(bundle)
