"""Read off a finding how it can be mended, whatever class it has."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from benchhygiene.core.findings import Finding, Fixable, detail
from benchhygiene.core.json import JSON


@attrs.frozen
class Fix:
    """One line to paste, and a sentence on what it costs (empty where nobody says)."""

    line: str
    cost: str = ""


def fix_of(finding: Finding) -> Fix | None:
    """Return the finding's fix, None where it has none.

    That is the field ``corrected_command`` (an object with ``shell`` and ``cost``), or else what
    ``Fixable`` promises.
    """
    command = detail(finding).get("corrected_command")
    if isinstance(command, Mapping):
        return Fix(_text(command, "shell"), _text(command, "cost"))
    return Fix(finding.fix) if isinstance(finding, Fixable) and finding.fix else None


def _text(mapping: Mapping[str, JSON], key: str) -> str:
    value = mapping.get(key)
    return value if isinstance(value, str) else ""
