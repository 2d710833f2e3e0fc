"""Hints that contradict one another, and words that contradict a hint."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from benchhygiene.inventory.declarations import HintValue, ToolDeclaration

# Verbs that say what a tool is for; a name is cut into words first, so "dropdown" is not "drop".
_SPELLED = re.compile(r"\w+")
_DESTRUCTIVE = frozenset(
    _SPELLED.findall(
        "delete destroy drop erase kill overwrite prune purge remove reset rm terminate truncate "
        "uninstall unlink wipe"
    )
)
_WRITING = _DESTRUCTIVE | frozenset(
    _SPELLED.findall(
        "add append apply commit create edit execute insert install merge move patch post publish "
        "push put rename replace save send set store submit update upload upsert write"
    )
)
_READING = frozenset(
    _SPELLED.findall("count describe fetch find get list peek query read search show view")
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME_SHOWN = 200


def contradictions(tool: ToolDeclaration) -> Iterator[str]:
    """Yield what the hints of a tool say against one another, in the specification's terms.

    destructiveHint and idempotentHint mean something only where readOnlyHint is false.
    """
    if tool.hint("readOnlyHint") is not HintValue.TRUE:
        return
    if tool.hint("destructiveHint") is HintValue.TRUE:
        yield "read_only_and_destructive"
    if tool.hint("idempotentHint") is HintValue.FALSE:
        yield "read_only_not_idempotent"


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, of ``deleteFile`` and ``DELETE-FILE`` alike."""
    return tuple(match.group().lower() for match in _WORD.finditer(name[:_NAME_SHOWN]))


def belied(tool: ToolDeclaration) -> tuple[str, str] | None:
    """Return the hint that the name speaks against, and the word that does; None for none.

    Only the first word counts: ``list_deleted`` lists. ``get_or_create`` has two verbs.
    """
    found = words(tool.name)
    verbs = _verbs(found)
    if tool.hint("readOnlyHint") is HintValue.TRUE:
        return _first("readOnlyHint", verbs, _WRITING)
    if tool.hint("destructiveHint") is HintValue.FALSE:
        return _first("destructiveHint", verbs, _DESTRUCTIVE)
    return None


def _verbs(found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the word that leads the name, and those behind an ``and`` or ``or``."""
    known = _WRITING | _READING
    lead = next((word for word in found[:2] if word in known), None)
    joined = [b for a, b in itertools.pairwise(found) if a in ("and", "or")]
    return (*((lead,) if lead else ()), *joined)


def _first(hint: str, verbs: tuple[str, ...], against: frozenset[str]) -> tuple[str, str] | None:
    return next(((hint, verb) for verb in verbs if verb in against), None)
