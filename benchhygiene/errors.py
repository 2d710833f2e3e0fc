"""Every exception this library raises on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.evidence.pack import PackFault


class BenchhygieneError(Exception):
    """Base of every deliberate error: catch this one to catch them all."""


class InputError(BenchhygieneError):
    """Say that something the caller handed in cannot be used.

    The message names the file or value, the place in it, and what was expected. The command line
    prints it as one line and exits with status 2.
    """


class ConfigurationError(InputError):
    """Say that a configuration file given with ``--config`` is malformed."""


class PackRefused(InputError):
    """Say why a witness pack cannot be trusted; ``faults`` has every reason, sorted by path."""

    def __init__(self, pack: str, faults: tuple[PackFault, ...]) -> None:
        rest = len(faults) - 1
        more = f" (and {rest} more fault{'s' if rest > 1 else ''})" if rest else ""
        super().__init__(f"pack {pack}: {faults[0]}{more}")
        self.pack = pack
        self.faults = faults

    def __reduce__(self) -> tuple[type[PackRefused], tuple[str, tuple[PackFault, ...]]]:
        return (type(self), (self.pack, self.faults))


class MissingExtra(BenchhygieneError):
    """Say which optional dependency is missing and how to install it."""

    def __init__(self, extra: str, needed_for: str) -> None:
        super().__init__(
            f"{needed_for} needs an optional dependency: pip install 'benchhygiene[{extra}]'"
        )
        self.extra = extra


class SandboxUnavailable(BenchhygieneError):
    """Say why code that nobody trusts cannot be run apart from the machine, and the remedy."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no sandbox: {reason}")
        self.reason = reason

    def __reduce__(self) -> tuple[type[SandboxUnavailable], tuple[str]]:
        return (type(self), (self.reason,))


class EvidenceUnavailable(BenchhygieneError):
    """Say that a piece of evidence exists but its bytes could not be had."""


class RegistryError(BenchhygieneError):
    """Say why the installed analyzers cannot be composed (duplicate names, broken entry points)."""


class ContractBreach(BenchhygieneError):
    """Say that an analyzer does not do what the analyzer protocol asks of it."""


class AnalyzerCrashed(BenchhygieneError):
    """Say which analyzers of a report crashed, and how."""


class ForbiddenIO(BenchhygieneError):
    """Say what code that must be pure tried to read, write, start or connect to."""
