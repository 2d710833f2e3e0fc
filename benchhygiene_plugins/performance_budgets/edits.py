"""Where the edit stands that took something from a test, and what it replaces."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import attrs

from benchhygiene import Change
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.importers import changed_names
from benchhygiene.inventory.pairing import Pair
from benchhygiene_plugins.performance_budgets.names import is_test_side
from benchhygiene_plugins.performance_budgets.sides import Side

_WORD = re.compile(r"\w+")
_LONGEST = 400


@attrs.frozen
class Edit:
    """The lines an edit took and put; ``cause`` is the file it stands in where that is another."""

    old: str = ""
    new: str = ""
    cause: str | None = None


@attrs.frozen(eq=False)
class Edits:
    """Finds the edit that a test means something else for."""

    change: Change
    before: Side
    after: Side

    def of(self, both: Pair) -> Edit:
        """Return the edit of the test itself, else of its file, else of one that it uses."""
        old, new = both.old, both.new or both.old
        texts = definition(self.before, old), definition(self.after, new)
        if texts[0] != texts[1]:
            return Edit(*differing_lines(*texts))
        if old.path in self.change.differing():
            own = changed_names(self.change.parent, self.change.candidate, old.path)
            if own & {*_WORD.findall(texts[0]), *(one.name for one in old.classes)}:
                return Edit(*differing_lines(*self._files(old.path)))
        cause = next(self._others(old.path), None)
        path = cause or old.path
        return Edit(*differing_lines(*self._files(path)), cause)

    def _others(self, path: str) -> Iterator[str]:
        """Yield the other files that differ, conftests and those the test's names first."""
        module = self.before.modules.at(path)
        text = module.file.text if module is not None else ""
        shared = [
            one
            for one in self.change.differing()
            if one.endswith(".py") and one != path and is_test_side(one)
        ]
        near = [one for one in shared if _is_near(one, path, text)]
        yield from (*near, *shared)

    def _files(self, path: str) -> tuple[str, str]:
        modules = self.before.modules.at(path), self.after.modules.at(path)
        first, second = (one.file.text if one is not None else "" for one in modules)
        return first, second


def _is_near(one: str, path: str, text: str) -> bool:
    folder, name = posixpath.split(one)
    if name == "conftest.py":
        return not folder or path.startswith(f"{folder}/")
    return name.removesuffix(".py") in text


def definition(side: Side, node: Node) -> str:
    """Return the source of a test."""
    module = side.modules.at(node.definition_path)
    return module.file.definition_text(node.definition) if module is not None else ""


def differing_lines(old: str, new: str) -> tuple[str, str]:
    """Return the lines in which two texts differ, those between the first and the last."""
    before, after = old.splitlines(), new.splitlines()
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    cut = [lines[start : len(lines) - end] for lines in (before, after)]
    first, second = ("\n".join(lines).strip()[:_LONGEST] for lines in cut)
    return first, second
