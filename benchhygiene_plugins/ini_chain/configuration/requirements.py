"""Check what a config file demands of the environment: ``minversion`` and ``required_plugins``.

Rules: ``_checkversion`` and ``_validate_plugins`` in ``_pytest/config/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

from benchhygiene_plugins.ini_chain.configuration.files import TRACEBACK, USAGE_ERROR
from benchhygiene_plugins.ini_chain.configuration.values import Settings, ValueRefused
from benchhygiene_plugins.ini_chain.starting.installed import InstalledPlugin


def check_minversion(settings: Settings, running: str) -> None:
    """Compare ``minversion`` with the version that will run.

    Raises ValueRefused where pytest stops.
    """
    wanted = _minversion(settings)
    if not wanted:
        return
    from packaging.version import Version

    try:
        newer = Version(wanted) > Version(running)
    except ValueError as error:  # InvalidVersion is one; so is a number of too many digits
        raise ValueRefused(TRACEBACK, f"minversion: {error}") from error
    if newer:
        reason = f"minversion asks for pytest {wanted}, and {running} will run"
        raise ValueRefused(USAGE_ERROR, reason)


def _minversion(settings: Settings) -> str | None:
    if settings.dialect.pytest >= (9, 0, 0):
        return settings.text("minversion")
    # Older versions look into the file itself: -o minversion=... is not seen.
    found = settings.values.get("minversion")
    if found is not None and not isinstance(found.value, str):
        raise ValueRefused(USAGE_ERROR, "minversion must be a single value")
    return None if found is None else str(found.value)


def check_required_plugins(settings: Settings, loaded: Iterable[InstalledPlugin]) -> None:
    """Compare ``required_plugins`` with what was loaded through entry points.

    Names are compared as the distribution spells itself: ``pytest_cov`` is not ``pytest-cov``.
    Raises ValueRefused where pytest stops.
    """
    required = sorted(settings.shell_words("required_plugins"))
    if not required:
        return
    versions = {plugin.distribution: plugin.version for plugin in loaded}
    missing = [text for text in required if not _is_met(text, versions)]
    if missing:
        raise ValueRefused(USAGE_ERROR, f"required plugins are missing: {', '.join(missing)}")


def _is_met(text: str, versions: dict[str, str]) -> bool:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return False
    version = versions.get(requirement.name)
    return version is not None and requirement.specifier.contains(version, prereleases=True)
