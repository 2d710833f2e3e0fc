"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

import datetime

import attrs

from benchhygiene import (
    AllowedAction,
    AsOf,
    Canary,
    Deed,
    DeedKind,
    Failure,
    Ledger,
    LedgerEntry,
    ListedBy,
    NodeEnd,
    NodeRun,
    OwedBudget,
    Replay,
    ReplayEnd,
    SuiteRun,
    Unwitnessed,
    Verdict,
)
from benchhygiene.testing import Case, case
from benchhygiene_plugins.replay import findings as f

_A, _B = "tests/test_a.py::test_a", "tests/test_a.py::test_b[1]"
_PASSED = (NodeRun(node_id=_A, end=NodeEnd.PASSED), NodeRun(node_id=_B, end=NodeEnd.PASSED))
_RIGHT = (
    Canary("tests/test_q.py::test_q", NodeEnd.FAILED, NodeEnd.FAILED),
    Canary("tests/test_q.py::test_r", NodeEnd.PASSED, NodeEnd.PASSED),
)
_CLEAN = Replay(
    suite=SuiteRun(origin="replay", nodes=_PASSED, exit_status=0),
    expected=(_A, _B),
    listed_by=ListedBy.PARENT,
    collected=(_A, _B),
    canaries=_RIGHT,
    code=1,
    reported=1,
    loaded=("shop.py",),
    baseline=SuiteRun(origin="replay", nodes=_PASSED, exit_status=0),
)
_DAY = AsOf(datetime.date(2026, 10, 1))
_LEDGER = Ledger(
    [
        LedgerEntry(
            node_id=_A,
            first_seen=datetime.date(2026, 9, 18),
            expires=datetime.date(2026, 10, 1),
            signature="AssertionError",
            owner="payments",
            allowed_action=AllowedAction.QUARANTINE,
        )
    ]
)


def _ends(end: NodeEnd, **words: str) -> Replay:
    failure = Failure("AssertionError", "assert 1 == 2") if end is NodeEnd.FAILED else None
    changed = NodeRun(node_id=_A, end=end, failure=failure, reason=words.get("reason"))
    suite = SuiteRun(origin="replay", nodes=(changed, _PASSED[1]), exit_status=0)
    return attrs.evolve(_CLEAN, suite=suite)


def _done(*deeds: Deed) -> Replay:
    return attrs.evolve(_CLEAN, deeds=deeds)


def _asked(examples: int, **more: bool) -> Replay:
    run = attrs.evolve(_PASSED[0], examples=50)
    owed = OwedBudget(key="a", node_id=_A, max_examples=examples, is_property=True, **more)
    suite = SuiteRun(origin="replay", nodes=(run, _PASSED[1]), exit_status=0)
    return attrs.evolve(_CLEAN, suite=suite, budgets=(owed,))


_BELIEF: tuple[Case, ...] = (
    case("all agrees", _CLEAN, innocent_of=f.RULES, verdict=Verdict.PASS),
    case(
        "a node is gone",
        attrs.evolve(
            _CLEAN,
            suite=SuiteRun(origin="replay", nodes=_PASSED[:1], exit_status=0),
            collected=(_A,),
        ),
        reports=[f.MISSING],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a node was collected and never reported",
        attrs.evolve(_CLEAN, suite=SuiteRun(origin="replay", nodes=_PASSED[:1], exit_status=0)),
        reports=[f.MISSING],
    ),
    case(
        "a node too many",
        attrs.evolve(_CLEAN, expected=(_A,)),
        reports=[f.EXTRA],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "read off the pack, parameters are not known",
        attrs.evolve(
            _CLEAN, expected=(_A, "tests/test_a.py::test_b"), listed_by=ListedBy.PACK, baseline=None
        ),
        innocent_of=[f.EXTRA, f.MISSING],
        verdict=Verdict.PASS,
    ),
    case(
        "a test that must fail passed",
        attrs.evolve(_CLEAN, canaries=(Canary("t.py::x", NodeEnd.FAILED, NodeEnd.PASSED),)),
        reports=[f.CANARY],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a failure in other words",
        attrs.evolve(_CLEAN, canaries=(Canary("t.py::x", NodeEnd.FAILED, NodeEnd.FAILED, False),)),
        reports=[f.CANARY],
    ),
    case(
        "the canaries did not make the status",
        attrs.evolve(_CLEAN, code=0, reported=0),
        reports=[f.EXIT],
        verdict=Verdict.VIOLATION,
    ),
    case("the process says otherwise", attrs.evolve(_CLEAN, code=0), reports=[f.EXIT]),
    case("reported twice", attrs.evolve(_CLEAN, repeated=(_A,)), reports=[f.TWICE]),
    case(
        "the process ended early",
        attrs.evolve(_CLEAN, code=0, reported=None, is_closed=False),
        reports=[f.UNFINISHED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "out of time",
        attrs.evolve(_CLEAN, end=ReplayEnd.TIMED_OUT, code=None),
        reports=[f.UNFINISHED],
    ),
    case("a foreign message", attrs.evolve(_CLEAN, forged=1), reports=[f.FORGED]),
    case(
        "a part of pytest is another",
        _done(Deed(DeedKind.REPLACED, "shop.py", "_pytest.runner.call_and_report")),
        reports=[f.TAMPERED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "frames are looked at, and before it is not known",
        attrs.evolve(
            _done(Deed(DeedKind.FRAMES, "shop.py", "sys._getframe")),
            listed_by=ListedBy.PACK,
            baseline=None,
        ),
        reports=[f.TAMPERED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case("its own pytest", attrs.evolve(_CLEAN, planted=("pytest.py",)), reports=[f.PLANTED]),
)

_NODES: tuple[Case, ...] = (
    case("a test fails", _ends(NodeEnd.FAILED), reports=[f.REGRESSION], verdict=Verdict.VIOLATION),
    case(
        "a quarantined test fails",
        _ends(NodeEnd.FAILED),
        _LEDGER,
        _DAY,
        innocent_of=[f.REGRESSION],
        verdict=Verdict.PASS,
    ),
    case(
        "a quarantine has expired",
        _ends(NodeEnd.FAILED),
        _LEDGER,
        AsOf(datetime.date(2026, 10, 2)),
        reports=[f.REGRESSION],
    ),
    case(
        "a file could not be collected",
        attrs.evolve(
            _CLEAN, suite=attrs.evolve(_CLEAN.suite, failed_collectors=("tests/test_c.py",))
        ),
        reports=[f.REGRESSION],
    ),
    case(
        "a test is skipped",
        _ends(NodeEnd.SKIPPED, reason="no money"),
        reports=[f.SKIPPED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test is skipped on both sides",
        attrs.evolve(_ends(NodeEnd.SKIPPED), baseline=_ends(NodeEnd.SKIPPED).suite),
        innocent_of=[f.SKIPPED],
        verdict=Verdict.PASS,
    ),
    case(
        "a test is skipped, and nobody knows of before",
        attrs.evolve(_ends(NodeEnd.SKIPPED), baseline=None),
        reports=[f.SKIPPED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case("too few examples", _asked(200), reports=[f.UNMET], verdict=Verdict.VIOLATION),
    case("enough examples", _asked(50), innocent_of=[f.UNMET], verdict=Verdict.PASS),
    case(
        "nothing left to try",
        _asked(200, is_exhausted=True),
        innocent_of=[f.UNMET],
        verdict=Verdict.PASS,
    ),
    case(
        "a budget for no node",
        attrs.evolve(_CLEAN, budgets=(OwedBudget(key="x", node_id=None, max_examples=5),)),
        reports=[f.UNMET],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "samples that nobody counted",
        attrs.evolve(_CLEAN, budgets=(OwedBudget(key="x", node_id=_A, samples=5),)),
        reports=[f.UNMET],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "nothing of the candidate was imported",
        attrs.evolve(_CLEAN, loaded=()),
        reports=[f.UNLOADED],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "no sandbox",
        attrs.evolve(_CLEAN, isolation="none"),
        reports=[f.UNSANDBOXED],
        verdict=Verdict.PASS,
    ),
    case(
        "a conftest came along",
        attrs.evolve(_CLEAN, set_aside=("conftest.py",)),
        reports=[f.SET_ASIDE],
        verdict=Verdict.PASS,
    ),
    case(
        "lines that no test executed",
        attrs.evolve(_CLEAN, unwitnessed=(Unwitnessed("shop.py", (3, 4)),)),
        reports=[f.UNWITNESSED],
        verdict=Verdict.PASS,
    ),
    case(
        "a test connects",
        attrs.evolve(
            _CLEAN, nonhermetic=(Deed(DeedKind.CONNECTED, "tests/test_a.py", "example.org"),)
        ),
        reports=[f.NONHERMETIC],
        verdict=Verdict.PASS,
    ),
)

CASES: tuple[Case, ...] = (*_BELIEF, *_NODES)
