"""The findings that facts about oracles amount to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from benchhygiene import BaseFinding, Location, Rule, Severity, Verdict
from benchhygiene.evidence import Change
from benchhygiene_plugins.oracles import findings
from benchhygiene_plugins.oracles.code import Supplied
from benchhygiene_plugins.oracles.contracts import Kind, Loosened
from benchhygiene_plugins.oracles.files import Edit, Fate
from benchhygiene_plugins.oracles.territory import Standing, Territory, is_paperwork

_RULES = {
    Fate.CHANGED: findings.BYTES_CHANGED,
    Fate.EXTENDED: findings.BYTES_CHANGED,
    Fate.EMPTIED: findings.EMPTIED,
    Fate.PARTLY_EMPTIED: findings.EMPTIED,
    Fate.DELETED: findings.DELETED,
    Fate.MOVED: findings.DELETED,
}
_MILDER = {Fate.EXTENDED: Severity.WARNING, Fate.MOVED: Severity.NOTE}
_MOST_NAMED = 3


def code_of(change: Change) -> tuple[str, ...]:
    """Return the differing Python files that are no tests: the code that changed with them."""
    standing = change.parent.surveyed(Territory.of).standing
    return tuple(
        path
        for path in change.differing()
        if path.endswith(".py") and standing(path) is Standing.OUTSIDE and not is_paperwork(path)
    )


def edited(edit: Edit, code: tuple[str, ...], contracts: dict[str, Loosened]) -> BaseFinding | None:
    """Return the finding on one fixture file, None where its contract says all there is to say."""
    if edit.fate is Fate.UNSEEN:
        return unseen(findings.UNSEEN, edit.path, edit.what)
    contract = contracts.get(edit.path)
    is_milder = edit.fate is Fate.CHANGED and contract is not None and _is_stricter(contract)
    if is_milder and edit.names:
        return None  # it stands outside of the tests, and its contract is no looser
    severity = Severity.WARNING if is_milder else _MILDER.get(edit.fate)
    return findings.FixtureEdited(
        rule=_RULES[edit.fate],
        message=_message(edit, code if severity is None else ()),
        locations=(Location(edit.path), *(Location(one) for one in edit.names[:_MOST_NAMED])),
        severity=severity,
        old_text=edit.texts[0],
        new_text=edit.texts[1],
        old_digest=edit.old.digest if edit.old else None,
        new_digest=edit.new.digest if edit.new else None,
        old_rows=edit.old.rows if edit.old else None,
        new_rows=edit.new.rows if edit.new else None,
        named_by=edit.names,
        with_code=code if severity is None else (),
    )


def _is_stricter(contract: Loosened) -> bool:
    """Return whether a contract whose words have a meaning allows no more than it did."""
    known = contract.kind in (Kind.OPENAPI, Kind.SCHEMA)
    return known and not contract.loosenings and contract.unseen is None


def _message(edit: Edit, code: tuple[str, ...]) -> str:
    by = f", which {_several(edit.names)} names," if edit.names else ""
    text = f"{edit.path}{by} {edit.what}"
    if edit.fate is Fate.MOVED:
        return text
    if code:
        text += f"; the code under test changed with it ({_several(code)})"
    if edit.fate is Fate.EXTENDED:
        return f"{text}: see that the new ones are right"
    return f"{text}: restore it, or have the change waived"


def _several(paths: tuple[str, ...]) -> str:
    shown = ", ".join(paths[:_MOST_NAMED])
    more = len(paths) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def loosened(one: Loosened) -> Iterator[BaseFinding]:
    """Yield the findings on one contract."""
    if one.unseen is not None:
        yield unseen(findings.CONTRACT_UNSEEN, one.path, one.unseen)
    for each in one.loosenings:
        at = each.pointer or "/"
        change = f"{each.old or 'nothing'} before, {each.new or 'nothing'} now"
        yield findings.ContractLoosened(
            rule=findings.LOOSENED,
            message=f"{posixpath.basename(one.path)} is looser than {one.against} at {at}: "
            f"{each.what} ({change})",
            locations=(Location(one.path, symbol=at),),
            old_text=each.old,
            new_text=each.new,
            pointer=each.pointer,
            against=one.against,
            contract=one.kind.value if one.kind else "",
        )


def unseen(rule: Rule, path: str, reason: str) -> BaseFinding:
    """Return the doubt about one file."""
    return findings.OracleUnseen(
        rule=rule,
        message=f"{path} could not be compared: {reason}",
        locations=(Location(path),),
        verdict=Verdict.INCONCLUSIVE,
        reason=reason,
    )


def supplied(one: Supplied, code: tuple[str, ...]) -> BaseFinding:
    """Return the finding on one supplier of data."""
    name, role = one.supplier.qualname, one.supplier.role.value
    if one.unseen is not None:
        return unseen(findings.UNSEEN, one.supplier.path, f"{name}: {one.unseen}")
    text = f"{role} {name} {one.what}"
    if code and one.is_certain:
        text += f"; the code under test changed with it ({_several(code)})"
    return findings.SupplierChanged(
        rule=findings.CODE_CHANGED,
        message=f"{text}: restore it, or have the change waived",
        locations=(Location(one.supplier.path, one.supplier.line, symbol=name),),
        severity=None if one.is_certain else Severity.WARNING,
        old_text=one.texts[0],
        new_text=one.texts[1],
        name=name,
        role=role,
    )
