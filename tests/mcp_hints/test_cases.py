"""The analyzer's cases hold."""

from __future__ import annotations

from benchhygiene.testing import run_cases
from benchhygiene_plugins.mcp_hints import McpHints


def test_every_rule_has_its_cases() -> None:
    run_cases(McpHints(), McpHints().cases)
