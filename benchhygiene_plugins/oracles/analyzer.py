"""The analyzer ``oracles``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle
from benchhygiene.evidence import Change, WitnessPack
from benchhygiene_plugins.oracles import contracts, files, reporting
from benchhygiene_plugins.oracles.code import Code
from benchhygiene_plugins.oracles.findings import RULES
from benchhygiene_plugins.oracles.spelled_schemas import loosened_in_code

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class OracleEvidence(Bundle):
    """A change, and where there is one the trusted pack, whose contracts must hold."""

    change: Change
    pack: WitnessPack | None = None


@attrs.frozen
class Oracles:
    """Report what the tests are held against and is not what it was."""

    name = "oracles"
    rules = RULES
    consumes = OracleEvidence

    def analyze(self, evidence: OracleEvidence, /) -> Iterator[BaseFinding]:
        """Yield the fixture files, the suppliers of data and the contracts that changed."""
        change = evidence.change
        promised = tuple(contracts.loosened(change, evidence.pack))
        by_path = {one.path: one for one in promised if one.against == "the parent's"}
        code = reporting.code_of(change)
        for edit in files.edits(change):
            found = reporting.edited(edit, code, by_path)
            if found is not None:
                yield found
        for one in promised:
            yield from reporting.loosened(one)
        for one in loosened_in_code(change):
            yield from reporting.loosened(one)
        for supplier in Code.of(change).supplied():
            yield reporting.supplied(supplier, code)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.oracles.cases import CASES

        return CASES
