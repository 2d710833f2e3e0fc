"""Put what only a real collection shows into findings."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import BaseFinding, Location, SymbolKind
from benchhygiene.evidence import CollectedChange
from benchhygiene.inventory.pairing import Pairing
from benchhygiene_plugins.nodes import findings
from benchhygiene_plugins.nodes.collected import (
    Disagreement,
    disagreements,
    really_lost,
    unanswered,
)
from benchhygiene_plugins.nodes.findings import Cause, CollectionDisagrees, NodeHidden, NodeLost
from benchhygiene_plugins.nodes.reporting import Reporter, unseen

_MOST_NAMED = 3


def collection_findings(
    reporter: Reporter, pairing: Pairing, collected: CollectedChange
) -> Iterator[BaseFinding]:
    """Yield what the collections lost, what they could not tell, and where they disagree."""
    for lost in really_lost(pairing, collected):
        if reporter.permits.deletes(lost.node_id):
            continue
        path = lost.node_id.partition("::")[0]
        location = Location(path, None, None, lost.node_id, SymbolKind.NODE)
        if lost.node is None:
            yield NodeLost(
                rule=findings.DELETED,
                message=f"{lost.node_id} was collected from the parent and is not any more",
                locations=(location,),
                node_id=lost.node_id,
            )
        else:
            yield NodeHidden(
                rule=findings.UNCOLLECTED,
                message=f"{lost.node_id} is no longer collected: {Cause.COLLECTION.value}",
                locations=(location,),
                node_id=lost.node_id,
                cause=Cause.COLLECTION,
            )
    for path, reason in unanswered(collected):
        yield unseen(Location(path), reason)
    for one in disagreements(pairing, collected):
        yield _disagreement(one)


def _disagreement(one: Disagreement) -> CollectionDisagrees:
    side = "parent" if one.is_parents else "candidate"
    more, less = len(one.unexpected), len(one.missing)
    shown = ", ".join((*one.unexpected[:_MOST_NAMED], *one.missing[:_MOST_NAMED]))
    return CollectionDisagrees(
        rule=findings.DISAGREEMENT,
        message=f"in the {side}, {more} tests were collected that the sources do not show, and "
        f"{less} were not collected that they do: {shown}",
        locations=(Location(one.path),),
        unexpected=one.unexpected,
        missing=one.missing,
    )
