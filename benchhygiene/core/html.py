"""A report as one self-contained piece of HTML, for notebooks.

Every style is inline and every colour either inherited or paired with its own background, so that
it reads the same in light and in dark notebooks and where style sheets are stripped.
"""

from __future__ import annotations

import collections
import html
from collections.abc import Iterable, Iterator, Mapping

from benchhygiene.core.findings import Finding, Fixable, Location, Verdict, detail
from benchhygiene.core.provenance import PluginVersion
from benchhygiene.core.report import (
    Completed,
    Crashed,
    Outcome,
    Report,
    Skipped,
    WaivedFinding,
    WaiverState,
)

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
# A command is pasted, a path searched for: spaces that would collapse must not.
_CODE = "font-family:monospace;padding:0;background:none;color:inherit"
_WHOLE = f"{_CODE};white-space:pre"
_PROSE = "overflow-wrap:anywhere"
_BROKEN = f"{_CODE};white-space:pre-wrap;{_PROSE}"
_LONG = 48  # characters of code that are still worth a line of their own
_SAME_FIX = '<div style="margin-top:4px">Instead: the same as above</div>'
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
        _list("Waived", _all_waived(report)),
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


def _code(value: str) -> str:
    style = _WHOLE if len(value) <= _LONG else _BROKEN
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
    badge = f'<strong style="font-size:1.15em">{_badge(report.verdict.value)}</strong>'
    waived = f", {len(report.waived)} waived" if report.waived else ""
    return f"<p>{badge} {found}{_weights(report)}{waived}; {ran} of {analyzers} completed</p>"


def _weights(report: Report) -> str:
    if len(report.findings) < 2:
        return ""
    counted = collections.Counter(map(_weight, report.findings))
    words = (_weighed(counted[word], word) for word in _GRAVEST_FIRST if counted[word])
    return f" ({', '.join(words)})"


def _weighed(number: int, word: str) -> str:
    is_noun = word in ("error", "warning", "note")
    return _count(number, word) if is_noun else f"{number} {word.replace('_', ' ')}"


def _table(report: Report) -> str:
    if not report.reported:
        return ""
    heads = "".join(
        f'<th scope="col" style="{_CELL}">{head}</th>'
        for head in ("severity", "rule", "where", "what")
    )
    findings = sorted(report.findings, key=lambda one: _GRAVEST_FIRST.index(_weight(one)))
    rows = "".join(_rows(findings[:_MAX_ROWS]))
    rest = len(findings) - _MAX_ROWS
    more = f"<p>and {_count(rest, 'more finding')}: see <code>rows()</code></p>" if rest > 0 else ""
    table = f'<table style="border-collapse:collapse"><tr>{heads}</tr>{rows}</table>'
    return table + more


def _weight(finding: Finding) -> str:
    """Return the verdict where it says more than the severity does."""
    telling = (Verdict.INCONCLUSIVE, Verdict.NOT_APPLICABLE)
    verdict = finding.verdict
    return verdict.value if verdict in telling else finding.severity.value


def _rows(findings: Iterable[Finding]) -> Iterator[str]:
    shown: set[str] = set()
    for finding in findings:
        fix = _fix(finding)
        yield _row(finding, _SAME_FIX if fix and fix in shown else fix)
        shown.add(fix)


def _row(finding: Finding, fix: str) -> str:
    cells = (
        _badge(_weight(finding)),
        _rule(finding),
        "<br>".join(map(_where, finding.locations)),
        f'<div style="{_PROSE}">{_text(finding.message)}</div>{fix}',
    )
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _rule(finding: Finding) -> str:
    uri = finding.rule.help_uri or ""
    if not uri.startswith(("https://", "http://")):
        return _code(finding.rule.id)
    return f'<a href="{_text(uri)}" rel="noopener">{_code(finding.rule.id)}</a>'


def _where(location: Location) -> str:
    numbers = [str(n) for n in (location.line, location.column) if n is not None]
    place = ":".join((location.path, *numbers)) if location.path else ""
    return "<br>".join(_code(part) for part in (place, location.symbol) if part)


def _fix(finding: Finding) -> str:
    """Show what to paste: a field ``corrected_command``, or else what Fixable promises."""
    command = detail(finding).get("corrected_command")
    if isinstance(command, Mapping):
        return _command(command.get("shell"), command.get("cost"))
    return _command(finding.fix, None) if isinstance(finding, Fixable) else ""


def _command(shell: object, cost: object) -> str:
    if not isinstance(shell, str) or not shell:
        return ""
    price = f"<br><small>Cost: {_text(cost)}</small>" if isinstance(cost, str) and cost else ""
    line = f'<code style="{_BROKEN}">{_text(shell)}</code>'
    return f'<div style="{_PROSE};margin-top:4px">Instead: {line}{price}</div>'


def _list(title: str, items: Iterable[str]) -> str:
    entries = "".join(f'<li style="{_PROSE}">{item}</li>' for item in items)
    return f"<p><strong>{title}</strong></p><ul>{entries}</ul>" if entries else ""


def _not_seen(report: Report) -> Iterator[str]:
    if not report.outcomes:
        yield "no analyzer is installed"
    for outcome in report.gaps:
        yield from _gap(outcome)


def _all_waived(report: Report) -> Iterator[str]:
    yield from map(_waived, report.waived[:_MAX_ROWS])
    rest = len(report.waived) - _MAX_ROWS
    if rest > 0:
        yield f"and {_count(rest, 'more finding')}"


def _waived(waived: WaivedFinding) -> str:
    finding = waived.reported.finding
    where = ", ".join(map(_where, finding.locations[:1]))
    until = f"approved by {_text(waived.approved_by)} until {waived.expires}"
    said = f"{_rule(finding)} {where} {_text(finding.message)}"
    return f"{said}<br><small>{until}: {_text(waived.reason)}</small>"


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
    for waiver in report.waivers:
        if waiver.state is not WaiverState.USED:
            yield _text(str(waiver))
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
