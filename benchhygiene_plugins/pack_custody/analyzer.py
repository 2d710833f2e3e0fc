"""The analyzer ``pack-custody``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Change
from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.pack_custody import findings
from benchhygiene_plugins.pack_custody.material import Material, material

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class PackCustody:
    """Report trusted material that a candidate writes: waivers, ledger, campaign, manifest."""

    name = "pack-custody"
    rules = findings.RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield every part of a pack that is added, edited or deleted."""
        for path in change.differing():
            before, after = _part(change.parent, path), _part(change.candidate, path)
            # Another layout of the same entries allows nothing new.
            if (before is not None or after is not None) and before != after:
                yield findings.tampered(path, before, after)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.pack_custody.cases import CASES

        return CASES


def _part(tree: SourceTree, path: str) -> Material | None:
    return material(tree, path) if path in tree.entries else None
