"""One small suite, and ways to edit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

PATH = "tests/test_a.py"
BASE = """\
import os
import sys
import unittest

import pytest


def test_one():
    assert 1 + 1 == 2


def test_two():
    assert 2 + 2 == 4


class TestGroup:
    def test_three(self):
        assert 3 == 1 + 2

    def test_four(self):
        assert 4 == 2 + 2


class Cases(unittest.TestCase):
    def test_five(self):
        self.assertEqual(5, 2 + 3)

    def test_six(self):
        self.assertEqual(6, 3 + 3)


@pytest.mark.parametrize("n", [1, 2])
def test_seven(n):
    assert n > 0
"""
SHOP = '''\
"""A shop.

>>> 1 + 1
2
"""


def double(number):
    """Double a number.

    >>> double(2)
    4
    >>> double(3)
    6
    """
    return number * 2
'''
NODES = {
    "one": "test_one",
    "two": "test_two",
    "three": "TestGroup::test_three",
    "four": "TestGroup::test_four",
    "five": "Cases::test_five",
    "six": "Cases::test_six",
    "seven": "test_seven",
}
ALL = tuple(NODES)
Edit = Callable[[str], str]


def on(name: str, decorator: str) -> Edit:
    """Put a decorator on a function or class."""

    def edit(source: str) -> str:
        out: list[str] = []
        for line in source.split("\n"):
            text = line.lstrip()
            if text.startswith((f"def {name}(", f"class {name}:", f"class {name}(")):
                pad = line[: len(line) - len(text)]
                out.extend(pad + one for one in decorator.split("\n"))
            out.append(line)
        return "\n".join(out)

    return edit


def inside(name: str, text: str) -> Edit:
    """Put lines at the top of a function's or class's body."""

    def edit(source: str) -> str:
        out: list[str] = []
        for line in source.split("\n"):
            out.append(line)
            head = line.lstrip()
            if head.startswith((f"def {name}(", f"class {name}:", f"class {name}(")):
                pad = line[: len(line) - len(head)] + "    "
                out.extend(pad + one for one in text.split("\n"))
        return "\n".join(out)

    return edit


def top(text: str) -> Edit:
    """Put lines below the imports."""
    return lambda source: source.replace("import pytest\n", f"import pytest\n{text}\n", 1)


def bottom(text: str) -> Edit:
    """Put lines at the end."""
    return lambda source: f"{source}\n\n{text}\n"


def swap(old: str, new: str) -> Edit:
    """Replace a text that must be there."""

    def edit(source: str) -> str:
        assert old in source, old
        return source.replace(old, new)

    return edit


@attrs.frozen
class Disguise:
    """A candidate of the base suite: what is reported on it, and on which tests."""

    name: str
    rule: str
    edits: tuple[Edit, ...]
    nodes: tuple[str, ...]
    files: Mapping[str, str]
    parent_edits: tuple[Edit, ...] = ()
    parent_files: Mapping[str, str] = attrs.field(factory=dict[str, str])

    @property
    def parent(self) -> dict[str, str]:
        return _tree(self.parent_edits, self.parent_files)

    @property
    def candidate(self) -> dict[str, str]:
        return _tree(self.edits, self.files)

    @property
    def node_ids(self) -> set[str]:
        return {f"{PATH}::{NODES[name]}" for name in self.nodes}


def _tree(edits: tuple[Edit, ...], files: Mapping[str, str]) -> dict[str, str]:
    source = BASE
    for edit in edits:
        source = edit(source)
    return {PATH: source, "shop.py": SHOP, **files}


def disguise(
    name: str,
    rule: str,
    nodes: str,
    *edits: Edit,
    files: Mapping[str, str] | None = None,
    parent: tuple[Edit, ...] = (),
    parent_files: Mapping[str, str] | None = None,
) -> Disguise:
    """Return one; ``nodes`` are the last words of the tests' names, ``all`` for all of them."""
    named = ALL if nodes == "all" else tuple(nodes.split())
    return Disguise(name, rule, edits, named, files or {}, parent, parent_files or {})
