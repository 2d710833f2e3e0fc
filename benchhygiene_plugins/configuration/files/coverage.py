"""The coverage a tree demands: floors, and what they are measured over."""

from __future__ import annotations

import fnmatch
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.configuration.files.sections import (
    Option,
    ini_options,
    table,
    toml_options,
)

#: Files that coverage reads, the first with a section of its own wins: ``coverage/config.py``.
COVERAGE_FILES = (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml")
_PARTS = ("run", "report")
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,9})?")


@attrs.frozen
class CoverageSettings:
    """The file that configures coverage, and its options as ``report.fail_under``."""

    path: str = ""
    options: Mapping[str, Option] = attrs.field(factory=dict[str, Option])

    @classmethod
    def of(cls, tree: SourceTree, chosen: str = "") -> CoverageSettings:
        """Return a tree's settings; ``chosen`` is the file that ``--cov-config`` names."""
        paths = (posixpath.normpath(chosen),) if chosen else COVERAGE_FILES
        for path in paths:
            if tree.is_file(path):
                options = _options(tree, path)
                # A file of coverage's own ends the search even where it is empty.
                if options or chosen or path.startswith(".coveragerc"):
                    return cls(path, options)
        return cls()

    def option(self, name: str) -> Option:
        """Return one option, an empty one where it is not set."""
        return self.options.get(name, Option())

    @property
    def floor(self) -> float:
        """Return the least coverage, 0 where there is none."""
        return number(self.option("report.fail_under").text)


def number(text: str) -> float:
    """Return a text as a number, 0 where it is none."""
    found = _NUMBER.fullmatch(text.strip().removesuffix("%"))
    return float(found.group()) if found else 0.0


def _options(tree: SourceTree, path: str) -> Mapping[str, Option]:
    try:
        text = tree.read(path).decode("utf-8", errors="replace")
    except EvidenceUnavailable:
        return {}
    try:
        return dict(_of_toml(text) if path.endswith(".toml") else _of_ini(text, path))
    except (IniSyntaxError, TomlRefused, tomllib.TOMLDecodeError):
        return {}


def _of_ini(text: str, path: str) -> Iterator[tuple[str, Option]]:
    sections = parse_ini(text)
    prefixes = (
        ("coverage:",)
        if posixpath.basename(path) in ("setup.cfg", "tox.ini")
        else ("", "coverage:")
    )
    for prefix in prefixes:
        for part in _PARTS:
            for name, option in ini_options(sections, f"{prefix}{part}").items():
                yield f"{part}.{name}", option


def _of_toml(text: str) -> Iterator[tuple[str, Option]]:
    document = parse_toml(text)
    found = table(table(document.get("tool")).get("coverage"))
    for part in _PARTS:
        for name, option in toml_options(found.get(part, document.get(part))).items():
            yield f"{part}.{name}", option


def left_in(settings: CoverageSettings, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the files that ``include`` and ``source`` let be measured."""
    include = settings.option("run.include").lines + settings.option("report.include").lines
    globs = [one for line in include for one in re.split(r"[,\s]+", line) if one]
    lines = settings.option("run.source").lines
    sources = [one for line in lines for one in re.split(r"[,\s]+", line) if one]
    folders = [one.removeprefix("./").rstrip("/") for one in sources]
    return frozenset(
        path
        for path in paths
        if (not globs or any(_fits(path, one) for one in globs))
        and (not folders or any(_is_within(path, one) for one in folders))
    )


def _is_within(path: str, source: str) -> bool:
    """Return whether a file is below a source: a directory, or the dotted name of a package."""
    folder = source.replace(".", "/") if "/" not in source else source
    return source in ("", ".") or f"/{path}".find(f"/{folder}/") >= 0 or path == f"{folder}.py"


def omitted(settings: CoverageSettings, tree: SourceTree) -> frozenset[str]:
    """Return the source files of a tree that are left out of what is measured."""
    patterns = settings.option("run.omit").lines + settings.option("report.omit").lines
    globs = [one for line in patterns for one in re.split(r"[,\s]+", line) if one]
    return frozenset(
        path
        for path in (tree.files(".py") if globs else ())
        if any(_fits(path, one) for one in globs)
    )


def _fits(path: str, pattern: str) -> bool:
    plain = pattern.removeprefix("./")
    if fnmatch.fnmatchcase(path, plain) or fnmatch.fnmatchcase(f"/{path}", plain):
        return True
    return plain.endswith("/") and path.startswith(plain)
