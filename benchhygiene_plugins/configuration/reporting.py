"""Put what was found into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchhygiene import BaseFinding, Location, Severity, SymbolKind, Verdict
from benchhygiene.evidence import Change
from benchhygiene_plugins.configuration import findings
from benchhygiene_plugins.configuration.files.settings import Settings
from benchhygiene_plugins.configuration.floors import Lowered
from benchhygiene_plugins.configuration.losses import Dropped, blamed
from benchhygiene_plugins.configuration.protocols import Loading
from benchhygiene_plugins.configuration.quarantine import Quarantine
from benchhygiene_plugins.configuration.reruns.comparison import Added, Looping
from benchhygiene_plugins.configuration.reruns.counting import More
from benchhygiene_plugins.configuration.selection import Loss
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.side import Side
from benchhygiene_plugins.configuration.strictness import Drop

_NAMED = 20  # tests that one finding names
_LONGEST = 1_000  # characters of a text that a finding carries


def deselected(
    change: Change, dropped: Iterable[Dropped], before: Side, after: Side, quarantine: Quarantine
) -> Iterator[BaseFinding]:
    """Yield a finding for each file that takes tests away, and why it does."""
    groups: dict[tuple[str, str, str], list[Dropped]] = {}
    for one in dropped:
        for path in blamed(change, one, before, after):
            own = one.node_id if one.node is not None and one.node.path == path else ""
            groups.setdefault((path, one.loss.words, own), []).append(one)
    for (path, words, own), several in sorted(groups.items(), key=lambda each: each[0]):
        yield _deselected(path, words, own, several, before, after, quarantine)


def _deselected(
    path: str,
    words: str,
    own: str,
    several: Sequence[Dropped],
    before: Side,
    after: Side,
    quarantine: Quarantine,
) -> BaseFinding:
    cause = several[0].loss.cause
    ids = [one.node_id for one in several]
    held = all(quarantine.holds(one) for one in ids)
    loose = [one for one in several if not quarantine.holds(one.node_id)]
    chance = "may not be" if _is_conditional(loose or several) else "are not"
    line = cause.line if cause.path == path else None
    node = several[0].node
    at = Location(path, line)
    if own:
        at = Location(path, None if node is None else node.line, None, own, SymbolKind.NODE)
    return findings.NodesDeselected(
        rule=findings.DESELECTED,
        message=(
            f"{len(ids)} of the parent's tests {chance} run any more: {words}; "
            f"{_first_of(ids)}{'; the ledger quarantines them' if held else ''}"
        ),
        severity=Severity.NOTE if held else None,
        locations=(at, *(_node(one) for one in several[:_NAMED] if not own)),
        old_text=_shown(before.settings, cause, before),
        new_text=_shown(after.settings, cause, after)[:_LONGEST],
        reason=words,
        count=len(ids),
        is_conditional=_is_conditional(loose or several),
        quarantined=held,
    )


def _is_conditional(several: Iterable[Dropped]) -> bool:
    return all(frozenset[tuple[str, bool]]() not in one.loss.when for one in several)


def _first_of(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return f"{', '.join(ids[:3])}{more}"


def _node(one: Dropped) -> Location:
    path = one.node_id.partition("::")[0]
    line = None if one.node is None else one.node.line
    return Location(path, line, None, one.node_id, SymbolKind.NODE)


def _shown(settings: Settings, cause: Cause, side: Side) -> str:
    """Return what a side says where the cause is: the hook itself, or the words of the file."""
    if cause.path and cause.path != settings.path:
        return cause.text if side.tree.is_file(cause.path) else ""
    lines = [
        f"{name} = {settings.option(name).text}" for name in _SHOWN if name in settings.options
    ]
    return "\n".join(lines)[:_LONGEST]


_SHOWN = (
    "addopts",
    "testpaths",
    "python_files",
    "python_classes",
    "python_functions",
    "norecursedirs",
)


def stopping(path: str, name: str, loss: Loss) -> BaseFinding:
    """Return the finding for a run that may end before its end."""
    return findings.NodesDeselected(
        rule=findings.DESELECTED,
        message=f"not every test of the parent's need be run any more: {loss.words} ({name})",
        locations=(Location(path, loss.cause.line if loss.cause.path == path else None),),
        new_text=loss.cause.text or name,
        reason=loss.words,
        count=0,
        is_conditional=True,
    )


def laxer(path: str, drop: Drop) -> BaseFinding:
    """Return the finding for something strict that no longer is."""
    return findings.ConfigurationChanged(
        rule=findings.CHANGED,
        message=f"{drop.words}: {drop.option} was {_or_none(drop.old)}, is {_or_none(drop.new)}",
        severity=Severity.ERROR,
        locations=(Location(path, None, None, drop.option, SymbolKind.OPTION),),
        old_text=drop.old[:_LONGEST],
        new_text=drop.new[:_LONGEST],
        options=(drop.option,),
        is_laxer=True,
    )


def _or_none(text: str) -> str:
    return repr(text.strip()[:120]) if text.strip() else "nothing"


def edited(path: str, names: Sequence[str], old: str, new: str) -> BaseFinding:
    """Return the finding for an edit of configuration that hides nothing."""
    return findings.ConfigurationChanged(
        rule=findings.CHANGED,
        message=f"configuration of the tests differs ({', '.join(names)}); no test is lost by it",
        locations=(Location(path),),
        old_text=old[:_LONGEST],
        new_text=new[:_LONGEST],
        options=tuple(names),
    )


def lowered(one: Lowered) -> BaseFinding:
    """Return the finding for less coverage that is demanded."""
    return findings.CoverageLowered(
        rule=findings.LOWERED,
        message=f"less coverage is demanded: {one.words}",
        locations=(Location(one.path),),
        old_text=one.old[:_LONGEST],
        new_text=one.new[:_LONGEST],
        reason=one.words,
    )


def more_reruns(one: More) -> BaseFinding:
    """Return the finding for reruns of every test."""
    return findings.RerunAdded(
        rule=findings.RERUN,
        message=f"a test that fails may pass the next time: {one.words}",
        locations=(Location(one.path),),
        old_text=one.old[:_LONGEST],
        new_text=one.new[:_LONGEST],
        times=int(one.new) if one.new.isdecimal() else None,
    )


def rerun(one: Added, quarantine: Quarantine) -> BaseFinding:
    """Return the finding for one test that is run again."""
    held = quarantine.holds(one.node.node_id)
    at = Location(one.node.path, one.node.line, None, one.node.node_id, SymbolKind.NODE)
    further = (Location(one.path, one.line),) if one.path != one.node.path else ()
    return findings.RerunAdded(
        rule=findings.RERUN,
        message=(
            f"the test is run again when it fails, {one.words}"
            f"{'; the ledger quarantines it' if held else ''}"
        ),
        severity=Severity.NOTE if held else None,
        locations=(at, *further),
        old_text=one.old_text,
        new_text=one.new_text,
        times=one.times,
        quarantined=held,
    )


def rerun_by_hook(path: str, line: int | None, text: str, words: str) -> BaseFinding:
    """Return the finding for a hook that has tests run again."""
    return findings.RerunAdded(
        rule=findings.RERUN,
        message=f"a test that fails may pass the next time: {words}",
        locations=(Location(path, line),),
        new_text=text[:_LONGEST],
        times=None,
    )


def unseen(path: str, line: int | None, reason: str, text: str = "") -> BaseFinding:
    """Return the finding for what could not be read or followed."""
    return findings.ConfigurationUnseen(
        rule=findings.UNSEEN,
        message=f"nobody can tell whether every test is still run: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=(Location(path, line),),
        new_text=text[:_LONGEST],
        reason=reason,
    )


def left_out(one: Loading) -> BaseFinding:
    """Return the finding for a ``load_tests`` that leaves tests out."""
    return findings.NodesDeselected(
        rule=findings.DESELECTED,
        message="load_tests does not hand on the tests of its module: unittest no longer runs them",
        locations=(Location(one.path, one.line),),
        new_text=one.text,
        reason="load_tests",
        count=0,
    )


def looping(one: Looping) -> BaseFinding:
    """Return the finding for a hook that runs a test in a loop."""
    return rerun_by_hook(one.path, one.line, one.text, "a hook runs a test in a loop")
