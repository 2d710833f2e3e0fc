"""Findings that a person has looked at and excused."""

from __future__ import annotations

import datetime

import attrs


@attrs.frozen(kw_only=True)
class Waiver:
    """One excuse: the findings of rule ``kind`` at a path, until a day (that day included).

    ``node_id`` is the exact node, needed where the finding has one and refused where it has none. A
    ``fingerprint`` narrows the waiver to that one edit.
    """

    path: str
    kind: str
    reason: str
    approved_by: str
    expires: datetime.date
    node_id: str | None = None
    fingerprint: str | None = None

    def is_expired(self, on: datetime.date) -> bool:
        """Return whether the waiver's last day lies before this one."""
        return self.expires < on

    def binds(self, *, path: str, kind: str, node_id: str | None, fingerprint: str) -> bool:
        """Return whether a finding with these marks is the one that was excused."""
        if (self.path, self.kind, self.node_id) != (path, kind, node_id):
            return False
        return self.fingerprint in (None, fingerprint)


@attrs.frozen
class Waivers:
    """The waivers of ``waivers.json``, in the file's order."""

    waivers: tuple[Waiver, ...] = attrs.field(default=(), converter=tuple[Waiver, ...])
