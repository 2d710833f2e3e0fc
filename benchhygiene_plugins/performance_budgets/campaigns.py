"""Hold the candidate's performance tests against what the trusted campaign states for them."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import BaseFinding, Location, SourceTree, SymbolKind
from benchhygiene.evidence.campaign import Budget, Campaign
from benchhygiene.inventory.collection import CollectionRules, collect
from benchhygiene_plugins.performance_budgets.bounds import bound, percentiles, samples
from benchhygiene_plugins.performance_budgets.findings import (
    PERCENTILE_RELAXED,
    SAMPLES_LOWERED,
    THRESHOLD_RELAXED,
    CampaignBroken,
)
from benchhygiene_plugins.performance_budgets.profiles import Profile, profile
from benchhygiene_plugins.performance_budgets.recording import Check, Setting
from benchhygiene_plugins.performance_budgets.reporting import finite, unseen
from benchhygiene_plugins.performance_budgets.sides import Side

_MILLISECONDS = 1000.0
_NEAR = 0.5
_SAMPLING = (Setting.ROUNDS, Setting.LEAST_ROUNDS, Setting.REPEAT)
_RULES = {
    "samples": SAMPLES_LOWERED,
    "rounds": SAMPLES_LOWERED,
    "percentile": PERCENTILE_RELAXED,
    "threshold_ms": THRESHOLD_RELAXED,
}


def broken(campaign: Campaign, tree: SourceTree, rules: CollectionRules) -> Iterator[BaseFinding]:
    """Yield what falls short of the campaign, and what nobody can hold against it."""
    if not any(_stated(budget) for budget in campaign.budgets.values()):
        return
    nodes = collect(tree, rules).by_id()
    side = tree.surveyed(Side.of)
    for binding in campaign.bind(nodes):
        stated = _stated(binding.budget)
        node = nodes.get(binding.node_id or "")
        if not stated or node is None:
            continue
        found = profile(side, node)
        at = Location(node.path, node.line, None, node.node_id, SymbolKind.NODE)
        for field, wanted in stated.items():
            yield from _held(found, binding.key, field, wanted, at)


def _stated(budget: Budget) -> dict[str, float]:
    return {name: value for name, value in budget.amounts.items() if name in _RULES}


def _held(
    found: Profile, key: str, field: str, wanted: float, at: Location
) -> Iterator[BaseFinding]:
    value = _value(found, field)
    if value is None:
        yield unseen(at, f"the campaign's {key} states {field} {wanted:g}, which is not seen here")
        return
    is_short = value > wanted * (1 + 1e-9) if field == "threshold_ms" else value < wanted
    if field == "percentile":
        is_short = value < wanted - _NEAR
    if is_short:
        yield CampaignBroken(
            rule=_RULES[field],
            message=f"{field} is {value:g}, and the campaign states {wanted:g} for {key}",
            locations=(at,),
            old_text=f"{field} = {wanted:g}",
            new_text=f"{field} = {value:g}",
            key=key,
            field=field,
            stated=wanted,
            value=finite(value),
        )


def _value(found: Profile, field: str) -> float | None:
    record = found.record
    checks = [one for one in record.checks if one.measured and one.measured.source != "words"]
    match field:
        case "samples" | "rounds":
            counts = [one.value for one in record.amounts if one.setting in _SAMPLING]
            loops = [_count(one) for one in checks if one.measured and one.measured.loops]
            loops = counts or loops
            known = [one for one in loops if one is not None]
            return min(known) if known and len(known) == len(loops) else None
        case "percentile":
            ranks = [one for check in checks for one in _ranks(check)]
            return max(ranks, default=None)
        case _:
            limits = [bound(one) for one in checks]
            numbers = [one.number for one in limits if one and one.is_plain and one.is_upper]
            known = [one for one in numbers if one is not None]
            return max(known) * _MILLISECONDS if known else None


def _count(check: Check) -> float | None:
    return samples(check.measured) if check.measured is not None else None


def _ranks(check: Check) -> tuple[float, ...]:
    if check.measured is None:
        return ()
    found = percentiles(check.measured) or ()
    return found if found or not check.measured.loops else (100.0,)
