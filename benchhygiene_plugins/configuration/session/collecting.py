"""The hooks by which conftests take part in collecting: what they keep out, and what they drop."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

import attrs

from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.hooks import Hook
from benchhygiene_plugins.configuration.session.items import Item
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    Arguments,
    Keywords,
    Native,
    PathText,
    Thing,
    relative,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.session.playing import Player

_FILE_HOOKS = ("pytest_collect_file", "pytest_collect_directory", "pytest_pycollect_makemodule")


@attrs.define(eq=False, repr=False)
class Collecting:
    """Asks the hooks about every directory, file, class and function on the way to each item."""

    player: Player
    _paths: dict[str, Cause | None] = attrs.field(factory=dict[str, "Cause | None"])
    _names: dict[tuple[str, ...], Cause | None] = attrs.field(
        factory=dict[tuple[str, ...], "Cause | None"]
    )

    def run(self, given: Mapping[str, object]) -> None:
        """Drop the items that are not collected."""
        self._reported(given)
        items = self.player.machine.items
        kept: list[object] = []
        for item in items:
            cause = self._cause(item, given) if isinstance(item, Item) else None
            if cause is None:
                kept.append(item)
            elif isinstance(item, Item):
                self.player.take(item, cause)
        items[:] = kept

    def _cause(self, item: Item, given: Mapping[str, object]) -> Cause | None:
        for path in _steps(item.node.path):
            if path not in self._paths:
                self._paths[path] = self._of_path(path, given)
            cause = self._paths[path]
            if cause is not None:
                return cause
        return self._of_names(item, given) or self._generated(item, given)

    def _of_path(self, path: str, given: Mapping[str, object]) -> Cause | None:
        for conftest, (paths, globs) in self.player.ignores.items():
            if _is_ignored(path, posixpath.dirname(conftest), paths, globs):
                return Cause(conftest, text="collect_ignore")
        where = PathText(posixpath.join(ROOT, path))
        named = {**given, "collection_path": where, "path": where, "file_path": where}
        for hook in self.player.named("pytest_ignore_collect"):
            if _is_below(path, hook.cause.path) and self._holds(hook, named):
                return hook.cause
        is_file = path.endswith(".py")
        for hook in self.player.named(*_FILE_HOOKS) if is_file else ():
            collected: list[object] = [where]
            result = self.player.call(hook, {**named, "module_path": where}, collected)
            if hook.routine.is_generator and not _is_something(result):
                return hook.cause
            if hook.name == "pytest_pycollect_makemodule" and result == []:
                return hook.cause
        return None

    def _holds(self, hook: Hook, given: Mapping[str, object]) -> bool:
        result = self.player.call(hook, given, False)
        if isinstance(result, Opaque):
            return self.player.machine.decisions.take("pytest_ignore_collect")
        return bool(result)

    def _of_names(self, item: Item, given: Mapping[str, object]) -> Cause | None:
        """Ask ``pytest_pycollect_makeitem`` about the classes and the function of an item."""
        hooks = self.player.named("pytest_pycollect_makeitem")
        if not hooks:
            return None
        names = (item.node.path, *(one.name for one in item.node.classes), item.node.name)
        for end in range(2, len(names) + 1):
            key = names[:end]
            if key not in self._names:
                self._names[key] = self._made(hooks, item, key, given)
            cause = self._names[key]
            if cause is not None:
                return cause
        return None

    def _made(
        self, hooks: list[Hook], item: Item, names: tuple[str, ...], given: Mapping[str, object]
    ) -> Cause | None:
        collector = _Collector(names)
        obj = item.member("obj") if len(names) == len(item.node.classes) + 2 else _Named(names[-1])
        named = {**given, "collector": collector, "name": names[-1], "obj": obj}
        for hook in hooks:
            if not _is_below(item.node.path, hook.cause.path):
                continue
            made: list[object] = [item]
            result = self.player.call(hook, named, made)
            if hook.routine.is_generator and not _is_something(result):
                return hook.cause
            if isinstance(result, list | tuple) and not result:
                return hook.cause
        return None

    def _generated(self, item: Item, given: Mapping[str, object]) -> Cause | None:
        """Ask ``pytest_generate_tests`` of the conftests whether it leaves no parameter set."""
        for hook in self.player.named("pytest_generate_tests"):
            metafunc = _Metafunc(item, given)
            if _is_below(item.node.path, hook.cause.path):
                self.player.call(hook, {"metafunc": metafunc}, None)
                if metafunc.is_emptied:
                    return hook.cause
        return None

    def _reported(self, given: Mapping[str, object]) -> None:
        """Let wrappers of ``pytest_make_collect_report`` drop what a file was found to hold."""
        hooks = self.player.named("pytest_make_collect_report")
        if not hooks:
            return
        by_path: dict[str, list[object]] = {}
        for item in self.player.machine.items:
            if isinstance(item, Item):
                by_path.setdefault(item.node.path, []).append(item)
        for path, items in by_path.items():
            for hook in hooks:
                report = Thing(attributes={"result": list(items), "outcome": "passed"})
                collector = _Collector((path,))
                self.player.call(hook, {**given, "collector": collector}, report)
                self._drop(items, report.attributes["result"], hook)

    def _drop(self, items: list[object], left: object, hook: Hook) -> None:
        kept = cast("list[object]", left) if isinstance(left, list | tuple) else items
        for item in items:
            if isinstance(item, Item) and item not in kept:
                self.player.take(item, hook.cause)
                if item in self.player.machine.items:
                    self.player.machine.items.remove(item)


def _is_something(result: object) -> bool:
    if isinstance(result, Opaque):
        return True
    return bool(result)


def _steps(path: str) -> Iterator[str]:
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        yield "/".join(parts[:end])


def _is_below(path: str, conftest: str) -> bool:
    """Return whether a conftest's hooks are asked about a path; a plugin's always are."""
    if posixpath.basename(conftest) != "conftest.py":
        return True
    directory = posixpath.dirname(conftest)
    return not directory or path.startswith(f"{directory}/")


def _is_ignored(path: str, directory: str, paths: tuple[str, ...], globs: tuple[str, ...]) -> bool:
    if not (not directory or path.startswith(f"{directory}/")):
        return False
    if any(_anchored(directory, one) == path for one in paths):
        return True
    return any(fnmatch.fnmatchcase(path, _anchored(directory, glob)) for glob in globs)


def _anchored(directory: str, glob: str) -> str:
    if glob.startswith(ROOT):
        return relative(glob)
    return posixpath.normpath(posixpath.join(directory, glob))


@attrs.frozen(eq=False, repr=False)
class _Named:
    name: str

    def member(self, name: str) -> object:
        if name in ("__name__", "__qualname__"):
            return self.name
        raise Unknown(name)


@attrs.frozen(eq=False, repr=False)
class _Collector:
    """A module or class that is being looked into: its path and the names down to it."""

    names: tuple[str, ...]

    def member(self, name: str) -> object:
        path = self.names[0]
        inner = self.names[1:-1]
        match name:
            case "name":
                return inner[-1] if inner else posixpath.basename(path)
            case "nodeid":
                return "::".join((path, *inner))
            case "path" | "fspath":
                return PathText(posixpath.join(ROOT, path))
            case _:
                raise Unknown(name)


@attrs.define(eq=False, repr=False)
class _Metafunc:
    item: Item
    given: Mapping[str, object]
    is_emptied: bool = False

    def member(self, name: str) -> object:
        match name:
            case "function" | "cls" | "module":
                return self.item.member(name)
            case "definition":
                return self.item
            case "fixturenames":
                arguments = self.item.node.definition.args
                return [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]
            case "config":
                return self.given["config"]
            case "parametrize":
                return Native(name, self._parametrize)
            case _:
                raise Unknown(name)

    def _parametrize(self, arguments: Arguments, words: Keywords) -> object:
        rows = arguments[1] if len(arguments) > 1 else words.get("argvalues")
        if isinstance(rows, list | tuple) and not cast("list[object]", rows):
            self.is_emptied = True
        return None
