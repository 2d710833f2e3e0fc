"""Say shortly which configuration file counts and why, from an exhibit of that shape."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from benchhygiene.core.json import JSON
from benchhygiene.formats.escape import escape
from benchhygiene.formats.layout import Line, Span, cells, line, wrap

_MOST_LINKS = 12
_WIDEST_PATH = 40
_LABELS = {"rootdir": "rootdir", "inifile": "config file", "arguments": "pytest reads"}


def resolution(exhibits: JSON, width: int | None) -> Iterator[Line]:
    """Yield the chain of candidate files and what pytest makes of them.

    Yields nothing unless the exhibit is an object with a ``chain``.
    """
    if not isinstance(exhibits, Mapping) or "chain" not in exhibits:
        return
    yield line()
    yield line(Span("Why this configuration", "strong"))
    yield from _chain(_list(exhibits["chain"]), width, _nothing(exhibits))
    for key, label in _LABELS.items():
        if key in exhibits:
            yield from _labelled(label, _value(exhibits[key]), width)
    yield from _conftests(_list(exhibits.get("conftests")), width)
    yield from _ending(exhibits, width)


def _nothing(exhibits: Mapping[str, JSON]) -> str:
    """Say why the chain is empty: nothing was found, or nothing was looked for."""
    stopped = exhibits.get("abort") is not None and exhibits.get("rootdir") is None
    return "pytest stops before it looks" if stopped else "no configuration file is in reach"


def _conftests(paths: Sequence[JSON], width: int | None) -> Iterator[Line]:
    if paths:
        more = f" and {len(paths) - _MOST_LINKS} more" if len(paths) > _MOST_LINKS else ""
        yield from _labelled("conftests", f"{_value(paths[:_MOST_LINKS])}{more}", width)


def _chain(links: Sequence[JSON], width: int | None, nothing: str) -> Iterator[Line]:
    shown = [link for link in links if isinstance(link, Mapping)]
    if not shown:
        yield line(f"  {nothing}")
    paths = [escape(_value(link.get("path"))) for link in shown[:_MOST_LINKS]]
    left = min(max(map(cells, paths), default=0), _WIDEST_PATH)
    for path, link in zip(paths, shown, strict=False):
        outcome = _value(link.get("outcome"))
        style = {"won": "pass", "broke": "error"}.get(outcome, "faint")
        pad = " " * (left - cells(path))
        first = line(f"  {path}{pad}  ", Span(f"{outcome:<7}", style), "  ")
        yield from wrap(_value(link.get("reason")), width, " " * (left + 13), first)
    if len(shown) > _MOST_LINKS:
        yield line(f"  and {len(shown) - _MOST_LINKS} more")


def _list(value: JSON) -> Sequence[JSON]:
    return () if isinstance(value, str) or not isinstance(value, Sequence) else value


def _ending(exhibits: Mapping[str, JSON], width: int | None) -> Iterator[Line]:
    abort = exhibits.get("abort")
    if isinstance(abort, Mapping):
        ending = f"before any test with exit status {_value(abort.get('exit'))}"
        yield from _labelled("stops", f"{ending}: {_value(abort.get('reason'))}", width)
    if "fails_passing_suite" in exhibits:
        answer = exhibits["fails_passing_suite"]
        fails = "the exit status says failure" if answer else "the exit status says success"
        says = "the exit status cannot be known" if answer is None else fails
        yield from _labelled("if all pass", says, width)


def _labelled(label: str, value: str, width: int | None) -> Iterator[Line]:
    first = f"  {label + ':':<13} "
    return wrap(value, width, " " * len(first), line(first))


def _value(value: JSON) -> str:
    """Return how a person writes the value: nothing is ``-``, a list is shell words."""
    if value is None:
        return "-"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return shlex.join(map(_value, value)) or "-"
    return str(value)
