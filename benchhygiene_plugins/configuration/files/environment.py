"""Words for pytest that files of a tree put into its environment."""

from __future__ import annotations

import posixpath
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.configuration.files.sections import table
from benchhygiene_plugins.configuration.files.settings import Settings

VARIABLE = "PYTEST_ADDOPTS"
_DOTTED = (".env", ".envrc", ".flaskenv", "pytest.env", ".env.test", ".test.env", "test.env")
_LINE = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?PYTEST_ADDOPTS[ \t]*=[ \t]*(.*)$")
_PREFIX = re.compile(r"^(?:[DRS]:)*")


def environment_words(tree: SourceTree, settings: Settings) -> Mapping[str, tuple[str, ...]]:
    """Return, by the file that sets it, the words of ``PYTEST_ADDOPTS``."""
    return {path: tuple(split(text)) for path, text in _values(tree, settings) if text}


def _values(tree: SourceTree, settings: Settings) -> Iterator[tuple[str, str]]:
    for line in settings.option("env").lines:  # pytest-env
        name, sign, value = line.partition("=")
        if sign and _PREFIX.sub("", name.strip()) == VARIABLE:
            yield settings.path, value.strip()
    for path in _DOTTED:
        if tree.is_file(path):
            yield from ((path, found) for found in _assigned(_text(tree, path)))
    if tree.is_file("pyproject.toml"):
        yield from (("pyproject.toml", one) for one in _of_pytest_env(tree))


def _assigned(text: str) -> Iterator[str]:
    for found in _LINE.findall(text):
        yield found.strip().strip("'\"")


def _of_pytest_env(tree: SourceTree) -> tuple[str, ...]:
    """Return what pytest-env's own table sets."""
    try:
        return tree.derived("pyproject.toml", _of_toml)
    except EvidenceUnavailable:
        return ()


def _of_toml(data: bytes) -> tuple[str, ...]:
    if VARIABLE.encode() not in data:
        return ()
    try:
        document = parse_toml(data.decode("utf-8", errors="replace"))
    except (TomlRefused, tomllib.TOMLDecodeError):
        return ()
    value = table(table(document.get("tool")).get("pytest_env")).get(VARIABLE)
    value = table(value).get("value", value)
    return (value,) if isinstance(value, str) else ()


def _text(tree: SourceTree, path: str) -> str:
    try:
        return tree.read(path).decode("utf-8", errors="replace")
    except EvidenceUnavailable:
        return ""


def split(text: str) -> list[str]:
    """Return the words of a text as a shell has them."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def names_environment(path: str) -> bool:
    """Return whether a file may set variables for a run."""
    return posixpath.basename(path) in _DOTTED
