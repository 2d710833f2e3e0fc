from __future__ import annotations

from collections.abc import Iterator

import attrs
import pytest

from benchhygiene import (
    AsOf,
    BaseFinding,
    Change,
    InputError,
    Ledger,
    Location,
    Orchestrator,
    Registry,
    Report,
    Severity,
    SourceTree,
    SymbolKind,
    Verdict,
    Waiver,
    Waivers,
    WaiverState,
    WitnessPack,
)
from benchhygiene.cli.severities import lower
from tests.core.samples import SHOUTED, Shouting, Text
from tests.evidence.agreements import QUARANTINE, WAIVER

LOUD = Text("a.txt", ("hello", "NO WAY", "world", "NO WAY", "OH"))
TODAY = AsOf(WAIVER.expires)
TOMORROW = AsOf.of("2026-10-03")
REGISTRY = Registry().including(Shouting())


def run(*waivers: Waiver, on: AsOf | None = TODAY, text: Text = LOUD) -> Report:
    days = () if on is None else (on,)
    return Orchestrator(REGISTRY).run(text, Waivers(waivers), *days)


def states(report: Report) -> list[tuple[WaiverState, int]]:
    return [(each.state, each.findings) for each in report.waivers]


def test_what_a_waiver_binds_does_not_count_and_stays_in_the_report() -> None:
    report = run(WAIVER)
    assert report.verdict is Verdict.PASS
    assert report.findings == ()
    assert [each.reported.finding.message for each in report.waived] == [
        "line 2 shouts",
        "line 4 shouts",
        "line 5 shouts",
    ]
    assert {(each.reason, each.approved_by, each.expires) for each in report.waived} == {
        (WAIVER.reason, "ann", WAIVER.expires)
    }
    assert states(report) == [(WaiverState.USED, 3)]


def test_without_waivers_nothing_is_said_of_them() -> None:
    report = Orchestrator(REGISTRY).run(LOUD)
    assert (report.waived, report.waivers) == ((), ())
    assert report.verdict is Verdict.VIOLATION


@pytest.mark.parametrize(
    "other",
    [{"path": "b.txt"}, {"path": "./a.txt"}, {"kind": "sample.empty"}, {"node_id": "a.txt::x"}],
)
def test_a_waiver_for_something_else_is_unused(other: dict[str, str]) -> None:
    report = run(attrs.evolve(WAIVER, **other))
    assert report.verdict is Verdict.VIOLATION
    assert len(report.findings) == 3
    assert states(report) == [(WaiverState.UNUSED, 0)]
    assert "excuses nothing" in str(report.waivers[0])


def test_an_expired_waiver_excuses_nothing_and_is_said() -> None:
    report = run(WAIVER, on=TOMORROW)
    assert report.verdict is Verdict.VIOLATION
    assert states(report) == [(WaiverState.EXPIRED, 3)]
    assert str(report.waivers[0]) == (
        "waiver 0 (sample.shouted in a.txt) expired on 2026-10-02 and excuses nothing; "
        "it names 3 findings of this run"
    )


def test_without_a_day_nobody_knows_whether_a_waiver_holds() -> None:
    report = run(WAIVER, on=None)
    assert report.verdict is Verdict.VIOLATION
    assert states(report) == [(WaiverState.UNDATED, 3)]


def test_a_fingerprint_excuses_one_edit_alone() -> None:
    plain = Orchestrator(REGISTRY).run(LOUD).reported
    for number in range(3):
        report = run(attrs.evolve(WAIVER, fingerprint=plain[number].fingerprint))
        rest = [each for place, each in enumerate(plain) if place != number]
        assert [each.reported for each in report.waived] == [plain[number]]
        assert list(report.reported) == rest  # those that are alike keep their fingerprints too
        assert states(report) == [(WaiverState.USED, 1)]
    edited = Text("a.txt", ("NO WAY!", "OH NO"))
    assert run(attrs.evolve(WAIVER, fingerprint=plain[0].fingerprint), text=edited).waived == ()


def test_the_first_waiver_that_holds_is_named() -> None:
    expired = attrs.evolve(WAIVER, expires=AsOf.of("2026-01-01").date, approved_by="bob")
    second = attrs.evolve(WAIVER, approved_by="cay")
    report = run(expired, WAIVER, second)
    assert {(each.waiver, each.approved_by) for each in report.waived} == {(1, "ann")}
    assert [state for state, _ in states(report)] == [
        WaiverState.EXPIRED,
        WaiverState.USED,
        WaiverState.USED,
    ]


def test_lowering_severities_leaves_what_was_waived() -> None:
    one = Orchestrator(REGISTRY).run(LOUD).reported[0]
    report = run(attrs.evolve(WAIVER, fingerprint=one.fingerprint))
    lowered = lower(report, {"sample.shouted": Severity.NOTE})
    assert len(lowered.findings) == 2
    assert lowered.waived == report.waived
    assert lowered.verdict is Verdict.PASS


@attrs.frozen
class Nodes:
    """Report each line as the node of that name."""

    name = "nodes-of-text"
    rules = (SHOUTED,)
    consumes = Text

    def analyze(self, text: Text, /) -> Iterator[BaseFinding]:
        for line in text.lines:
            at = Location(text.path, symbol=line, symbol_kind=SymbolKind.NODE)
            yield BaseFinding(rule=SHOUTED, message=line, locations=(at,))


def excused(**marks: str | None) -> tuple[list[str], Report]:
    text = Text("a.txt", ("a.txt::one", "a.txt::two", "a.txt::two[1]"))
    waivers = Waivers([attrs.evolve(WAIVER, **marks)])
    report = Orchestrator(Registry().including(Nodes())).run(text, waivers, TODAY)
    return [each.reported.finding.message for each in report.waived], report


def test_a_finding_with_a_node_needs_a_waiver_that_names_exactly_that_node() -> None:
    assert excused(node_id="a.txt::two")[0] == ["a.txt::two"]
    assert excused(node_id="a.txt::two[1]")[0] == ["a.txt::two[1]"]
    assert excused(node_id="a.txt")[0] == []
    assert excused(node_id="a.txt::tw")[0] == []


def test_a_waiver_that_lacks_the_node_is_told_so() -> None:
    waived, report = excused(node_id=None)
    assert waived == []
    assert report.waivers[0].lacks_node_id
    assert str(report.waivers[0]).endswith("have a node, so it needs a node_id")
    assert not excused(node_id="a.txt::two")[1].waivers[0].lacks_node_id
    assert not excused(node_id=None, path="b.txt")[1].waivers[0].lacks_node_id


@attrs.frozen
class Repeating(Shouting):
    """Yield one and the same finding object twice."""

    name = "repeating"

    def analyze(self, text: Text, /) -> Iterator[BaseFinding]:
        found = tuple(super().analyze(text))
        yield from (*found, *found)


def test_one_finding_yielded_twice_is_excused_once_by_a_fingerprint() -> None:
    registry = Registry().including(Repeating())
    text = Text("a.txt", ("OH",))
    first = Orchestrator(registry).run(text).reported[0]
    waiver = attrs.evolve(WAIVER, fingerprint=first.fingerprint)
    report = Orchestrator(registry).run(text, Waivers([waiver]), TODAY)
    assert (len(report.waived), len(report.findings)) == (1, 1)
    assert report.reported[0].fingerprint != first.fingerprint


def test_a_packs_parts_are_evidence_on_their_own() -> None:
    pack = WitnessPack(waivers=Waivers([WAIVER]), ledger=Ledger([QUARANTINE]))
    report = Orchestrator(REGISTRY).run(LOUD, pack, TODAY)
    assert len(report.waived) == 3
    given = {piece.type for piece in report.provenance.evidence}
    assert given == {"AsOf", "Ledger", "Text", "Waivers", "WitnessPack"}
    with pytest.raises(InputError, match="Ledger was given twice"):
        Orchestrator(REGISTRY).run(LOUD, pack, Ledger())


def test_a_pack_that_nobody_verified_is_said() -> None:
    note = "pack: has no manifest: nobody verified what it holds"
    assert note in Orchestrator(REGISTRY).run(LOUD, WitnessPack()).provenance.notes
    verified = WitnessPack(manifest_sha256="0" * 64)
    assert Orchestrator(REGISTRY).run(LOUD, verified).provenance.notes == ()


def test_a_file_of_the_pack_that_nobody_reads_is_said() -> None:
    files = {"flakes/ledgr.json": "", "tests/x": "", "fixtures/y": "", "waivers.json": ""}
    pack = WitnessPack(files, manifest_sha256="0" * 64)
    assert pack.notes == ("flakes/ledgr.json is read by nothing",)


def candidate(root: str, *paths: str, left_out: str = ".git") -> Change:
    tree = SourceTree(dict.fromkeys(paths, ""), roots=(root,), left_out=[left_out])
    return Change({}, tree)


def test_a_pack_that_the_candidate_brought_is_refused() -> None:
    pack = WitnessPack(directory="/ws/oracle", manifest_sha256="0" * 64)
    for root, path in (("/ws", "oracle/waivers.json"), ("/ws/oracle", "waivers.json")):
        with pytest.raises(InputError, match="pack /ws/oracle: is part of the candidate"):
            Orchestrator(REGISTRY).run(LOUD, pack, candidate(root, path))


@pytest.mark.parametrize("left_out", ["ws", "ws/oracle"])
def test_a_pack_in_what_was_passed_over_is_refused(left_out: str) -> None:
    pack = WitnessPack(directory="/ws/oracle", manifest_sha256="0" * 64)
    with pytest.raises(InputError, match="is part of the candidate"):
        Orchestrator(REGISTRY).run(LOUD, pack, candidate("/", "a.py", left_out=left_out))


@pytest.mark.parametrize(
    ("root", "notes"),
    [
        ("/ws", ("pack: lies in the directory under judgement; keep it where no agent can write",)),
        ("/ws/orac", ()),
        ("/other", ()),
    ],
)
def test_a_pack_beside_the_candidates_files_is_taken(root: str, notes: tuple[str, ...]) -> None:
    pack = WitnessPack(directory="/ws/oracle", manifest_sha256="0" * 64)
    report = Orchestrator(REGISTRY).run(LOUD, pack, candidate(root, "oracles.py", "a.py"))
    assert report.provenance.notes == notes
