"""Read Makefiles, tox.ini, Dockerfiles and shell scripts."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Callable, Iterator, Mapping

import attrs

from benchhygiene.inventory.ini_syntax import IniSyntaxError, IniValue, parse_ini
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline, Setting, gates
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.runners import run_of
from benchhygiene_plugins.pipelines.tokens import LARGEST, ShellSyntaxError

_VARIABLE = re.compile(r"\s*(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|:{1,3}|\+)?=\s*(.*)")
_TARGET = re.compile(r"([^\s#:=][^:=#]*?)\s*&?::?(?!=)\s*([^;#]*)(?:;(.*))?")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]|\$([A-Za-z_])")
_SHELLS = re.compile(r"(?:^|/)(?:[a-z]*sh|cmd|pwsh|busybox)(?:\.exe)?$|\$")
_POSARGS = re.compile(r"\{posargs(?::([^{}]*))?\}")
#: An environment that runs one version of Python, and so the tests, where nothing else is said.
_PYTHON_ENV = re.compile(r"testenv:(?:py|pypy)[\d.]*")
_EXPANSIONS = 5  # variables within variables
_LONGEST_VALUE = 10_000  # characters an expanded text may have


def shell(path: str, data: bytes) -> Pipeline:
    """Return the gates of a shell script; its first line's options count."""
    text = data.decode("utf-8", errors="replace")
    first = text.partition("\n")[0]
    is_strict = first.startswith("#!") and re.search(r"\s-\w*e", first) is not None
    return reading(path, lambda: gates(text, 1, Setting(path, options=Options(errexit=is_strict))))


def reading(path: str, find: Callable[[], Iterator[Gate]]) -> Pipeline:
    """Return the gates that are found, or why a script could not be read."""
    try:
        return Pipeline(tuple(find()))
    except (ShellSyntaxError, RecursionError) as error:
        return Pipeline(doubts=(f"no shell script that can be read: {error}",))


def docker(path: str, data: bytes) -> Pipeline:
    """Return the gates of the ``RUN`` lines of a Dockerfile, of CMD and of ENTRYPOINT."""
    text = data.decode("utf-8", errors="replace")[:LARGEST]
    found: list[Gate] = []
    for match in re.finditer(
        r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+((?:[^\n\\]|\\.|\\\n)*)", text, re.MULTILINE
    ):
        line = text.count("\n", 0, match.start()) + 1
        words = match[1]
        if words.startswith("["):
            words = shlex.join(re.findall(r'"([^"]*)"', words))
        piece = reading(path, functools.partial(gates, words, line, Setting(path)))
        if piece.doubts:
            return Pipeline(tuple(found), piece.doubts)
        found += piece.gates
    return Pipeline(tuple(found))


def makefile(path: str, data: bytes) -> Pipeline:
    """Return the gates of a Makefile's recipes by target.

    Rules: GNU make's manual, "Errors in Recipes" (``-`` before a line, ``.IGNORE``, ``-i`` in
    MAKEFLAGS), "Recipe Syntax", "How to Use Variables", ``.ONESHELL``.
    """
    text = data.decode("utf-8", errors="replace")
    if len(text) > LARGEST:
        return Pipeline(doubts=(f"longer than {LARGEST} characters",))
    return reading(path, lambda: _Makefile(path, text).gates())


class _Makefile:
    """The variables of a Makefile and the recipe lines of every target."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.variables: dict[str, str] = {}
        self.recipes: list[tuple[tuple[str, ...], list[tuple[str, int]]]] = []
        self.ignored: set[str] = set()
        self.is_one_shell = False
        for line, number in _joined(text):
            self._line(line, number)

    def _line(self, line: str, number: int) -> None:
        if line.startswith("\t"):
            if self.recipes:
                self.recipes[-1][1].append((line[1:], number))
        elif variable := _VARIABLE.fullmatch(line):
            self._assign(variable[1], variable[2], variable[3])
        elif target := _TARGET.match(line):
            self._target(target, number)

    def _assign(self, name: str, sign: str | None, value: str) -> None:
        if sign == "+":
            value = f"{self.variables.get(name, '')} {value}"
        self.variables[name] = value[:_LONGEST_VALUE]

    def _target(self, target: re.Match[str], number: int) -> None:
        names = tuple(target[1].split())
        if ".IGNORE" in names:
            self.ignored.update(target[2].split() or ["*"])
        if ".ONESHELL" in names:
            self.is_one_shell = True
        self.recipes.append((names, [(target[3], number)] if target[3] else []))

    def gates(self) -> Iterator[Gate]:
        flags = self.expand("$(MAKEFLAGS)").split()
        is_ignoring = any(
            re.fullmatch(r"-?[a-zA-Z]*[i][a-zA-Z]*|--ignore-errors", flag) for flag in flags
        )
        everywhere = "MAKEFLAGS has -i" if is_ignoring else ".IGNORE" if "*" in self.ignored else ""
        shell = self.expand("$(SHELL)").split()
        if shell and not _SHELLS.search(shell[-1]):
            everywhere = f"SHELL is {shell[-1]}"
        for names, lines in self.recipes:
            masked = everywhere or (".IGNORE" if self.ignored & {*names} else "")
            for text, number in self._scripts(lines):
                yield from self._recipe(text, number, names, masked)

    def _scripts(self, lines: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
        if self.is_one_shell and lines:
            yield "\n".join(text for text, _ in lines), lines[0][1]
        else:
            yield from lines

    def _recipe(
        self, text: str, number: int, names: tuple[str, ...], masked: str
    ) -> Iterator[Gate]:
        text = self.expand(text)
        prefix = re.match(r"[\s@+-]*", text)
        start = prefix.end() if prefix else 0
        masked = masked or ("- before the line" if "-" in text[:start] else "")
        flags = self.expand("$(.SHELLFLAGS)").split()
        options = Options(
            any("e" in each[1:] for each in flags if each[:1] == "-"), "pipefail" in flags
        )
        yield from gates(text[start:], number, Setting(self.path, names, options, masked))

    def expand(self, text: str) -> str:
        """Return the text with the values of known variables in it; ``$$`` becomes ``$``."""
        for _ in range(_EXPANSIONS):
            expanded = _REFERENCE.sub(self._value, text)[:_LONGEST_VALUE]
            if expanded == text:
                break
            text = expanded
        return text.replace("$$", "$")

    def _value(self, match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if match.start() and match.string[match.start() - 1] == "$":
            return match[0]
        known = {
            "SHELL": "/bin/sh",
            "MAKE": "make",
            "MAKEFLAGS": "",
            ".SHELLFLAGS": "",
            "PYTHON": "python",
        }
        return self.variables.get(name, known.get(name, match[0]))[:_LONGEST_VALUE]


def _joined(text: str) -> Iterator[tuple[str, int]]:
    """Yield each logical line of a Makefile with the number of its first physical one."""
    pending, start = list[str](), 1
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not pending:
            start = number
        pending.append(line)
        if line.endswith("\\"):
            continue
        is_recipe = pending[0].startswith("\t")
        if is_recipe:
            yield "\n".join(pending), start
        else:
            yield " ".join(part.rstrip("\\").rstrip() for part in pending), start
        pending = []
    if pending:
        yield " ".join(part.rstrip("\\") for part in pending), start


def tox(path: str, data: bytes) -> Pipeline:
    """Return the gates of the environments of a ``tox.ini`` or ``setup.cfg``.

    Rules: tox 4, "Configuration": ``-`` before a command, ``ignore_outcome``, ``set_env``.
    """
    try:
        sections = parse_ini(data.decode("utf-8", errors="replace"))
    except IniSyntaxError as error:
        return Pipeline(doubts=(str(error),))
    found: list[Gate] = []
    silent = [name for name in sections if _PYTHON_ENV.fullmatch(name)]
    silent = [name for name in silent if "commands" in sections[name] and not _runs(sections[name])]
    for name, keys in sections.items():
        if not name.startswith(("testenv", "tox:testenv", "env", "gh-actions")):
            continue
        ignored = keys.get("ignore_outcome")
        masked = "ignore_outcome" if ignored and ignored.text.strip().lower() == "true" else ""
        environment = tuple(
            piece.text.replace(" = ", "=", 1)
            for key in ("setenv", "set_env")
            if key in keys
            for piece in keys[key].pieces
        )
        for key in ("commands", "commands_pre", "commands_post"):
            pieces = keys[key].pieces if key in keys else ()
            for text, line in _continued([(piece.text, piece.line) for piece in pieces]):
                found += _tox_command(path, name, text, line, masked, environment)
        if name == "testenv" and silent:
            apart = tuple(f"not in {each}" for each in sorted(silent))
            found = [attrs.evolve(one, conditions=(*one.conditions, *apart)) for one in found]
    return Pipeline(tuple(found))


def _runs(keys: Mapping[str, IniValue]) -> bool:
    """Return whether an environment's own commands, or those it refers to, may run tests."""
    text = keys["commands"].text
    return "{[" in text or re.search(r"test|nox|tox|nose|trial|cover", text) is not None


def _continued(lines: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    text, start = "", 0
    for line, number in lines:
        start = start or number
        text += line.removesuffix("\\")
        if not line.endswith("\\"):
            yield text, start
            text, start = "", 0


def _tox_command(
    path: str, place: str, text: str, line: int, masked: str, environment: tuple[str, ...]
) -> Iterator[Gate]:
    """Yield the gate of one command; tox runs it without a shell."""
    conditions: tuple[str, ...] = ()
    if factor := re.match(r"(!?[\w,!{}.-]+):\s+", text):
        conditions, text = (f"only in {factor[1]}",), text[factor.end() :]
    prefix = re.match(r"(?:[-!]\s+|-(?=\w))*", text)
    bare = text[prefix.end() if prefix else 0 :]
    if prefix and prefix[0]:
        masked = masked or f"{prefix[0].strip()} before the command"
    bare = _POSARGS.sub(r"\1", bare)
    try:
        words = tuple(shlex.split(bare))
    except ValueError:
        words = tuple(bare.split())
    yield from plain(path, (place,), words, line, masked, conditions, environment)


def plain(
    path: str,
    place: tuple[str, ...],
    words: tuple[str, ...],
    line: int,
    masked: str,
    conditions: tuple[str, ...] = (),
    environment: tuple[str, ...] = (),
) -> Iterator[Gate]:
    """Yield the gates of a command that runs without a shell, or that starts one."""
    if words[:2] in (("bash", "-c"), ("sh", "-c")) and len(words) > 2:
        setting = Setting(path, place, Options(), masked, conditions, environment)
        yield from gates(words[2], line, setting)
    elif run := run_of(words, environment):
        yield Gate(path, line, place, run, " ".join(words), masked, conditions)
