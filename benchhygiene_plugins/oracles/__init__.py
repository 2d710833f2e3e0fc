"""Tell which fixtures, snapshots and contracts that tests are held against have changed."""

from __future__ import annotations

from benchhygiene_plugins.oracles.analyzer import OracleEvidence, Oracles
from benchhygiene_plugins.oracles.findings import (
    ContractLoosened,
    FixtureEdited,
    OracleUnseen,
    SupplierChanged,
)
from benchhygiene_plugins.oracles.inventory import FixtureFile, inventory

__all__ = [
    "ContractLoosened",
    "FixtureEdited",
    "FixtureFile",
    "OracleEvidence",
    "OracleUnseen",
    "Oracles",
    "SupplierChanged",
    "inventory",
]
