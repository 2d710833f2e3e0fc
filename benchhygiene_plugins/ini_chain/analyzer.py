"""The analyzer ``ini-chain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import JSON, BaseFinding
from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.findings import RULES

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class IniChain:
    """Report what a pytest command inherits that makes its exit status untrue."""

    name = "ini-chain"
    rules = RULES
    consumes = PytestInvocation

    def analyze(self, invocation: PytestInvocation, /) -> Iterator[BaseFinding]:
        """Yield every gate in force, each with a command that is free of all of them."""
        # Imported here: that takes a tenth of a second, and a change says nothing of a command.
        from benchhygiene_plugins.ini_chain.correction import corrected, is_gate
        from benchhygiene_plugins.ini_chain.reporting import Reporter
        from benchhygiene_plugins.ini_chain.resolving import resolve

        resolution = invocation.surveyed(resolve)
        command = None
        if resolution.abort is not None or any(map(is_gate, resolution.effects)):
            command = corrected(invocation, resolution, resolve)
        yield from Reporter(invocation, resolution, command).findings()

    def describe(self, invocation: PytestInvocation, /) -> JSON:
        """Return the resolution as plain JSON."""
        from benchhygiene_plugins.ini_chain.exhibit import exhibit
        from benchhygiene_plugins.ini_chain.resolving import resolve

        return exhibit(invocation.surveyed(resolve), invocation)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.ini_chain.cases import CASES

        return CASES
