"""Ask a parsed command line which options were given, and what they override."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from benchhygiene_plugins.ini_chain.command.scanning import Given, Scan
from benchhygiene_plugins.ini_chain.tables import Option, core_table

#: pytest 9 turns these flags into -o KEY=true (OverrideIniAction).
_STRICT_FLAGS = ("strict", "strict_config", "strict_markers")


@lru_cache(maxsize=64)
def core_options(version: str, blocked: frozenset[str]) -> Mapping[str, Option]:
    """Return the built-in options by name, without those of blocked plugins."""
    return by_name(option for option in core_table(version).options if option.plugin not in blocked)


def by_name(options: Iterable[Option]) -> dict[str, Option]:
    """Return each option under every name it has."""
    return {name: option for option in options for name in option.names}


def last_value(scan: Scan, dest: str) -> str | None:
    """Return the value that wins for a destination, None where it was not given or is empty."""
    values = [given.value for given in scan.given if given.option.dest == dest]
    return (values[-1] or None) if values else None


def has_option(scan: Scan, dest: str) -> bool:
    """Return whether any option with this destination was given."""
    return any(given.option.dest == dest for given in scan.given)


def override_value(given: Given) -> str | None:
    """Return the value of an ``-o``, None for any other option."""
    return (given.value or "") if given.option.dest == "override_ini" else None


def override_text(given: Given) -> str | None:
    """Return ``KEY=VALUE`` where an option overrides a key, None where it does not."""
    value = override_value(given)
    if value is not None:
        return value
    is_flag = given.option.action == "OverrideIniAction" and given.option.nargs == 0
    return f"{given.option.dest}=true" if is_flag and given.option.dest in _STRICT_FLAGS else None
