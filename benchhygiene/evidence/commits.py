"""The commits that a change lies between, where it was taken from a repository."""

from __future__ import annotations

import datetime

import attrs


@attrs.frozen
class Commit:
    """One commit: its full id in hexadecimal, and when it was committed, in UTC."""

    identity: str
    committed: datetime.datetime


@attrs.frozen
class Commits:
    """What parent and candidate are commits of; None for a side that is no commit."""

    parent: Commit | None = None
    candidate: Commit | None = None
