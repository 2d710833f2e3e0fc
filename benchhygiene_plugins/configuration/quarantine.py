"""What the trusted ledger lets happen to a test on a given day."""

from __future__ import annotations

import attrs

from benchhygiene.evidence import AsOf, Ledger
from benchhygiene.evidence.ledger import without_parameters


@attrs.frozen
class Quarantine:
    """The ledger and the day; without both no test is quarantined."""

    ledger: Ledger | None
    day: AsOf | None

    def holds(self, node_id: str) -> bool:
        """Return whether the node need not be run on the day."""
        if self.ledger is None or self.day is None:
            return False
        names = (node_id, without_parameters(node_id))
        return any(self.ledger.quarantines(name, self.day.date) for name in names)
