"""A report as one self-contained piece of HTML, for notebooks.

Every style is inline and every colour either inherited or paired with its own background, so that
it reads the same in light and in dark notebooks and where style sheets are stripped.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping

from benchhygiene.core.findings import Finding, Fixable, Location, Verdict, detail
from benchhygiene.core.provenance import PluginVersion
from benchhygiene.core.report import Completed, Crashed, Outcome, Report, Skipped

_MAX_ROWS = 200
_BADGES = {
    "violation": "#b42318",
    "error": "#b42318",
    "inconclusive": "#8a5a00",
    "warning": "#8a5a00",
    "pass": "#1a6b33",
    "note": "#3b5b92",
    "not_applicable": "#5c5c5c",
}
_CELL = (
    "text-align:left;vertical-align:top;padding:4px 8px;white-space:normal;"
    "border-bottom:1px solid rgba(128,128,128,.4)"
)
_CODE = "font-family:monospace;overflow-wrap:anywhere;background:none;color:inherit"
_RULE = f"{_CODE};white-space:nowrap"
_GRAVEST_FIRST = ("error", "inconclusive", "warning", "note", "not_applicable")


def render(report: Report) -> str:
    """Return the verdict, a table of the findings, and what was not seen.

    Text from the evidence is escaped; control characters in it are spelled out. Beyond 200
    findings the rest is only counted.
    """
    parts = (
        _headline(report),
        _table(report),
        _list("Not seen", _not_seen(report)),
        _list("Waived", (f"{_text(w.reported.finding.message)}" for w in report.waived)),
        _list("Notes", _notes(report)),
        _provenance(report),
    )
    return f'<div style="max-width:100%;overflow-x:auto">{"".join(parts)}</div>'


def _text(value: str) -> str:
    visible = value if value.isprintable() else "".join(map(_visible, value))
    return html.escape(visible)


def _visible(char: str) -> str:
    """Spell out what would change how the text around it reads, or is no valid Unicode."""
    if char.isprintable():
        return char
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def _code(value: str, style: str = _CODE) -> str:
    return f'<code style="{style}">{_text(value)}</code>'


def _badge(word: str) -> str:
    style = f"background:{_BADGES[word]};color:#fff;border-radius:3px;padding:1px 6px"
    return f'<span style="{style}">{word.replace("_", " ")}</span>'


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _headline(report: Report) -> str:
    ran = sum(isinstance(outcome.state, Completed) for outcome in report.outcomes)
    found = _count(len(report.findings), "finding")
    analyzers = _count(len(report.outcomes), "analyzer")
    badge = _badge(report.verdict.value)
    return f"<p><strong>{badge}</strong> {found}; {ran} of {analyzers} completed</p>"


def _table(report: Report) -> str:
    if not report.reported:
        return ""
    heads = "".join(
        f'<th scope="col" style="{_CELL}">{head}</th>'
        for head in ("severity", "rule", "where", "what", "fix")
    )
    findings = sorted(report.findings, key=lambda one: _GRAVEST_FIRST.index(_weight(one)))
    rows = "".join(map(_row, findings[:_MAX_ROWS]))
    rest = len(findings) - _MAX_ROWS
    more = f"<p>and {_count(rest, 'more finding')}: see <code>rows()</code></p>" if rest > 0 else ""
    table = f'<table style="border-collapse:collapse"><tr>{heads}</tr>{rows}</table>'
    return table + more


def _weight(finding: Finding) -> str:
    """Return the verdict where it says more than the severity does."""
    telling = (Verdict.INCONCLUSIVE, Verdict.NOT_APPLICABLE)
    verdict = finding.verdict
    return verdict.value if verdict in telling else finding.severity.value


def _row(finding: Finding) -> str:
    cells = (
        _badge(_weight(finding)),
        _rule(finding),
        "<br>".join(map(_where, finding.locations)),
        _text(finding.message),
        _fix(finding),
    )
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _rule(finding: Finding) -> str:
    uri = finding.rule.help_uri or ""
    if not uri.startswith(("https://", "http://")):
        return _code(finding.rule.id, _RULE)
    return f'<a href="{_text(uri)}" rel="noopener">{_code(finding.rule.id, _RULE)}</a>'


def _where(location: Location) -> str:
    numbers = [str(n) for n in (location.line, location.column) if n is not None]
    symbol = f" {_code(location.symbol)}" if location.symbol else ""
    return _code(":".join((location.path, *numbers))) + symbol


def _fix(finding: Finding) -> str:
    """Show what to paste: a field ``corrected_command``, or else what Fixable promises."""
    command = detail(finding).get("corrected_command")
    if isinstance(command, Mapping):
        return _command(command.get("shell"), command.get("cost"))
    return _command(finding.fix, None) if isinstance(finding, Fixable) else ""


def _command(shell: object, cost: object) -> str:
    line = _code(shell) if isinstance(shell, str) and shell else ""
    price = f"<br><small>{_text(cost)}</small>" if isinstance(cost, str) and cost else ""
    return line + price


def _list(title: str, items: Iterable[str]) -> str:
    entries = "".join(f'<li style="overflow-wrap:anywhere">{item}</li>' for item in items)
    return f"<p><strong>{title}</strong></p><ul>{entries}</ul>" if entries else ""


def _not_seen(report: Report) -> Iterator[str]:
    if not report.outcomes:
        yield "no analyzer is installed"
    for outcome in report.outcomes:
        yield from _gap(outcome)


def _gap(outcome: Outcome) -> Iterator[str]:
    required = " (required)" if outcome.required else ""
    match outcome.state:
        case Skipped(reason=reason):
            yield f"{_code(outcome.analyzer)}{required} was skipped: {_text(reason)}"
        case Crashed() as crashed:
            yield f"{_code(outcome.analyzer)}{required} crashed: {_text(str(crashed))}"
        case Completed():
            return


def _notes(report: Report) -> Iterator[str]:
    for plugin in report.provenance.refused:
        yield (
            f"plugin {_code(plugin.name)} of {_code(plugin.distribution)} was refused: "
            f"{_text(plugin.reason)}"
        )
    yield from map(_text, report.provenance.notes)


def _provenance(report: Report) -> str:
    made = report.provenance
    evidence = (f"{piece.type} {piece.sha256[:12]}" for piece in made.evidence)
    words = (f"benchhygiene {made.benchhygiene}", *map(_version, made.plugins), *evidence)
    if not made.benchhygiene:
        return ""
    return f'<p style="opacity:.7"><small>{_text("; ".join(words))}</small></p>'


def _version(plugin: PluginVersion) -> str:
    if plugin.distribution is None:
        return plugin.name
    return f"{plugin.name} ({plugin.distribution} {plugin.version})"
