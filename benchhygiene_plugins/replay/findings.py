"""The rules of ``replay`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import (
    BaseFinding,
    Deed,
    DeedKind,
    Location,
    NodeEnd,
    OwedBudget,
    Rule,
    Severity,
    SymbolKind,
    Verdict,
)

MISSING = Rule("run.missing_node", "A node of the pack was not run", Severity.ERROR)
EXTRA = Rule("run.extra_node", "A node was run that the pack does not have", Severity.ERROR)
CANARY = Rule("run.canary", "A planted test did not end as it must", Severity.ERROR)
EXIT = Rule("run.exit_mismatch", "The exit status is not what the nodes amount to", Severity.ERROR)
TWICE = Rule("run.reported_twice", "A node was reported twice in one run", Severity.ERROR)
UNFINISHED = Rule("run.unfinished", "The run was cut off before its last word", Severity.ERROR)
FORGED = Rule("run.forged", "Somebody else than the reporter wrote to its channel", Severity.ERROR)
TAMPERED = Rule("run.tampered", "The source reaches into what judges it", Severity.ERROR)
PLANTED = Rule("run.planted", "The candidate brings a module of an installed one", Severity.ERROR)
REGRESSION = Rule("run.regression", "A test of the pack fails on the candidate", Severity.ERROR)
SKIPPED = Rule("run.skipped", "A test of the pack was skipped on the candidate", Severity.ERROR)
UNMET = Rule("run.budget_unmet", "A property ran fewer examples than it is owed", Severity.ERROR)
UNLOADED = Rule("run.not_loaded", "No source of the candidate was imported", Severity.WARNING)
UNSANDBOXED = Rule("run.unsandboxed", "The tests ran without a sandbox", Severity.WARNING)
SET_ASIDE = Rule("run.set_aside", "Files that could take part in the tests did not", Severity.NOTE)
UNWITNESSED = Rule("surface.unwitnessed", "No test executed a changed line", Severity.WARNING)
NONHERMETIC = Rule("surface.nonhermetic", "A test reaches for the network", Severity.WARNING)

RULES = (
    MISSING,
    EXTRA,
    CANARY,
    EXIT,
    TWICE,
    UNFINISHED,
    FORGED,
    TAMPERED,
    PLANTED,
    REGRESSION,
    SKIPPED,
    UNMET,
    UNLOADED,
    UNSANDBOXED,
    SET_ASIDE,
    UNWITNESSED,
    NONHERMETIC,
)
_MOST_NAMED = 10
_MOST_TEXT = 300  # characters of a failure's message that are shown
_DEEDS = {
    DeedKind.REPLACED: "replaces",
    DeedKind.HOOKED: "has a hand in pytest:",
    DeedKind.READ_TESTS: "reads the test",
    DeedKind.WALKED: "looks into objects that are not its own:",
    DeedKind.FRAMES: "looks at the frames of its callers:",
    DeedKind.TRACED: "follows the execution of others:",
    DeedKind.SIGNALLED: "signals the tests' process:",
    DeedKind.SKIPPED: "ends as skipped the test",
    DeedKind.LIED: "defines an equality that is always true:",
    DeedKind.CONNECTED: "connects to",
}


@attrs.frozen(kw_only=True)
class RunFound(BaseFinding):
    """Something is to be said about the run as a whole; ``subjects`` are what it is about."""

    subjects: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class NodeFound(BaseFinding):
    """Something is to be said about one node: how it ended, and how over the parent."""

    node_id: str
    end: NodeEnd | None = None
    before: NodeEnd | None = None


@attrs.frozen(kw_only=True)
class BudgetUnmet(BaseFinding):
    """A property or a benchmark ran less than the campaign asks."""

    key: str
    asked: int
    executed: int | None


def of_run(
    rule: Rule,
    message: str,
    subjects: tuple[str, ...] = (),
    *,
    path: str = "",
    verdict: Verdict | None = None,
) -> RunFound:
    """Return a finding about the run; what it is about is named, up to a limit."""
    return RunFound(
        rule=rule,
        message=f"{message}{_listed(subjects)}",
        locations=(Location(path),) if path else (),
        verdict=verdict,
        subjects=subjects,
    )


def _listed(subjects: tuple[str, ...]) -> str:
    if not subjects:
        return ""
    rest = len(subjects) - _MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f": {', '.join(subjects[:_MOST_NAMED])}{more}"


def of_node(
    rule: Rule,
    node_id: str,
    message: str,
    *,
    end: NodeEnd | None = None,
    before: NodeEnd | None = None,
    severity: Severity | None = None,
    verdict: Verdict | None = None,
) -> NodeFound:
    """Return a finding about one node."""
    return NodeFound(
        rule=rule,
        message=message,
        locations=(_node(node_id),),
        severity=severity,
        verdict=verdict,
        node_id=node_id,
        end=end,
        before=before,
    )


def _node(node_id: str) -> Location:
    path = node_id.partition("::")[0]
    return Location(path, symbol=node_id, symbol_kind=SymbolKind.NODE)


def shortened(text: str) -> str:
    """Return the first line of a message, cut where it is long."""
    line = text.partition("\n")[0]
    return line if len(line) <= _MOST_TEXT else f"{line[:_MOST_TEXT]}…"


def of_deed(deed: Deed, *, rule: Rule, doubtful: bool) -> RunFound:
    """Return the finding about one deed; in doubt, as an honest product may do the same."""
    doubt = "; whether it did so before is not known without a parent" if doubtful else ""
    return RunFound(
        rule=rule,
        message=f"the source {_DEEDS[deed.kind]} {deed.what}{doubt}",
        locations=(Location(deed.path),) if deed.path else (),
        severity=Severity.WARNING if doubtful else None,
        verdict=Verdict.INCONCLUSIVE if doubtful else None,
        new_text=f"{deed.kind.value} {deed.what}",
        subjects=(deed.what,),
    )


def unmet(
    budget: OwedBudget, what: str, asked: int, executed: int | None, *, in_doubt: bool = False
) -> BudgetUnmet:
    """Return the finding about a budget that was not used up, or of which nobody can tell."""
    ran = "nobody could count them" if executed is None else f"{executed} were executed"
    return BudgetUnmet(
        rule=UNMET,
        message=f"the campaign asks for {asked} {what} of {budget.key}, and {ran}",
        locations=(_node(budget.node_id),) if budget.node_id else (),
        severity=Severity.WARNING if in_doubt else None,
        verdict=Verdict.INCONCLUSIVE if in_doubt else None,
        key=budget.key,
        asked=asked,
        executed=executed,
    )
