"""The rules of ``oracles`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

BYTES_CHANGED = Rule(
    "fixture.bytes_changed",
    "A file that tests are held against has other bytes",
    Severity.ERROR,
    edit="edits a data file, a snapshot, a golden file or a cassette",
    seen="the bytes of every file under the tests, or that tests name",
    unseen="whether the new bytes are right",
)
EMPTIED = Rule(
    "fixture.emptied",
    "A fixture file holds nothing any more",
    Severity.ERROR,
    edit="empties a data file, or leaves its header",
    seen="what is left of it as data",
)
DELETED = Rule(
    "fixture.deleted",
    "A fixture file is gone",
    Severity.ERROR,
    edit="deletes or renames a data file that a pattern finds",
    seen="files that are gone and not moved with what names them",
)
CODE_CHANGED = Rule(
    "fixture.code_changed",
    "Code that supplies tests with data supplies something else",
    Severity.ERROR,
    edit="lets a fixture, a factory or set-up supply less",
    seen="what the code does, without names",
    unseen="factories of other libraries",
)
UNSEEN = Rule("fixture.unseen", "Whether a fixture changed could not be seen", Severity.WARNING)
LOOSENED = Rule(
    "contract.loosened",
    "A contract allows what it did not",
    Severity.ERROR,
    edit="drops required fields, widens types, removes statuses",
    seen="JSON Schema and OpenAPI as facts, the pack's too",
    unseen="schemas in code",
)
CONTRACT_UNSEEN = Rule(
    "contract.unseen", "Whether a contract was loosened could not be seen", Severity.WARNING
)

RULES = (BYTES_CHANGED, EMPTIED, DELETED, CODE_CHANGED, UNSEEN, LOOSENED, CONTRACT_UNSEEN)


@attrs.frozen(kw_only=True)
class FixtureEdited(BaseFinding):
    """A fixture file is not what it was.

    Digests are SHA-256 and None where the bytes cannot be had; rows are counted where there are
    records. ``named_by`` are the tests' files that name one which lies outside of the tests.
    """

    old_digest: str | None = None
    new_digest: str | None = None
    old_rows: int | None = None
    new_rows: int | None = None
    named_by: tuple[str, ...] = ()
    with_code: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class SupplierChanged(BaseFinding):
    """A fixture, a ``setUp``, a factory or a constant supplies something else."""

    name: str
    role: str


@attrs.frozen(kw_only=True)
class ContractLoosened(BaseFinding):
    """A contract allows at ``pointer`` what ``against`` did not."""

    pointer: str
    against: str
    contract: str


@attrs.frozen(kw_only=True)
class OracleUnseen(BaseFinding):
    """Something that tests are held against could not be read, so the answer is not certain."""

    reason: str
