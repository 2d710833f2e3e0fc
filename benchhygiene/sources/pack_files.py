"""The parsed parts of a witness pack, each from the bytes of its file."""

from __future__ import annotations

import datetime
import enum
import json
import re
from collections.abc import Callable

import attrs

from benchhygiene.core.findings import is_rule_id
from benchhygiene.core.json import JSON
from benchhygiene.errors import InputError
from benchhygiene.evidence import as_of, pack
from benchhygiene.evidence.campaign import Budget, Campaign
from benchhygiene.evidence.ledger import AllowedAction, Ledger, LedgerEntry, LedgerPolicy
from benchhygiene.evidence.waivers import Waiver, Waivers
from benchhygiene.sources.documents import Unexpected, json_of, shown, structured, toml_of

_SCHEMAS = {pack.LEDGER: "ledger", pack.WAIVERS: "waivers", pack.CAMPAIGN: "campaign"}
_FINGERPRINT = re.compile(r"v1:[0-9a-f]{32}")


class _Version(enum.Enum):
    """The versions of a file's form that can be read."""

    ONE = 1


@attrs.frozen
class _LedgerFile:
    version: _Version
    entries: tuple[LedgerEntry, ...]
    policy: LedgerPolicy | None = None


@attrs.frozen
class _WaiversFile:
    version: _Version
    waivers: tuple[Waiver, ...]


def ledger(data: bytes, name: str = pack.LEDGER) -> Ledger:
    """Return the ledger that the bytes of a ``ledger.json`` hold.

    Raises InputError that names the file, and each wrong key by its path in it.
    """
    read = structured(json_of(data, name), _LedgerFile, name, _HOOKS)
    return Ledger(read.entries, read.policy)


def waivers(data: bytes, name: str = pack.WAIVERS) -> Waivers:
    """Return the waivers that the bytes of a ``waivers.json`` hold; raises InputError as above."""
    read = structured(json_of(data, name), _WaiversFile, name, _HOOKS)
    for index, waiver in enumerate(read.waivers):
        _require_names(waiver, f"{name}: waivers[{index}]")
    return Waivers(read.waivers)


def campaign(data: bytes, name: str = pack.CAMPAIGN) -> Campaign:
    """Return the budgets that the bytes of a ``campaign.toml`` hold; raises InputError as above."""
    return Campaign(structured(toml_of(data, name), dict[str, Budget], name, _HOOKS))


def pack_schemas() -> dict[str, JSON]:
    """Return the JSON Schema (draft 2020-12) of each parsed part, by its path in a pack.

    What a schema cannot say is said where it is described: a JSON number that is whole but written
    ``1.0`` is refused, and so is a key that stands twice.
    """
    return {path: _schema(name) for path, name in _SCHEMAS.items()}


def _schema(name: str) -> JSON:
    from importlib import resources  # as slow as reading a whole pack

    source = resources.files("benchhygiene.sources").joinpath("schemas", f"{name}.schema.json")
    parsed: JSON = json.loads(source.read_text(encoding="utf-8"))
    return parsed


def _require_names(waiver: Waiver, where: str) -> None:
    if not is_rule_id(waiver.kind):
        raise InputError(f"{where}.kind: expected a rule's id, not {shown(waiver.kind)}")
    if waiver.fingerprint is not None and not _FINGERPRINT.fullmatch(waiver.fingerprint):
        raise InputError(
            f"{where}.fingerprint: expected v1: and 32 hexadecimal digits, as a report shows it, "
            f"not {shown(waiver.fingerprint)}"
        )


def _day(value: object) -> datetime.date:
    if not isinstance(value, str):
        raise Unexpected(f"expected a day as YYYY-MM-DD, not {shown(value)}")
    return as_of.day(value)


def _action(value: object) -> AllowedAction:
    known = [action.value for action in AllowedAction]
    if value not in known:
        raise Unexpected(f"expected one of {', '.join(known)}, not {shown(value)}")
    return AllowedAction(value)


def _version(value: object) -> _Version:
    if type(value) is not int or value != _Version.ONE.value:
        raise Unexpected(f"expected version 1, the only one there is, not {shown(value)}")
    return _Version.ONE


_HOOKS: dict[type, Callable[[object], object]] = {
    datetime.date: _day,
    AllowedAction: _action,
    _Version: _version,
}
