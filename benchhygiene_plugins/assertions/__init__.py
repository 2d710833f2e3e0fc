"""Tell which checks a test makes, and what a patch took from them."""

from __future__ import annotations

from benchhygiene_plugins.assertions.analyzer import Assertions
from benchhygiene_plugins.assertions.findings import CheckEdited, ChecksUnseen

__all__ = ["Assertions", "CheckEdited", "ChecksUnseen"]
