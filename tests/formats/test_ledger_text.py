"""Editing a ledger's text changes one entry and not one character else."""

from __future__ import annotations

import json
from typing import cast

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.formats.ledger_text import entry_members, with_entry, without_entries
from benchhygiene.sources.pack_files import ledger
from tests.evidence.agreements import QUARANTINE, RENAME

NEW = attrs.evolve(QUARANTINE, node_id="tests/test_é.py::test_new", reason='a "b"')


def layouts(entries: list[dict[str, str]]) -> list[str]:
    told = {"version": 1, "entries": entries, "policy": {"max_entries": 9}}
    lines = ",\n    ".join(json.dumps(entry) for entry in entries)
    return [
        json.dumps(told, indent=2) + "\n",
        json.dumps(told, indent=4),
        json.dumps(told, indent="\t") + "\n\n",
        json.dumps(told),
        json.dumps(told, separators=(",", ":")),
        json.dumps(told, indent=2).replace("\n", "\r\n"),
        f'{{"version": 1,\n  "entries": [\n    {lines}\n  ]\n}}\n',
        f'{{"policy": {{"max_days": 3}}, "entries" : [ {lines} ] , "version": 1}}',
    ]


ENTRIES = st.lists(
    st.builds(
        attrs.evolve,
        st.sampled_from([QUARANTINE, RENAME]),
        node_id=st.text(st.sampled_from('ab"\\[]{},:é\n'), min_size=1).map(lambda text: f"n{text}"),
        owner=st.sampled_from(["o", '"entries": [']),
    ),
    max_size=5,
)


@given(ENTRIES, st.data())
def test_what_goes_in_is_read_back_and_the_rest_stays(
    entries: list[object], data: st.DataObject
) -> None:
    given_entries = cast("list[type(QUARANTINE)]", entries)  # type: ignore[valid-type]
    text = data.draw(st.sampled_from(layouts([entry_members(each) for each in given_entries])))
    before = ledger(text.encode())
    longer = with_entry(text, NEW)
    assert ledger(longer.encode()).entries == (*before.entries, NEW)
    assert ledger(longer.encode()).policy == before.policy
    assert without_entries(longer, {len(before.entries)}) == text or not before.entries
    places = data.draw(st.sets(st.integers(0, len(before.entries))))
    left = tuple(each for at, each in enumerate(before.entries) if at not in places)
    assert ledger(without_entries(text, places).encode()).entries == left


GROWN = (9, 9, 9, 0, 0, 9, 1, 1)  # lines of a new entry with seven members, by layout


@pytest.mark.parametrize(
    ("text", "grown"),
    [*zip(layouts([entry_members(QUARANTINE), entry_members(RENAME)]), GROWN, strict=True)],
)
def test_a_new_entry_is_laid_out_like_the_last(text: str, grown: int) -> None:
    longer = with_entry(text, NEW)
    assert longer.count("\n") - text.count("\n") == grown
    assert longer.count("\r\n") == (longer.count("\n") if "\r\n" in text else 0)
    leads = [line.partition('"')[0] for line in longer.split("\n") if '"node_id"' in line]
    assert leads[-1] == leads[-2] if grown else len(leads) == 1


def test_a_first_entry_makes_room_for_itself() -> None:
    text = '{\n  "version": 1,\n  "entries": []\n}\n'
    assert (
        with_entry(text, QUARANTINE)
        == json.dumps({"version": 1, "entries": [entry_members(QUARANTINE)]}, indent=2) + "\n"
    )
    assert without_entries(with_entry(text, QUARANTINE), {0}) == text


def test_nothing_to_take_out_changes_nothing() -> None:
    for text in layouts([entry_members(QUARANTINE)]):
        assert without_entries(text, ()) == text
        assert without_entries(text, {5}) == text
