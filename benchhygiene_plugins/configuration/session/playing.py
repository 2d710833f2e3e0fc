"""Play a whole session on paper: every hook in its order, and which items are left.

Order of events: ``_pytest/config/__init__.py`` and ``_pytest/main.py`` of pytest 7.4 to 9.2.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import attrs

from benchhygiene.inventory.values import Budget, Opaque, Unknown
from benchhygiene_plugins.configuration.files.environment import VARIABLE, split
from benchhygiene_plugins.configuration.files.words import read_words
from benchhygiene_plugins.configuration.session.bodies import bodies
from benchhygiene_plugins.configuration.session.collecting import Collecting
from benchhygiene_plugins.configuration.session.config import Config, Parser, SessionOf
from benchhygiene_plugins.configuration.session.deciding import Decisions
from benchhygiene_plugins.configuration.session.endings import Exhausted, Raised, Returned
from benchhygiene_plugins.configuration.session.hooks import (
    Hook,
    call,
    hooks_of,
    plugin_names,
)
from benchhygiene_plugins.configuration.session.items import Item
from benchhygiene_plugins.configuration.session.loaded import ModuleOf
from benchhygiene_plugins.configuration.session.machine import Machine
from benchhygiene_plugins.configuration.session.options import ARGUMENTS, Cause, Options
from benchhygiene_plugins.configuration.session.specials import SPECIALS
from benchhygiene_plugins.configuration.session.starting import given, positional, put
from benchhygiene_plugins.configuration.session.statements import execute
from benchhygiene_plugins.configuration.session.things import UNKNOWN

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.side import Side

_STEPS = 1_000_000  # evaluations that one run of a session may take,
_STEPS_EACH = 60  # and for each item
_EARLY = (
    "pytest_load_initial_conftests",
    "pytest_cmdline_preparse",
    "pytest_cmdline_main",
    "pytest_configure",
    "pytest_sessionstart",
    "pytest_collection",
)
_LATE = (
    "pytest_collection_modifyitems",
    "pytest_collection_finish",
    "pytest_runtestloop",
)


@attrs.frozen(eq=False)
class Played:
    """How a session ended: what each lost item was lost to, and the options it ended with.

    ``doubts`` are causes that nobody here can follow; ``marked`` the items that were given a mark
    to be run again.
    """

    lost: Mapping[str, Cause]
    options: Options
    positional: tuple[str, ...]
    items: Sequence[Item]
    doubts: tuple[Cause, ...] = ()
    ini: Mapping[str, tuple[tuple[str, Cause], ...]] = attrs.field(
        factory=dict[str, "tuple[tuple[str, Cause], ...]"]
    )
    reruns: Mapping[str, Cause] = attrs.field(factory=dict[str, Cause])
    ignores: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = attrs.field(
        factory=dict[str, "tuple[tuple[str, ...], tuple[str, ...]]"]
    )


@attrs.define(eq=False)
class Player:
    """Plays one run of a session on one side.

    ``is_lean``: what conftests compute for their fixtures in other files has no effect on hooks.
    """

    side: Side
    machine: Machine
    options: Options
    config: Config
    session: SessionOf
    is_lean: bool = False
    hooks: list[Hook] = attrs.field(factory=list[Hook])
    lost: dict[str, Cause] = attrs.field(factory=dict[str, Cause])
    ignores: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = attrs.field(
        factory=dict[str, "tuple[tuple[str, ...], tuple[str, ...]]"]
    )

    @classmethod
    def of(
        cls, side: Side, items: Sequence[Item], decisions: Decisions, is_lean: bool = False
    ) -> Player:
        """Return what plays a session that would run these items."""
        machine = Machine(
            side.modules, decisions, execute, SPECIALS, Budget(_STEPS + _STEPS_EACH * len(items))
        )
        machine.items.extend(items)
        for item in items:
            item.cause = lambda: machine.cause
        options = Options(lambda: machine.cause)
        parser = Parser(options, given(side.words))
        config = Config(options, side.settings.options, parser, [], [])
        machine.cause = Cause(side.settings.path, side.settings.option("addopts").line)
        put(options, side.words)
        config.arguments.extend(positional(side.tree, side.words))
        if config.arguments:
            options.causes[ARGUMENTS] = machine.cause
        session = SessionOf(options, attributes={"items": machine.items, "config": config})
        return cls(side, machine, options, config, session, is_lean)

    def play(self) -> Played:
        """Return how the session ends."""
        try:
            self._all()
        except (Exhausted, RecursionError, MemoryError):
            self.machine.doubts[attrs.evolve(self.machine.cause, text="")] = None
        left = [one for one in self.machine.items if isinstance(one, Item)]
        return Played(
            self.lost,
            self.options,
            tuple(str(one) for one in self.config.arguments),
            left,
            tuple(self.machine.doubts),
            {name: tuple(lines) for name, lines in self.config.added.items()},
            self._reruns(left),
            self.ignores,
        )

    def _reruns(self, items: Iterable[Item]) -> Mapping[str, Cause]:
        """Return the items that a hook marked to be run again."""
        found: dict[str, Cause] = {}
        for item in items:
            own = {id(mark) for mark in self.side.marks(item.node)}
            for mark in item.marks:
                if id(mark) not in own and mark.name in ("flaky", "rerun", "retry"):
                    found[item.node_id] = mark.cause or Cause("")
        return found

    def _all(self) -> None:
        seen: set[str] = set()
        for name in (*self.options.texts("plugins"), *self.side.plugins):
            self._load_named(name, "conftest.py", self.machine.cause, seen)
        for path in self.side.conftests():
            self._load(path, Cause(path), seen)
        for path in self.side.packages():
            self._watched(functools.partial(self._package, path), Cause(path))
        given = self._available()
        for name in ("pytest_addhooks", "pytest_addoption", *_EARLY):
            for hook in self._named(name):
                result = self._call(hook, given)
                if name == "pytest_collection" and result is True:
                    self._take([], hook.cause)
        Collecting(self).run(given)
        for name in _LATE:
            for hook in self._named(name):
                self._call(hook, given)
        self._from_environment()

    def _available(self) -> Mapping[str, object]:
        config = self.config
        return {
            "config": config,
            "early_config": config,
            "session": self.session,
            "items": self.machine.items,
            "args": self.config.arguments,
            "parser": config.parser,
            "pluginmanager": config.member("pluginmanager"),
        }

    def _named(self, name: str) -> Iterator[Hook]:
        """Yield the hooks of a name, those that are registered meanwhile included."""
        index = 0
        while index < len(self.hooks):
            if self.hooks[index].name == name:
                yield self.hooks[index]
            index += 1

    def named(self, *names: str) -> list[Hook]:
        """Return the hooks of these names."""
        return [hook for name in names for hook in self._named(name)]

    def _load(self, path: str, cause: Cause, seen: set[str]) -> None:
        """Run a conftest or plugin module, and note the hooks it has."""
        module = self.side.modules.at(path)
        if path in seen or module is None:
            return
        seen.add(path)
        self.machine.cause = cause
        if module.file.error is not None:
            return  # it is reported as unreadable
        if module.file.module is not None:
            found = module.file.derived(bodies)
            body = found.lean if self.is_lean else found.strict
            self._watched(lambda: self._run(path, body), cause)
        plugin = ModuleOf(path, self.machine)
        self.hooks.extend(hooks_of(self.machine, plugin, cause))
        self._note_ignores(path)
        for name in plugin_names(self._global(path, "pytest_plugins")):
            self._load_named(name, path, attrs.evolve(cause, path=path), seen)

    def _package(self, path: str) -> None:
        module = self.side.modules.at(path)
        if module is not None:
            lean = module.file.derived(bodies).lean if self.is_lean else None
            self._run(path, module.file.body if lean is None else lean)

    def _run(self, path: str, body: Sequence[ast.stmt]) -> None:
        try:
            self.machine.execute(self.machine, body, self.machine.frame_of(path))
        except (Returned, Raised):
            return

    def _global(self, path: str, name: str) -> object:
        """Return what a module that was run holds under a name, None where it has no such name."""
        names = self.machine.frame_of(path).names
        if name in names:
            return names[name]
        module = self.side.modules.at(path)
        if module is None or self.side.modules.member(module, name) is None:
            return None
        return self.machine.module_value(path, name)

    def _load_named(self, name: str, importer: str, cause: Cause, seen: set[str]) -> None:
        if name.startswith("no:"):
            return
        path = self.side.modules.locate(name.strip(), importer)
        if path is not None:
            self._load(path, Cause(path, also=(cause.path,)), seen)

    def _note_ignores(self, path: str) -> None:
        if posixpath.basename(path) != "conftest.py":
            return
        found = tuple(self._texts(path, name) for name in ("collect_ignore", "collect_ignore_glob"))
        if any(found):
            self.ignores[path] = (found[0], found[1])

    def _texts(self, path: str, name: str) -> tuple[str, ...]:
        value = self._global(path, name)
        if isinstance(value, Opaque):
            self.machine.doubts[Cause(path, text=name)] = None
        if not isinstance(value, list | tuple | frozenset):
            return ()
        listed = self.machine.elements(cast("object", value))
        if any(isinstance(one, Opaque) for one in listed):
            self.machine.doubts[Cause(path, text=name)] = None
        return tuple(str(one) for one in listed if not isinstance(one, Opaque))

    def _call(self, hook: Hook, given: Mapping[str, object]) -> object:
        """Call a hook and note what it took away, and which options it set."""
        results: list[object] = []
        before = list(self.machine.items)
        if "session" in given:
            self.session.attributes["items"] = self.machine.items
        self._watched(lambda: results.append(call(self.machine, hook, given, None)), hook.cause)
        after = self.session.attributes.get("items")
        if after is not self.machine.items and isinstance(after, list):
            self.machine.items[:] = cast("list[object]", after)
        self._take(self.machine.items, hook.cause, before)
        given_now = list(self.config.plugins)
        self.config.plugins.clear()
        for plugin, by in given_now:
            if isinstance(plugin, str):
                self._load_named(plugin, by.path, by, set())
            self.hooks.extend(hooks_of(self.machine, plugin, by))
        return results[0] if results else None

    def call(self, hook: Hook, given: Mapping[str, object], result: object) -> object:
        """Call a hook of the collection and return the result as it leaves it."""
        try:
            return call(self.machine, hook, given, result)
        except Unknown:
            return UNKNOWN

    def _watched(self, act: Callable[[], object], cause: Cause) -> None:
        """Do something and note who changed lists of options, arguments or the command line."""
        self.machine.cause = cause
        lists, arguments = self.options.lists(), list(self.config.arguments)
        argv = list(self.machine.argv)
        with contextlib.suppress(Unknown):
            act()
        for name, held in self.options.lists().items():
            if held != lists.get(name, ()):
                self.options.causes[name] = cause
        if self.machine.argv != argv:
            self.options.causes["argv"] = cause
        if self.config.arguments != arguments:
            self._rewritten(cause)

    def _rewritten(self, cause: Cause) -> None:
        """Read the words that a hook put among the arguments."""
        words = [one for one in self.config.arguments if isinstance(one, str)]
        self.machine.cause = cause
        self._put(words)
        self.options.causes[ARGUMENTS] = cause

    def _put(self, words: Sequence[str]) -> None:
        read = read_words(words)
        put(self.options, read)
        self.config.arguments[:] = positional(self.side.tree, read)

    def _from_environment(self) -> None:
        """Read what the tree writes to the command line and to ``PYTEST_ADDOPTS``."""
        for path, words in self.side.variables.items():
            self.machine.cause = Cause(path)
            self._put_more(words)
        environ = self.machine.environ
        value = environ.attributes.get(VARIABLE)
        if isinstance(value, str):
            self.machine.cause = environ.causes[VARIABLE]
            self._put_more(split(value))
        written = [one for one in self.machine.argv[1:] if isinstance(one, str)]
        if written:
            self.machine.cause = self.options.causes.get("argv", Cause(""))
            self._put_more(written)

    def _put_more(self, words: Sequence[str]) -> None:
        before = [str(one) for one in self.config.arguments]
        self._put([*before, *words])
        if [str(one) for one in self.config.arguments] != before:
            self.options.causes[ARGUMENTS] = self.machine.cause

    def _take(
        self, left: Iterable[object], cause: Cause, before: Iterable[object] | None = None
    ) -> None:
        kept = {id(one) for one in left}
        for one in list(before if before is not None else self.machine.items):
            if isinstance(one, Item) and id(one) not in kept:
                self.lost.setdefault(one.node_id, cause)
        if left is not self.machine.items:
            self.machine.items[:] = list(left)

    def take(self, item: Item, cause: Cause) -> None:
        """Note that an item is not collected."""
        self.lost.setdefault(item.node_id, cause)
