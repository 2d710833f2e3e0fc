"""``config`` and ``parser`` as hooks see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.configuration.files.sections import Option
from benchhygiene_plugins.configuration.session.options import Cause, Options
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    UNKNOWN,
    Arguments,
    Keywords,
    Native,
    PathText,
    Thing,
    answering,
)

#: The types of pytest's own settings, as far as a hook may ask for them.
_KINDS = {
    "python_files": "args",
    "python_classes": "args",
    "python_functions": "args",
    "testpaths": "args",
    "norecursedirs": "args",
    "addopts": "args",
    "markers": "linelist",
    "filterwarnings": "linelist",
    "xfail_strict": "bool",
}
_NAMES = {
    "-k": "keyword",
    "-m": "markexpr",
    "--deselect": "deselect",
    "--ignore": "ignore",
    "--collect-only": "collectonly",
    "--co": "collectonly",
    "--lf": "lf",
    "--maxfail": "maxfail",
    "--doctest-modules": "doctestmodules",
    "-v": "verbose",
}


@attrs.define(eq=False, repr=False)
class Parser(Thing):
    """``parser``: the options that conftests add, and the defaults they give them."""

    options: Options
    given: Mapping[str, str | None] = attrs.field(factory=dict[str, "str | None"])
    inis: dict[str, object] = attrs.field(factory=dict[str, object])
    kinds: dict[str, str] = attrs.field(factory=dict[str, str])

    def member(self, name: str) -> object:
        """Return a method. Raises Unknown."""
        if name in ("addoption", "_addoption", "add_argument"):
            return Native(name, self._option)
        if name == "getgroup":
            return answering(self)
        if name == "addini":
            return Native(name, self._ini)
        return answering(UNKNOWN) if name not in self.attributes else self.attributes[name]

    def _option(self, arguments: Arguments, words: Keywords) -> object:
        names = [one for one in arguments if isinstance(one, str)]
        long = next((one for one in names if one.startswith("--")), names[0] if names else "")
        dest = words.get("dest") or long.lstrip("-").replace("-", "_")
        flag = words.get("action") in ("store_true", "store_false")
        default = words.get("default", words.get("action") == "store_false" if flag else None)
        value = next((self._given(one, default, words) for one in names if one in self.given), None)
        if isinstance(dest, str):
            found = default if not any(one in self.given for one in names) else value
            self.options.attributes.setdefault(dest, found)
        return None

    def _given(self, name: str, default: object, words: Keywords) -> object:
        """Return what ``addopts`` sets the option to."""
        value = self.given[name]
        if words.get("action") == "store_true":
            return True
        if words.get("action") == "store_false":
            return False
        if words.get("action") == "store_const":
            return words.get("const", UNKNOWN)
        return value if value is not None else default

    def _ini(self, arguments: Arguments, words: Keywords) -> object:
        name = arguments[0] if arguments else words.get("name")
        kind = arguments[2] if len(arguments) > 2 else words.get("type", "string")
        several = kind in ("args", "linelist", "paths", "pathlist")
        default = arguments[3] if len(arguments) > 3 else words.get("default")
        empty: object = list[object]() if several else ""
        self.inis[str(name)] = empty if default is None else default
        self.kinds[str(name)] = str(kind)
        return None


@attrs.define(eq=False, repr=False)
class Config(Thing):
    """``config``: options, ini values, arguments and the plugin manager."""

    options: Options
    ini: Mapping[str, Option]
    parser: Parser
    arguments: list[object]
    plugins: list[tuple[object, Cause]]
    added: dict[str, list[tuple[str, Cause]]] = attrs.field(
        factory=dict[str, "list[tuple[str, Cause]]"]
    )

    def member(self, name: str) -> object:
        """Return an attribute or method. Raises Unknown."""
        if name in self.attributes:
            return self.attributes[name]
        match name:
            case "option" | "known_args_namespace":
                return self.options
            case "getoption" | "getvalue" | "getvalueorskip":
                return Native(name, self._option)
            case "getini":
                return Native(name, self._ini)
            case "addinivalue_line":
                return Native(name, self._add_line)
            case "args":
                return self.arguments
            case "rootdir" | "rootpath" | "inipath":
                return PathText(ROOT)
            case "pluginmanager" | "hook":
                return _Manager(self)
            case "_inicache" | "inicfg" | "_inicfg":
                return _IniCache(self)
            case "pytestargs":
                return self.arguments
            case _:
                raise Unknown(name)

    def store(self, name: str, value: object) -> None:
        """Give an attribute a value: ``args`` are what is collected."""
        if name == "args" and isinstance(value, list):
            self.arguments[:] = cast("list[object]", value)
        elif name == "option" and isinstance(value, Options):
            return
        else:
            self.attributes[name] = value

    def _option(self, arguments: Arguments, words: Keywords) -> object:
        asked = arguments[0] if arguments else words.get("name")
        if not isinstance(asked, str):
            raise Unknown("an option of any name")
        name = _NAMES.get(asked, asked.lstrip("-").replace("-", "_"))
        try:
            return self.options.member(name)
        except Unknown:
            if len(arguments) > 1 or "default" in words:
                return arguments[1] if len(arguments) > 1 else words["default"]
            raise

    def _ini(self, arguments: Arguments, words: Keywords) -> object:
        name = str(arguments[0] if arguments else words.get("name"))
        if name in self.ini:
            return self._typed(name, self.ini[name])
        if name in self.parser.inis:
            return self.parser.inis[name]
        raise Unknown(name)

    def _typed(self, name: str, option: Option) -> object:
        """Return a setting as the type it was given says."""
        kind = self.parser.kinds.get(name, _KINDS.get(name, "string"))
        if kind == "linelist":
            return list(option.lines)
        if kind == "bool":
            return bool(option.truth)
        return list(option.words) if kind in ("args", "paths", "pathlist") else option.text

    def _add_line(self, arguments: Arguments, words: Keywords) -> object:
        line = (str(arguments[1]), self.options.cause())
        self.added.setdefault(str(arguments[0]), []).append(line)
        return None


@attrs.frozen(eq=False, repr=False)
class _Manager:
    """``config.pluginmanager`` and ``config.hook``: only plugins that are put in matter here."""

    config: Config

    def member(self, name: str) -> object:
        if name in ("register", "import_plugin"):
            return Native(name, self._register)
        if name in ("unregister", "set_blocked"):
            return Native(name, self._block)
        if name.startswith("pytest_") or name in ("check_pending", "add_hookspecs", "addhooks"):
            return answering(None)
        return answering(UNKNOWN)

    def _register(self, arguments: Arguments, words: Keywords) -> object:
        plugin = arguments[0] if arguments else words.get("plugin", UNKNOWN)
        self.config.plugins.append((plugin, self.config.options.cause()))
        return None

    def _block(self, arguments: Arguments, words: Keywords) -> object:
        name = next((one for one in (*arguments, *words.values()) if isinstance(one, str)), None)
        if name is not None:
            known = self.config.options.texts("plugins")
            self.config.options.store("plugins", [*known, f"no:{name}"])
        return None


@attrs.frozen(eq=False, repr=False)
class _IniCache:
    """``config._inicache``: what is written to it is what ``getini`` gives from then on."""

    config: Config

    def store_item(self, index: object, value: object) -> None:
        """Overwrite one ini value."""
        self.config.options.store(f"ini:{index}", value)

    def __iter__(self) -> Iterator[str]:
        return iter(self.config.ini)


@attrs.define(eq=False, repr=False)
class SessionOf(Thing):
    """``session``: its items, and whether it is told to stop."""

    options: Options

    def store(self, name: str, value: object) -> None:
        """Give an attribute a value."""
        self.attributes[name] = value
        if name in ("shouldstop", "shouldfail"):
            self.options.store("shouldstop", value)
