"""Show the cases an analyzer ships: evidence that breaks a rule, and its innocent twin."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator
from typing import cast

from benchhygiene.core.findings import Rule
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.invocation import PytestInvocation
from benchhygiene.evidence.ledger import Ledger
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.formats.edits import edit
from benchhygiene.formats.layout import Line, Span, line
from benchhygiene.testing import Case

_MOST_LINES = 20  # of one file


def examples(analyzer: object, rule: Rule) -> Iterator[Line]:
    """Yield one case that breaks the rule and one that does not, where ``analyzer.cases`` has them.

    The attribute is optional: a tuple of what ``benchhygiene.testing.case`` returns.
    """
    cases = [case for case in _cases(analyzer) if isinstance(case, Case)]
    broken = [case for case in cases if rule.id in case.reports]
    innocent = [case for case in cases if rule.id in case.innocent_of]
    for title, found in (("Reported", broken), ("Not reported", innocent)):
        for case in found[:1]:
            yield line()
            yield line(Span(f"{title}:", "strong"), f" {case.name}")
            for piece in case.evidence:
                yield from _evidence(piece)


def _cases(analyzer: object) -> tuple[object, ...]:
    cases: object = getattr(analyzer, "cases", ())
    return cast("tuple[object, ...]", cases) if isinstance(cases, tuple) else ()


def _evidence(piece: object) -> Iterator[Line]:
    if isinstance(piece, PytestInvocation):
        yield from _invocation(piece)
    elif isinstance(piece, Change):
        yield from _change(piece)
    elif isinstance(piece, Ledger):
        for entry in piece.entries:
            yield line(f"  ledger: {entry.allowed_action.value} {entry.node_id}")
            yield line(f"    from {entry.first_seen} to {entry.expires}: {entry.signature}")
    elif isinstance(piece, AsOf):
        yield line(f"  as of {piece.date}")
    else:
        yield line(f"  {piece!r}"[:500])


def _change(change: Change) -> Iterator[Line]:
    """Show what differs, in each file that does."""
    for path in change.differing():
        yield line(Span(f"  {path}", "strong"))
        found = change.candidate.entries.get(path)
        if found is not None and found.error is not None:
            yield line(f"    in the candidate: {found.error}")
        else:
            yield from edit(_text(change.parent, path), _text(change.candidate, path), None)


def _text(tree: SourceTree, path: str) -> str:
    """Return a file's text, empty where there is none."""
    try:
        return tree.read(path).decode("utf-8", "replace")
    except EvidenceUnavailable:
        return ""


def _invocation(evidence: PytestInvocation) -> Iterator[Line]:
    variables = (f"{name}={shlex.quote(value)}" for name, value in evidence.environ)
    command = (*variables, "python -m pytest", shlex.join(evidence.args))
    yield line(f"  $ cd {shlex.quote(evidence.cwd)}; {' '.join(filter(None, command))}")
    yield line(f"    (pytest {evidence.pytest}, Python {evidence.python})")
    for path, entry in evidence.files.entries.items():
        if entry.data is not None:
            yield line(Span(f"  {posixpath.relpath(path, evidence.cwd)}", "strong"))
            yield from _content(entry.data)


def _content(data: bytes) -> Iterator[Line]:
    lines = data.decode("utf-8", "replace").splitlines()
    for text in lines[:_MOST_LINES]:
        yield line("    | ", text.replace("\t", "    "))
    if len(lines) > _MOST_LINES:
        yield line(f"    | and {len(lines) - _MOST_LINES} more lines")
