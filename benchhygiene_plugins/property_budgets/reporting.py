"""Put what properties have lost into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene import BaseFinding, Location, Severity, SymbolKind, Verdict
from benchhygiene_plugins.property_budgets import findings as rules
from benchhygiene_plugins.property_budgets.comparison import Kind, Lost
from benchhygiene_plugins.property_budgets.places import Place

_TEXT = 300  # characters of a value that a message quotes
#: How many further locations one finding names.
_NAMED = 500


@attrs.frozen(eq=False)
class Loss:
    """One thing that a property has lost, and the property: its id and where it is reported."""

    node_id: str
    path: str
    line: int | None
    lost: Lost
    home: str


def report(losses: Iterable[Loss]) -> Iterator[BaseFinding]:
    """Yield a finding for each property and one for each place elsewhere that several share."""
    causes: dict[tuple[str, str, int], list[Loss]] = {}
    for one in losses:
        place = _cause(one)
        if place is None or one.lost.is_certain:  # a doubt that many share is said once
            yield of_node(one)
        if place is not None:
            causes.setdefault((one.lost.name, place.path, place.line), []).append(one)
    for (_, path, line), several in causes.items():
        certain = [one for one in several if one.lost.is_certain]
        doubtful = [one for one in several if not one.lost.is_certain]
        yield from (of_place(path, line, each) for each in (certain, doubtful) if each)


def _cause(one: Loss) -> Place | None:
    """Return where a loss comes from that stands in another file; profiles are told apart."""
    place = one.lost.elsewhere or one.lost.new or one.lost.old
    if place is None or place.path in (one.path, one.home) or one.lost.profile:
        return None
    return place


def of_node(one: Loss) -> BaseFinding:
    """Return the finding for one property."""
    lost = one.lost
    place = lost.new if lost.new is not None else lost.old
    is_here = place is not None and place.path == one.home == one.path
    line, column = (place.line, place.column) if is_here and place is not None else (one.line, None)
    at = Location(one.path, line, column, one.node_id, SymbolKind.NODE)
    cause = _cause(one)
    further = (Location(cause.path, cause.line),) if cause is not None else ()
    return _made(lost, (at, *further))


def of_place(path: str, line: int, several: list[Loss]) -> BaseFinding:
    """Return the finding for a place that several properties have a loss from."""
    nodes = (Location(one.path, one.line, None, one.node_id, SymbolKind.NODE) for one in several)
    return _made(several[0].lost, (Location(path, line), *list(nodes)[:_NAMED]))


def of_profile(path: str, lost: Lost) -> BaseFinding:
    """Return the finding for a profile that allows less, at the place that says so."""
    place = lost.new if lost.new is not None and lost.new.path == path else lost.old
    line = place.line if place is not None and place.path == path else None
    return _made(lost, (Location(path, line),))


def _made(lost: Lost, locations: tuple[Location, ...]) -> BaseFinding:
    old, new = (one.text if one is not None else "" for one in (lost.old, lost.new))
    if not lost.is_certain:
        reason = f"{_named(lost)} was {_cut(lost.before)}, and {_cut(lost.after)}"
        return unseen(reason, locations, old, new)
    match lost.kind:
        case Kind.SETTING:
            return _setting(lost, locations, old, new)
        case Kind.STRATEGY:
            return rules.StrategyNarrowed(
                rule=rules.STRATEGY,
                message=f"the strategy of {lost.name} gives less than {_cut(lost.before)} gave: "
                f"{_cut(lost.after)}; widen it again",
                locations=locations,
                old_text=old,
                new_text=new,
                argument=lost.name,
                before=lost.before,
                after=lost.after,
            )
        case Kind.ASSUMPTION:
            return rules.InputsPassedOver(
                rule=rules.ASSUME,
                message=f"inputs that do not meet {_cut(lost.after)} are passed over, and were "
                "tried before; take the condition out",
                locations=locations,
                old_text=old,
                new_text=new,
                condition=lost.after,
            )
        case Kind.EXAMPLE:
            return rules.ExampleRemoved(
                rule=rules.EXAMPLE,
                message=f"the explicit example {_cut(lost.before)} is no longer tried; put it back",
                locations=locations,
                old_text=old,
                new_text=new,
                example=lost.before,
            )
        case Kind.SEED:
            return _setting(
                attrs.evolve(lost, name="derandomize", before="a new seed each time"),
                locations,
                old,
                new,
            )


_SAID = {
    "max_examples": "the number of examples",
    "deadline": "the deadline of one example",
    "phases": "the phases of the run",
    "derandomize": "what decides the examples",
    "suppress_health_check": "what health checks are switched off",
    "stateful_step_count": "the number of steps",
}


def _setting(
    lost: Lost, locations: tuple[Location, ...], old: str, new: str
) -> rules.BudgetReduced:
    by = f" by the profile {lost.profile}" if lost.profile else ""
    return rules.BudgetReduced(
        rule=rules.BY_SETTING[lost.name],
        message=f"{_SAID[lost.name]} ({lost.name}){by} has gone from {_cut(lost.before)} to "
        f"{_cut(lost.after)}; set it back",
        locations=locations,
        old_text=old,
        new_text=new,
        setting=lost.name,
        before=lost.before,
        after=lost.after,
        profile=lost.profile,
    )


def _named(lost: Lost) -> str:
    return f"the strategy of {lost.name}" if lost.kind is Kind.STRATEGY else lost.name


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}..."


def unseen(
    reason: str, locations: tuple[Location, ...], old: str = "", new: str = ""
) -> rules.PropertyUnseen:
    """Return the doubt about a property."""
    return rules.PropertyUnseen(
        rule=rules.UNSEEN,
        message=f"nobody can tell whether this property is tried as before: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=locations,
        old_text=old,
        new_text=new,
        reason=reason,
    )


def removed(node_id: str, path: str, line: int | None, old: Place, new: Place) -> BaseFinding:
    """Return the finding for a test that is no property any more."""
    return rules.PropertyRemoved(
        rule=rules.GIVEN,
        message="hypothesis gave this test its inputs, and it is run on fixed ones now; put @given "
        "back",
        locations=(Location(path, line, None, node_id, SymbolKind.NODE),),
        old_text=old.text,
        new_text=new.text,
    )


def broken(
    key: str, setting: str, owed: str, after: str, at: Location, place: Place | None
) -> BaseFinding:
    """Return the finding for a property that has less than the campaign owes it."""
    return rules.CampaignBroken(
        rule=rules.BY_SETTING[setting],
        message=f"the campaign's table {key} asks for {setting} {owed}, and the candidate has "
        f"{after}; the parent may say the same, the campaign is what counts",
        severity=Severity.ERROR,
        locations=(at,),
        new_text=place.text if place is not None else "",
        key=key,
        setting=setting,
        owed=owed,
        after=after,
    )
