"""The commands ``ledger add`` and ``ledger prune``: a person's edit of a ledger, whole or not."""

from __future__ import annotations

import datetime
import os

import attrs

from benchhygiene import sources
from benchhygiene.cli.ledger_checking import read_ledger
from benchhygiene.cli.output import write_file, write_stream
from benchhygiene.cli.parsing import Given
from benchhygiene.errors import InputError
from benchhygiene.evidence import as_of
from benchhygiene.evidence.ledger import AllowedAction, Ledger, LedgerEntry
from benchhygiene.evidence.pack import LEDGER, MANIFEST
from benchhygiene.formats.escape import escape
from benchhygiene.formats.ledger_text import with_entry, without_entries
from benchhygiene.inventory.failure_shapes import failure_of, shape
from benchhygiene.sources import pack_files


def add(given: Given) -> int:
    """Add an entry, and say so."""
    file = _File.read(given.arguments[0])
    entry = _entry(given)
    _require_new(entry, file, beside=given.has("--beside"))
    _require_allowed(entry, file)
    expected = attrs.evolve(file.ledger, entries=(*file.ledger.entries, entry))
    file.replace(with_entry(file.text, entry), expected, dry=given.has("--dry"))
    _say(
        f"{'would add' if given.has('--dry') else 'added'} {_told(entry)}",
        file,
        is_changed=not given.has("--dry"),
    )
    return 0


def prune(given: Given) -> int:
    """Take entries out, and say which."""
    file = _File.read(given.arguments[0])
    nodes, today = given.values("--node"), sources.as_of(given.date).date
    entries = file.ledger.entries
    unknown = sorted({*nodes} - {entry.node_id for entry in entries})
    if unknown:
        raise InputError(f"--node {unknown[0]}: {file.path} has no entry for it")
    gone = {
        at
        for at, entry in enumerate(entries)
        if (entry.node_id in nodes if nodes else entry.is_expired(today))
    }
    left = attrs.evolve(
        file.ledger, entries=[entry for at, entry in enumerate(entries) if at not in gone]
    )
    file.replace(without_entries(file.text, gone), left, dry=given.has("--dry"))
    verb = "would take out" if given.has("--dry") else "took out"
    told = [f"{verb} {_told(entries[at])}" for at in sorted(gone)]
    _say(
        "\n".join(told) or f"no entry has expired by {today}",
        file,
        is_changed=bool(gone) and not given.has("--dry"),
    )
    return 0


@attrs.frozen
class _File:
    """A ledger's file as it was read."""

    path: str
    text: str
    ledger: Ledger
    is_listed: bool  # in the manifest of a pack

    @classmethod
    def read(cls, path: str) -> _File:
        name = os.path.join(path, LEDGER) if os.path.isdir(path) else path
        if os.path.islink(name):
            raise InputError(f"{name}: is a link; a pack has none")
        data, found = read_ledger(name)
        return cls(name, data.decode(), found, os.path.exists(os.path.join(path, MANIFEST)))

    def replace(self, text: str, expected: Ledger, *, dry: bool) -> None:
        """Put the new text in place, once it reads as what it is meant to say."""
        if pack_files.ledger(text.encode(), self.path) != expected:
            raise InputError(f"{self.path}: is laid out in a way that cannot be edited; edit it")
        if not dry and text != self.text:
            write_file(self.path, text, self.path)


def _say(told: str, file: _File, *, is_changed: bool) -> None:
    lines = [*told.splitlines()]
    if is_changed and file.is_listed:
        lines.append(
            f"{MANIFEST} lists the ledger as it was: review the change, and write the manifest anew"
        )
    write_stream("".join(f"{escape(line)}\n" for line in lines))


def _told(entry: LedgerEntry) -> str:
    return f"{entry.allowed_action.value} {entry.node_id} until {entry.expires}"


def _entry(given: Given) -> LedgerEntry:
    _, node_id = given.arguments
    action = AllowedAction(given.value("--action") or "quarantine")
    today = sources.as_of(given.date).date
    seen = given.value("--seen")
    entry = LedgerEntry(
        node_id=node_id,
        first_seen=today if seen is None else day_of("--seen", seen),
        expires=day_of("--expires", _required(given, "--expires")),
        signature=_signature(given, node_id, action),
        owner=_required(given, "--owner"),
        allowed_action=action,
        renamed_to=given.value("--renamed"),
        reason=given.value("--reason"),
        issue=given.value("--issue"),
    )
    if entry.expires < max(entry.first_seen, today):
        raise InputError(f"--expires {entry.expires}: is over before it begins")
    return entry


def _required(given: Given, option: str) -> str:
    value = given.value(option)
    if value is None or not value.strip():
        raise InputError(f"{option} is missing; an entry needs one")
    return value


def day_of(option: str, value: str) -> datetime.date:
    """Return the day that an option gives; raises InputError that names the option."""
    try:
        return as_of.day(value)
    except InputError as error:
        raise InputError(f"{option} {value}: {error}") from error


def _signature(given: Given, node_id: str, action: AllowedAction) -> str:
    told, record = given.value("--signature"), given.value("--run")
    if told is not None and told.strip():
        return told
    if record is None:
        if action is not AllowedAction.QUARANTINE:
            return str(action.value)  # no failure is spoken of
        raise InputError("--signature is missing; give it, or a record of the failure with --run")
    runs = sources.outcomes(record).by_node.get(node_id, ())
    shapes = sorted({shape(each.failure) for each in runs if each.failure is not None})
    if len(shapes) != 1:
        found = f"{len(shapes)} shapes: {', '.join(shapes)}" if shapes else "no failure"
        raise InputError(f"--run {record}: has {found} of {node_id}; give --signature")
    return shapes[0]


def _require_new(entry: LedgerEntry, file: _File, *, beside: bool) -> None:
    """Refuse a second entry for a node: it would extend the first."""
    same = [
        each
        for each in file.ledger.entries
        if each.node_id == entry.node_id and each.allowed_action is entry.allowed_action
    ]
    if not same:
        return
    until = max(each.expires for each in same)
    known = {shape(failure_of(each.signature)) for each in same}
    is_another = shape(failure_of(entry.signature)) not in known
    if beside and is_another and entry.expires <= until:
        return
    if beside:
        why = "it may not hold longer than that" if is_another else "it is for the same failure"
        raise InputError(f"{entry.node_id}: has an entry until {until}: {why}")
    raise InputError(
        f"{entry.node_id}: has an entry until {until}, and nothing is extended; mend the test, or "
        f"take the entry out (benchhygiene ledger prune PACK --node {entry.node_id}) and agree on "
        "a new one; for another failure of the same test give --beside"
    )


def _require_allowed(entry: LedgerEntry, file: _File) -> None:
    """Refuse an entry that the ledger's policy forbids."""
    policy = file.ledger.policy
    if policy is None:
        return
    days = (entry.expires - entry.first_seen).days
    if policy.max_days is not None and days > policy.max_days:
        raise InputError(f"--expires: {days} days, and the policy allows {policy.max_days}")
    if policy.require_issue and entry.issue is None:
        raise InputError("--issue is missing; the policy requires one")
    live = sum(not each.is_expired(entry.first_seen) for each in file.ledger.entries)
    if policy.max_entries is not None and live >= policy.max_entries:
        raise InputError(
            f"{file.path}: has {live} entries that hold, and the policy allows "
            f"{policy.max_entries}; mend a test and take its entry out first"
        )
