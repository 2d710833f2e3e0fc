"""Tell whether a candidate writes what only the witness pack may say."""

from __future__ import annotations

from benchhygiene_plugins.pack_custody.analyzer import PackCustody
from benchhygiene_plugins.pack_custody.findings import Deed, MaterialTouched
from benchhygiene_plugins.pack_custody.material import Material, material

__all__ = ["Deed", "Material", "MaterialTouched", "PackCustody", "material"]
