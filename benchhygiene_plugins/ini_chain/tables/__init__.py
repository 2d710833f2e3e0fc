"""Say which options, ini keys and markers each pytest and each popular plugin registers.

The rows are package data that ``tests/tables/generate.py`` wrote after asking the real pytest. They
are read once, when this package is imported; looking a table up opens no file.
"""

from __future__ import annotations

from benchhygiene_plugins.ini_chain.tables.catalogue import (
    core_table,
    is_newer_than_known,
    is_older_than_known,
    known_plugins,
    known_versions,
    newest,
    normalise,
    owner_of,
    plugin_table,
)
from benchhygiene_plugins.ini_chain.tables.options import (
    CoreTable,
    IniKey,
    Option,
    PluginTable,
    Value,
)

__all__ = [
    "CoreTable",
    "IniKey",
    "Option",
    "PluginTable",
    "Value",
    "core_table",
    "is_newer_than_known",
    "is_older_than_known",
    "known_plugins",
    "known_versions",
    "newest",
    "normalise",
    "owner_of",
    "plugin_table",
]
