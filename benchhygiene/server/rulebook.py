"""What every installed rule says of itself, as documents that clients can read."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.core.findings import Rule
from benchhygiene.core.json import JSON
from benchhygiene.core.orchestrator import load
from benchhygiene.core.registry import Registry
from benchhygiene.core.report import Crashed

SCHEME = "benchhygiene://rules/"


@attrs.frozen
class RuleText:
    """One rule: its analyzer, and all it says of itself as Markdown."""

    id: str
    analyzer: str
    severity: str
    summary: str
    text: str

    @property
    def uri(self) -> str:
        """Return what the resource is called."""
        return f"{SCHEME}{self.id}"

    def document(self) -> dict[str, JSON]:
        """Return it as JSON."""
        return dict(attrs.asdict(self))


def read_rules() -> tuple[RuleText, ...]:
    """Return the rules of every installed analyzer that loads, by id."""
    return tuple(sorted(_found(), key=lambda rule: (rule.id, rule.analyzer)))


def _found() -> Iterator[RuleText]:
    for plugin in Registry.discover():
        analyzer = load(plugin)
        for rule in () if isinstance(analyzer, Crashed) else analyzer.rules:
            severity = rule.severity.value
            yield RuleText(rule.id, plugin.name, severity, rule.summary, _text(rule, plugin.name))


def _text(rule: Rule, analyzer: str) -> str:
    lines = [f"# {rule.id}", f"{rule.summary}.", f"Severity: {rule.severity.value}. {analyzer}."]
    told = (("Edit", rule.edit), ("Seen", rule.seen), ("Not seen", rule.unseen))
    lines += [f"{label}: {text}" for label, text in told if text]
    if rule.tags:
        lines.append(f"Tags: {', '.join(rule.tags)}")
    if rule.help_uri:
        lines.append(f"More: <{rule.help_uri}>")
    return "\n\n".join(lines) + "\n"


def explain(name: str) -> dict[str, JSON]:
    """Return a rule, or every rule of an analyzer; ``ok`` is False where there is neither."""
    rules = read_rules()
    found = [rule.document() for rule in rules if name in (rule.id, rule.analyzer)]
    if found:
        return {"ok": True, "rules": list[JSON](found)}
    import difflib  # only for a mistyped name

    known = {name for rule in rules for name in (rule.id, rule.analyzer)}
    close = difflib.get_close_matches(name, sorted(known), 3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return {"ok": False, "rules": [], "error": f"there is no rule or analyzer {name!r}{hint}"}
