"""What both type checkers must accept and reject; never run.

Each ignore below is itself checked: a checker that would accept the line calls the ignore unused.
"""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_type

import attrs

import benchhygiene
from benchhygiene import (
    JSON,
    Analyzer,
    BaseFinding,
    Bundle,
    Describes,
    Finding,
    Fixable,
    Location,
    Orchestrator,
    PytestInvocation,
    Registry,
    Report,
    Rule,
    Severity,
    Verdict,
    detail,
    sources,
)
from benchhygiene.testing import case, run_cases

RULE = Rule("sample.rule", "A rule.", Severity.ERROR)


@attrs.frozen(kw_only=True)
class Typed(BaseFinding):
    """A finding with a default rule, detail and a fix."""

    rule: Rule = RULE
    option: str

    @property
    def fix(self) -> str:
        return f"drop {self.option}"


@attrs.frozen
class Plain:
    """A finding by shape."""

    rule: Rule
    message: str
    severity: Severity
    verdict: Verdict
    locations: tuple[Location, ...] = ()
    old_text: str = ""
    new_text: str = ""


@attrs.frozen
class Limit:
    """A second type of evidence."""

    count: int


@attrs.frozen
class Both(Bundle):
    """Two pieces of evidence, one optional."""

    invocation: PytestInvocation
    limit: Limit | None


@attrs.frozen
class Single:
    name = "single"
    rules = (RULE,)
    consumes = PytestInvocation

    def analyze(self, invocation: PytestInvocation, /) -> Iterator[Finding]:
        yield Typed(message=invocation.cwd, option="-x")
        yield Plain(RULE, "m", Severity.NOTE, Verdict.PASS)

    def describe(self, invocation: PytestInvocation, /) -> dict[str, JSON]:
        return {"args": list(invocation.args), "complete": invocation.complete}


@attrs.frozen
class Bundled:
    name = "bundled"
    rules = (RULE,)
    consumes = Both

    def analyze(self, evidence: Both, /) -> Iterable[Typed]:
        return [
            Typed(message=str(evidence.limit), option=word) for word in evidence.invocation.args
        ]


@attrs.frozen
class Configured:
    """An analyzer with a setting."""

    limit: int = 3
    name = "configured"
    rules = (RULE,)
    consumes = Limit

    def analyze(self, limit: Limit, /) -> Iterator[Finding]:
        if limit.count > self.limit:
            yield Typed(message="m", option="-x")


@attrs.frozen
class Mismatched:
    """Consume one type and analyze another."""

    name = "mismatched"
    rules = (RULE,)
    consumes = Limit

    def analyze(self, invocation: PytestInvocation, /) -> Iterator[Finding]:
        yield Typed(message=invocation.cwd, option="-x")


@attrs.frozen
class Yielding:
    """Yield what is no finding."""

    name = "yielding"
    rules = (RULE,)
    consumes = Limit

    def analyze(self, limit: Limit, /) -> Iterator[str]:
        yield str(limit.count)


@attrs.frozen
class Nameless:
    """Lack a name."""

    rules = (RULE,)
    consumes = Limit

    def analyze(self, limit: Limit, /) -> Iterator[Finding]:
        yield from ()


def accept() -> None:
    registry = Registry().including(Single()).including(Bundled()).including(Configured(limit=5))
    report = Orchestrator(registry, require={"single"}).run(sources.invocation("workspace"))
    assert_type(report, Report)
    assert_type(report.of(Typed), tuple[Typed, ...])
    assert_type(report.verdict, Verdict)
    single: Analyzer[PytestInvocation] = Single()
    describing: Describes[PytestInvocation] = Single()
    fixable: Fixable = Typed(message="m", option="-x", severity=Severity.NOTE)
    finding: Finding = Plain(RULE, "m", Severity.NOTE, Verdict.PASS)
    run_cases(single, [case("c", PytestInvocation("/w"), reports=[RULE])])
    print(describing.describe(PytestInvocation("/w")), fixable.fix, detail(finding))


def reject() -> None:
    Registry().including(Mismatched())  # type: ignore[misc]
    Registry().including(Yielding())  # type: ignore[arg-type]
    Registry().including(Nameless())  # type: ignore[arg-type]
    run_cases(Mismatched(), [])  # type: ignore[misc]
    Typed(message="m")  # type: ignore[call-arg]
    Typed(message="m", option=3)  # type: ignore[arg-type]
    Typed(message="m", option="-x", severity="error")  # type: ignore[arg-type]
    Typed(message="m", option="-x").option = "-y"  # type: ignore[misc]
    print(benchhygiene.Verdikt)  # type: ignore[attr-defined]
