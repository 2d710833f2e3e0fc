"""Reports as literals: what the formats are tested with."""

from __future__ import annotations

import datetime
import os

import attrs

from benchhygiene import (
    JSON,
    BaseFinding,
    Completed,
    Crashed,
    Finding,
    Location,
    Outcome,
    Provenance,
    Report,
    Rule,
    Severity,
    Skipped,
    SymbolKind,
    Verdict,
    WaivedFinding,
    Waiver,
    WaiverOutcome,
    WaiverState,
)
from benchhygiene.core.provenance import EvidenceDigest, PluginVersion, RefusedPlugin

GATE = Rule("ini.coverage_gate", "A coverage floor is inherited.", Severity.ERROR, tags=("ini",))
ORDER = Rule("ini.reorders", "The order of tests is inherited.", Severity.NOTE, help_uri=None)
UNUSED = Rule("ini.unused", "Never found here.", Severity.WARNING)
HOSTILE = os.fsdecode(b"a b\x1b[31m\xff\n%:.ini")


@attrs.frozen
class Command:
    argv: tuple[str, ...]
    shell: str
    cost: str
    environ: tuple[tuple[str, str | None], ...] = ()


@attrs.frozen(kw_only=True)
class GateInherited(BaseFinding):
    option: str
    value: str
    corrected_command: Command | None = None


COMMAND = Command(
    ("python", "-m", "pytest", "-o", "addopts=", "tests"),
    "python -m pytest -o addopts= tests",
    "nothing else was in addopts",
)
EXHIBITS: dict[str, JSON] = {
    "rootdir": "../..",
    "inifile": "../../pyproject.toml",
    "addopts": ["--cov=harness", "--cov-fail-under=80"],
    "arguments": ["--cov=harness", "--cov-fail-under=80", "tests"],
    "abort": None,
    "conftests": [],
    "chain": [
        {"path": "setup.cfg", "outcome": "lost", "reason": "has no [tool:pytest]"},
        {"path": "../../pyproject.toml", "outcome": "won", "reason": "the first with a table"},
    ],
    "fails_passing_suite": None,
    "unknown": ["how much of harness the tests cover"],
}


def gate(**changes: object) -> GateInherited:
    plain = GateInherited(
        rule=GATE,
        message="--cov-fail-under=80 fails a passing suite below 80 %",
        locations=(
            Location("../../pyproject.toml", 2, 26, "--cov-fail-under", SymbolKind.OPTION),
            Location(
                "tests/test_a.py", symbol="tests/test_a.py::test_a", symbol_kind=SymbolKind.NODE
            ),
        ),
        option="--cov-fail-under",
        value="80",
        corrected_command=COMMAND,
    )
    return attrs.evolve(plain, **changes)


def ini_chain(*findings: Finding, exhibits: JSON = EXHIBITS) -> Outcome:
    rules = (GATE, ORDER, UNUSED)
    state = Completed(findings, exhibits)
    return Outcome("ini-chain", state, rules, True, "benchhygiene", "0.1.0")


def waivers() -> tuple[WaiverOutcome, ...]:
    """Return a used waiver and one that was left idle for each reason there is."""
    plain = Waiver(
        path="../../pyproject.toml",
        kind=GATE.id,
        reason="known",
        approved_by="ann",
        expires=datetime.date(2030, 1, 2),
    )
    other = attrs.evolve(plain, path=HOSTILE, node_id="t.py::t", fingerprint=f"v1:{'0' * 32}")
    return (
        WaiverOutcome(0, plain, WaiverState.USED, 1),
        WaiverOutcome(1, other, WaiverState.UNUSED),
        WaiverOutcome(2, plain, WaiverState.EXPIRED, 1),
        WaiverOutcome(3, other, WaiverState.UNDATED),
    )


def everything() -> Report:
    """Return a report with one of everything it can hold, and hostile names."""
    undecided = gate(
        message="cannot tell", verdict=Verdict.INCONCLUSIVE, locations=(Location(HOSTILE, 3),)
    )
    note = BaseFinding(rule=ORDER, message="--ff reorders\x1b[2J", old_text="a", new_text="b")
    elsewhere = BaseFinding(rule=ORDER, message="m", locations=(Location("/abs/x y", 1, 2),))
    outcomes = (
        ini_chain(gate(), undecided, note, elsewhere),
        Outcome("crashing", Crashed("ValueError", "no\x1b[0m", "m:3", (gate(message="so far"),))),
        Outcome("idle", Skipped("needs ToolListing", ("ToolListing",))),
        Outcome("wanted", Skipped("needs Change", ("Change",)), required=True),
    )
    excused = WaivedFinding(
        Report((ini_chain(gate(new_text="waived")),)).reported[0],
        "known\x1b[0m",
        "ann",
        datetime.date(2030, 1, 2),
    )
    provenance = Provenance(
        "0.1.0",
        (PluginVersion("ini-chain", "benchhygiene", "0.1.0"), PluginVersion("idle")),
        (EvidenceDigest("PytestInvocation", "0" * 64),),
        (RefusedPlugin("evil\n", "planted", "lies outside"),),
        ("something to know",),
    )
    return Report(outcomes, (excused,), provenance, waivers())
