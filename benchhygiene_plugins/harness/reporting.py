"""Put fresh deeds into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchhygiene import BaseFinding, Location, Severity, SymbolKind, Verdict
from benchhygiene_plugins.harness.comparison import Fresh
from benchhygiene_plugins.harness.deeds import Act, Weight
from benchhygiene_plugins.harness.findings import (
    BY_ID,
    UNSEEN,
    HarnessTouched,
    HarnessUnseen,
)

_NAMED = 100  # nodes that one deed is reported on

#: The node ids of functions, by the identity of their definitions.
Nodes = Mapping[int, tuple[str, ...]]


def report(one: Fresh, nodes: Nodes) -> Iterator[BaseFinding]:
    """Yield the findings of one deed: on each test that it stands in, else on its file."""
    deed, place = one.deed, one.deed.place
    if deed.act is Act.UNSEEN:
        yield HarnessUnseen(
            rule=UNSEEN,
            message=f"nobody can tell what this file does to the harness: {deed.says}",
            verdict=Verdict.INCONCLUSIVE,
            locations=(Location(place.path),),
            reason=deed.says,
        )
        return
    owners = nodes.get(id(deed.owner), ()) if deed.owner is not None else ()
    is_elsewhere = not any(one.partition("::")[0] == place.path for one in owners)
    # What stands in another file than the tests it runs in is found there as well.
    for node in (*((None,) if is_elsewhere else ()), *owners[:_NAMED]):
        kind = SymbolKind.NODE if node is not None else None
        is_here = node is None or node.partition("::")[0] == place.path
        at = Location(place.path, place.line, place.column, node, kind)
        if not is_here and node is not None:  # inherited by a test of another file
            at = Location(node.partition("::")[0], None, None, node, kind)
        yield HarnessTouched(
            rule=BY_ID[deed.act.value],
            message=f"{deed.says}, which the parent did not do",
            severity=Severity.WARNING if deed.weight is Weight.PLAUSIBLE else None,
            locations=(at,),
            old_text=one.old_text,
            new_text=place.text or deed.what,
            what=deed.what,
        )
