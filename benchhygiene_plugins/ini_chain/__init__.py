"""Tell which configuration a pytest command inherits, and what that does to a grade.

Everything here is imported on first use: a report on a change needs none of it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene_plugins.ini_chain.analyzer import IniChain
    from benchhygiene_plugins.ini_chain.findings import (
        CorrectedCommand,
        EvidenceUnseen,
        GateInherited,
        RunAborted,
    )
    from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, EffectKind, Resolution
    from benchhygiene_plugins.ini_chain.resolving import resolve

__all__ = [
    "Abort",
    "CorrectedCommand",
    "Effect",
    "EffectKind",
    "EvidenceUnseen",
    "GateInherited",
    "IniChain",
    "Resolution",
    "RunAborted",
    "resolve",
]
_HOMES = {
    "analyzer": ("IniChain",),
    "findings": ("CorrectedCommand", "EvidenceUnseen", "GateInherited", "RunAborted"),
    "resolution": ("Abort", "Effect", "EffectKind", "Resolution"),
    "resolving": ("resolve",),
}

if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for (PEP 562)."""
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(f"{__name__}.{home}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
