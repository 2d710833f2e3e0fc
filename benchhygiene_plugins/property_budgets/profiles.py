"""The profiles that conftests, modules and ``addopts`` register and load, in their order."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.calling import arguments_in
from benchhygiene.inventory.index import words
from benchhygiene.inventory.meanings import Delayed, Known, Scope
from benchhygiene_plugins.property_budgets.addopts import PROFILE, Option, options
from benchhygiene_plugins.property_budgets.budgets import (
    SETTINGS,
    Budgets,
    Profiles,
    Setting,
    Settings,
    either,
)
from benchhygiene_plugins.property_budgets.following import plain_name
from benchhygiene_plugins.property_budgets.places import Place, place_of
from benchhygiene_plugins.property_budgets.quantities import Unread
from benchhygiene_plugins.property_budgets.sources import calls, imported, rounds

_REGISTER, _LOAD = f"{SETTINGS}.register_profile", f"{SETTINGS}.load_profile"
_WORDS = frozenset((b"register_profile", b"load_profile"))
_MOST = 300  # modules that are followed from one file


@attrs.frozen(eq=False)
class Event:
    """One call that registers a profile, or loads one; ``is_sure`` unless a branch decides.

    ``scope`` has what the loops around it bind: one event for each time round.
    """

    is_load: bool
    call: ast.Call
    path: str
    is_sure: bool
    scope: Scope


@attrs.frozen(eq=False)
class Registration:
    """What a profile is registered as, and where."""

    settings: Settings
    place: Place


@attrs.define(eq=False)
class ProfileReader:
    """Reads the profiles of one tree; remembers those of each directory."""

    tree: SourceTree
    budgets: Budgets
    _known: dict[str, Profiles] = attrs.field(factory=dict[str, Profiles], init=False)
    _options: dict[str, Option] | None = attrs.field(default=None, init=False)

    def at(self, path: str) -> Profiles:
        """Return the profiles in force for the tests of a file."""
        if path not in self._known:
            self._known[path] = self._at(path)
        return self._known[path]

    def _at(self, path: str) -> Profiles:
        conftests = [one for one in conftests_above(path) if self.tree.is_file(one)]
        found = Profiles()
        for one in conftests:
            found = self._after(one, found)
        chosen = self.options().get(PROFILE)
        if chosen is not None:
            found = _loaded(found, (chosen.value,), chosen.place, is_sure=True)
        return found if path in conftests else self._after(path, found)

    def _after(self, path: str, before: Profiles) -> Profiles:
        found = before
        for one in self._modules(path):
            for event in self.events(one):
                found = self._changed(found, event)
        return found

    def _modules(self, path: str) -> Iterator[str]:
        """Yield the modules of the tree that a file imports and that speak of profiles, then it."""
        seen: dict[str, None] = {}
        self._follow(path, seen)
        yield from (one for one in seen if self._speaks(one))

    def _follow(self, path: str, seen: dict[str, None]) -> None:
        stack = [(path, False)]
        begun: set[str] = set()
        while stack and len(begun) < _MOST:
            one, is_done = stack.pop()
            if is_done:
                seen[one] = None
                continue
            if one in begun:
                continue
            begun.add(one)
            stack.append((one, True))
            stack.extend((other, False) for other in reversed([*self._imports(one)]))

    def _imports(self, path: str) -> Iterator[str]:
        evaluator = self.budgets.follower.evaluator
        package = posixpath.join(posixpath.dirname(path), "__init__.py")
        if self.tree.is_file(package) and package != path:
            yield package
        for module, level in imported(evaluator.file(path).body):
            home = evaluator.modules.locate(path, module, level)
            if home is not None:
                yield home

    def _speaks(self, path: str) -> bool:
        try:
            return not _WORDS.isdisjoint(self.tree.derived(path, words))
        except EvidenceUnavailable:
            return False

    def events(self, path: str) -> Iterator[Event]:
        """Yield the calls of a file that register or load profiles, in the order of its source."""
        evaluator = self.budgets.follower.evaluator
        if not (self.tree.is_file(path) and self._speaks(path)):
            return
        for found in calls(evaluator.file(path).body):
            for value in evaluator.evaluate(found.call.func, Scope(path)):
                name = plain_name(value.name) if isinstance(value, Known) else ""
                if name in (_REGISTER, _LOAD):
                    for scope in rounds(found.loops, Scope(path), self.budgets.quantities):
                        yield Event(name == _LOAD, found.call, path, found.is_sure, scope)

    def _changed(self, found: Profiles, event: Event) -> Profiles:
        place = place_of(event.call, event.path, self.budgets.follower.evaluator)
        names = self._names(event)
        if event.is_load:
            return _loaded(found, names, place, is_sure=event.is_sure)
        named = dict(found.named)
        for name in names:
            named[name] = self.registered(event, found)
        current = found.current
        if any(found.named.get(name) is current for name in names):  # the one in force
            current = named[names[0]]
        return Profiles(named, current, found.loaded)

    def _names(self, event: Event) -> tuple[str, ...]:
        call, scope = event.call, event.scope
        given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "name")]
        found = self.budgets.quantities.several(Delayed(given[0], scope)) if given else ()
        return tuple(one for one in found if isinstance(one, str)) or ("?",)

    def registered(self, event: Event, profiles: Profiles) -> Settings:
        """Return the settings that a call registers."""
        at = Delayed(event.call, event.scope)
        given = list(arguments_in(event.call, at.scope))
        positional = [one for one in given if one.name is None]
        arguments = tuple(one for one in given if one not in positional[:1] and one.name != "name")
        name = self._names(event)[0]
        found = self.budgets.of_call(arguments, at, profiles)
        return {key: attrs.evolve(one, profile=name) for key, one in found.items()}

    def registered_by(self, path: str) -> Mapping[str, Registration]:
        """Return what one file registers, by the names of the profiles."""
        found = Profiles()
        own: dict[str, Registration] = {}
        for event in self.events(path):
            found = self._changed(found, event)
            place = place_of(event.call, event.path, self.budgets.follower.evaluator)
            if not event.is_load:
                names = self._names(event)
                own.update((name, Registration(found.named[name], place)) for name in names)
        return own

    def options(self) -> Mapping[str, Option]:
        """Return the hypothesis options that a config file gives."""
        if self._options is None:
            self._options = dict(options(self.tree))
        return self._options


def _loaded(found: Profiles, names: tuple[str, ...], place: Place, *, is_sure: bool) -> Profiles:
    """Return the profiles after one of these was loaded."""
    chosen = [found.named.get(name) or _strange(found.current, name) for name in names]
    if not is_sure:
        chosen.append(found.current)
    settings = chosen[0] if len(chosen) == 1 else either(chosen)
    return Profiles(found.named, settings, place)


def _strange(current: Settings, name: str) -> Settings:
    """Return the settings of a profile that nobody here has registered."""
    unread = Setting((Unread(f"the profile {name}"),), None, name)
    return dict.fromkeys(current, unread)


def conftests_above(path: str) -> Iterator[str]:
    """Yield where the conftests above a file would be, the farthest first."""
    folder = posixpath.dirname(path)
    parts = folder.split("/") if folder else []
    for end in range(len(parts) + 1):
        yield posixpath.join(*parts[:end], "conftest.py") if end else "conftest.py"
