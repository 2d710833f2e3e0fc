"""Tell what the tests are held against, fixtures, snapshots and contracts, and is not what it was."""

from __future__ import annotations

from benchhygiene_plugins.oracles.analyzer import OracleEvidence, Oracles
from benchhygiene_plugins.oracles.findings import (
    ContractLoosened,
    FixtureEdited,
    OracleUnseen,
    SupplierChanged,
)

__all__ = [
    "ContractLoosened",
    "FixtureEdited",
    "OracleEvidence",
    "OracleUnseen",
    "Oracles",
    "SupplierChanged",
]
