"""The analyzer ``pack-custody``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import AsOf, BaseFinding, Bundle, Change, Commits, WitnessPack
from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.pack_custody import findings
from benchhygiene_plugins.pack_custody.independence import (
    age,
    behind,
    compare,
    is_before_parent,
    is_of_candidate,
    sources_of,
)
from benchhygiene_plugins.pack_custody.material import Material, material

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class CustodyEvidence(Bundle):
    """The change, the pack that judges it, and what is known of their commits and of the day."""

    change: Change
    pack: WitnessPack | None = None
    commits: Commits | None = None
    as_of: AsOf | None = None


@attrs.frozen
class PackCustody:
    """Report trusted material that a candidate writes, and a pack that is no witness of its own.

    ``max_age_days`` is how old a pack may be that says nothing about it itself.
    """

    max_age_days: int | None = None
    name = "pack-custody"
    rules = findings.RULES
    consumes = CustodyEvidence

    def analyze(self, given: CustodyEvidence, /) -> Iterator[BaseFinding]:
        """Yield every part of a pack that is touched, and what makes the pack a poor witness."""
        touched: list[findings.MaterialTouched] = []
        for path in given.change.differing():
            before, after = _part(given.change.parent, path), _part(given.change.candidate, path)
            # Another layout of the same entries allows nothing new.
            if (before is not None or after is not None) and before != after:
                touched.append(findings.tampered(path, before, after))
        yield from touched
        yield from _same_author(given.change, touched)
        if given.pack is not None:
            yield from self._stale(given, given.pack)
            yield from _tracking(given, given.pack)

    def _stale(self, given: CustodyEvidence, pack: WitnessPack) -> Iterator[BaseFinding]:
        stated = pack.origin.max_age_days if pack.origin is not None else None
        limit = self.max_age_days if stated is None else stated
        days = None if given.as_of is None else age(pack, given.as_of.date)
        if limit is not None and days is not None and days > limit:
            yield findings.too_old(days, limit)
        if given.commits is not None and is_before_parent(pack, given.commits):
            left_behind = behind(pack, given.change.parent)
            if left_behind:
                yield findings.outdated(left_behind)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.pack_custody.cases import CASES

        return CASES


def _same_author(change: Change, touched: list[findings.MaterialTouched]) -> Iterator[BaseFinding]:
    """Yield one finding where source, a ledger and another part of a pack moved together."""
    parts = {one.part for one in touched}
    sources = tuple(sources_of(change.differing()))
    if sources and "ledger" in parts and len(parts) > 1:
        yield findings.same_author(touched, sources)


def _tracking(given: CustodyEvidence, pack: WitnessPack) -> Iterator[BaseFinding]:
    if given.commits is not None and is_of_candidate(pack, given.commits):
        yield findings.built_from_candidate()
        return
    found = compare(pack, given.change)
    if found.followed and not found.kept:
        yield findings.tracks(found.followed)


def _part(tree: SourceTree, path: str) -> Material | None:
    return material(tree, path) if path in tree.entries else None
