from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import (
    AsOf,
    BaseFinding,
    Bundle,
    Completed,
    Crashed,
    Finding,
    InputError,
    Location,
    Orchestrator,
    Registry,
    Report,
    Rule,
    Severity,
    Skipped,
    Verdict,
)
from benchhygiene.formats import json as json_format
from tests.core.samples import (
    EMPTY,
    SHOUTED,
    Limit,
    LimitedShouting,
    LineShouted,
    Shouting,
    Text,
    shout,
)

if TYPE_CHECKING:
    from decimal import Decimal

CALM = Text("a.txt", ("hello", "world"))
LOUD = Text("a.txt", ("hello", "NO WAY", "world", "NO WAY"))
BOTH = Registry().including(Shouting()).including(LimitedShouting())


class Uncooperative(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class Stop(BaseException):
    pass


@attrs.frozen
class Failing:
    """Report one finding, then raise what it was given."""

    error: BaseException
    name = "failing"
    rules = (SHOUTED,)
    consumes = Text

    def analyze(self, text: Text, /) -> Iterator[Finding]:
        yield shout(text.path, 1, "ONE")
        raise self.error


@attrs.frozen
class Yielding:
    """Yield whatever it was given."""

    things: tuple[object, ...]
    name = "yielding"
    rules = (SHOUTED,)
    consumes = Text

    def analyze(self, _: Text, /) -> Iterable[Finding]:
        yield from self.things  # type: ignore[misc]


def run(analyzer: Failing | Yielding | Shouting, *evidence: object, require: bool = True) -> Report:
    registry = Registry().including(analyzer)
    return Orchestrator(registry, (analyzer.name,) if require else ()).run(*evidence)


def crash(report: Report) -> Crashed:
    (outcome,) = report.outcomes
    assert isinstance(outcome.state, Crashed)
    return outcome.state


def test_an_analyzer_gets_what_it_declared() -> None:
    report = Orchestrator(BOTH).run(LOUD, Limit(1))
    assert [outcome.analyzer for outcome in report.outcomes] == ["limited-shouting", "shouting"]
    assert [len(outcome.findings) for outcome in report.outcomes] == [1, 2]
    assert report.verdict is Verdict.VIOLATION
    assert report.outcomes[1].state == Completed(report.outcomes[1].findings, {"lines": 4})


def test_calm_evidence_passes_and_a_note_does_not_violate() -> None:
    assert run(Shouting(), CALM).verdict is Verdict.PASS
    report = run(Shouting(), Text("a.txt", ()))
    assert [finding.rule for finding in report.findings] == [EMPTY]
    assert report.verdict is Verdict.PASS


@pytest.mark.parametrize("require", [True, False])
def test_missing_evidence_is_a_skip_and_never_a_pass(require: bool) -> None:
    report = run(Shouting(), Limit(1), require=require)
    assert report.outcomes[0].state == Skipped("needs Text", ("Text",))
    assert report.verdict is Verdict.INCONCLUSIVE


def test_a_skip_only_matters_where_it_is_required() -> None:
    registry = BOTH.including(attrs.evolve(_NeedsNothingGiven()))
    assert Orchestrator(registry).run(CALM).verdict is Verdict.PASS
    required = Orchestrator(registry, require={"needs-decimal"}).run(CALM)
    assert required.verdict is Verdict.INCONCLUSIVE


@attrs.frozen
class Unfit:
    pass


@attrs.frozen
class _NeedsNothingGiven:
    name = "needs-decimal"
    rules = ()
    consumes = Unfit

    def analyze(self, _: Unfit, /) -> Iterator[Finding]:
        yield from ()


@attrs.frozen
class Pair(Bundle):
    unfit: Unfit
    limit: Limit
    as_of: AsOf
    text: Text | None


@attrs.frozen
class NeedsPair:
    name = "needs-pair"
    rules = ()
    consumes = Pair

    def analyze(self, _: Pair, /) -> Iterator[Finding]:
        yield from ()


@pytest.mark.parametrize(
    ("evidence", "gaps"),
    [
        ((CALM,), []),
        ((CALM, AsOf.of("2026-10-02")), []),
        ((CALM, Limit(1)), ["needs-pair"]),
        ((CALM, Limit(1), Unfit()), ["needs-pair"]),
        ((Unfit(),), None),
    ],
)
def test_who_got_nothing_that_it_needs_was_not_asked(
    evidence: tuple[object, ...], gaps: list[str] | None
) -> None:
    registry = BOTH.including(NeedsPair())
    report = Orchestrator(registry).run(*evidence)
    expected = [plugin.name for plugin in registry] if gaps is None else gaps
    assert [outcome.analyzer for outcome in report.gaps] == expected


def test_no_analyzer_at_all_is_inconclusive() -> None:
    assert Orchestrator(Registry()).run(CALM).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad\nline"), "bad\nline"),
        (SystemExit(0), "0"),
        (RecursionError("deep"), "deep"),
        (MemoryError(), ""),
        (GeneratorExit(), ""),
        (Stop("now"), "now"),
        (Uncooperative(), "<exception str() failed>"),
        (ValueError("<thing at 0x7f0012ab>"), "<thing at 0x...>"),
    ],
)
def test_whatever_an_analyzer_raises_is_a_crash(error: BaseException, message: str) -> None:
    state = crash(run(Failing(error), LOUD))
    assert (state.error, state.message) == (type(error).__name__, message)
    assert state.where.startswith(f"{__name__}:")
    assert [finding.message for finding in state.findings] == ["line 1 shouts"]


def test_an_interrupt_still_interrupts() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(Failing(KeyboardInterrupt()), LOUD)


def test_real_runaway_recursion_is_a_crash() -> None:
    @attrs.frozen
    class Recursive:
        name = "recursive"
        rules = (SHOUTED,)
        consumes = Text

        def analyze(self, text: Text, /) -> Iterator[Finding]:
            return self.analyze(text)

    report = Orchestrator(Registry().including(Recursive())).run(CALM)
    assert crash(report).error == "RecursionError"


def test_a_crash_is_at_best_inconclusive_and_spares_the_others() -> None:
    @attrs.frozen
    class Early:
        name = "early"
        rules = (SHOUTED,)
        consumes = Text

        def analyze(self, _: Text, /) -> Iterator[Finding]:
            raise ValueError("at once")

    report = Orchestrator(BOTH.including(Early())).run(CALM)
    assert report.verdict is Verdict.INCONCLUSIVE
    assert [type(outcome.state) for outcome in report.outcomes] == [Crashed, Completed, Completed]
    violated = Orchestrator(BOTH.including(Early())).run(LOUD)
    assert violated.verdict is Verdict.VIOLATION


UNDECLARED = Rule("sample.other", "Another rule.", Severity.NOTE)


@attrs.frozen(kw_only=True)
class Opaque(BaseFinding):
    thing: object


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("a text", "yielded a str"),
        (None, "yielded a NoneType"),
        (BaseFinding(rule=UNDECLARED, message="m"), "sample.other, which is not in its rules"),
        (BaseFinding(rule=SHOUTED, message=b"m"), "b'm', which is no str"),  # type: ignore[arg-type]
        (BaseFinding(rule=SHOUTED, message="m", severity="error"), "'error'"),  # type: ignore[arg-type]
        (BaseFinding(rule=SHOUTED, message="m", locations=["x"]), "no tuple"),  # type: ignore[arg-type]
        (BaseFinding(rule=SHOUTED, message="m", locations=("x",)), "'x'"),  # type: ignore[arg-type]
        (BaseFinding(rule=SHOUTED, message="m", locations=(Location(3),)), "3"),  # type: ignore[arg-type]
        (BaseFinding(rule="x", message="m", severity=Severity.NOTE), "x"),  # type: ignore[arg-type]
    ],
)
def test_what_breaks_the_contract_is_a_crash(thing: object, said: str) -> None:
    good = shout("a.txt", 1, "ONE")
    state = crash(run(Yielding((good, thing)), LOUD))
    assert state.error == "ContractBreach"
    assert said in state.message
    assert state.findings == (good,)


@attrs.frozen(kw_only=True)
class Unfixable(BaseFinding):
    """Raise, or return what is no text, where a format asks for the fix."""

    known: bool

    @property
    def fix(self) -> object:
        if not self.known:
            raise KeyError("no fix")
        return 3


@pytest.mark.parametrize(("known", "error"), [(True, "ContractBreach"), (False, "KeyError")])
def test_a_fix_that_cannot_be_shown_is_a_crash(known: bool, error: str) -> None:
    unfixable = Unfixable(rule=SHOUTED, message="m", known=known)
    assert crash(run(Yielding((unfixable,)), LOUD)).error == error


def test_detail_without_a_json_form_is_a_crash() -> None:
    opaque = Opaque(rule=SHOUTED, message="m", thing=object())
    assert crash(run(Yielding((opaque,)), LOUD)).error == "TypeError"


def test_exhibits_without_a_json_form_are_a_crash_that_keeps_the_findings() -> None:
    @attrs.frozen
    class Describing(Failing):
        def analyze(self, text: Text, /) -> Iterator[Finding]:
            yield shout(text.path, 1, "ONE")

        def describe(self, _: Text, /) -> object:
            return {"x": object()}

    state = crash(run(Describing(ValueError()), LOUD))
    assert state.error == "TypeError"
    assert len(state.findings) == 1


def test_a_bundle_that_cannot_be_read_is_a_crash() -> None:
    @attrs.frozen
    class Unreadable(Bundle):
        number: Decimal

    @attrs.frozen
    class Reader:
        name = "reader"
        rules = ()
        consumes = Unreadable

        def analyze(self, _: Unreadable, /) -> Iterator[Finding]:
            yield from ()

    report = Orchestrator(Registry().including(Reader())).run(CALM)
    assert crash(report).error == "ContractBreach"


def test_a_plugin_that_cannot_be_loaded_is_a_crash() -> None:
    def load() -> Shouting:
        raise SystemExit(0)

    broken = attrs.evolve(BOTH.find("shouting"), load=load, name="broken")
    report = Orchestrator(attrs.evolve(BOTH, plugins=(*BOTH, broken))).run(CALM)
    assert report.verdict is Verdict.INCONCLUSIVE
    assert report.outcomes[0].state == Crashed("SystemExit", "0", f"{__name__}:{_line(load) + 1}")


def _line(function: object) -> int:
    return function.__code__.co_firstlineno  # type: ignore[attr-defined,no-any-return]


def test_a_disabled_analyzer_is_skipped_unloaded() -> None:
    def load() -> Shouting:
        raise AssertionError("loaded")

    plugin = attrs.evolve(BOTH.find("shouting"), load=load)
    report = Orchestrator(Registry((plugin,)), disable={"shouting"}).run(LOUD)
    assert report.outcomes[0].state == Skipped("disabled by configuration")
    assert report.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("keyword", ["require", "disable"])
def test_an_unknown_name_is_bad_input(keyword: str) -> None:
    orchestrator = Orchestrator(BOTH, **{keyword: {"shoutng"}})
    with pytest.raises(InputError, match="did you mean 'shouting'"):
        orchestrator.run(CALM)


def test_a_single_text_is_no_set_of_names() -> None:
    with pytest.raises(InputError, match="set of analyzer names"):
        Orchestrator(BOTH, require="shouting")


def test_two_pieces_of_one_type_are_bad_input() -> None:
    with pytest.raises(InputError, match="twice"):
        Orchestrator(BOTH).run(CALM, LOUD)


EVIDENCE = st.permutations((LOUD, Limit(1), Unfit()))
ANALYZERS = st.permutations((Shouting(), LimitedShouting(), Failing(ValueError("x"))))


@given(EVIDENCE, ANALYZERS)
def test_the_order_given_does_not_change_a_byte(
    evidence: list[object], analyzers: list[Shouting]
) -> None:
    registry = Registry()
    for analyzer in analyzers:
        registry = registry.including(analyzer)
    report = Orchestrator(registry).run(*evidence)
    assert json_format.render(report) == json_format.render(REFERENCE)
    assert report._repr_html_() == REFERENCE._repr_html_()


REFERENCE = Orchestrator(BOTH.including(Failing(ValueError("x")))).run(LOUD, Limit(1), Unfit())


def test_provenance_names_versions_and_evidence() -> None:
    made = Orchestrator(BOTH).run(LOUD, Limit(1)).provenance
    assert made.benchhygiene
    assert [plugin.name for plugin in made.plugins] == ["limited-shouting", "shouting"]
    assert [piece.type for piece in made.evidence] == ["Limit", "Text"]
    other = Orchestrator(BOTH).run(CALM, Limit(1)).provenance
    assert [a == b for a, b in zip(made.evidence, other.evidence, strict=True)] == [True, False]


def test_orchestrator_and_report_travel_between_processes() -> None:
    orchestrator = pickle.loads(pickle.dumps(Orchestrator(BOTH, require={"shouting"})))
    report = orchestrator.run(LOUD)
    assert pickle.loads(pickle.dumps(report)) == report
    assert report.of(LineShouted)


def test_locations_may_lack() -> None:
    bare = BaseFinding(rule=SHOUTED, message="somewhere")
    report = run(Yielding((bare, attrs.evolve(bare, locations=(Location("a"),)))), LOUD)
    assert [finding.locations for finding in report.findings] == [(), (Location("a"),)]


def test_findings_alike_are_numbered_in_the_order_of_their_places() -> None:
    lines = itertools.permutations((1, 2, 3))
    reports = [
        run(Yielding(tuple(shout("a.txt", n, "ONE") for n in order)), LOUD) for order in lines
    ]
    names = {tuple(reported.fingerprint for reported in report.reported) for report in reports}
    assert len(names) == 1
    assert len(set(names.pop())) == 3
