"""Report a ``--basetemp`` on the command line of a grader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Location, PytestInvocation, Rule, Severity, SymbolKind

if TYPE_CHECKING:
    from benchhygiene.testing import Case

FIXED_BASETEMP = Rule(
    "acme.fixed_basetemp",
    "The command names a directory that pytest empties before it runs.",
    Severity.ERROR,
    help_uri=None,
)


@attrs.frozen(kw_only=True)
class BasetempFixed(BaseFinding):
    """``--basetemp`` names this directory."""

    rule: Rule = FIXED_BASETEMP
    directory: str

    @property
    def fix(self) -> str:
        """Return what to do instead."""
        return "leave --basetemp out: pytest then makes a fresh directory for every run"


@attrs.frozen
class FixedBasetemp:
    """Report every ``--basetemp`` among the arguments."""

    name = "acme-fixed-basetemp"
    rules = (FIXED_BASETEMP,)
    consumes = PytestInvocation

    def analyze(self, invocation: PytestInvocation, /) -> Iterator[BasetempFixed]:
        """Yield a finding for each, written with ``=`` or as two words."""
        for word, following in zip(invocation.args, (*invocation.args[1:], ""), strict=True):
            option, equals, value = word.partition("=")
            if word == "--":
                return
            if option == "--basetemp":
                yield _fixed(value if equals else following)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return the cases, for ``benchhygiene explain``."""
        from acme_fixed_basetemp.cases import CASES

        return CASES


def _fixed(directory: str) -> BasetempFixed:
    return BasetempFixed(
        message=f"--basetemp: pytest deletes everything in {directory} before it runs",
        locations=(Location("", symbol="--basetemp", symbol_kind=SymbolKind.OPTION),),
        directory=directory,
    )
