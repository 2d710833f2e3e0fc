"""Compare the coverage that two sides demand."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene_plugins.configuration.files.coverage import (
    COVERAGE_FILES,
    CoverageSettings,
    left_in,
    number,
    omitted,
)
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.side import Side

_COMMAND = re.compile(
    r"--(?:cov-)?fail[-_]under"
    r"(?:[\"']?[ \t]*,[ \t]*[\"']|[= \t])[ \t]*[\"']?(\d{1,3}(?:\.\d{1,6})?)"
)
_TARGET = re.compile(r"(?m)^[ \t]*(?:- )?target:[ \t]*[\"']?(\d{1,3}(?:\.\d{1,6})?)%?[\"']?[ \t]*$")
_CODECOV = ("codecov.yml", ".codecov.yml", "codecov.yaml", ".codecov.yaml")
_SCRIPTS = (".yml", ".yaml", ".sh", ".bash", ".json", ".toml", ".cfg", ".ini", ".mk", ".cmd")
_NAMED = ("Makefile", "makefile", "GNUmakefile", "noxfile.py", "justfile", "Justfile", "tasks.py")
_EVERYTHING = frozenset(
    (
        ".*",
        ".+",
        ".",
        "^",
        "",
        "def",
        "def ",
        "def .*",
        "class",
        "return",
        "return .*",
        "if",
        "if .*",
    )
)


@attrs.frozen
class Lowered:
    """One floor that is lower, or measured over less; ``path`` is the file that says so."""

    path: str
    old: str
    new: str
    words: str


def lowered(change: Change, before: Side, after: Side) -> Iterator[Lowered]:
    """Yield every floor of the parent's that no longer holds."""
    seen: set[str] = set()
    for one in (*_effective(change, before, after), *_commands(change)):
        if one.path not in seen:
            seen.add(one.path)
            yield one


@attrs.frozen(eq=False)
class _Measured:
    """What is demanded of a run: the floor, the file that says so, and what it is held against."""

    settings: CoverageSettings
    floor: float
    path: str
    text: str
    is_measured: bool
    sources: tuple[str, ...]

    @classmethod
    def of(cls, side: Side) -> _Measured:
        words = side.words
        settings = CoverageSettings.of(side.tree, words.last("cov_config"))
        given = words.last("cov_fail_under")
        is_off = words.has("no_cov") or bool(
            {"no:cov", "no:pytest_cov", "no:_cov"} & {*words.every("plugins")}
        )
        if given:
            text = f"--cov-fail-under={given}"
            floor, path = number(given), side.settings.path
        else:
            text = f"fail_under = {settings.option('report.fail_under').text}"
            floor, path = settings.floor, settings.path
        sources = words.every("cov_source")
        return cls(
            settings, floor, path, text if floor else "", bool(sources) and not is_off, sources
        )


def _effective(change: Change, before: Side, after: Side) -> Iterator[Lowered]:
    named = {posixpath.basename(path) for path in change.differing()}
    chosen = {posixpath.basename(one.words.last("cov_config")) for one in (before, after)}
    if not named & {*COVERAGE_FILES, *CONFIG_FILES, *chosen}:
        return
    old, new = _Measured.of(before), _Measured.of(after)
    if not old.floor:
        return
    differing = frozenset(change.differing())
    if new.floor < old.floor:
        path = _first(differing, (new.path, new.settings.path, old.path, after.settings.path))
        words = f"the least coverage was {old.floor:g}, and is {new.floor:g}"
        yield Lowered(path, old.text, new.text, words)
    elif old.is_measured and not new.is_measured:
        path = _first(differing, (after.settings.path, before.settings.path))
        words = "coverage is no longer measured, so that its floor is held against nothing"
        yield Lowered(path, _said(before), _said(after), words)
    else:
        yield from _narrowed(change, old, new, before, after)


def _said(side: Side) -> str:
    return f"addopts = {side.settings.option('addopts').text}"


def _first(differing: frozenset[str], paths: Sequence[str]) -> str:
    """Return the first of these files that differs, else the first that is one."""
    named = [path for path in paths if path]
    return next((path for path in named if path in differing), named[0] if named else ".")


def _narrowed(
    change: Change, old: _Measured, new: _Measured, before: Side, after: Side
) -> Iterator[Lowered]:
    path = _first(frozenset(change.differing()), (new.settings.path, old.settings.path))
    more = _sources(change, omitted(new.settings, change.parent)) - omitted(
        old.settings, change.parent
    )
    if more:
        before_text, after_text = (one.settings.option("run.omit").text for one in (old, new))
        words = f"{len(more)} files are left out of what is measured: {', '.join(sorted(more)[:3])}"
        yield Lowered(path, before_text, after_text, words)
    paths = _sources(change, frozenset(change.parent.files(".py")))
    unmeasured = left_in(old.settings, paths) - left_in(new.settings, paths)
    if unmeasured:
        words = (
            f"{len(unmeasured)} files are no longer measured: {', '.join(sorted(unmeasured)[:3])}"
        )
        was_of, now_of = ("\n".join(_of_what(one.settings)) for one in (old, new))
        yield Lowered(path, was_of, now_of, words)
    for name in ("report.exclude_lines", "report.exclude_also"):
        was, now = (one.settings.option(name).lines for one in (old, new))
        blanket = [one for one in now if one.strip() in _EVERYTHING and one not in was]
        if blanket:
            words = f"lines that fit {blanket[0]!r} are left out of what is measured"
            yield Lowered(path, "\n".join(was), "\n".join(now), words)
    gone = {one for one in old.sources if one} - {*new.sources}
    if gone and new.sources and "" not in new.sources and not _covers(new.sources, gone):
        at = _first(frozenset(change.differing()), (after.settings.path, before.settings.path))
        words = f"{', '.join(sorted(gone))} is no longer measured"
        yield Lowered(at, _said(before), _said(after), words)


def _of_what(settings: CoverageSettings) -> Iterator[str]:
    for name in ("run.source", "run.include", "report.include"):
        if name in settings.options:
            yield f"{name} = {settings.option(name).text}"


def lowered_by_hooks(
    before: Side, settings: Mapping[str, tuple[str, Cause]], path: str
) -> Iterator[Lowered]:
    """Yield the floor that a hook lowers or has not measured; ``path`` is the file of settings."""
    old = _Measured.of(before)
    for name in ("cov_fail_under", "no_cov"):
        value, cause = settings.get(name, ("", Cause("")))
        if not value or cause.path in ("", path) or not old.floor:
            continue
        if (name == "no_cov" and value != "False") or (
            name == "cov_fail_under" and number(value) < old.floor
        ):
            words = f"the least coverage was {old.floor:g}, and a hook sets {name} to {value}"
            yield Lowered(cause.path, old.text, cause.text[:500], words)


def _covers(sources: Iterable[str], gone: Iterable[str]) -> bool:
    """Return whether what is measured now holds what was: ``src`` for ``src/money``."""
    return all(
        any(one in (".", name) or name.startswith((f"{one}/", f"{one}.")) for one in sources)
        for name in gone
    )


def _sources(change: Change, paths: frozenset[str]) -> frozenset[str]:
    """Return those of the files that are no tests."""
    return frozenset(
        path
        for path in paths
        if not any(part.startswith(("test", "conftest")) for part in path.split("/"))
        and change.candidate.is_file(path)
    )


def _commands(change: Change) -> Iterator[Lowered]:
    """Yield the floors in commands: of make, of CI, of whatever runs the tests."""
    for path in change.differing():
        name = posixpath.basename(path)
        is_script = path.endswith(_SCRIPTS) or name in _NAMED or name in _CODECOV
        if not is_script or not change.parent.is_file(path):
            continue
        pattern = _TARGET if name in _CODECOV else _COMMAND
        old, new = (_floors(tree, path, pattern) for tree in (change.parent, change.candidate))
        has_moved = not new and bool(old) and _is_elsewhere(change, max(old), pattern)
        if old and _is_less(old, new) and not has_moved:
            words = f"the least coverage was {max(old):g}, and is {max(new, default=0):g}"
            yield Lowered(path, _shown(old), _shown(new), words)


def _is_less(old: Sequence[float], new: Sequence[float]) -> bool:
    if len(old) == len(new):
        return any(after < before for before, after in zip(old, new, strict=True))
    return max(new, default=0.0) < max(old)


def _is_elsewhere(change: Change, floor: float, pattern: re.Pattern[str]) -> bool:
    """Return whether another file of the edit demands as much now: the floor has moved."""
    for path in change.differing():
        if change.candidate.is_file(path) and path.endswith(_SCRIPTS):
            had = _floors(change.parent, path, pattern)
            if floor in _floors(change.candidate, path, pattern) and floor not in had:
                return True
    return CoverageSettings.of(change.candidate).floor >= floor


def _shown(floors: Sequence[float]) -> str:
    return "\n".join(f"{one:g}" for one in floors)


def _floors(tree: SourceTree, path: str, pattern: re.Pattern[str]) -> list[float]:
    if not tree.is_file(path):
        return []
    try:
        data = tree.read(path)
    except EvidenceUnavailable:
        return []
    text = data[: 1 << 20].decode("utf-8", errors="replace")
    live = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [float(found) for found in pattern.findall(live)]
