"""Say whether pytest-cov can start at all."""

from __future__ import annotations

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.files import TRACEBACK
from benchhygiene_plugins.ini_chain.coverage.config import (
    RCFILE,
    CoverageConfigBroken,
    read_coverage_config,
)
from benchhygiene_plugins.ini_chain.resolution import Abort


def coverage_abort(invocation: PytestInvocation, named: str | None) -> Abort | None:
    """Return how the run ends where coverage cannot read its settings, None where it can.

    ``named`` is the value of ``--cov-config``.
    """
    try:
        read_coverage_config(invocation.files, invocation.cwd, named, invocation.variable(RCFILE))
    except CoverageConfigBroken as broken:
        reason = f"coverage cannot read its configuration: {broken.reason}"
        origin = Origin(OriginKind.FILE, broken.path)
        return Abort(TRACEBACK, reason, "ini.coverage_gate", origin)
    return None
