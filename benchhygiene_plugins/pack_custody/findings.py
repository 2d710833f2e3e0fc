"""The rule of ``pack-custody`` and its finding."""

from __future__ import annotations

import enum

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity
from benchhygiene_plugins.pack_custody.material import Material

TAMPERED = Rule(
    "pack.tampered",
    "A candidate brings or edits what only the pack may say",
    Severity.ERROR,
    edit="brings its own waivers, ledger or budgets",
    seen="files that are part of a pack by place or content",
    unseen="packs that the job fetches from elsewhere",
)

RULES = (TAMPERED,)
_MOST_SHOWN = 20  # entries of a part that are quoted


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
