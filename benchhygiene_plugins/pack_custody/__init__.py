"""Tell whether a candidate writes what only the witness pack may say."""

from __future__ import annotations

from benchhygiene_plugins.pack_custody.analyzer import CustodyEvidence, PackCustody
from benchhygiene_plugins.pack_custody.findings import (
    CandidateTracked,
    Deed,
    MaterialTouched,
    OneAuthor,
    PackStale,
)
from benchhygiene_plugins.pack_custody.material import Material, material

__all__ = [
    "CandidateTracked",
    "CustodyEvidence",
    "Deed",
    "Material",
    "MaterialTouched",
    "OneAuthor",
    "PackCustody",
    "PackStale",
    "material",
]
