"""Follow ``-p``, autoloading and PYTEST_PLUGINS to the set of plugins that end up loaded.

Rules: ``PytestPluginManager`` in ``_pytest/config/__init__.py`` and pluggy's ``_manager.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from benchhygiene_plugins.ini_chain.command.words import ARGUMENT, Origin, OriginKind, Word
from benchhygiene_plugins.ini_chain.configuration.files import TRACEBACK, USAGE_ERROR
from benchhygiene_plugins.ini_chain.configuration.search import SearchAbort
from benchhygiene_plugins.ini_chain.resolution import Abort
from benchhygiene_plugins.ini_chain.starting.installed import InstalledPlugin, Modules
from benchhygiene_plugins.ini_chain.starting.versions import Dialect
from benchhygiene_plugins.ini_chain.tables import CoreTable, PluginTable

INTERNAL_ERROR = 3


class Stopped(Exception):
    """Carry the abort that ends the start-up."""

    def __init__(self, abort: Abort) -> None:
        super().__init__(abort.reason)
        self.abort = abort


def search_abort(error: SearchAbort) -> Abort:
    """Return the abort that a failed search for the configuration amounts to."""
    if error.path is None:
        return Abort(error.exit_status, error.reason, "ini.abort", ARGUMENT)
    origin = Origin(OriginKind.FILE, error.path, error.line)
    return Abort(error.exit_status, error.reason, "ini.malformed", origin)


def early_plugins(words: Sequence[Word]) -> Iterable[tuple[str, Word]]:
    """Yield each ``-p`` value as pytest's own pre-scan finds it, before any real parsing."""
    pending = iter(words)
    for word in pending:
        if word.text == "-p":
            value = next(pending, None)
            if value is None:
                return
            yield value.text.strip(), value
        elif word.text.startswith("-p"):
            yield word.text[2:].strip(), word


@attrs.define(eq=False, repr=False)
class PluginLoad:
    """The plugin registry as it fills up.

    ``registered`` maps a registered name to its module; ``unknown`` says what could not be told.
    """

    dialect: Dialect
    table: CoreTable
    installed: Sequence[InstalledPlugin]
    modules: Modules
    registered: dict[str, str] = attrs.field(factory=dict[str, str])
    blocked: set[str] = attrs.field(factory=set[str])
    loaded: list[InstalledPlugin] = attrs.field(factory=list[InstalledPlugin])
    unknown: list[str] = attrs.field(factory=list[str])

    @property
    def has_unknown_options(self) -> bool:
        """Return whether something loaded whose options nobody listed."""
        return bool(self.unknown) or any(plugin.table is None for plugin in self.loaded)

    def block_early(self, words: Sequence[Word]) -> None:
        """Apply the ``-p no:NAME`` of the command line, before the built-in plugins load."""
        for name, word in early_plugins(words):
            if name.startswith("no:"):
                self._block(name[3:], word)
        for name in self.table.default_plugins:
            if name not in self.blocked:
                self.registered[name] = f"_pytest.{name}"

    def load_named(self, words: Sequence[Word]) -> None:
        """Apply every ``-p``. Raises Stopped where one of them ends the run."""
        for name, word in early_plugins(words):
            if name.startswith("no:"):
                self._block(name[3:], word)
            else:
                self.blocked -= {name, f"pytest_{name}"}
                self._import(name, word.origin, word, by_entry_point=True)

    def autoload(self) -> None:
        """Load every installed entry point that is neither loaded nor blocked."""
        for plugin in self.installed:
            if plugin.name not in self.registered and plugin.name not in self.blocked:
                in_plugin = self.dialect.pytest >= (9, 2, 0)
                status = INTERNAL_ERROR if in_plugin else TRACEBACK
                self._register(plugin, Origin(OriginKind.ARGUMENT), None, status)

    def load_environment(self, value: str) -> None:
        """Load what PYTEST_PLUGINS names, separated by commas."""
        modern = self.dialect.pytest >= (9, 2, 0)
        origin = Origin(OriginKind.VARIABLE, "PYTEST_PLUGINS")
        for name in filter(None, (part.strip() for part in value.split(","))):
            self._import(name, origin, None, by_entry_point=modern)

    def load_for_conftest(self, name: str, conftest: str) -> None:
        """Load what a conftest names in ``pytest_plugins``."""
        modern = self.dialect.pytest >= (9, 2, 0)
        self._import(name, Origin(OriginKind.FILE, conftest), None, by_entry_point=modern)

    def _block(self, name: str, word: Word) -> None:
        if name in self.table.essential_plugins:
            reason = f"plugin {name} cannot be disabled"
            raise Stopped(Abort(USAGE_ERROR, reason, "ini.abort", word.origin, word))
        names = {name} if name.startswith("pytest_") else {name, f"pytest_{name}"}
        if name == "cacheprovider":
            names |= {"stepwise", "pytest_stepwise"}
        self.blocked |= names
        for blocked in names:
            self.registered.pop(blocked, None)

    def _import(
        self, name: str, origin: Origin, word: Word | None, *, by_entry_point: bool
    ) -> None:
        if name in self.blocked or name in self.registered:
            return
        entry = next((plugin for plugin in self.installed if plugin.name == name), None)
        if entry is not None and (by_entry_point or entry.module == name):
            self._register(entry, origin, word, TRACEBACK)
            return
        if name in self.table.builtin_plugins:
            self.registered[name] = f"_pytest.{name}"
            return
        available = self.modules.has(name)
        if available is False:
            self._missing(name, origin, word)
        if available is None or self.modules.is_local(name):
            self.unknown.append(f"plugin {name}: what it does is not known")
        self._register(self._by_module(name), origin, word, TRACEBACK)

    def _by_module(self, module: str) -> InstalledPlugin:
        match = next((plugin for plugin in self.installed if plugin.module == module), None)
        if match is not None:
            return attrs.evolve(match, name=module)
        # The package around a known plugin is imported all the same; it registers nothing.
        around = [
            plugin.table
            for plugin in self.installed
            if plugin.table is not None and module in plugin.table.modules
        ]
        empty = PluginTable(module, "", "", ()) if around else None
        return InstalledPlugin(module, module, "", "", empty)

    def _missing(self, name: str, origin: Origin, word: Word | None) -> None:
        modern = self.dialect.pytest >= (9, 2, 0)
        reason = f"plugin {name!r} cannot be imported: no such module is installed"
        status = USAGE_ERROR if modern else TRACEBACK
        raise Stopped(Abort(status, reason, _rule_of(origin), origin, word))

    def _register(
        self, plugin: InstalledPlugin, origin: Origin, word: Word | None, status: int
    ) -> None:
        if plugin.module in self.registered.values():
            reason = f"plugin {plugin.name!r} is loaded twice, under two names"
            raise Stopped(Abort(status, reason, _rule_of(origin), origin, word))
        self.registered[plugin.name] = plugin.module
        self.loaded.append(plugin)


def _rule_of(origin: Origin) -> str:
    rules = {OriginKind.VARIABLE: "ini.environment", OriginKind.FILE: "ini.conftest"}
    return rules.get(origin.kind, "ini.abort") if origin.line is None else "ini.abort"
