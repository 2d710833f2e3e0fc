"""What the trusted ledger lets happen to a node on a given day."""

from __future__ import annotations

from collections.abc import Collection

import attrs

from benchhygiene.evidence import AllowedAction, AsOf, Ledger


@attrs.frozen
class Permits:
    """The ledger and the day; without both nothing is allowed. ``ids`` are the candidate's."""

    ledger: Ledger | None
    day: AsOf | None
    ids: Collection[str]

    def deletes(self, node_id: str) -> bool:
        """Return whether the node may go, or has gone where an entry says it goes."""
        if self.ledger is None or self.day is None:
            return False
        if self.ledger.allows(node_id, AllowedAction.DELETE, self.day.date):
            return True
        return any(one in self.ids for one in self.ledger.renamed_to(node_id, self.day.date))

    def renames(self, node_id: str, new_id: str) -> bool:
        """Return whether the node may go by the new id."""
        if self.ledger is None or self.day is None:
            return False
        return new_id in self.ledger.renamed_to(node_id, self.day.date)
