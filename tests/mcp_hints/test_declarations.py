"""Declarations are read as they were written, whatever a parser would make of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import Orchestrator, Registry, Verdict
from benchhygiene.evidence.listing import ListingPage, ListingSession, ToolListing
from benchhygiene.inventory.declarations import AnomalyKind, HintValue, listing
from benchhygiene.inventory.declarations.hints import HINTS
from benchhygiene.inventory.declarations.raw import canonical, parse, plain, shown
from benchhygiene_plugins.mcp_hints import McpHints

NOT_BOOLEAN = ('"true"', '"yes"', "1", "1.0", "0", "[]", "{}", '"maybe"', "2")


@attrs.frozen
class Written:
    """One hint as JSON members, and what it must be read as."""

    name: str
    members: tuple[tuple[str, str], ...]
    value: HintValue
    kind: AnomalyKind | None


def escaped(key: str, place: int) -> str:
    """Spell one letter of a key as an escape: it stays the same key."""
    return f'"{key[:place]}\\u{ord(key[place]):04x}{key[place + 1 :]}"'


@st.composite
def written(draw: st.DrawFn, name: str) -> Written:
    """Draw a hint in any of the ways in which a server may declare it."""
    truth = draw(st.sampled_from(("true", "false")))
    key = draw(st.one_of(st.just(f'"{name}"'), st.integers(0, 7).map(lambda n: escaped(name, n))))
    form = draw(st.sampled_from(("plain", "absent", "null", "other", "twice")))
    match form:
        case "plain":
            return Written(name, ((key, truth),), HintValue(truth), None)
        case "absent":
            return Written(name, (), HintValue.ABSENT, None)
        case "null":
            return Written(name, ((key, "null"),), HintValue.MALFORMED, AnomalyKind.NULL_HINT)
        case "other":
            other = draw(st.sampled_from(NOT_BOOLEAN))
            kind = AnomalyKind.NON_BOOLEAN_HINT
            return Written(name, ((key, other),), HintValue.MALFORMED, kind)
        case _:
            second = (f'"{name}"', draw(st.sampled_from(("true", "false", "null"))))
            kind = AnomalyKind.DUPLICATE_KEY
            return Written(name, ((key, truth), second), HintValue.MALFORMED, kind)


TOOLS = st.lists(st.tuples(*map(written, HINTS)), max_size=8)
SPACE = st.sampled_from(("", " ", "\n", "\t "))


def entry(number: int, hints: Sequence[Written], space: str) -> str:
    members = [f"{key}{space}:{value}" for hint in hints for key, value in hint.members]
    block = f"{{{f',{space}'.join(members)}}}"
    return (
        f'{{"name":"tool{number}","annotations":{space}{block},"inputSchema":{{"type":"object"}}}}'
    )


@given(tools=TOOLS, per_page=st.integers(1, 3), space=SPACE)
def test_every_hint_is_read_as_it_was_written(
    tools: list[tuple[Written, ...]], per_page: int, space: str
) -> None:
    entries = [entry(number, hints, space) for number, hints in enumerate(tools)]
    cut = range(0, len(entries), per_page)
    texts = [f'{{"result":{{"tools":[{",".join(entries[at : at + per_page])}]}}}}' for at in cut]
    read = listing(ListingSession(pages=tuple(map(ListingPage, texts))))
    assert [tool.name for tool in read.tools] == [f"tool{n}" for n in range(len(tools))]
    for tool, hints in zip(read.tools, tools, strict=True):
        assert [hint.value for hint in tool.hints] == [hint.value for hint in hints]
        expected = [(f"/annotations/{hint.name}", hint.kind) for hint in hints if hint.kind]
        assert [(each.pointer, each.kind) for each in tool.anomalies] == expected


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=12,
    )
)
def test_raw_json_is_the_json_that_was_written(value: object) -> None:
    text = json.dumps(value)
    raw = parse(text)
    assert plain(raw) == value
    assert json.loads(shown(raw)) == value
    assert canonical(parse(json.dumps(value, sort_keys=True))) == canonical(raw)


@pytest.mark.parametrize("value", list(HintValue))
@pytest.mark.parametrize("other", [True, False, None])
def test_a_hint_cannot_be_taken_for_a_truth_value(value: HintValue, other: bool | None) -> None:
    with pytest.raises(TypeError, match="HintValue"):
        bool(value)
    with pytest.raises(TypeError, match="HintValue"):
        _ = value == other
    with pytest.raises(TypeError, match="HintValue"):
        _ = other == value


def judged(*texts: str) -> tuple[set[str], Verdict]:
    session = ListingSession(pages=tuple(map(ListingPage, texts)))
    report = Orchestrator(Registry().including(McpHints())).run(
        ToolListing(server="s", sessions=(session,))
    )
    report.raise_for_crashes()
    return {finding.rule.id for finding in report.findings}, report.verdict


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("[" * 100_000, "mcp.malformed_page"),
        ("[" * 500 + "]" * 500, "mcp.malformed_page"),
        ('{"result":{"tools":[' + '{"name":' * 90 + "1" + "}" * 90 + "]}}", "mcp.malformed_entry"),
        ("", "mcp.malformed_page"),
        ("\0", "mcp.malformed_page"),
        ('{"result":{"tools":NaN}}', "mcp.malformed_page"),
        ('{"result":null}', "mcp.malformed_page"),
        ('{"error":{"code":-32601,"message":"no"}}', "mcp.malformed_page"),
        ('{"result":{"tools":{}}}', "mcp.malformed_page"),
        (
            '{"result":{"tools":[{"name":"\\ud800","inputSchema":{"type":"object"}}]}}',
            "mcp.invalid_name",
        ),
        ('{"result":{"tools":[{"name":""}]}}', "mcp.malformed_entry"),
        ('{"result":{"tools":[{"name":7}]}}', "mcp.malformed_entry"),
        ('{"result":{"tools":[[],"x",1,true]}}', "mcp.malformed_entry"),
        (
            '{"result":{"tools":[{"name":"a","inputSchema":{"type":"object","pattern":"("}}]}}',
            "mcp.undeclared_hints",
        ),
        (
            '{"result":{"tools":[{"name":"a","inputSchema":{"type":"object","$schema":"x:y"}}]}}',
            "mcp.invalid_schema",
        ),
        (
            '{"result":{"tools":[{"name":"a","inputSchema":{"type":"object","n":'
            + "9" * 5_000
            + "}}]}}",
            "mcp.undeclared_hints",
        ),
    ],
)
def test_hostile_text_is_judged_and_crashes_nothing(text: str, rule: str) -> None:
    rules, _ = judged(text)
    assert rule in rules


def test_one_bad_entry_costs_the_others_nothing() -> None:
    good = '{"name":"good","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"no"}}'
    rules, verdict = judged(f'{{"result":{{"tools":[null,{good}]}}}}')
    assert {"mcp.malformed_entry", "mcp.malformed_hint"} <= rules
    assert verdict is Verdict.VIOLATION


def test_two_thousand_tools_in_forty_pages() -> None:
    entries = [
        f'{{"name":"tool_{n}","inputSchema":{{"type":"object"}},"annotations":{{"readOnlyHint":'
        f"{'1' if n == 1_234 else 'true'}}}}}"
        for n in range(2_000)
    ]
    pages = [
        f'{{"result":{{"tools":[{",".join(entries[n : n + 50])}]}}}}' for n in range(0, 2_000, 50)
    ]
    session = ListingSession(pages=tuple(map(ListingPage, pages)))
    given_listing = ToolListing(server="s", sessions=(session,))
    report = Orchestrator(Registry().including(McpHints())).run(given_listing)
    wrong = [f for f in report.findings if f.rule.id == "mcp.malformed_hint"]
    assert [finding.locations[0].symbol for finding in wrong] == ["tool_1234"]
