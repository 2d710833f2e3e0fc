"""What stands round the tests of a tree: budgets, oracles, settings, deeds and pipeline steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

import attrs

from benchhygiene.core.json import JSON
from benchhygiene.evidence.tree import SourceTree

Value: TypeAlias = int | float | str | bool | None
DEFAULT = "default"  # the text of a setting that nobody wrote
_DIGEST = 12  # hexadecimal digits of SHA-256 that tell files apart for a reader


@attrs.frozen
class Entry:
    """One fact: its place, what it belongs to (a node, a tool, a job), its name and its value.

    ``unit`` is empty where there is none, ``value`` None where there is none or nobody can tell.
    """

    path: str
    line: int | None
    owner: str
    name: str
    value: Value
    unit: str = ""
    text: str = ""

    def __str__(self) -> str:
        """Return it for a reader."""
        value = f"{self.value:g}" if isinstance(self.value, float) else str(self.value)
        shown = self.text or "unknown" if self.value is None else f"{value} {self.unit}".strip()
        return f"{self.name} {shown}".strip()


@attrs.frozen
class Section:
    """The facts of one kind; ``key`` is what the JSON document calls them."""

    key: str
    heading: str
    entries: tuple[Entry, ...]

    def document(self) -> JSON:
        """Return the entries as JSON, in order."""
        return [attrs.asdict(one) for one in self.entries]


def surroundings(tree: SourceTree) -> tuple[Section, ...]:
    """Return every section, empty ones included, in a fixed order."""
    return tuple(Section(key, heading, tuple(read(tree))) for key, heading, read in _SECTIONS)


def _properties(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import property_budgets

    for one in property_budgets.inventory(tree):
        for name, setting in sorted(one.settings.items()):
            place = setting.place or one.place
            value = _quantities(setting.values)
            unit = "ms" if name == "deadline" and isinstance(value, int | float) else ""
            text = DEFAULT if setting.place is None else ""
            yield Entry(place.path, place.line, one.node_id, name, value, unit, text)
        for name in sorted(one.strategies):
            texts = " | ".join(each.text or each.kind for each in one.strategies[name])
            place = one.places.get(name, one.place)
            yield Entry(place.path, place.line, one.node_id, f"strategy {name}", texts)
        for example in one.examples:
            place = example.place
            yield Entry(place.path, place.line, one.node_id, "example", example.text)


def _quantities(values: tuple[object, ...]) -> Value:
    """Return one value as it is, the values of several branches as text."""
    if len(values) == 1:
        (value,) = values
        if isinstance(value, bool | int | float | str):
            return value
    return " | ".join(sorted(_spelled(value) for value in values))


def _spelled(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        members = cast("frozenset[object]", value)
        return ", ".join(sorted(map(str, members))) or "none"
    return str(value) if isinstance(value, bool | int | float | str) else "unknown"


def _performance(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import performance_budgets

    for node in performance_budgets.inventory(tree).nodes:
        for fact in node.facts:
            path, line = (fact.path, fact.line) if fact.path else (node.path, node.line)
            yield Entry(path, line, node.node_id, fact.field, fact.value, fact.unit, fact.text)


def _oracles(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import oracles

    for one in oracles.inventory(tree):
        kind = one.contract or "file"
        rows = "" if one.rows is None else f"{one.rows} rows, "
        text = one.error or f"{rows}sha256 {(one.digest or '')[:_DIGEST]}"
        yield Entry(one.path, None, ", ".join(one.named_by), kind, one.size, "bytes", text)


def _configuration(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import configuration

    for one in configuration.inventory(tree):
        yield Entry(one.path, one.line, one.tool, one.name, " ".join(one.value.split()))


def _harness(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import harness

    for deed in harness.inventory(tree):
        place = deed.place
        owner = "" if deed.owner is None else deed.owner.name
        yield Entry(place.path, place.line, owner, deed.act.value, deed.says, "", place.text)


def _pipelines(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import pipelines

    for gate in pipelines.inventory(tree):
        masked = f"cannot fail: {gate.masked}" if gate.masked else ""
        owner = " / ".join(gate.place)
        yield Entry(gate.path, gate.line, owner, "runs", gate.text, "", masked)


def _examples(tree: SourceTree) -> Iterator[Entry]:
    from benchhygiene_plugins import doctests

    for one in doctests.inventory(tree):
        options = " ".join(sorted(one.options))
        yield Entry(one.path, one.line, one.node_id, ">>>", one.source, "", options)


_SECTIONS: tuple[tuple[str, str, Callable[[SourceTree], Iterator[Entry]]], ...] = (
    ("properties", "Property budgets", _properties),
    ("performance", "Performance budgets", _performance),
    ("oracles", "Files that tests are held against", _oracles),
    ("configuration", "Settings in force", _configuration),
    ("harness", "What is done to the harness", _harness),
    ("pipelines", "Test commands of pipelines", _pipelines),
    ("examples", "Examples in documentation", _examples),
)
