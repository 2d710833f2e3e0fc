"""Tell which configuration a pytest command inherits, and what that does to a grade."""

from __future__ import annotations

from benchhygiene_plugins.ini_chain.analyzer import IniChain
from benchhygiene_plugins.ini_chain.findings import (
    CorrectedCommand,
    EvidenceUnseen,
    GateInherited,
    RunAborted,
)
from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, EffectKind, Resolution
from benchhygiene_plugins.ini_chain.resolve import resolve

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
