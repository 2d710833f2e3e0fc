from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import AsOf, InputError, sources
from benchhygiene.core.digest import digest


@given(st.dates())
def test_a_day_is_read_as_it_is_written(date: datetime.date) -> None:
    assert AsOf.of(date.isoformat()) == AsOf(date)
    assert sources.as_of(date.isoformat()) == AsOf(date)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "20261002",
        "2026-W40-5",
        "2026-10-2",
        "2026-10-02T00:00",
        "2026-10-02\n",
        " 2026-10-02",
        "2026-13-01",
        "2026-02-30",
        "0000-01-01",
        "٢٠٢٦-١٠-٠٢",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"expected a day as YYYY-MM-DD, not "):
        AsOf.of(text)


def test_a_time_is_no_day() -> None:
    with pytest.raises(InputError, match=r"takes a datetime\.date, not a datetime"):
        AsOf(datetime.datetime(2026, 10, 2, tzinfo=datetime.UTC))


def test_only_a_source_asks_the_clock() -> None:
    before = datetime.datetime.now(datetime.UTC).date()
    asked = sources.as_of().date
    assert before <= asked <= datetime.datetime.now(datetime.UTC).date()
    assert not hasattr(AsOf, "today")


def test_days_have_different_digests() -> None:
    assert digest(AsOf.of("2026-10-02")) != digest(AsOf.of("2026-10-03"))
