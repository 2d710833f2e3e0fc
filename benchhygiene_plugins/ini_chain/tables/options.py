"""The rows of a table: options, ini keys, and what one pytest or one plugin registers."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from benchhygiene.evidence.invocation import PytestPlugin

Value: TypeAlias = str | int | float | bool | tuple["Value", ...] | None
"""A constant or default as pytest holds it; what is no plain value is its representation."""


@attrs.frozen
class Option:
    """One command line option.

    ``nargs`` is argparse's own: 0 takes no value, None exactly one, ``"?"`` an optional one.
    ``action`` is argparse's word (``store``, ``store_true``, ``append``, ``count``, ...) or the
    name of the plugin's own action class. ``type`` names the callable that converts the value.
    ``plugin`` is the registered plugin that adds the option, the name that ``-p no:NAME`` blocks;
    ``pytestconfig`` cannot be blocked.
    """

    names: tuple[str, ...]
    dest: str
    nargs: int | str | None = None
    action: str = "store"
    choices: tuple[str, ...] | None = None
    type: str | None = None
    const: Value = None
    plugin: str = "pytestconfig"


@attrs.frozen
class IniKey:
    """One configuration key.

    ``type`` is ``string``, ``bool``, ``int``, ``float``, ``args``, ``linelist``, ``paths``,
    ``pathlist`` or ``literal`` (one of ``choices``), or several joined with ``|``. Where nothing
    declared a default, it is that of the type: None up to pytest 7, an empty value later.
    """

    name: str
    type: str = "string"
    default: Value = None
    choices: tuple[str, ...] | None = None
    aliases: tuple[str, ...] = ()
    plugin: str = "pytestconfig"


@attrs.frozen
class CoreTable:
    """What pytest knows at its first parse, before any third-party plugin is loaded.

    ``version`` is the one that was asked. ``extra_options`` and ``extra_ini`` come from built-in
    plugins that load only when named with ``-p`` (``pytester``). ``fromfile_prefix_chars`` says
    which first characters make an argument a file of arguments.
    """

    version: str
    options: tuple[Option, ...]
    ini: tuple[IniKey, ...]
    markers: tuple[str, ...]
    essential_plugins: tuple[str, ...]
    default_plugins: tuple[str, ...]
    builtin_plugins: tuple[str, ...]
    extra_options: tuple[Option, ...] = ()
    extra_ini: tuple[IniKey, ...] = ()
    fromfile_prefix_chars: str = ""


@attrs.frozen
class PluginTable:
    """What one version of a distribution registers, asked beside the pytest named in ``pytest``.

    ``markers`` holds names only. ``shuffles`` says that installing it is enough to reorder tests.
    """

    distribution: str
    version: str
    pytest: str
    entry_points: tuple[PytestPlugin, ...]
    modules: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    ini: tuple[IniKey, ...] = ()
    markers: tuple[str, ...] = ()
    shuffles: bool = False
