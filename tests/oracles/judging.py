"""Put two trees before the analyzer and say what it found."""

from __future__ import annotations

from collections.abc import Mapping

from benchhygiene import BaseFinding, Change
from benchhygiene.evidence import TreeEntry, WitnessPack
from benchhygiene_plugins.oracles import OracleEvidence, Oracles

Files = Mapping[str, "TreeEntry | bytes | str"]


def found(old: Files, new: Files, pack: WitnessPack | None = None) -> list[BaseFinding]:
    return list(Oracles().analyze(OracleEvidence(Change(dict(old), dict(new)), pack)))


def told(old: Files, new: Files, pack: WitnessPack | None = None) -> list[tuple[str, str, str]]:
    """Return rule, path and severity of each finding."""
    return sorted(
        (one.rule.id, one.locations[0].path, one.severity.value) for one in found(old, new, pack)
    )
