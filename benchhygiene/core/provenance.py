"""What a report was made by and made from."""

from __future__ import annotations

import attrs


@attrs.frozen
class PluginVersion:
    """An analyzer that took part; no distribution where it was handed over in code."""

    name: str
    distribution: str | None = None
    version: str | None = None


@attrs.frozen
class RefusedPlugin:
    """A plugin that was visible but not trusted, and so never imported."""

    name: str
    distribution: str
    reason: str


@attrs.frozen
class EvidenceDigest:
    """The type of one piece of evidence and the SHA-256 of its content, in hexadecimal."""

    type: str
    sha256: str


@attrs.frozen
class Provenance:
    """The versions, the evidence, and what a reader should know about the installation."""

    benchhygiene: str = ""
    plugins: tuple[PluginVersion, ...] = ()
    evidence: tuple[EvidenceDigest, ...] = ()
    refused: tuple[RefusedPlugin, ...] = ()
    notes: tuple[str, ...] = ()
