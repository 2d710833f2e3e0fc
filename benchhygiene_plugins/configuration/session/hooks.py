"""Find the hooks that a tree's conftests and plugins give to pytest, and call them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.modules import Module, public_names
from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.configuration.session.calls import bound
from benchhygiene_plugins.configuration.session.endings import Raised, Returned
from benchhygiene_plugins.configuration.session.expressions import OUTCOME
from benchhygiene_plugins.configuration.session.loaded import ModuleOf
from benchhygiene_plugins.configuration.session.machine import Machine
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.things import (
    UNKNOWN,
    Frame,
    Instance,
    Kind,
    Native,
    Routine,
    Thing,
    answering,
)


@attrs.frozen(eq=False)
class Hook:
    """One function that pytest calls, and where it is attached."""

    name: str
    routine: Routine
    cause: Cause

    @property
    def is_new_wrapper(self) -> bool:
        """Return whether ``yield`` gives it the result itself (``wrapper=True``)."""
        return _keyword(self.routine, "wrapper")


@attrs.define(eq=False, repr=False)
class Outcome(Thing):
    """What ``yield`` gives a ``hookwrapper``."""

    result: object

    def member(self, name: str) -> object:
        """Return a method. Raises Unknown."""
        if name == "get_result":
            return answering(self.result)
        if name == "force_result":
            return Native(name, lambda arguments, words: self.store("_result", arguments[0]))
        if name in ("result", "_result"):
            return self.result
        if name in ("exception", "excinfo"):
            return None
        raise Unknown(name)

    def store(self, name: str, value: object) -> None:
        """Overwrite the result."""
        if name in ("result", "_result"):
            self.result = value


def _keyword(routine: Routine, name: str) -> bool:
    return any(
        keyword.arg == name and isinstance(keyword.value, ast.Constant) and keyword.value.value
        for keyword in _keywords(routine)
    )


def _keywords(routine: Routine) -> Iterator[ast.keyword]:
    for decorator in getattr(routine.node, "decorator_list", ()):
        if isinstance(decorator, ast.Call):
            yield from decorator.keywords


def specname(routine: Routine) -> str:
    """Return the hook that a decorator says a function is, empty where none does."""
    for keyword in _keywords(routine):
        value = keyword.value
        if keyword.arg == "specname" and isinstance(value, ast.Constant):
            return str(value.value)
    return ""


def hooks_of(machine: Machine, plugin: object, cause: Cause) -> Iterator[Hook]:
    """Yield the hooks of a module, or of an object that is registered as a plugin."""
    for name, value in _attributes(machine, plugin):
        if not isinstance(value, Routine):
            continue
        if name.startswith("pytest_"):  # pytest looks at no other names
            hook = specname(value) or name
            path = plugin.path if isinstance(plugin, ModuleOf) else cause.path
            yield Hook(hook, value, _cause(machine, value, path))


def _cause(machine: Machine, routine: Routine, path: str) -> Cause:
    home = routine.frame.path
    module = machine.modules.at(home)
    line = getattr(routine.node, "lineno", None)
    text = ""
    if module is not None and isinstance(routine.node, ast.stmt):
        text = module.file.definition_text(routine.node)[:1_000]
    also = (home,) if home != path else ()
    return Cause(path, line if home == path else None, text, also)


def _attributes(machine: Machine, plugin: object) -> Iterator[tuple[str, object]]:
    if isinstance(plugin, ModuleOf):
        for name in module_names(machine, plugin.path):
            if not name.startswith("pytest_"):
                continue
            try:
                yield name, machine.module_value(plugin.path, name)
            except Unknown:
                continue
    elif isinstance(plugin, Instance | Kind):
        kind = plugin.kind if isinstance(plugin, Instance) else plugin
        pending = [kind]
        seen: set[str] = set()
        while pending and len(seen) < 500:
            one = pending.pop(0)
            for name in one.attributes:
                if name not in seen:
                    seen.add(name)
                    yield name, plugin.member(name)
            pending += [base for base in one.bases if isinstance(base, Kind)]


def module_names(machine: Machine, path: str) -> Sequence[str]:
    """Return every name that may be a hook in a module, those of its stars included."""
    module = machine.modules.at(path)
    found = dict.fromkeys(machine.frame_of(path).names)
    if module is not None:
        found.update(dict.fromkeys(module.scope.names))
        for other in _starred(machine, module):
            found.update(dict.fromkeys(public_names(machine.modules, other)))
    return [name for name in found if not name.startswith("__")]


def _starred(machine: Machine, module: Module) -> Iterator[Module]:
    for star, _ in module.scope.stars:
        path = machine.modules.locate(star, module.path)
        other = None if path is None else machine.modules.at(path)
        if other is not None and path != module.path:
            yield other


def call(machine: Machine, hook: Hook, given: Mapping[str, object], result: object) -> object:
    """Call one hook and return the result as it leaves it.

    ``result`` is what a wrapper is given: that of the hooks inside it. A plain hook gives None
    where it has nothing to say.
    """
    routine = hook.routine
    machine.cause = hook.cause
    frame = Frame(routine.frame.path, outer=routine.frame)
    frame.names.update(_given(machine, routine, given))
    if isinstance(routine.node, ast.Lambda):
        return machine.value(routine.node.body, frame)
    if not routine.is_generator:
        return _returned(machine, routine.node.body, frame, None)
    frame.yields = []
    outcome = Outcome(result)
    frame.names[OUTCOME] = result if hook.is_new_wrapper else outcome
    returned = _returned(machine, routine.node.body, frame, result)
    return returned if hook.is_new_wrapper else outcome.result


def _returned(machine: Machine, body: Sequence[ast.stmt], frame: Frame, default: object) -> object:
    try:
        machine.execute(machine, body, frame)
    except Returned as returned:
        return returned.value
    except Raised:
        return default
    return default


def _given(
    machine: Machine, routine: Routine, given: Mapping[str, object]
) -> Iterator[tuple[str, object]]:
    """Yield the arguments a hook asks for; pluggy gives nothing to those that have a default."""
    spec = routine.node.args
    named = [*spec.posonlyargs, *spec.args]
    asked = [one.arg for one in named[: len(named) - len(spec.defaults)]]
    words = {name: given.get(name, UNKNOWN) for name in asked}
    yield from bound(machine, routine, (), words)


def plugin_names(value: object) -> list[str]:
    """Return the module names that ``pytest_plugins`` holds."""
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, list | tuple):
        return [one for one in cast("Sequence[object]", value) if isinstance(one, str)]
    return []
