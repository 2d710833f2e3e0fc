"""The commands ``analyzers`` and ``explain``: what is installed, and what it can report."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import attrs

from benchhygiene.cli.output import has_colour, text_width, write_stream
from benchhygiene.core.findings import Rule
from benchhygiene.core.json import JSON, to_json
from benchhygiene.core.orchestrator import load
from benchhygiene.core.registry import AnyAnalyzer, Plugin, Registry
from benchhygiene.core.report import Crashed
from benchhygiene.errors import InputError
from benchhygiene.formats.layout import Line, Span, coloured, line, plain, wrap


@attrs.frozen(eq=False, repr=False)
class Entry:
    """One installed plugin and what loading it gave."""

    plugin: Plugin
    analyzer: AnyAnalyzer | Crashed

    @property
    def origin(self) -> str:
        """Return the distribution and its version."""
        return f"{self.plugin.distribution} {self.plugin.version}"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules, none where the plugin could not be loaded."""
        return () if isinstance(self.analyzer, Crashed) else self.analyzer.rules


def list_analyzers(style: str) -> int:
    """Write the table of analyzers, as text or JSON."""
    registry = Registry.discover()
    entries = _entries(registry)
    if style == "json":
        from benchhygiene.formats.json import dump

        write_stream(dump(_document(registry, entries)))
    else:
        _write_lines(_table(registry, entries, text_width(sys.stdout, os.environ)))
    return 0


def explain(name: str) -> int:
    """Write what a rule, or every rule of an analyzer, means; raises InputError for neither."""
    entries = _entries(Registry.discover())
    width = text_width(sys.stdout, os.environ)
    for entry in entries:
        if entry.plugin.name == name:
            _write_lines(_rules(entry, width))
            return 0
        for rule in entry.rules:
            if rule.id == name:
                _write_lines(_explanation(entry, rule, width))
                return 0
    raise InputError(_unknown(name, entries))


def _entries(registry: Registry) -> tuple[Entry, ...]:
    return tuple(Entry(plugin, load(plugin)) for plugin in registry)


def _unknown(name: str, entries: tuple[Entry, ...]) -> str:
    known = [
        name for entry in entries for name in (entry.plugin.name, *(r.id for r in entry.rules))
    ]
    import difflib  # only for a mistyped name

    close = difflib.get_close_matches(name, known, 3)
    if not close:
        close = sorted(one for one in known if name and name in one)[:5]
    where = "`benchhygiene analyzers` lists analyzers, `benchhygiene explain NAME` the rules of one"
    hint = f"did you mean {' or '.join(close)}?" if close else where
    return f"there is no rule or analyzer {name!r}; {hint}"


def _write_lines(lines: Iterator[Line]) -> None:
    paint = coloured if has_colour(sys.stdout, os.environ) else plain
    write_stream(paint(lines))


def _document(registry: Registry, entries: tuple[Entry, ...]) -> dict[str, JSON]:
    return {
        "analyzers": [_as_json(entry) for entry in entries],
        "refused": to_json(registry.refused),
        "notes": to_json(registry.notes),
    }


def _as_json(entry: Entry) -> JSON:
    plugin = entry.plugin
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "consumes": _consumes(entry),
        "rules": to_json(entry.rules),
        "error": str(entry.analyzer) if isinstance(entry.analyzer, Crashed) else None,
    }


def _consumes(entry: Entry) -> str | None:
    return None if isinstance(entry.analyzer, Crashed) else entry.analyzer.consumes.__name__


def _table(registry: Registry, entries: tuple[Entry, ...], width: int | None) -> Iterator[Line]:
    rows = [("ANALYZER", "DISTRIBUTION", "RULES", "CONSUMES")]
    rows += [
        (entry.plugin.name, entry.origin, str(len(entry.rules)), _consumes(entry) or "cannot load")
        for entry in entries
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for number, row in enumerate(rows):
        text = "  ".join(cell.ljust(room) for cell, room in zip(row, widths, strict=True))
        yield line(Span(text.rstrip(), "strong" if number == 0 else ""))
    yield from _troubles(registry, entries, width)


def _troubles(registry: Registry, entries: tuple[Entry, ...], width: int | None) -> Iterator[Line]:
    for entry in entries:
        if isinstance(entry.analyzer, Crashed):
            yield from wrap(f"{entry.plugin.name} cannot be loaded: {entry.analyzer}", width)
    for refused in registry.refused:
        text = f"{refused.name} ({refused.distribution}) was not loaded: {refused.reason}"
        yield from wrap(text, width)
    for note in registry.notes:
        yield from wrap(note, width)


def _rules(entry: Entry, width: int | None) -> Iterator[Line]:
    yield line(Span(entry.plugin.name, "strong"), f"  {entry.origin}")
    if isinstance(entry.analyzer, Crashed):
        yield from wrap(f"cannot be loaded: {entry.analyzer}", width, "  ")
    left = max((len(rule.id) for rule in entry.rules), default=0)
    for rule in entry.rules:
        severity = Span(f"{rule.severity.value:<7}", rule.severity.value)
        first = line("  ", Span(rule.id.ljust(left), "strong"), "  ", severity, "  ")
        yield from wrap(rule.summary, width, " " * (left + 13), first)


def _explanation(entry: Entry, rule: Rule, width: int | None) -> Iterator[Line]:
    from benchhygiene.cli.examples import examples

    severity = Span(rule.severity.value, rule.severity.value)
    yield line(Span(rule.id, "strong"), "  ", severity, f"  {entry.plugin.name}, {entry.origin}")
    yield from wrap(rule.summary, width, "  ")
    for label, text in (("Edit", rule.edit), ("Seen", rule.seen), ("Not seen", rule.unseen)):
        if text:
            yield from wrap(f"{label}: {text}", width, "  ")
    if rule.tags:
        yield line(f"  Tags: {', '.join(rule.tags)}")
    if rule.help_uri:
        yield line(f"  More: {rule.help_uri}")
    yield from examples(entry.analyzer, rule)
