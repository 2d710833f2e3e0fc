"""What people have agreed on about flaky, renamed and deleted tests, outside the agent's reach."""

from __future__ import annotations

import datetime
import enum
import functools
from collections.abc import Iterator

import attrs

from benchhygiene.errors import InputError


class AllowedAction(enum.Enum):
    """What an entry lets happen to its node."""

    QUARANTINE = "quarantine"
    RENAME = "rename"
    MOVE = "move"
    DELETE = "delete"


_WITH_TARGET = (AllowedAction.RENAME, AllowedAction.MOVE)


def without_parameters(node_id: str) -> str:
    """Return the node id up to its parameters: ``t.py::test_a`` of ``t.py::test_a[1-x]``.

    A bracket in the path does not count, and a parameter may hold brackets and colons itself.
    """
    cut = node_id.find("[", node_id.find("::") + 1 or len(node_id))
    return node_id[:cut] if cut >= 0 and node_id.endswith("]") else node_id


@attrs.frozen(kw_only=True)
class LedgerEntry:
    """One node, what may happen to it, and until which day (that day included).

    ``signature`` is the shape of the failure, ``owner`` who answers for it. Raises InputError where
    ``renamed_to`` is missing for a rename or a move, or given for anything else.
    """

    node_id: str
    first_seen: datetime.date
    expires: datetime.date
    signature: str
    owner: str
    allowed_action: AllowedAction
    renamed_to: str | None = None
    reason: str | None = None
    issue: str | None = None
    last_seen: datetime.date | None = None

    def __attrs_post_init__(self) -> None:
        action = self.allowed_action
        if action in _WITH_TARGET and self.renamed_to is None:
            raise InputError(f'allowed_action "{action.value}" needs a renamed_to')
        if action not in _WITH_TARGET and self.renamed_to is not None:
            raise InputError(f'renamed_to does not go with allowed_action "{action.value}"')

    def is_expired(self, on: datetime.date) -> bool:
        """Return whether the entry's last day lies before this one."""
        return self.expires < on

    def covers(self, node_id: str) -> bool:
        """Return whether the entry speaks of this node.

        An entry without parameters speaks of the whole node, each set of parameters included; one
        with parameters speaks of that set alone.
        """
        return self.node_id in (node_id, without_parameters(node_id))


@attrs.frozen(kw_only=True)
class LedgerPolicy:
    """What the ledger must keep to: how many live entries, how many days from first seen to expiry.

    ``max_share`` is the largest part of a run's nodes, from 0 to 1, that may be in quarantine.
    Raises InputError for a negative number, and for a share over 1.
    """

    max_entries: int | None = None
    max_days: int | None = None
    require_issue: bool = False
    max_share: float | None = None

    def __attrs_post_init__(self) -> None:
        for name, most in (("max_entries", self.max_entries), ("max_days", self.max_days)):
            if most is not None and most < 0:
                raise InputError(f"{name} {most}: expected 0 or more")
        if self.max_share is not None and not 0 <= self.max_share <= 1:
            raise InputError(f"max_share {self.max_share}: expected a number from 0 to 1")


@attrs.frozen
class Ledger:
    """The entries of ``flakes/ledger.json``, in the file's order.

    Expired entries are kept, and allow nothing.
    """

    entries: tuple[LedgerEntry, ...] = attrs.field(default=(), converter=tuple[LedgerEntry, ...])
    policy: LedgerPolicy | None = None

    @functools.cached_property
    def _by_node(self) -> dict[str, list[tuple[int, LedgerEntry]]]:
        found: dict[str, list[tuple[int, LedgerEntry]]] = {}
        for place, entry in enumerate(self.entries):
            found.setdefault(entry.node_id, []).append((place, entry))
        return found

    def about(self, node_id: str) -> tuple[LedgerEntry, ...]:
        """Return the entries that speak of the node, expired ones too, in the file's order."""
        names = dict.fromkeys((node_id, without_parameters(node_id)))
        found = [each for name in names for each in self._by_node.get(name, ())]
        return tuple(entry for _, entry in sorted(found, key=lambda each: each[0]))

    def live(self, node_id: str, on: datetime.date) -> Iterator[LedgerEntry]:
        """Yield the entries that speak of the node and have not expired on this day."""
        return (entry for entry in self.about(node_id) if not entry.is_expired(on))

    def allows(self, node_id: str, action: AllowedAction, on: datetime.date) -> bool:
        """Return whether an entry that has not expired lets this happen to the node."""
        return any(entry.allowed_action is action for entry in self.live(node_id, on))

    def quarantines(self, node_id: str, on: datetime.date) -> bool:
        """Return whether the node is not to be scored on this day."""
        return self.allows(node_id, AllowedAction.QUARANTINE, on)

    def renamed_to(self, node_id: str, on: datetime.date) -> tuple[str, ...]:
        """Return the ids that the node may have become by a rename or a move, sorted.

        Parameters are carried over where the entry speaks of the whole node.
        """
        targets: set[str] = set()
        for entry in self.live(node_id, on):
            if entry.renamed_to is not None:
                targets.add(entry.renamed_to + node_id[len(entry.node_id) :])
        return tuple(sorted(targets))


@attrs.frozen
class ParentLedger:
    """The ledger of the pack that this one was made from: what has been agreed on since is told."""

    ledger: Ledger
