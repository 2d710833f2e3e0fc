"""How many examples and samples the properties are owed, outside the agent's reach."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from benchhygiene.evidence.ledger import without_parameters


@attrs.frozen(kw_only=True)
class Budget:
    """What one property is owed: the table ``key`` of ``properties/campaign.toml``.

    Times are in milliseconds, ``percentile`` is between 0 and 100; None where the table is silent.
    """

    key: str
    node_id: str | None = None
    max_examples: int | None = None
    deadline_ms: float | None = None
    seed_source: str | None = None
    samples: int | None = None
    rounds: int | None = None
    percentile: float | None = None
    threshold_ms: float | None = None


@attrs.frozen
class Binding:
    """A budget and the nodes it may be meant for, sorted: only exactly one of them is an answer."""

    budget: Budget
    node_ids: tuple[str, ...]

    @property
    def node_id(self) -> str | None:
        """Return the node the budget is for, None where it matches none or several."""
        return self.node_ids[0] if len(self.node_ids) == 1 else None


def _function(node_id: str) -> str:
    return node_id.rpartition("::")[2]


@attrs.frozen
class Campaign:
    """The budgets of a pack, in the file's order."""

    budgets: tuple[Budget, ...] = attrs.field(default=(), converter=tuple[Budget, ...])

    def bind(self, node_ids: Iterable[str]) -> tuple[Binding, ...]:
        """Return, for each budget, the nodes it is meant for; parameters are left off.

        A budget with a ``node_id`` is meant for that node; one without is meant for the node whose
        function is named ``K`` or ``test_K`` after its key. No node, or more than one, is doubt.
        """
        nodes = sorted({without_parameters(node_id) for node_id in node_ids})
        named: dict[str, list[str]] = {}
        for node_id in nodes:
            named.setdefault(_function(node_id), []).append(node_id)
        known = frozenset(nodes)
        return tuple(Binding(budget, _meant(budget, known, named)) for budget in self.budgets)


def _meant(budget: Budget, known: frozenset[str], named: dict[str, list[str]]) -> tuple[str, ...]:
    if budget.node_id is not None:
        node_id = without_parameters(budget.node_id)
        return (node_id,) if node_id in known else ()
    found = (*named.get(budget.key, ()), *named.get(f"test_{budget.key}", ()))
    return tuple(sorted(found))
