"""Ask the pytest of this interpreter which options, ini keys and markers it knows.

Runs inside the environment that is asked (Python 3.9 for pytest 6.2), so it imports nothing but
the standard library and pytest, and uses pytest's private parts where no public ones exist:

    python ask.py OUTPUT.json [DISTRIBUTION]

Without DISTRIBUTION the built-in plugins are asked, otherwise what that distribution registers.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib.metadata
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator

import _pytest.config
import pytest
from _pytest.config import Config, PytestPluginManager
from _pytest.config.argparsing import OptionGroup, Parser

Around = Callable[..., "contextlib.AbstractContextManager[None]"]

ACTIONS = {
    "_StoreAction": "store",
    "_StoreTrueAction": "store_true",
    "_StoreFalseAction": "store_false",
    "_StoreConstAction": "store_const",
    "_AppendAction": "append",
    "_AppendConstAction": "append_const",
    "_CountAction": "count",
    "_ExtendAction": "extend",
    "_HelpAction": "help",
    "_VersionAction": "version",
    "HelpAction": "help",
}


class Owners:
    """Who registered what: option strings, ini keys and marker lines, by plugin name."""

    def __init__(self, own: frozenset[str], modules: frozenset[str]) -> None:
        self.own, self.modules = own, modules
        self.stack: list[str] = []
        self.options: dict[str, str] = {}
        self.ini: dict[str, str] = {}
        self.markers: list[str] = []

    def current(self) -> str:
        """Return the plugin being registered, the bundled ones' outermost, else the config."""
        mine = [name for name in self.stack if name in self.own]
        return (mine or self.stack or ["pytestconfig"])[0]

    def watch(self) -> None:
        """Note what passes through the places where plugins register."""
        wrap(PytestPluginManager, "register", self.registering)
        wrap(OptionGroup, "addoption", self.adding_option)
        wrap(OptionGroup, "_addoption", self.adding_option)
        wrap(Parser, "addini", self.adding_ini)
        wrap(Config, "addinivalue_line", self.adding_line)

    @contextlib.contextmanager
    def registering(
        self, manager: PytestPluginManager, plugin: object, name: str | None = None
    ) -> Iterator[None]:
        self.stack.append(name or manager.get_canonical_name(plugin))
        try:
            yield
        finally:
            self.stack.pop()

    @contextlib.contextmanager
    def adding_option(self, _: object, *names: str, **attributes: object) -> Iterator[None]:
        for name in names:
            self.options.setdefault(name, self.current())
        yield

    @contextlib.contextmanager
    def adding_ini(self, _: object, name: str, *rest: object, **named: object) -> Iterator[None]:
        self.ini.setdefault(name, self.current())
        yield

    @contextlib.contextmanager
    def adding_line(self, _: object, name: str, line: str) -> Iterator[None]:
        if name == "markers" and calling_module().partition(".")[0] in self.modules:
            self.markers.append(line)
        yield


def wrap(owner: type, method: str, around: Around) -> None:
    original = getattr(owner, method)

    @functools.wraps(original)
    def replacement(*args: object, **named: object) -> object:
        with around(*args, **named):
            return original(*args, **named)

    setattr(owner, method, replacement)


def calling_module() -> str:
    """Return the module that called a wrapped function: the first that is not part of wrapping."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"] in {"contextlib", __name__}:
        frame = frame.f_back
    return str(frame.f_globals["__name__"])


def argument_parser(config: Config) -> argparse.ArgumentParser:
    parser = config._parser
    made = parser._getparser() if hasattr(parser, "_getparser") else parser.optparser
    assert isinstance(made, argparse.ArgumentParser)
    return made


def plain(value: object) -> object:
    """Return a JSON value that is the same on every machine and every day.

    What JSON cannot hold becomes its representation; the scratch directory becomes ``.``, and the
    digits of a time stamp (pytest-benchmark's file names) become zeros.
    """
    if value is None or isinstance(value, (int, float, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    text = os.fspath(value) if isinstance(value, (str, os.PathLike)) else repr(value)
    text = str(text).replace(os.getcwd(), ".")
    return re.sub(r"\d{8}_\d{6}", "00000000_000000", text)


def type_name(kind: object) -> str | None:
    while isinstance(kind, functools.partial):
        kind = kind.func
    return None if kind is None else str(getattr(kind, "__name__", kind))


def option_row(action: argparse.Action, owners: Owners) -> dict[str, object]:
    kind = type(action).__name__
    choices = None if action.choices is None else [str(choice) for choice in action.choices]
    return {
        "names": list(action.option_strings),
        "dest": action.dest,
        "nargs": action.nargs,
        "action": ACTIONS.get(kind, kind),
        "choices": choices,
        "type": type_name(action.type),
        "const": plain(action.const),
        "plugin": owners.options.get(action.option_strings[0], "pytestconfig"),
    }


def option_rows(config: Config, owners: Owners) -> list[dict[str, object]]:
    actions = argument_parser(config)._actions
    rows = [option_row(action, owners) for action in actions if action.option_strings]
    return sorted(rows, key=lambda row: str(row["names"]))


def ini_kind(kind: object) -> tuple[str, list[str] | None]:
    """Return the type's name and its literal choices; a union is joined with ``|``."""
    if isinstance(kind, tuple):
        members = [ini_kind(member) for member in kind]
        choices = [choice for _, found in members for choice in found or ()]
        return "|".join(name for name, _ in members), choices or None
    literals = getattr(kind, "choices", None)
    return ("literal", list(literals)) if literals is not None else (str(kind or "string"), None)


def ini_rows(config: Config, owners: Owners) -> list[dict[str, object]]:
    aliases: dict[str, str] = getattr(config._parser, "_ini_aliases", {})
    rows: list[dict[str, object]] = []
    for name, (_, declared, default) in sorted(config._parser._inidict.items()):
        kind, choices = ini_kind(declared)
        others = sorted(alias for alias, target in aliases.items() if target == name)
        plugin = owners.ini.get(name, "pytestconfig")
        rows.append(
            {"name": name, "type": kind, "default": plain(default), "choices": choices}
            | {"aliases": others, "plugin": plugin}
        )
    return rows


def marker_names(lines: list[str]) -> list[str]:
    return sorted({re.split(r"[:(]", line, maxsplit=1)[0].strip() for line in lines})


def ask_builtin() -> dict[str, object]:
    owners = Owners(frozenset(), frozenset())
    owners.watch()
    config = _pytest.config._prepareconfig([])
    options, ini = option_rows(config, owners), ini_rows(config, owners)
    config._do_configure()
    markers = marker_names(config.getini("markers"))
    builtin = set(_pytest.config.builtin_plugins)
    default = _pytest.config.default_plugins
    extra = sorted(builtin - set(default))
    fuller = _pytest.config._prepareconfig([word for name in extra for word in ("-p", name)])
    return {
        "version": pytest.__version__,
        "essential_plugins": list(_pytest.config.essential_plugins),
        "default_plugins": list(default),
        "builtin_plugins": sorted(builtin),
        "fromfile_prefix_chars": argument_parser(config).fromfile_prefix_chars,
        "markers": markers,
        "options": options,
        "ini": ini,
        "extra_options": [row for row in option_rows(fuller, owners) if row not in options],
        "extra_ini": [row for row in ini_rows(fuller, owners) if row not in ini],
    }


def top_level_modules(distribution: importlib.metadata.Distribution) -> list[str]:
    found = set()
    for path in distribution.files or ():
        first = path.parts[0]
        if len(path.parts) == 1 and first.endswith(".py"):
            found.add(first[: -len(".py")])
        elif len(path.parts) > 1 and path.suffix == ".py" and first.isidentifier():
            found.add(first)
    return sorted(found - {"__pycache__"})


def ask_plugin(name: str) -> dict[str, object]:
    distribution = importlib.metadata.distribution(name)
    points = [point for point in distribution.entry_points if point.group == "pytest11"]
    own = frozenset(point.name for point in points)
    modules = top_level_modules(distribution)
    owners = Owners(own, frozenset(modules))
    owners.watch()
    config = _pytest.config._prepareconfig([])
    config._do_configure()
    return {
        "distribution": re.sub(r"[-_.]+", "-", name).lower(),
        "version": distribution.version,
        "pytest": pytest.__version__,
        "entry_points": sorted([point.name, point.value.partition(":")[0]] for point in points),
        "modules": modules,
        "markers": marker_names(owners.markers),
        "options": [row for row in option_rows(config, owners) if row["plugin"] in own],
        "ini": [row for row in ini_rows(config, owners) if row["plugin"] in own],
    }


def main(output: str, *names: str) -> None:
    output = os.path.abspath(output)
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        answer = ask_plugin(*names) if names else ask_builtin()
        with open(output, "w", encoding="utf-8") as stream:
            json.dump(answer, stream)
        os.chdir(os.path.dirname(output))
    os._exit(0)  # plugins leave threads and captured streams behind that would spoil a plain exit


if __name__ == "__main__":
    main(*sys.argv[1:])
