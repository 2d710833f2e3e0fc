"""Propose a campaign: what the properties of a tree are given today, as a table for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.evidence.tree import SourceTree
from benchhygiene_plugins.performance_budgets import NodeBudgets
from benchhygiene_plugins.performance_budgets import inventory as performance
from benchhygiene_plugins.property_budgets import Property
from benchhygiene_plugins.property_budgets import inventory as properties

_MILLISECONDS = {"s": 1_000.0, "ms": 1.0, "us": 1e-3, "ns": 1e-6}
_HEAD = """\
# Proposed from what the tests say today. Edit it: the pack decides, not the tests.
"""
_Amounts = dict[str, float]


def campaign(tree: SourceTree, paths: Collection[str]) -> bytes:
    """Return the ``campaign.toml`` that asks of these files' properties what they do today.

    Where a number hangs on the machine or a profile, the largest is asked for; one that cannot be
    read off the sources is left out.
    """
    asked: dict[str, _Amounts] = {}
    for one in properties(tree):
        if one.path in paths:
            asked.setdefault(without_parameters(one.node_id), {}).update(_of_property(one))
    tests = [path for path in paths if tree.is_file(path)]
    for node in performance(tree, tests).nodes:
        amounts = _of_performance(node)
        if amounts:
            asked.setdefault(without_parameters(node.node_id), {}).update(amounts)
    return (_HEAD + "".join(_tables(asked))).encode()


def _of_property(one: Property) -> _Amounts:
    wanted = {"max_examples": "max_examples", "deadline": "deadline_ms"}
    found: _Amounts = {}
    for setting, key in wanted.items():
        values = one.settings[setting].values if setting in one.settings else ()
        numbers = [value for value in values if isinstance(value, int | float) and value > 0]
        if numbers and len(numbers) == len(values):
            found[key] = max(numbers)
    return found


def _of_performance(node: NodeBudgets) -> _Amounts:
    found: _Amounts = {}
    for field, key in (("samples", "samples"), ("rounds", "rounds"), ("percentile", "percentile")):
        values = [one.value for one in node.facts if one.field == field and one.value]
        if values:
            found[key] = max(values)
    limits = [
        one.value * _MILLISECONDS[one.unit]
        for one in node.facts
        if one.field == "threshold" and one.value and one.unit in _MILLISECONDS
    ]
    if len(set(limits)) == 1 and limits[0] > 0:
        found["threshold_ms"] = limits[0]
    return found


def _tables(asked: Mapping[str, _Amounts]) -> Iterable[str]:
    taken: set[str] = set()
    for node_id, amounts in sorted(asked.items()):
        key = _key(node_id, taken)
        taken.add(key)
        rows = [f"\n[{_quoted(key)}]\n", f"node_id = {_quoted(node_id)}\n"]
        rows += [f"{name} = {_number(value, name)}\n" for name, value in amounts.items()]
        rows += ['seed_source = "pack"\n'] if "max_examples" in amounts else []
        yield "".join(rows)


def _key(node_id: str, taken: Collection[str]) -> str:
    name = node_id.rpartition("::")[2].removeprefix("test_")
    return node_id if name in taken else name


def _number(value: float, name: str) -> str:
    is_count = name in ("max_examples", "samples", "rounds")
    return str(int(value)) if is_count or value == int(value) else repr(float(value))


def _quoted(text: str) -> str:
    """Return a basic string of TOML, anything but plain ASCII escaped."""
    safe = (c if " " <= c <= "~" and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(safe)}"'
