"""How many examples and samples the properties are owed, outside the agent's reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.ledger import without_parameters

_PERCENT = 100


@attrs.frozen(kw_only=True)
class Budget:
    """What one property is owed: a table of ``properties/campaign.toml``.

    Times are in milliseconds, ``percentile`` is at most 100; None where the table is silent. Raises
    InputError for a value out of its range.
    """

    node_id: str | None = None
    max_examples: int | None = None
    deadline_ms: float | None = None
    seed_source: str | None = None
    samples: int | None = None
    rounds: int | None = None
    percentile: float | None = None
    threshold_ms: float | None = None

    def __attrs_post_init__(self) -> None:
        for name, value in self.amounts.items():
            if not value > 0:
                raise InputError(f"{name} {value}: expected more than 0")
        if self.percentile is not None and self.percentile > _PERCENT:
            raise InputError(f"percentile {self.percentile}: expected at most {_PERCENT}")

    @property
    def amounts(self) -> dict[str, float]:
        """Return every number that the table states, by its key."""
        stated = {
            "max_examples": self.max_examples,
            "deadline_ms": self.deadline_ms,
            "samples": self.samples,
            "rounds": self.rounds,
            "percentile": self.percentile,
            "threshold_ms": self.threshold_ms,
        }
        return {name: value for name, value in stated.items() if value is not None}


@attrs.frozen
class Binding:
    """A budget and the nodes it may be meant for, sorted: only exactly one of them is an answer."""

    key: str
    budget: Budget
    node_ids: tuple[str, ...]

    @property
    def node_id(self) -> str | None:
        """Return the node the budget is for, None where it matches none or several."""
        return self.node_ids[0] if len(self.node_ids) == 1 else None


def _sorted(value: Mapping[str, Budget]) -> dict[str, Budget]:
    return dict(sorted(value.items()))


@attrs.frozen(hash=False)
class Campaign:
    """The budgets of a pack by the key of their table, sorted."""

    budgets: Mapping[str, Budget] = attrs.field(factory=dict[str, Budget], converter=_sorted)

    def bind(self, node_ids: Iterable[str]) -> tuple[Binding, ...]:
        """Return, for each budget, the nodes it is meant for; parameters are left off.

        A budget with a ``node_id`` is meant for that node; one without is meant for the node whose
        function is named ``K`` or ``test_K`` after its key. No node, or more than one, is doubt.
        """
        named: dict[str, list[str]] = {}
        for node_id in sorted({without_parameters(node_id) for node_id in node_ids}):
            named.setdefault(_function(node_id), []).append(node_id)
        return tuple(
            Binding(key, budget, tuple(sorted(_meant(key, budget, named))))
            for key, budget in self.budgets.items()
        )


def _function(node_id: str) -> str:
    return node_id.rpartition("::")[2]


def _meant(key: str, budget: Budget, named: Mapping[str, list[str]]) -> list[str]:
    if budget.node_id is None:
        return [*named.get(key, ()), *named.get(f"test_{key}", ())]
    node_id = without_parameters(budget.node_id)
    return [known for known in named.get(_function(node_id), ()) if known == node_id]
