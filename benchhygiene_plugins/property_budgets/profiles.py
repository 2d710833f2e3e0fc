"""The profiles that conftests, modules and ``addopts`` register and load, in their order."""

from __future__ import annotations

import ast
import posixpath
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.calling import arguments_in
from benchhygiene.inventory.index import words
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.meanings import Delayed, Known, Scope
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
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

_REGISTER, _LOAD = f"{SETTINGS}.register_profile", f"{SETTINGS}.load_profile"
_WORDS = frozenset((b"register_profile", b"load_profile"))
_MOST = 300  # modules that are followed from one file
PROFILE, SEED = "--hypothesis-profile", "--hypothesis-seed"


@attrs.frozen(eq=False)
class Event:
    """One call that registers a profile, or loads one; ``is_sure`` unless a branch decides."""

    is_load: bool
    call: ast.Call
    path: str
    is_sure: bool


@attrs.frozen(eq=False)
class Registration:
    """What a profile is registered as, and where."""

    settings: Settings
    place: Place


@attrs.frozen(eq=False)
class Option:
    """A hypothesis option in ``addopts``, with where it stands."""

    value: str
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
        for module, level in _imported(evaluator.file(path).body):
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
        for call, is_sure in _calls(evaluator.file(path).body):
            for value in evaluator.evaluate(call.func, Scope(path)):
                name = plain_name(value.name) if isinstance(value, Known) else ""
                if name in (_REGISTER, _LOAD):
                    yield Event(name == _LOAD, call, path, is_sure)

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
        call, scope = event.call, Scope(event.path)
        given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "name")]
        found = self.budgets.quantities.several(Delayed(given[0], scope)) if given else ()
        return tuple(one for one in found if isinstance(one, str)) or ("?",)

    def registered(self, event: Event, profiles: Profiles) -> Settings:
        """Return the settings that a call registers."""
        at = Delayed(event.call, Scope(event.path))
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


def _imported(body: Iterable[ast.stmt]) -> Iterator[tuple[str, int]]:
    for one in body:
        if isinstance(one, ast.Import):
            yield from ((alias.name, 0) for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
            module = one.module or ""
            yield module, one.level
            yield from ((f"{module}.{alias.name}".lstrip("."), one.level) for alias in one.names)
        elif isinstance(one, ast.Assign) and _is_plugins(one.targets[0]):
            texts = (each for each in ast.walk(one.value) if isinstance(each, ast.Constant))
            yield from ((each.value, 0) for each in texts if isinstance(each.value, str))


def _is_plugins(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "pytest_plugins"


def _calls(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.Call, bool]]:
    """Yield every call of a module, and whether it stands under no condition."""
    stack: list[tuple[ast.AST, bool]] = [(one, True) for one in reversed([*body])]
    while stack:
        one, is_sure = stack.pop()
        if isinstance(one, ast.Call):
            yield one, is_sure
        is_sure = is_sure and not isinstance(one, ast.If | ast.ExceptHandler | ast.IfExp)
        stack.extend((each, is_sure) for each in reversed(list(ast.iter_child_nodes(one))))


def options(tree: SourceTree) -> Iterator[tuple[str, Option]]:
    """Yield the hypothesis options in ``addopts`` of the config file that pytest reads."""
    for name in CONFIG_FILES:
        if not tree.is_file(name):
            continue
        try:
            found = tree.derived(name, _toml if name.endswith(".toml") else _ini)
        except EvidenceUnavailable:
            continue
        if found is None:
            continue
        line, text = found
        yield from _options(name, line, text)
        return


def _options(path: str, line: int, text: str) -> Iterator[tuple[str, Option]]:
    try:
        given = shlex.split(text)
    except ValueError:
        given = text.split()
    for index, word in enumerate(given):
        name, sign, value = word.partition("=")
        if name in (PROFILE, SEED):
            chosen = value if sign else "".join(given[index + 1 : index + 2])
            yield name, Option(chosen, Place(path, line, 1, text.strip()))


def _ini(data: bytes) -> tuple[int, str] | None:
    """Return the line and text of ``addopts``, an empty one without it; None without a section."""
    try:
        sections = parse_ini(data.decode("utf-8", errors="replace"))
    except IniSyntaxError:
        return None
    for section in ("pytest", "tool:pytest"):
        if section in sections:
            found = sections[section].get("addopts")
            return (found.line, found.text) if found is not None else (1, "")
    return None


def _toml(data: bytes) -> tuple[int, str] | None:
    text = data.decode("utf-8", errors="replace")
    try:
        document: object = parse_toml(text)
    except (tomllib.TOMLDecodeError, TomlRefused):
        return None
    for keys in (("tool", "pytest", "ini_options"), ("tool", "pytest"), ("pytest",)):
        table = document
        for key in keys:
            table = _table(table).get(key)
        options = _table(table)
        if options and (keys[-1] != "pytest" or "addopts" in options):
            line = text[: max(text.find("addopts"), 0)].count("\n") + 1
            return line, _joined(options.get("addopts", ""))
    return None


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _joined(value: object) -> str:
    if isinstance(value, list):
        return " ".join(shlex.quote(str(one)) for one in cast("list[object]", value))
    return str(value)
