"""Random workspaces: what is drawn depends only on the seed and the number of the workspace."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator, Sequence

import attrs

from tests.truth.keys import LINES
from tests.truth.options import ROWS
from tests.truth.suites import PLAIN, SUITES, Suite
from tests.truth.surroundings import CONFTESTS, COVERAGE, VARIABLES
from tests.truth.workspaces import Content, Workspace

_INI = {
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "tox.ini": "pytest",
    "setup.cfg": "tool:pytest",
}
_TOML = {
    "pyproject.toml": ("tool.pytest.ini_options", "tool.pytest"),
    "pytest.toml": ("pytest",),
    ".pytest.toml": ("pytest",),
}
_NAMES = (
    "pytest.ini",
    "pyproject.toml",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
)
_BARE = {
    "pyproject.toml": "[project]\nname = 'x'\n",
    "tox.ini": "[tox]\nenvlist = py\n",
    "setup.cfg": "[metadata]\nname = x\n",
    "setup.py": "from setuptools import setup\n\nsetup()\n",
}
_HARMLESS = (
    ("-ra",),
    ("-q",),
    ("-v",),
    ("--tb=short",),
    ("--durations=3",),
    ("-ra", "-q"),
    ("-s",),
)
_BROKEN: tuple[tuple[str, bytes], ...] = (
    ("pyproject.toml", b"[tool.pytest\n"),
    ("pyproject.toml", b"tool = 3\n"),
    ("pyproject.toml", b"\xff\xfe\n"),
    ("tox.ini", b"[flake8]\nx = 1\nx = 2\n"),
    ("setup.cfg", b"[pytest]\naddopts = -q\n"),
    ("pytest.ini", b"addopts = -q\n"),
    ("pytest.ini", b"[pytest]\naddopts = -k 'x\n"),
    ("pytest.toml", b"addopts = ['-q']\n"),
)
_SPELLINGS = (
    "{target}",
    "./{target}",
    "{target}",
    "{directory}",
    "{directory}/",
    "{target}::test_ok",
)
_GRADERS = (
    (),
    (),
    (),
    (),
    ("-q",),
    ("-v",),
    ("-rA",),
    ("-x",),
    ("-p", "no:cacheprovider"),
    ("--tb=short",),
    ("-o", "addopts="),
    ("-c", "/dev/null"),
    ("--rootdir=.",),
    ("--confcutdir=tests",),
    ("--cov",),
    ("--cov", "{directory}"),
    ("-n", "2"),
    ("-k", "ok"),
    ("-W", "ignore"),
    ("--noconftest",),
    ("--junitxml=r.xml",),
    ("-Z", "{directory}"),
    ("--strict-markers",),
    ("-o", "xfail_strict=true"),
    ("--",),
    ("--timeout", "60"),
    ("-m", "not slow"),
    ("-qq",),
)


@attrs.define
class _Draw:
    """The choices behind one workspace."""

    dice: random.Random
    suite: Suite
    files: dict[str, Content] = attrs.field(factory=dict[str, Content])

    def chance(self, probability: float) -> bool:
        return self.dice.random() < probability

    def addopts(self) -> list[str]:
        """Return harmless words, a row of options, or several rows together."""
        if self.chance(0.25):
            return list(self.dice.choice(_HARMLESS))
        words = list(self.dice.choice(ROWS)[0])
        while self.chance(0.3):
            words += self.dice.choice((*_HARMLESS, self.dice.choice(ROWS)[0]))
        return words

    def keys(self) -> list[str]:
        """Return up to three ``key = value`` lines of different keys."""
        found: dict[str, str] = {}
        while self.chance(0.35) and len(found) < 3:
            line = self.dice.choice(LINES)[0]
            if "\naddopts" not in line:
                found[line.partition("=")[0].strip()] = line
        return list(found.values())

    def config(self, directory: str) -> None:
        """Put one config file into a directory."""
        name = self.dice.choice(_NAMES)
        addopts = self.addopts() if self.chance(0.75) else None
        text = self.ini(name, addopts) if name in _INI else self.toml(name, addopts)
        self.files[f"{directory}/{name}"] = text

    def ini(self, name: str, addopts: Sequence[str] | None) -> str:
        """Return an ini file."""
        lines = [f"[{_INI[name]}]", *self.keys()]
        if addopts is not None:
            joined = (
                "\n    ".join(map(shlex.quote, addopts))
                if self.chance(0.3)
                else shlex.join(addopts)
            )
            start = self.dice.choice(("addopts = ", "addopts=", "addopts: ", "addopts =\n    "))
            lines.insert(self.dice.choice((1, len(lines))), start + joined)
        if self.chance(0.2):
            lines += ["[flake8]", "max-line-length = 100"]
        return "\n".join(lines) + "\n"

    def toml(self, name: str, addopts: Sequence[str] | None) -> str:
        """Return a TOML file in one of the dialects its name allows."""
        table = self.dice.choice(_TOML[name])
        classic = table.endswith("ini_options")
        lines = [f"[{table}]"]
        if addopts is not None:
            as_text = classic if self.chance(0.6) else not classic
            value = (
                _toml_text(shlex.join(addopts))
                if as_text and self.chance(0.9)
                else _toml_list(addopts)
            )
            lines.append(f"addopts = {value}")
        for line in self.keys():
            key, _, value = line.partition("=")
            native = value.strip() in ("true", "false")
            lines.append(
                f"{key.strip()} = {value.strip() if native else _toml_text(value.strip())}"
            )
        return "\n".join(lines) + "\n"

    def surroundings(self) -> None:
        """Put config files, broken files, conftests and coverage files around the suite."""
        for directory in ("host", "host/deep", "host/deep/ws", "host/deep/ws/tests"):
            if self.chance(0.4):
                self.config(directory)
            if self.chance(0.12):
                name = self.dice.choice(tuple(_BARE))
                self.files.setdefault(f"{directory}/{name}", _BARE[name])
            if self.chance(0.05):
                name, data = self.dice.choice(_BROKEN)
                self.files[f"{directory}/{name}"] = data
            if self.chance(0.08):
                self.files[f"{directory}/conftest.py"] = self.dice.choice(tuple(CONFTESTS.values()))
        if self.chance(0.1):
            name, text = self.dice.choice(COVERAGE)
            self.files.setdefault(f"host/deep/ws/{name}", text)
        if self.chance(0.2):
            self.files["host/deep/ws/other/test_other.py"] = PLAIN

    def args(self) -> tuple[str, ...]:
        """Return a grader's command line."""
        directory = self.suite.target.rpartition("/")[0] or "."
        words = list(self.dice.choice(_GRADERS))
        paths = [self.dice.choice(_SPELLINGS)] if self.chance(0.85) else []
        if "host/deep/ws/other/test_other.py" in self.files and self.chance(0.4):
            paths.append("other")
        ordered = [*words, *paths] if self.chance(0.7) or words == ["--"] else [*paths, *words]
        return tuple(word.format(target=self.suite.target, directory=directory) for word in ordered)


def _toml_text(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def _toml_list(words: Sequence[str]) -> str:
    return "[" + ", ".join(map(_toml_text, words)) + "]"


def draw(seed: int, number: int) -> Workspace:
    """Return one workspace."""
    dice = random.Random(f"workspace {seed} {number}")
    made = _Draw(dice, dice.choice(list(SUITES.values())))
    made.surroundings()
    own = {name for name, _ in made.suite.files}
    home = "host/deep/ws"
    files = {
        path: text for path, text in made.files.items() if path.removeprefix(f"{home}/") not in own
    }
    environ = dice.choice(VARIABLES) if made.chance(0.1) else {}
    name = f"seed {seed}, number {number}"
    return Workspace(name, made.suite, files, made.args(), environ, cwd=home, home=home)


def workspaces(seed: int, count: int) -> Iterator[Workspace]:
    """Yield as many workspaces as asked for."""
    for number in range(count):
        yield draw(seed, number)
