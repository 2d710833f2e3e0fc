"""Read the commands that TOML files keep: tox, hatch, pdm, poe, pixi, taskipy."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline, Setting, gates
from benchhygiene_plugins.pipelines.scripts import plain, reading, tox

_DEEPEST = 8  # tables within each other
_COMMANDS = ("commands", "commands_pre", "commands_post")
_TASKS = frozenset(("scripts", "tasks", "script"))
_ONE_TASK = ("cmd", "shell", "test-command")


def toml(path: str, data: bytes) -> Pipeline:
    """Return the gates of tables named commands, scripts or tasks."""
    text = data.decode("utf-8", errors="replace")
    try:
        document = parse_toml(text)
    except (tomllib.TOMLDecodeError, TomlRefused) as error:
        return Pipeline(doubts=(f"no TOML: {error}",))
    is_project = path.rpartition("/")[2] == "pyproject.toml"
    tool = _mapping(document.get("tool")) if is_project else document
    legacy = _mapping(tool.get("tox")).get("legacy_tox_ini")
    given = tox(path, legacy.encode()).gates if isinstance(legacy, str) else ()
    found = reading(path, functools.partial(_Tables(path, text).table, tool, (), 0))
    return attrs.evolve(found, gates=(*given, *found.gates))


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


@attrs.frozen
class _Tables:
    path: str
    text: str

    def table(self, value: object, place: tuple[str, ...], depth: int) -> Iterator[Gate]:
        given = _mapping(value)
        if depth > _DEEPEST or place[:1] == ("pytest",):
            return
        setting = Setting(
            self.path,
            masked="ignore_outcome" if given.get("ignore_outcome") is True else "",
            environment=tuple(f"{k}={v}" for k, v in _mapping(given.get("set_env")).items()),
        )
        for key, inner in given.items():
            here = (*place, key)
            within = attrs.evolve(setting, place=here)
            if key in _COMMANDS:
                for command in _items(inner):
                    yield from self._listed(command, within)
            elif _TASKS & {*place} or key in _ONE_TASK:
                yield from self._task(inner, within, depth)
            else:
                yield from self.table(inner, here, depth + 1)

    def _listed(self, command: object, setting: Setting) -> Iterator[Gate]:
        """Yield the gate of one command in tox's TOML form, a list of words."""
        masked = setting.masked
        # A table stands for what is put in its place: arguments of whoever calls tox.
        words = tuple(word for word in _items(command) if isinstance(word, str))
        if words and words[0] in ("-", "!"):
            masked = masked or f"{words[0]} before the command"
            words = words[1:]
        line = self._line(next((word for word in words if word not in ("python", "-m")), ""))
        if words:
            yield from plain(self.path, setting.place, words, line, masked, (), setting.environment)

    def _task(self, value: object, setting: Setting, depth: int) -> Iterator[Gate]:
        if isinstance(value, Mapping):
            yield from self.table(cast("object", value), setting.place, depth + 1)
            return
        for one in _items(value):
            if isinstance(one, str):
                script = one.removeprefix("- ")  # hatch does not ask for the status of these
                mask = setting.masked or ("" if script == one else "- before the command")
                line = self._line(one.partition("\n")[0])
                yield from gates(script, line, attrs.evolve(setting, masked=mask))

    def _line(self, wanted: str) -> int:
        at = self.text.find(wanted) if wanted else -1
        return self.text.count("\n", 0, at) + 1 if at >= 0 else 1
