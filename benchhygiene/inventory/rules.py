"""Which files, classes and functions pytest looks at, as the files of a tree set it.

Rules: ``_pytest/config/findpaths.py``, ``_pytest/main.py`` and ``_pytest/python.py`` of pytest 7.4
to 9.2, for a run in the tree's root without arguments.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.constants import Constants
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.namespaces import module_scope
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene.inventory.values import Unknown

CONFIG_FILES = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
_MAGIC = frozenset("*?[")


@attrs.frozen
class CollectionRules:
    """Which files, classes and functions pytest looks at; patterns are pytest's.

    ``ignored`` and ``ignored_globs`` hold, per directory with a conftest that says so, the paths it
    takes out. ``doctest_modules`` says that the docstrings of modules are collected, and
    ``doctest_globs`` which text files. ``pythonpath`` are directories that imports search.
    ``unseen`` says what could not be read.
    """

    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    python_classes: tuple[str, ...] = ("Test",)
    python_functions: tuple[str, ...] = ("test",)
    testpaths: tuple[str, ...] = ()
    norecursedirs: tuple[str, ...] = (
        "*.egg",
        ".*",
        "_darcs",
        "build",
        "CVS",
        "dist",
        "node_modules",
        "venv",
        "{arch}",
    )
    pythonpath: tuple[str, ...] = ()
    collect_imported_tests: bool = True
    ignored: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    ignored_globs: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    doctest_modules: bool = False
    doctest_globs: tuple[str, ...] = ("test*.txt",)
    unseen: tuple[str, ...] = ()

    @classmethod
    def of(cls, tree: SourceTree) -> CollectionRules:
        """Return the rules that the tree's config file and conftests set."""
        options, unseen = _config(tree)
        rules = cls(unseen=tuple(unseen))
        given = {name: tuple(_words(value)) for name, value in options.items()}
        rules = attrs.evolve(
            rules,
            python_files=given.get("python_files", rules.python_files),
            python_classes=given.get("python_classes", rules.python_classes),
            python_functions=given.get("python_functions", rules.python_functions),
            testpaths=given.get("testpaths", ()),
            norecursedirs=given.get("norecursedirs", rules.norecursedirs),
            pythonpath=given.get("pythonpath", ()),
        )
        imported = str(options.get("collect_imported_tests", "true")).lower()
        rules = attrs.evolve(rules, collect_imported_tests=imported not in ("false", "0", "no"))
        rules = _with_addopts(rules, given.get("addopts", ()))
        return _with_testpaths(_with_conftests(rules, tree), tree)

    def is_test_file(self, path: str) -> bool:
        """Return whether pytest would import the file to look for tests."""
        if not path.endswith(".py") or not self.is_reached(path):
            return False
        return path in self.testpaths or any(_fits(path, one) for one in self.python_files)

    def is_reached(self, path: str) -> bool:
        """Return whether pytest gets to the file: no directory or conftest keeps it out."""
        return self.kept_out(path) is None

    def kept_out(self, path: str) -> str | None:
        """Say what keeps pytest from getting to the file, None where nothing does."""
        if not self._is_below_testpaths(path):
            return "it lies outside testpaths"
        for below in _steps(path):
            if below != path and any(_fits(below, one) for one in self.norecursedirs):
                return f"norecursedirs keeps {below} out"
            if _nearest(below, self.ignored, lambda given, one: given == one):
                return f"collect_ignore keeps {below} out"
            if _nearest(below, self.ignored_globs, fnmatch.fnmatchcase):
                return f"collect_ignore_glob keeps {below} out"
        return None

    def _is_below_testpaths(self, path: str) -> bool:
        return not self.testpaths or any(
            one == "." or path == one or path.startswith(f"{one}/") for one in self.testpaths
        )

    def is_function(self, name: str) -> bool:
        """Return whether a function of this name is a test."""
        return _is_named(name, self.python_functions)

    def is_class(self, name: str) -> bool:
        """Return whether a class of this name is looked into."""
        return _is_named(name, self.python_classes)


def _fits(path: str, pattern: str) -> bool:
    """Match as ``fnmatch_ex`` does: a pattern with a ``/`` is for the whole path."""
    if "/" not in pattern:
        return fnmatch.fnmatchcase(posixpath.basename(path), pattern)
    return fnmatch.fnmatchcase(f"/{path}", pattern if pattern[0] == "/" else f"*/{pattern}")


def _is_named(name: str, patterns: Iterable[str]) -> bool:
    return any(
        name.startswith(pattern)
        or (bool(_MAGIC & set(pattern)) and fnmatch.fnmatchcase(name, pattern))
        for pattern in patterns
    )


def _steps(path: str) -> Iterator[str]:
    """Yield every directory on the way to a path, and the path."""
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        yield "/".join(parts[:end])


def _nearest(
    path: str, given: Mapping[str, tuple[str, ...]], fits: Callable[[str, str], bool]
) -> bool:
    """Return whether the nearest conftest at or above the path's directory names the path."""
    directory = posixpath.dirname(path)
    while directory not in given:
        if not directory:
            return False
        directory = posixpath.dirname(directory)
    return any(fits(path, one) for one in given[directory])


def _config(tree: SourceTree) -> tuple[Mapping[str, object], list[str]]:
    """Return the options of the first file that configures pytest, and what could not be read."""
    unseen: list[str] = []
    for name in CONFIG_FILES:
        if not tree.is_file(name):
            continue
        try:
            text = tree.read(name).decode("utf-8")
            found = _toml(text, name) if name.endswith(".toml") else _ini(text, name)
        except (EvidenceUnavailable, UnicodeDecodeError, IniSyntaxError, TomlRefused) as error:
            unseen.append(f"{name}: {type(error).__name__}")
        except tomllib.TOMLDecodeError:
            unseen.append(f"{name}: not valid TOML")
        else:
            if found is not None:
                return found, unseen
    return {}, unseen


def _ini(text: str, name: str) -> Mapping[str, object] | None:
    sections = parse_ini(text)
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if section in sections:
        return {key: value.text for key, value in sections[section].items()}
    return {} if name in ("pytest.ini", ".pytest.ini") else None


def _toml(text: str, name: str) -> Mapping[str, object] | None:
    document = parse_toml(text)
    if name != "pyproject.toml":
        return _table(document.get("pytest")) or {}
    tool = _table(_table(document.get("tool")).get("pytest"))
    options = tool.get("ini_options")
    if isinstance(options, dict):
        return cast("Mapping[str, object]", options)
    return tool or None


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _words(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(one) for one in cast("list[object]", value))
        return
    try:
        yield from shlex.split(str(value))
    except ValueError:
        yield from str(value).split()


def _with_addopts(rules: CollectionRules, words: tuple[str, ...]) -> CollectionRules:
    globs: list[str] = []
    ignored: list[str] = []
    ignored_globs: list[str] = []
    takers = {
        "--doctest-glob": globs,
        "--ignore": ignored,
        "--ignore-glob": ignored_globs,
    }
    for index, word in enumerate(words):
        name, sign, value = word.partition("=")
        taker = takers.get(name)
        if taker is not None:
            taker.extend([value] if sign else words[index + 1 : index + 2])
    return attrs.evolve(
        rules,
        doctest_modules="--doctest-modules" in words,
        doctest_globs=tuple(globs) or rules.doctest_globs,
        ignored={"": tuple(map(posixpath.normpath, ignored))} if ignored else {},
        ignored_globs={"": tuple(ignored_globs)} if ignored_globs else {},
    )


def _with_testpaths(rules: CollectionRules, tree: SourceTree) -> CollectionRules:
    """Expand the patterns; pytest takes the whole tree where nothing is there."""
    if not rules.testpaths:
        return rules
    known = {step for path in tree.entries for step in _steps(path)} | {"."}
    wanted = [posixpath.normpath(one) for one in rules.testpaths]
    found = [
        path
        for one in wanted
        for path in (
            sorted(fnmatch.filter(known, one)) if _MAGIC & set(one) else [one] * (one in known)
        )
    ]
    return attrs.evolve(rules, testpaths=tuple(dict.fromkeys(found)))


def _with_conftests(rules: CollectionRules, tree: SourceTree) -> CollectionRules:
    ignored, globs, unseen = dict(rules.ignored), dict(rules.ignored_globs), list(rules.unseen)
    for path in tree.files("conftest.py"):
        if posixpath.basename(path) != "conftest.py":
            continue
        try:
            if b"collect_ignore" not in tree.read(path):
                continue
        except EvidenceUnavailable as error:
            unseen.append(str(error))
            continue
        directory = posixpath.dirname(path)
        for name, kept in (("collect_ignore", ignored), ("collect_ignore_glob", globs)):
            try:
                listed = _listed(tree, path, name)
            except Unknown:
                unseen.append(f"{path}: not known what {name} holds")
                continue
            if listed is not None:
                whole = (posixpath.normpath(posixpath.join(directory, one)) for one in listed)
                kept[directory] = (*kept.get(directory, ()), *whole)
    return attrs.evolve(rules, ignored=ignored, ignored_globs=globs, unseen=tuple(unseen))


def _listed(tree: SourceTree, path: str, name: str) -> list[str] | None:
    """Return the texts a conftest's list holds, None where it has no such list."""
    names = tree.derived(path, parse).derived(module_scope).names
    if name not in names:
        return None
    constants = Constants(names.get)
    evaluator = constants.evaluator()
    found = evaluator.elements(evaluator.value(ast.Name(name, lineno=1)))
    if not all(isinstance(one, str) for one in found):
        raise Unknown(name)
    return cast("list[str]", found)
