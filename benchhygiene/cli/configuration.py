"""The trusted configuration file: what ``--config`` may set, parsed strictly."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

import attrs

from benchhygiene.core.findings import Severity
from benchhygiene.errors import ConfigurationError


@attrs.frozen
class CheckOptions:
    """What to predict for when the command line does not say: the table ``[check]``.

    ``plugins`` maps distributions to versions, and None says that nobody stated them. A relative
    ``python`` path starts at the directory of the configuration file.
    """

    pytest: str | None = None
    python: str | None = None
    plugins: Mapping[str, str] | None = None


@attrs.frozen
class Configuration:
    """Everything a trusted file can set.

    ``severity`` maps rule ids to the severity they are lowered to; ``require`` and ``disable`` name
    analyzers.
    """

    severity: Mapping[str, Severity] = attrs.field(factory=dict[str, Severity])
    check: CheckOptions = attrs.field(factory=CheckOptions)
    require: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()


def read_configuration(path: str) -> Configuration:
    """Read the file, which the caller vouches for: it is never one that a workspace brought.

    Raises ConfigurationError that names the file and the key: unreadable, not TOML, an unknown key,
    a value of the wrong type, an analyzer both required and disabled.
    """
    import tomllib  # like cattrs below: a run without --config need not wait for it

    try:
        with open(path, "rb") as stream:
            text = stream.read().decode()
        configuration = _structure(tomllib.loads(text))
    except OSError as error:
        raise ConfigurationError(f"--config {path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"--config {path}: not TOML: {error}") from error
    except ConfigurationError as error:
        raise ConfigurationError(f"--config {path}: {error}") from error
    return _anchored(configuration, os.path.dirname(path))


class _Unexpected(ValueError):
    """A value of the wrong kind, said in the words of the file rather than of Python."""


def _structure(raw: dict[str, object]) -> Configuration:
    from cattrs import BaseValidationError, Converter, transform_error

    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook_func(lambda kind: kind == tuple[str, ...], _names)
    converter.register_structure_hook(Severity, _severity)
    try:
        configuration = converter.structure(raw, Configuration)
    except BaseValidationError as error:
        problems = transform_error(error, format_exception=_explain)
        raise ConfigurationError("; ".join(map(str, problems))) from error
    both = sorted(set(configuration.require) & set(configuration.disable))
    if both:
        raise ConfigurationError(f"{both[0]!r} is both required and disabled @ $.disable")
    return configuration


def _explain(error: BaseException, expected: type | None) -> str:
    from cattrs import ForbiddenExtraKeysError
    from cattrs.v import format_exception

    if isinstance(error, ForbiddenExtraKeysError):
        return f"unknown key {', '.join(map(repr, sorted(error.extra_fields)))}"
    if isinstance(error, _Unexpected):
        return str(error)
    is_table = expected is not None and attrs.has(expected)
    return "expected a table" if is_table else format_exception(error, expected)


def _text(value: object, _: type[str]) -> str:
    """Refuse to turn numbers and booleans into text, as cattrs would."""
    if not isinstance(value, str):
        raise _Unexpected(f"expected text, not {value!r}")
    return value


def _names(value: object, _: type[tuple[str, ...]]) -> tuple[str, ...]:
    """Refuse to take a single text for a list of letters, as cattrs would."""
    if not isinstance(value, list):
        raise _Unexpected(f"expected a list of names, not {value!r}")
    return tuple(_text(name, str) for name in cast("list[object]", value))


def _severity(value: object, _: type[Severity]) -> Severity:
    if isinstance(value, dict):
        raise _Unexpected("a rule id has a dot in it: put it in quotes")
    if value not in [severity.value for severity in Severity]:
        raise _Unexpected(f'expected "note", "warning" or "error", not {value!r}')
    return Severity(value)


def _anchored(configuration: Configuration, directory: str) -> Configuration:
    python = configuration.check.python
    if python is None or os.sep not in python:  # a bare version, or nothing
        return configuration
    check = attrs.evolve(configuration.check, python=os.path.join(directory, python))
    return attrs.evolve(configuration, check=check)
