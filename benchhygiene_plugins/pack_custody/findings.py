"""The rule of ``pack-custody`` and its finding."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity
from benchhygiene.evidence.pack import MANIFEST
from benchhygiene_plugins.pack_custody.material import Material

TAMPERED = Rule(
    "pack.tampered",
    "A candidate brings or edits what only the pack may say",
    Severity.ERROR,
    edit="brings its own waivers, ledger or budgets",
    seen="files that are part of a pack by place or content",
    unseen="packs that the job fetches from elsewhere",
)

STALE = Rule(
    "pack.stale",
    "The pack is older than it may be, or than what the parent's tests say",
    Severity.WARNING,
)
TRACKS_CANDIDATE = Rule(
    "pack.tracks_candidate",
    "The pack says what the candidate says: it is no second witness",
    Severity.WARNING,
)
SAME_AUTHOR = Rule(
    "pack.same_author",
    "One change moves source, ledger and pack",
    Severity.WARNING,
)

RULES = (TAMPERED, STALE, TRACKS_CANDIDATE, SAME_AUTHOR)
_MOST_SHOWN = 20  # entries of a part that are quoted
_MOST_NAMED = 3


class Deed(enum.Enum):
    """What the candidate did to a part of a pack."""

    ADDED = "brings"
    EDITED = "edits"
    DELETED = "deletes"


@attrs.frozen(kw_only=True)
class MaterialTouched(BaseFinding):
    """A ledger, waivers, a campaign, a manifest or a signature is part of the candidate's edit."""

    part: str
    deed: Deed


@attrs.frozen(kw_only=True)
class PackStale(BaseFinding):
    """The pack was built too long ago, or the parent's tests have moved on since.

    ``days`` is its age, None where it is the parent that is younger; ``files`` are then the
    parent's that the pack has otherwise.
    """

    days: int | None = None
    files: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class CandidateTracked(BaseFinding):
    """The pack was built from the candidate, or has its tests; ``files`` are those it changed."""

    files: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class OneAuthor(BaseFinding):
    """Source, ledger and pack moved in one change."""

    files: tuple[str, ...]


def too_old(days: int, limit: int) -> PackStale:
    """Return the finding about a pack that is older than is stated."""
    return PackStale(
        rule=STALE,
        message=f"the pack's commit is {days} days old, more than the {limit} it may be: build it "
        "anew from a commit that people have agreed on",
        locations=(Location(MANIFEST),),
        days=days,
    )


def outdated(files: tuple[str, ...]) -> PackStale:
    """Return the finding about a pack that the parent has left behind."""
    return PackStale(
        rule=STALE,
        message=f"the pack was built before the parent, which has {_named(files)} otherwise: it "
        "scores a product that is gone",
        locations=(Location(MANIFEST), *map(Location, files[:_MOST_SHOWN])),
        files=files,
    )


def built_from_candidate() -> CandidateTracked:
    """Return the finding about a pack that was built from the commit it is to judge."""
    return CandidateTracked(
        rule=TRACKS_CANDIDATE,
        message="the pack was built from the candidate's own commit: its tests are the candidate's "
        "word; build it from the parent",
        locations=(Location(MANIFEST),),
    )


def tracks(files: tuple[str, ...]) -> CandidateTracked:
    """Return the finding about a pack that has everything as the candidate has it."""
    return CandidateTracked(
        rule=TRACKS_CANDIDATE,
        message=f"wherever the candidate changes what the pack holds ({_named(files)}), the pack "
        "has the candidate's bytes: it follows the change that it is to judge",
        locations=(Location(MANIFEST), *map(Location, files[:_MOST_SHOWN])),
        files=files,
    )


def same_author(touched: Sequence[MaterialTouched], sources: tuple[str, ...]) -> OneAuthor:
    """Return the finding about a change that moves the code and all that judges it."""
    paths = tuple(one.locations[0].path for one in touched)
    parts = ", ".join(sorted({one.part for one in touched}))
    return OneAuthor(
        rule=SAME_AUTHOR,
        message=f"one change moves source ({_named(sources)}) and {parts}: whoever writes the code "
        "must not write what it is judged by; a person changes the pack, and in another change",
        locations=tuple(map(Location, paths)),
        files=(*paths, *sources),
    )


def _named(paths: Sequence[str]) -> str:
    rest = len(paths) - _MOST_NAMED
    names = ", ".join(paths[:_MOST_NAMED])
    return f"{names} and {rest} more" if rest > 0 else names


def tampered(path: str, before: Material | None, after: Material | None) -> MaterialTouched:
    """Return the finding about one file; at least one side is a part of a pack."""
    deed = Deed.ADDED if before is None else Deed.DELETED if after is None else Deed.EDITED
    part = (after or before or Material("pack")).part
    return MaterialTouched(
        rule=TAMPERED,
        message=f"the candidate {deed.value} a {part}: it excuses nothing from here; "
        "what is excused is said in a pack that the candidate cannot write",
        locations=(Location(path),),
        old_text=_quoted(before, after),
        new_text=_quoted(after, before),
        part=part,
        deed=deed,
    )


def _quoted(one: Material | None, other: Material | None) -> str:
    known = frozenset(other.entries) if other is not None else frozenset[str]()
    own = [entry for entry in (one.entries if one is not None else ()) if entry not in known]
    more = [f"and {len(own) - _MOST_SHOWN} more"] if len(own) > _MOST_SHOWN else []
    return "\n".join((*own[:_MOST_SHOWN], *more))
