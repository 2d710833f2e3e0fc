"""What a session starts with: options from words, arguments, and settings."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.configuration.files.words import ADDED, Words
from benchhygiene_plugins.configuration.session.options import Options


def put(options: Options, words: Words) -> None:
    """Give options the values that words ask for."""
    for name, values in words.values.items():
        if name in ADDED:
            options.store(name, [*options.texts(name), *values])
        else:
            options.store(name, values[-1] if values[-1] != "true" else True)


def given(words: Words) -> Mapping[str, str | None]:
    """Return the options that nobody here knows, with their values: a conftest may add them."""
    found: dict[str, str | None] = {}
    for one in words.others:
        name, sign, value = one.partition("=")
        found[name] = value if sign else None
    return found


def positional(tree: SourceTree, words: Words) -> list[object]:
    """Return the words that name something in the tree: others may be an option's value."""
    known = tree.surveyed(_places)
    return [one for one in words.positional if posixpath.normpath(one.partition("::")[0]) in known]


def _places(tree: SourceTree) -> frozenset[str]:
    found: set[str] = {"."}
    for path in tree.entries:
        while path and path not in found:
            found.add(path)
            path = posixpath.dirname(path)
    return frozenset(found)
