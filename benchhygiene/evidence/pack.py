"""The oracle that the agent cannot write."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Mapping

import attrs

from benchhygiene.evidence.campaign import Campaign
from benchhygiene.evidence.ledger import Ledger
from benchhygiene.evidence.tree import SourceTree, TreeEntry
from benchhygiene.evidence.waivers import Waivers

MANIFEST = "MANIFEST.sha256"
LEDGER = "flakes/ledger.json"
WAIVERS = "waivers.json"
CAMPAIGN = "properties/campaign.toml"
TESTS = "tests/"
FIXTURES = "fixtures/"
CONTRACTS = "contracts/"


class PackFaultKind(enum.Enum):
    """What can be wrong with a pack before anybody reads its content."""

    DIGEST = "digest"  # other bytes than the manifest says, or than the digest that was asked for
    MANIFEST = "manifest"  # there is no manifest, or it cannot be understood
    MISSING = "missing"  # a listed file is not there
    UNLISTED = "unlisted"  # a file is there that the manifest does not list
    NAME = "name"  # leaves the pack, stands twice, or differs from another by case alone
    TYPE = "type"  # a link, FIFO, socket or device
    MODE = "mode"  # runs as another user, or is what no archive of ours has
    ARCHIVE = "archive"  # no tar, cut short, or not the one spelling that an archive has
    SIGNATURE = "signature"  # nobody who is trusted has signed it
    LIMIT = "limit"  # too many, too large, too deep
    UNREADABLE = "unreadable"


@attrs.frozen
class PackFault:
    """One thing that makes a pack unusable: its path within the pack, and what was expected."""

    kind: PackFaultKind
    path: str
    message: str

    @property
    def rule(self) -> str:
        """Return the id that the fault is reported under."""
        return f"pack.{self.kind.value}"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@attrs.frozen
class PackOrigin:
    """Where a pack was built from, as the head of its manifest says.

    ``commit`` is the full id of a commit of ``repository``, ``committed`` that commit's time in
    UTC. After ``max_age_days`` the people who built it take it for stale.
    """

    repository: str | None = None
    commit: str | None = None
    committed: datetime.datetime | None = None
    max_age_days: int | None = None


_READ = frozenset((MANIFEST, LEDGER, WAIVERS, CAMPAIGN))
_BYTES = (CONTRACTS, TESTS, FIXTURES)  # kept as they are, whatever they hold


def place(path: str) -> str | None:
    """Return where a file of a pack belongs in the tree under judgement, None for nowhere.

    ``tests/X`` belongs at ``tests/X``, and ``fixtures/X``, which is all the rest, at ``X``.
    """
    if path.startswith(TESTS):
        return path
    return path.removeprefix(FIXTURES) if path.startswith(FIXTURES) else None


def _is_unread(path: str) -> bool:
    """Return whether nobody looks at the file: most often its name has a slip in it."""
    return path not in _READ and not path.startswith(_BYTES)


def _as_tree(value: SourceTree | Mapping[str, TreeEntry | bytes | str]) -> SourceTree:
    return value if isinstance(value, SourceTree) else SourceTree(value)


@attrs.frozen(hash=False)
class WitnessPack:
    """A directory of trusted material: its files, and the parsed parts that it has.

    ``manifest_sha256`` is the digest of the manifest that every file was verified against, None
    where nobody verified anything; ``archive_sha256`` that of the archive it was read from.
    ``signers`` are the principals whose signatures were verified. ``directory`` is where the pack
    was read, a directory or an archive, None for a literal.
    """

    files: SourceTree = attrs.field(factory=SourceTree, converter=_as_tree)
    ledger: Ledger | None = None
    waivers: Waivers | None = None
    campaign: Campaign | None = None
    manifest_sha256: str | None = None
    directory: str | None = attrs.field(default=None, eq=False, repr=False)
    origin: PackOrigin | None = None
    archive_sha256: str | None = attrs.field(default=None, eq=False)
    signers: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...], eq=False)

    @property
    def laid_out(self) -> dict[str, str]:
        """Return the files by where they belong in the tree under judgement, sorted.

        Where a file of ``tests/`` and one of ``fixtures/`` belong to one place, the first wins.
        """
        found: dict[str, str] = {}
        for path in sorted(self.files.entries, key=lambda one: not one.startswith(TESTS)):
            target = place(path)
            if target is not None:
                found.setdefault(target, path)
        return dict(sorted(found.items()))

    @property
    def is_verified(self) -> bool:
        """Return whether every file is one that a manifest lists, with the bytes it lists."""
        return self.manifest_sha256 is not None

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a reader of a report made with this pack should know, sorted."""
        unread = (f"{path} is read by nothing" for path in self.files.entries if _is_unread(path))
        unverified = () if self.is_verified else ("has no manifest: nobody verified what it holds",)
        return tuple(sorted((*unverified, *unread)))

    @property
    def parts(self) -> tuple[Ledger | Waivers | Campaign, ...]:
        """Return the parsed parts it has: each is evidence on its own."""
        found = (self.ledger, self.waivers, self.campaign)
        return tuple(part for part in found if part is not None)
